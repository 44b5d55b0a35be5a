package line

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Plain reads lines from a pipe, a file or a terminal that cannot edit.
type Plain struct {
	in      *bufio.Reader
	out     io.Writer
	prompts bool
	prefill string
	started bool
}

// NewPlain reads from in. Only with prompts does it write: the prompts, to out.
func NewPlain(in io.Reader, out io.Writer, prompts bool) *Plain {
	return &Plain{in: bufio.NewReader(in), out: out, prompts: prompts}
}

// ReadLine returns the next line. The last one needs no line end.
func (p *Plain) ReadLine(prompt string) (string, error) {
	if p.prompts {
		fmt.Fprint(p.out, prompt)
	}
	s, err := p.in.ReadString('\n')
	if err != nil && (err != io.EOF || s == "") {
		return "", err
	}
	if !p.started {
		p.started = true
		s = strings.TrimPrefix(s, "\ufeff")
	}
	s = p.prefill + strings.TrimRight(s, "\r\n")
	p.prefill = ""
	return s, nil
}

// Remember does nothing: there are no arrow keys.
func (p *Plain) Remember(string) {}

// Prefill puts text before the next line.
func (p *Plain) Prefill(text string) { p.prefill += text }

// DropPaste returns nothing: nothing is known to be pasted.
func (p *Plain) DropPaste() []string { return nil }

// Out is the writer given to NewPlain.
func (p *Plain) Out() io.Writer { return p.out }

// Close does nothing.
func (p *Plain) Close() error { return nil }
