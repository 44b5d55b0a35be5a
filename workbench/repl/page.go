package repl

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
)

// page shows a page of help. One longer than the window is shown by the program that PAGER
// names, or by less where it is installed.
func (s *Session) page(ctx context.Context, text string) {
	pager := s.pager()
	if pager == "" || strings.Count(text, "\n") < s.Terminal.Height() {
		io.WriteString(s.Out, text)
		return
	}
	_, end := s.stops.begin(ctx) // Ctrl-C is for the pager
	defer end()
	name, args := shellOf(os.Getenv)
	cmd := exec.Command(name, append(args, pager)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), os.Stdout, s.Err
	if cmd.Run() != nil {
		io.WriteString(s.Out, text)
	}
}

// pager is a command that shows long texts, "" where there is none or nobody is watching.
func (s *Session) pager() string {
	if s.Pipe || s.Safe || s.Terminal.Dumb || !s.Terminal.Interactive() {
		return ""
	}
	if name := os.Getenv("PAGER"); name != "" {
		return name
	}
	if _, err := exec.LookPath("less"); err != nil {
		return ""
	}
	return "less -FRX"
}
