// Package usage derives what people and shells are told of a command line from one
// declaration: the text of --help, a manual page, completion for bash, zsh and fish.
package usage

import (
	"fmt"
	"strings"
)

// A Program is the declaration of a command line.
type Program struct {
	Name, About string // About: one phrase, as the manual page begins
	Forms       []Form
	Options     []Option // before the command or the file
	Statuses    []Status
	Paragraphs  []Paragraph // further sections of the manual page
}

// A Form is one way to call the program.
type Form struct {
	Word     string // of a command; "" for scripts and the prompt
	Synopsis string // what follows
	Doc      string
	Options  []Option
	Words    []string // that may follow; nil: files
}

// An Option is one option of a program or command.
type Option struct {
	Names  []string // "-i", "--interactive"
	Value  string   // what stands for its value; "" for none. FILE and DIR are completed.
	Values []string // all there are; nil: any
	Doc    string
}

// Long is the last name, which is the longest.
func (o Option) Long() string { return o.Names[len(o.Names)-1] }

// head is the option as it is typed.
func (o Option) head() string {
	return strings.TrimSpace(strings.Join(o.Names, ", ") + " " + o.Value)
}

// A Status is an exit status and when it is returned.
type Status struct {
	Code int
	Doc  string
}

// A Paragraph is a section of the manual page.
type Paragraph struct{ Title, Text string }

// Commands are the forms that begin with a word.
func (p Program) Commands() (list []Form) {
	for _, f := range p.Forms {
		if f.Word != "" {
			list = append(list, f)
		}
	}
	return list
}

// Usage is the text of --help.
func (p Program) Usage() string {
	var b strings.Builder
	for i, f := range p.Forms {
		begin := "       "
		if i == 0 {
			begin = "usage: "
		}
		line(&b, begin+p.call(f), 43, f.Doc)
	}
	b.WriteString("\n" + Table(p.Options) + "\n")
	var statuses []string
	for _, s := range p.Statuses {
		statuses = append(statuses, fmt.Sprintf("%d %s", s.Code, s.Doc))
	}
	b.WriteString(wrap("Exit status: "+strings.Join(statuses, ", ")+".", 90))
	return b.String()
}

func (p Program) call(f Form) string {
	return strings.Join(strings.Fields(p.Name+" "+f.Word+" "+f.Synopsis), " ")
}

// Table lists options, one a line.
func Table(options []Option) string {
	width := 0
	for _, o := range options {
		width = max(width, len(o.head()))
	}
	var b strings.Builder
	for _, o := range options {
		line(&b, "  "+o.head(), width+4, o.Doc)
	}
	return b.String()
}

func line(b *strings.Builder, head string, column int, doc string) {
	b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s %s", column-1, head, doc), " ") + "\n")
}

// wrap breaks a text into lines of at most width characters.
func wrap(text string, width int) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(text) {
		switch {
		case n == 0:
		case n+1+len(word) > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String() + "\n"
}
