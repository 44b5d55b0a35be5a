package testrun

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// pretty is the report for people.
type pretty struct {
	terminal.Painter
	w     io.Writer
	width int // of the longest path
}

const (
	red    = terminal.Caret
	green  = terminal.Text
	yellow = terminal.Hint
)

func (p *pretty) begin(int) {}

func (p *pretty) file(f *File) {
	word, style := "ok  ", green
	switch {
	case !f.OK():
		word, style = "FAIL", red
	case f.Reason != "" || len(f.Cases) == 0:
		word, style = "skip", yellow
	}
	fmt.Fprintf(p.w, "%s  %-*s  %s  %.2f s\n", p.Paint(style, word), p.width, f.Path, tally(f), f.Seconds)
	for i := range f.Cases {
		p.one(f, &f.Cases[i])
	}
	if f.Error != nil {
		fmt.Fprintf(p.w, "  %s %s\n%s\n", p.Paint(red, "stopped"), place(f.Path, f.Error.Line), indent(visible(f.Error.Message), "    "))
	}
	if !f.OK() && f.Output != "" {
		fmt.Fprintf(p.w, "  printed outside the tests:\n%s\n", indent(visible(trimLines(f.Output)), "    | "))
	}
	for _, line := range f.Golden {
		fmt.Fprintf(p.w, "  %s %s\n", p.Paint(yellow, "golden"), line)
	}
	if f.Unchanged > 0 {
		fmt.Fprintf(p.w, "  %s unchanged\n", plural(f.Unchanged, "golden file"))
	}
}

// one writes a case that did not pass.
func (p *pretty) one(f *File, c *Case) {
	switch c.Status {
	case Skipped:
		fmt.Fprintf(p.w, "  %s %s: %s\n", p.Paint(yellow, "skip"), c.Name, c.Reason)
	case Failed:
		fmt.Fprintf(p.w, "  %s %s\n", p.Paint(red, "FAIL"), c.Name)
		for _, e := range c.Failures {
			fmt.Fprintf(p.w, "    %s\n%s\n", place(f.Path, e.Line), indent(visible(e.Message), "      "))
		}
		if c.Output != "" {
			fmt.Fprintf(p.w, "    printed:\n%s\n", indent(visible(trimLines(c.Output)), "      | "))
		}
	}
}

func (p *pretty) end(r *Report) {
	passed, failed, skipped, errors := r.Counts()
	text := fmt.Sprintf("%s: %d passed, %d failed, %d skipped", plural(len(r.Files), "file"), passed, failed, skipped)
	if errors > 0 {
		text += fmt.Sprintf(", %s not loaded to the end", plural(errors, "file"))
	}
	text += fmt.Sprintf(" in %.2f s", r.Seconds)
	switch {
	case r.Stopped != NotStopped:
		text += fmt.Sprintf("; stopped: %s, %s not run", r.Stopped, plural(r.NotRun, "file"))
	case r.ExitCode() == ExitNotLoaded && errors == 0:
		text += "; no test matched"
	}
	style := green
	if r.ExitCode() != ExitOK {
		style = red
	}
	fmt.Fprintln(p.w, p.Paint(style, text))
}

// tally returns "3 passed, 1 failed".
func tally(f *File) string {
	if f.Reason != "" {
		return "skipped: " + f.Reason
	}
	var parts []string
	for _, s := range []Status{Passed, Failed, Skipped} {
		if n := f.count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if parts == nil {
		return "no tests"
	}
	return strings.Join(parts, ", ")
}

// place returns "file.lua:12", or the file alone when the line is unknown.
func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// trimLines drops the line end of the last line, and the middle of a very long text.
func trimLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	const most = 40
	if n := len(lines); n > most {
		gap := fmt.Sprintf("(%d lines left out)", n-most)
		lines = append(append(lines[:most/2:most/2], gap), lines[n-most/2:]...)
	}
	return strings.Join(lines, "\n")
}

// visible writes out the control characters of a text, so that what a script
// prints cannot take over the terminal.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// indent puts the prefix before every line.
func indent(text, prefix string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
}
