package repl

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// command runs a line that is not Lua but a word to the session: a question
// (?name, name?, ??name, ?*text*), a shell command (;ls), exit. It reports
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
	write := func(page func(string) string, name string) func(context.Context) {
		return func(context.Context) { io.WriteString(s.Out, page(strings.TrimSpace(name))) }
	}
	name := strings.TrimSpace(strings.TrimRight(text, "?"))
	switch {
	case text == "exit" || text == "quit" || text == "exit()" || text == "quit()":
		if s.host.L.G.Global.RawGetString(strings.TrimSuffix(text, "()")) == lua.LNil {
			return func(context.Context) { s.finished = true }
		}
	case text == "help" && !s.Pipe: // the function itself is of no use to anybody
		return write(s.help, "")
	case strings.HasPrefix(text, "??"):
		return write(s.definition, text[2:])
	case strings.HasPrefix(text, "?"):
		return write(s.help, text[1:])
	case strings.HasSuffix(text, "??") && isPath(name):
		return write(s.definition, name)
	case strings.HasSuffix(text, "?") && isPath(name):
		return write(s.help, name)
	case strings.HasPrefix(text, ";") && !s.Pipe && len(text) > 1:
		return func(ctx context.Context) { s.shell(ctx, text[1:]) }
	}
	return nil
}

// help is the answer to ?name.
func (s *Session) help(name string) string {
	name = strings.TrimRight(name, "(){} ")
	switch {
	case name == "":
		return s.Desk.Overview()
	case strings.Contains(name, "*"), strings.Contains(name, " "):
		return s.Desk.Search(name)
	}
	if page, ok := s.Desk.Variable(s.host.L, name); ok {
		return page
	}
	for _, n := range append([]string{name}, s.memberNames(name)...) {
		if page, ok := s.Desk.Help(n); ok {
			return page
		}
	}
	if v := s.lookUp(name); v != lua.LNil {
		return s.Desk.Answer(s.host.L, v, name)
	}
	return s.Desk.Answer(s.host.L, lua.LString(name), name)
}

// memberNames are what help may know a member of a variable by: for k:gram,
// where k is a kernel, kernel:gram.
func (s *Session) memberNames(name string) []string {
	i := strings.LastIndexAny(name, ".:")
	if i < 0 {
		return nil
	}
	kind, ok := s.host.Registry.Name(s.host.L, s.lookUp(name[:i]))
	if !ok {
		return nil
	}
	return []string{kind + ":" + name[i+1:], kind + "." + name[i+1:]}
}

// definition is the answer to ??name: where something comes from.
func (s *Session) definition(name string) string {
	name = strings.TrimRight(name, "(){} ")
	if f, ok := s.lookUp(name).(*lua.LFunction); ok {
		if text, ok := s.Desk.Definition(f); ok {
			return text
		}
		return s.help(name) + "\nWritten in Go.\n"
	}
	return s.help(name)
}

// lookUp finds a.b or a:b among the globals, without running metamethods.
func (s *Session) lookUp(path string) lua.LValue {
	var v lua.LValue = s.host.L.G.Global
	for part := range strings.SplitSeq(strings.ReplaceAll(path, ":", "."), ".") {
		t, ok := v.(*lua.LTable)
		if !ok {
			return lua.LNil
		}
		v = t.RawGetString(part)
	}
	return v
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

// isPath says whether s is a name, or names joined by dots and a colon, or a
// keyword.
func isPath(s string) bool {
	want := true // a name comes next
	for _, t := range syntax.Code(s) {
		word := t.Kind == syntax.Name || t.Kind == syntax.Keyword
		if word != want || !word && !t.Is(s, ".") && !t.Is(s, ":") {
			return false
		}
		want = !want
	}
	return !want
}
