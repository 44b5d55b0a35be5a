// Command browser is the workbench for pages: compiled to WebAssembly, it runs in a worker of the
// page and talks with the script that started it (workbench/live/page/worker.js).
//
//	GOOS=js GOARCH=wasm go build ./workbench/browser
//
// The script has made an object globalThis.workbench with safe, a boolean, seed, a number, and
// send(kind, text). The program adds what the page can ask: run(code), a promise of whether all
// went well; complete(text, at); help(name); incomplete(text); interrupt(). Places in texts are
// in UTF-16 units, as JavaScript counts.
package main

import (
	"context"
	"runtime/debug"
	"syscall/js"
	"unicode/utf8"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/live/session"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/runner/lint"
)

// A program of WebAssembly has 4 GiB; what the collector has not given back counts, too.
const (
	maxMemory = 3 << 30
	maxStack  = 256 << 20
)

func main() {
	debug.SetMaxStack(maxStack)
	page := js.Global().Get("workbench")
	s, err := session.New(session.Options{
		Safe: page.Get("safe").Truthy(), Seed: uint64(page.Get("seed").Float()), MaxMemory: maxMemory,
		Send:   func(e session.Event) { page.Call("send", string(e.Kind), e.Text) },
		Advise: func(h *host.Host, d *everywhere.Desk) { lint.Advise(h.L, d) },
	})
	if err != nil {
		page.Call("send", string(session.Failure), err.Error()+"\n")
		return
	}
	(&program{Session: s}).serve(page)
	select {} // what is asked comes as calls
}

// A program answers the page. The page waits for a run before it asks for anything else but an
// interrupt.
type program struct {
	*session.Session
}

func (p *program) serve(page js.Value) {
	for name, answer := range map[string]func(args []js.Value) any{
		"run":        p.run,
		"complete":   p.complete,
		"help":       func(args []js.Value) any { return p.Help(args[0].String()) },
		"incomplete": func(args []js.Value) any { return session.Incomplete(args[0].String()) },
		"interrupt":  func([]js.Value) any { p.Interrupt(); return nil },
	} {
		page.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return answer(args) }))
	}
	page.Call("ready")
}

// run begins a run; it is over when the promise is kept.
func (p *program) run(args []js.Value) any {
	code := args[0].String()
	var begin js.Func
	begin = js.FuncOf(func(_ js.Value, promise []js.Value) any {
		go func() { // a call of JavaScript must not wait
			defer begin.Release()
			promise[0].Invoke(p.Run(context.Background(), code))
		}()
		return nil
	})
	return js.Global().Get("Promise").New(begin)
}

func (p *program) complete(args []js.Value) any {
	text := args[0].String()
	c := p.Complete(text, bytesOf(text, args[1].Int()))
	candidates := make([]any, len(c.Candidates))
	for i, x := range c.Candidates {
		candidates[i] = map[string]any{"text": x.Text, "show": x.Show}
	}
	return map[string]any{"from": unitsOf(text[:c.From]), "title": c.Title, "candidates": candidates}
}

// unitsOf is the length of a text in JavaScript.
func unitsOf(text string) (n int) {
	for _, r := range text {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// bytesOf is the place in bytes of a place in JavaScript.
func bytesOf(text string, units int) (at int) {
	for units > 0 && at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		if units--; r > 0xffff {
			units--
		}
	}
	return at
}
