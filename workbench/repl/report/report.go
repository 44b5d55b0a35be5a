// Package report shows an error to the person whose script raised it: the
// message, the line of the source with a mark under what it is about, the calls
// that led there, and one hint. Frames and words of the program's own
// implementation stay out.
package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// A Problem is an error as far as it is known.
type Problem struct {
	File      string // of the line; empty when there is none
	Line      int    // from 1; 0 when not known
	Column    int    // in characters, from 1; 0: guessed from the message
	Message   string // may have further lines: usage, lists of names
	Hint      string
	Traceback []string // calls, innermost first: "script.lua:12: in function 'fit'"
}

// Of describes a failed script.
func Of(e *host.Error) Problem {
	return Problem{File: e.File, Line: e.Line, Column: e.Column, Message: e.Message, Hint: e.Hint, Traceback: e.Traceback}
}

// Source returns the text of a chunk by the name that messages use.
type Source func(file string) (string, bool)

// Text is what is written on standard error, with its final line end.
func (p Problem) Text(src Source, paint terminal.Painter) string {
	var b strings.Builder
	if len(p.Message) > maxMessage {
		p.Message = strings.ToValidUTF8(p.Message[:maxMessage], "") + fmt.Sprintf("… (%d more bytes)", len(p.Message)-maxMessage)
	}
	message, more, _ := strings.Cut(strings.TrimRight(p.Message, "\n"), "\n")
	b.WriteString(paint.Paint(terminal.Error, "error:") + " " + paint.Paint(terminal.Bold, message) + "\n")
	if p.File != "" && p.Line > 0 {
		b.WriteString(p.excerpt(src, paint))
	}
	for l := range strings.SplitSeq(more, "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "stack traceback") {
			b.WriteString("  " + l + "\n")
		}
	}
	if p.Hint != "" {
		b.WriteString("  " + paint.Paint(terminal.Hint, "hint: "+p.Hint) + "\n")
	}
	if calls := p.calls(); len(calls) > 0 {
		b.WriteString(paint.Paint(terminal.Dim, "  called from "+strings.Join(calls, "\n              ")) + "\n")
	}
	return b.String()
}

// maxMessage is how much of a message is shown, in bytes.
const maxMessage = 10_000

// Full is the message with all calls, for people who ask.
func (p Problem) Full() string {
	text := p.Message
	if p.File != "" && p.Line > 0 {
		text = fmt.Sprintf("%s:%d: %s", p.File, p.Line, text)
	}
	return strings.Join(append([]string{text}, p.Traceback...), "\n  ") + "\n"
}

// maxCalls is how many lines of a traceback are shown.
const maxCalls = 8

// calls are the lines of the traceback worth reading: not the first, which the
// excerpt shows, and not those of built-in functions.
func (p Problem) calls() []string {
	var out []string
	here := fmt.Sprintf("%s:%d:", p.File, p.Line)
	for i, l := range p.Traceback {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "[G]") || i == 0 && strings.HasPrefix(l, here) {
			continue
		}
		out = append(out, l)
	}
	if len(out) == 1 && out[0] == here+" in main chunk" {
		return nil // the line itself says it
	}
	if n := len(out); n > maxCalls {
		out = append(out[:maxCalls-2:maxCalls-2], fmt.Sprintf("… %d more", n-maxCalls+1), out[n-1])
	}
	return out
}

// excerpt is the line with its place and a mark. An argument of a call over
// several lines is shown in its own line.
func (p Problem) excerpt(src Source, paint terminal.Painter) string {
	text, ok := "", false
	if src != nil {
		text, ok = src(p.File)
	}
	at := p.Line
	span, tree, found := chunk.Span{}, (*chunk.Tree)(nil), false
	if ok && p.Column == 0 {
		if span, tree, found = find(text, p.Line, p.Message); found {
			at, _ = tree.Position(span.Start)
			text = tree.Source
		}
	}
	place := fmt.Sprintf("%s:%d", p.File, at)
	lines := strings.Split(text, "\n")
	if !ok || at > len(lines) {
		return "  " + paint.Paint(terminal.Dim, place) + "\n"
	}
	line := strings.ReplaceAll(strings.TrimRight(lines[at-1], "\r"), "\t", " ")
	var start, end int
	if found {
		_, column := tree.Position(span.Start)
		start = column - 1
		end = min(start+utf8.RuneCountInString(tree.Source[span.Start:span.End]), utf8.RuneCountInString(line))
	} else {
		start, end = p.mark(line)
	}
	shown, shift := window(line, start)
	out := "  " + paint.Paint(terminal.Dim, place+": ") + shown + "\n"
	if end > start {
		blank := utf8.RuneCountInString(place) + 4 + start - shift
		width := min(end-start, maxLine-(start-shift))
		out += strings.Repeat(" ", blank) + paint.Paint(terminal.Caret, strings.Repeat("^", max(width, 1))) + "\n"
	}
	return out
}

// maxLine is how much of a long line is shown.
const maxLine = 120

// window cuts a long line around a column; shift is the number of characters
// that were cut off at the beginning.
func window(line string, at int) (text string, shift int) {
	r := []rune(line)
	if len(r) <= maxLine {
		return line, 0
	}
	shift = max(0, min(at-maxLine/2, len(r)-maxLine))
	return string(r[shift : shift+maxLine]), shift
}

var quoted = regexp.MustCompile(`'([^']+)'|"([^"]+)"`)

// mark is the part of the line that the message is about, in characters; end
// is not after start when there is none.
func (p Problem) mark(line string) (start, end int) {
	tokens := slices.DeleteFunc(syntax.Tokens(line), func(t syntax.Token) bool { return t.Kind == syntax.Blank })
	if p.Column > 0 {
		return atColumn(line, tokens, p.Column-1)
	}
	for _, word := range p.words() {
		for _, t := range tokens {
			text := t.Text(line)
			if text == word || t.Kind == syntax.String && strings.Trim(text, `'"`) == word {
				return columns(line, t)
			}
		}
	}
	return 0, 0
}

func columns(line string, t syntax.Token) (start, end int) {
	start = utf8.RuneCountInString(line[:t.Start])
	return start, start + utf8.RuneCountInString(line[t.Start:t.End])
}

// atColumn is the token at a column; behind the end of the line, the place
// where something is missing.
func atColumn(line string, tokens []syntax.Token, column int) (start, end int) {
	for _, t := range tokens {
		if start, end = columns(line, t); start <= column && column < end {
			return start, end
		}
	}
	n := utf8.RuneCountInString(line)
	return min(column, n), min(column, n) + 1
}

// words are what the message may name, most telling first: what is quoted
// before a suggestion, the argument after the function, the function.
func (p Problem) words() []string {
	message, _, _ := strings.Cut(p.Message, "; did you mean")
	message, _, _ = strings.Cut(message, "\n")
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(message, -1) {
		out = append(out, m[1]+m[2])
	}
	function, rest, ok := strings.Cut(message, ": ")
	if !ok {
		return out
	}
	if argument, _, _ := strings.Cut(strings.TrimSpace(rest), " "); argument != "" {
		name, _, _ := strings.Cut(strings.TrimSuffix(argument, ":"), ".")
		name, _, _ = strings.Cut(name, "[")
		out = append(out, name)
	}
	if i := strings.LastIndexAny(function, ".:"); i >= 0 {
		return append(out, function[i+1:])
	}
	return append(out, function)
}
