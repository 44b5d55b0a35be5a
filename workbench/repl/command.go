package repl

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// command runs a line that is not Lua but a word to the session: a question
// (?name, name?, ??name, ?*text*), a shell command (;ls), cd, pwd, ls, exit. It reports
// whether the line was one.
func (s *Session) command(ctx context.Context, text string) bool {
	text = strings.TrimSpace(text)
	answer := s.commandFor(text)
	if answer == nil {
		return false
	}
	s.Transcript.Begin(text)
	defer s.Transcript.End(0, "")
	answer(ctx)
	if !s.Pipe {
		s.remember(text)
	}
	return true
}

// commandFor is what a line asks the session to do, nil if it is Lua.
func (s *Session) commandFor(text string) func(context.Context) {
	write := func(page string) func(context.Context) {
		return func(ctx context.Context) { s.page(ctx, page) }
	}
	switch {
	case text == "exit" || text == "quit" || text == "exit()" || text == "quit()":
		if s.host.L.G.Global.RawGetString(strings.TrimSuffix(text, "()")) == lua.LNil {
			return func(context.Context) { s.finished = true }
		}
	case text == "help" && !s.Pipe: // the function itself is of no use to anybody
		return write(s.Desk.Overview())
	case strings.HasPrefix(text, ";") && !s.Pipe && len(text) > 1:
		return func(ctx context.Context) { s.shell(ctx, text[1:]) }
	}
	if answer := s.folder(text); answer != nil {
		return answer
	}
	if page, asked := s.Desk.Question(s.host.L, text); asked {
		return write(page)
	}
	return nil
}

// shell runs a command of the system, with the terminal as its own.
func (s *Session) shell(ctx context.Context, command string) {
	if s.Safe {
		fmt.Fprintln(s.Err, s.paint.Paint(terminal.Error, "error:")+" --safe allows no commands of the system")
		return
	}
	name, args := shellOf(os.Getenv)
	ctx, end := s.stops.begin(ctx)
	defer end()
	cmd := exec.CommandContext(ctx, name, append(args, command)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, s.Out, s.Err
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(s.Err, s.paint.Paint(terminal.Hint, err.Error()))
	}
}

func shellOf(getenv func(string) string) (name string, args []string) {
	if os.PathSeparator == '\\' {
		return "cmd", []string{"/c"}
	}
	if sh := getenv("SHELL"); sh != "" {
		return sh, []string{"-c"}
	}
	return "/bin/sh", []string{"-c"}
}
