package runner

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/repl"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/history"
	"github.com/greenbench/workbench/workbench/repl/lex"
	"github.com/greenbench/workbench/workbench/repl/line"
)

// historyVariable is the environment variable that names another history file;
// "off" keeps the history in memory.
const historyVariable = "WORKBENCH_HISTORY"

// prompt is the interactive session, or, when standard input is no terminal,
// the same without prompts.
func (p *program) prompt(ctx context.Context) int {
	desk := &everywhere.Desk{Width: p.terminal.Width}
	var s *repl.Session
	desk.Edit = func(name string) error { return s.Edit(name) }
	log, _ := p.openHistory()
	desk.History = func(text string) (out []string) {
		for _, e := range log.Search(text) {
			out = append(out, e.Text)
		}
		return out
	}
	m, err := p.machine(desk)
	if err != nil {
		p.complain("%v", err)
		return exitFailed
	}
	defer m.Close()
	return p.converse(ctx, m, desk, log, &s, nil)
}

// promptAfter is the prompt after a script, whose outermost locals stay.
func (p *program) promptAfter(ctx context.Context, m *machine, desk *everywhere.Desk, pieces []piece) int {
	log, _ := p.openHistory()
	var s *repl.Session
	return p.converse(ctx, m, desk, log, &s, pieces)
}

// converse runs the session; before the first prompt the startup files, or
// what was given on the command line.
func (p *program) converse(ctx context.Context, m *machine, desk *everywhere.Desk, log *history.Log, session **repl.Session, pieces []piece) int {
	defer log.Close()
	reader, pipe, complete, err := p.reader(log)
	if err != nil {
		p.complain("%v", err)
		return exitFailed
	}
	defer reader.Close()
	texts := map[string]string{}
	s := repl.New(m, repl.Options{
		Reader: lineEnder{reader, p.out}, Out: p.screen, Err: p.errs, Terminal: p.terminal, Meter: p.meter,
		History: log, Desk: desk, Pipe: pipe, Safe: p.Safe, Source: sources(texts),
	})
	*session, *complete = s, s.Completer()
	if !pipe {
		fmt.Fprintf(p.out, "%s   ? for help, Ctrl-D to leave\n", strings.Split(everywhere.Version(), " (")[0])
	}
	for _, c := range pieces {
		texts[c.name] = c.text
		s.RunScript(ctx, c.name, c.text, true)
	}
	for _, path := range p.startupFiles(reader, trustFile(p.historyPath())) {
		if data, err := os.ReadFile(path); err != nil {
			p.complain("%v", err)
		} else {
			texts[path] = string(data)
			s.RunScript(ctx, path, string(data), false)
		}
	}
	return s.Run(ctx)
}

// lineEnder gives every prompt a line of its own.
type lineEnder struct {
	line.Reader
	out *output
}

func (l lineEnder) ReadLine(prompt string) (string, error) {
	if prompt != "" {
		l.out.endLine()
	}
	return l.Reader.ReadLine(prompt)
}

// reader chooses how lines are read. complete is where the answer to the Tab
// key goes once there is a session.
func (p *program) reader(log *history.Log) (r line.Reader, pipe bool, complete *func(string, int) line.Completion, err error) {
	complete = new(func(string, int) line.Completion)
	if !p.terminal.Interactive() && !(p.Stay && p.terminal.In) {
		return line.NewPlain(p.in, p.out, false), true, complete, nil
	}
	if p.terminal.Dumb {
		return line.NewPlain(p.in, p.out, true), false, complete, nil
	}
	var entries []string
	for _, e := range log.Entries() {
		entries = append(entries, e.Text)
	}
	editor, err := line.NewEditor(entries, line.Options{
		Complete: func(text string, pos int) line.Completion {
			if *complete == nil {
				return line.Completion{}
			}
			return (*complete)(text, pos)
		},
		Flatten:  lex.Flatten,
		Unprompt: lex.StripTranscript,
		Width:    p.terminal.Width,
		Height:   p.terminal.Height,
	})
	return editor, false, complete, err
}

func (p *program) historyPath() string {
	if path := p.getenv(historyVariable); path != "" {
		return path
	}
	path, err := history.DefaultPath(p.getenv)
	if err != nil {
		return ""
	}
	return path
}

// openHistory opens the history of a prompt; nothing typed is lost over a file
// that cannot be written, it is only not kept.
func (p *program) openHistory() (*history.Log, error) {
	path := p.historyPath()
	if path == "" || path == "off" || !p.terminal.Interactive() {
		return history.New(), nil
	}
	log, err := history.Open(path)
	if err != nil {
		p.complain("%v", err)
	}
	return log, err
}

// nearFile suggests a file with a similar name in the same folder.
func nearFile(path string) string {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".lua") || e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return bind.DidYouMean(base, names)
}

// doc prints the manual.
func (p *program) doc() int {
	desk := &everywhere.Desk{Width: p.terminal.Width}
	m, err := p.machine(desk)
	if err != nil {
		p.complain("%v", err)
		return exitFailed
	}
	defer m.Close()
	if len(p.Args) == 0 {
		p.Args = []string{""}
	}
	for _, name := range p.Args {
		text, ok := "", false
		if name == "" {
			text, err = desk.Manual("")
			ok = err == nil
		} else {
			text, ok = desk.Help(name)
		}
		if !ok {
			p.complain("no page about '%s'\n%s", name, strings.TrimRight(desk.Search(name), "\n"))
			return exitFailed
		}
		io.WriteString(p.out, text)
	}
	return exitOK
}
