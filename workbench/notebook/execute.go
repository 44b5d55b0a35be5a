package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/bar"
	"github.com/greenbench/workbench/workbench/repl/input"
	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/terminal"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// A cell is code that a front end sent, and what came of it.
type cell struct {
	message
	request
	name   string        // of its chunk in messages
	meter  *bar.Meter    // of its progress
	drawn  []plot.Figure // what was shown already
	values []lua.LValue
	quiet  bool // ends in a semicolon
}

// behind is how long after a failed cell others arrive that were sent before its failure was seen.
const behind = 100 * time.Millisecond

// execute runs a cell.
func (k *Kernel) execute(ctx context.Context, m message, r request) fields {
	if m.received.Before(k.failedAt.Add(behind)) {
		return fields{"status": "aborted", "execution_count": k.count}
	}
	c := &cell{message: m, request: r}
	if !r.Silent {
		k.count++
		if r.StoreHistory == nil || *r.StoreHistory {
			k.cells = append(k.cells, r.Code)
		}
		k.publish(m, "execute_input", fields{"code": r.Code, "execution_count": k.count})
	}
	c.name = fmt.Sprintf("cell[%d]", k.count)
	k.texts[c.name] = r.Code
	if err := k.run(ctx, c); err != nil {
		return k.failed(c, err)
	}
	if !r.Silent && !c.quiet {
		k.show(c)
	}
	return fields{
		"status": "ok", "execution_count": k.count, "payload": []any{},
		"user_expressions": k.expressions(ctx, r.UserExpressions),
	}
}

// run runs the code of a cell; a question is answered in its place.
func (k *Kernel) run(ctx context.Context, c *cell) error {
	ctx, end := k.begin(ctx, c.message)
	defer end()
	defer k.flush()
	if strings.TrimSpace(c.Code) == "" {
		return nil
	}
	if page, asked := k.Desk.Question(k.Host.L, c.Code); asked {
		_, err := io.WriteString(k.stdout, page)
		return err
	}
	r := input.Read(c.name, c.Code)
	if r.Err != nil {
		return r.Err
	}
	if c.AllowStdin {
		k.keyboard.allow(ctx)
		defer k.keyboard.forbid()
	}
	c.meter = k.meter(c.message)
	defer c.meter.End()
	c.meter.Begin(ctx)
	ctx = bindings.WithDisplay(progress.With(ctx, c.meter.Report), func(_ io.Writer, f plot.Figure) error {
		c.drawn = append(c.drawn, f)
		return k.picture(c.message, f)
	})
	before := k.Desk.Overwritten(k.Host.L)
	values, err := k.Host.Eval(ctx, c.name, r.Code)
	k.noteModules(before)
	if err != nil {
		return err
	}
	k.Desk.Keep(k.Host.L, values)
	c.values, c.quiet = values, r.Quiet
	return nil
}

// noteModules says which variables have taken the name of a module.
func (k *Kernel) noteModules(before []string) {
	known := map[string]bool{}
	for _, name := range before {
		known[name] = true
	}
	for _, name := range k.Desk.Overwritten(k.Host.L) {
		if !known[name] {
			fmt.Fprintln(k.stderr, "note: "+bind.Overwritten(name))
		}
	}
}

// failed tells why a cell failed, and sees to it that cells behind it do not run.
func (k *Kernel) failed(c *cell, err error) fields {
	var exit *stdlib.ExitError
	if errors.As(err, &exit) {
		k.end()
		return fields{"status": "ok", "execution_count": k.count, "payload": []any{fields{"source": "ask_exit", "keepkernel": false}}, "user_expressions": fields{}}
	}
	e := k.Host.Describe(err)
	p := report.Of(e)
	kind := "Error"
	if errors.Is(err, host.ErrInterrupted) {
		kind = "Interrupted"
		if where := c.meter.Where(); where != "" {
			p.Message = "interrupted in " + where
		}
	}
	text := p.Text(k.source, terminal.Painter{On: true})
	content := fields{
		"ename": kind, "evalue": p.Message,
		"traceback": strings.Split(strings.TrimRight(text, "\n"), "\n"),
	}
	k.flush()
	k.publish(c.message, "error", content)
	if c.StopOnError == nil || *c.StopOnError {
		k.failedAt = time.Now()
	}
	content["status"], content["execution_count"] = "error", k.count
	return content
}

// source is the text of a cell, or of a file.
func (k *Kernel) source(name string) (string, bool) {
	if text, ok := k.texts[name]; ok {
		return text, true
	}
	return k.Host.Source(name)
}

// expressions evaluates what a front end wants to know beside a cell.
func (k *Kernel) expressions(ctx context.Context, asked map[string]string) fields {
	out := fields{}
	for name, code := range asked {
		values, err := k.Host.Eval(ctx, "user_expressions", code)
		if err != nil {
			out[name] = fields{"status": "error", "ename": "Error", "evalue": k.Host.Describe(err).Message, "traceback": []string{}}
			continue
		}
		data, metadata := k.rich(values)
		out[name] = fields{"status": "ok", "data": data, "metadata": metadata}
	}
	return out
}
