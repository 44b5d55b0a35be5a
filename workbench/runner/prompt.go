package runner

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/history"
	"github.com/greenbench/workbench/workbench/repl/line"
	"github.com/greenbench/workbench/workbench/repl/transcript"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// historyVariable is the environment variable that names another history file;
// "off" keeps the history in memory.
const historyVariable = "WORKBENCH_HISTORY"

// prompt is the interactive session, or, when standard input is no terminal,
// the same without prompts. Before the first prompt it runs the pieces given on
// the command line, whose outermost locals stay, or the startup files.
func (p *program) prompt(ctx context.Context, pieces []piece) int {
	log := p.openHistory()
	defer log.Close()
	desk := &everywhere.Desk{Width: p.terminal.Width}
	p.transcript = &transcript.Log{}
	p.screen = p.transcript.Tee(p.screen)
	desk.Report = func(w io.Writer) error {
		return p.transcript.Write(w, "A session of the workbench", []string{everywhere.Version(), time.Now().Format(time.RFC1123)})
	}
	desk.History = func(text string) (out []string) {
		asked := len(log.Entries()) - 1 // the question itself is the last entry
		for _, e := range log.Search(text) {
			if asked < 0 || e.Text != log.Entries()[asked].Text {
				out = append(out, e.Text)
			}
		}
		return out
	}
	var s *repl.Session
	desk.Edit = func(name string) error { return s.Edit(name) }
	desk.Trace = func() string { return s.Trace() }
	h, err := p.host(desk)
	if err != nil {
		p.complain("%v", err)
		return host.ExitFailure
	}
	defer h.Close()
	reader, err := p.reader(log)
	if err != nil {
		p.complain("%v", err)
		return host.ExitFailure
	}
	defer reader.Close()
	_, pipe := reader.(*line.Plain)
	pipe = pipe && !p.terminal.Interactive()
	endLine := p.out.endLine
	if pipe {
		endLine = nil // a pipe gets what was written and nothing else
	}
	s = repl.New(h, repl.Options{
		Reader: reader, Out: p.screen, Err: p.errs, Terminal: p.terminal, Meter: p.meter,
		History: log, Desk: desk, Transcript: p.transcript, Pipe: pipe, Safe: p.Safe, Source: fileSource(h.Source), EndLine: endLine, Crash: p.crash,
	})
	if editor, ok := reader.(*line.Editor); ok {
		editor.Learn(s.Typing)
	}
	if !pipe {
		p.greet()
	}
	for _, c := range pieces {
		s.RunScript(ctx, c.name, c.text, true)
	}
	for _, path := range p.startupFiles(reader, trustFile(p.historyPath())) {
		data, err := os.ReadFile(path)
		if err != nil {
			p.complain("%v", err)
			continue
		}
		s.RunScript(ctx, path, string(data), false)
	}
	return s.Run(ctx)
}

func (p *program) greet() {
	version, _, _ := strings.Cut(everywhere.Version(), " (")
	fmt.Fprintf(p.out, "%s   ? for help, Ctrl-D to leave\n", version)
	if p.Safe {
		fmt.Fprintln(p.out, stdlib.SafeNotice)
	}
}

// reader chooses how lines are read.
func (p *program) reader(log *history.Log) (line.Reader, error) {
	if !p.terminal.Interactive() {
		return line.NewPlain(p.input, p.prompts, false), nil
	}
	if p.terminal.Dumb {
		return line.NewPlain(p.input, p.prompts, true), nil
	}
	entries := make([]string, len(log.Entries()))
	for i, e := range log.Entries() {
		entries[i] = e.Text
	}
	return line.NewEditor(entries, line.Options{Width: p.terminal.Width, Height: p.terminal.Height})
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
func (p *program) openHistory() *history.Log {
	path := p.historyPath()
	if path == "" || path == "off" || !p.terminal.Interactive() {
		return history.New()
	}
	log, err := history.Open(path)
	if err != nil {
		p.complain("%v", err)
	}
	return log
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
