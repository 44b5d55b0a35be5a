// Package notebook is the kernel of the workbench for Jupyter: it speaks the messaging protocol
// 5.3 over ZeroMQ, runs cells in a Lua state, and shows what comes of them as notebooks do:
// figures as pictures, arrays and lists of records as tables, progress in place, errors with the
// line they are in.
//
// A kernel has five channels. Shell brings what has to wait for its turn (a cell, a question,
// a completion), control what must not (interrupts, the end), stdin asks the person, iopub
// tells all front ends what happens, heartbeat says that the kernel lives.
//
//	k, err := notebook.Listen(ctx, connection)
//	h, err := host.New(host.Options{Out: k.Stdout(), Err: k.Stderr(), In: k.Stdin(), …})
//	err = k.Serve(ctx, notebook.Session{Host: h, Desk: desk})
//
// To answer another kind of message: a line in answers (answer.go).
package notebook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	zmq "github.com/go-zeromq/zmq4"
	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/complete"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/show"
)

// A Session is the Lua state that cells run in, made to write to the kernel's streams.
type Session struct {
	Host *host.Host
	Desk *everywhere.Desk
	Safe bool // no names of files in completion
	SVG  bool // figures as vector graphics, too
}

// A Kernel serves the front ends of one connection.
type Kernel struct {
	wire
	sockets
	sending sync.Mutex // of sockets: one message after the other
	Session

	completer *complete.Engine
	printer   *show.Printer
	stdout    *stream
	stderr    *stream
	keyboard  *keyboard
	named     map[string][]string // properties by type, made when first needed

	cells    []string          // that ran, for the history
	texts    map[string]string // of cells, by the name of their chunk
	count    int               // of cells that ran
	failedAt time.Time         // when the last cell failed that stops those behind it

	mu      sync.Mutex
	parent  message                 // what is answered at the moment
	running context.CancelCauseFunc // nil: nothing runs
	end     context.CancelFunc
}

// Listen opens the channels of a connection.
func Listen(ctx context.Context, c Connection) (*Kernel, error) {
	s, err := c.listen(ctx)
	if err != nil {
		return nil, err
	}
	k := &Kernel{wire: wire{[]byte(c.Key), newID()}, sockets: s, texts: map[string]string{}}
	k.stdout, k.stderr = &stream{k: k, name: "stdout"}, &stream{k: k, name: "stderr"}
	k.keyboard = &keyboard{k: k, replies: make(chan string, 1)}
	return k, nil
}

// Stdout is where scripts print to.
func (k *Kernel) Stdout() io.Writer { return k.stdout }

// Stderr is where notes and warnings go.
func (k *Kernel) Stderr() io.Writer { return k.stderr }

// Stdin asks the person at the front end for a line.
func (k *Kernel) Stdin() io.Reader { return k.keyboard }

// Serve answers until a front end asks for the end, or ctx ends.
func (k *Kernel) Serve(ctx context.Context, s Session) error {
	ctx, k.end = context.WithCancel(ctx)
	defer k.end()
	defer k.close()
	k.use(s)
	shell := make(chan message, 100)
	go k.receive(ctx, k.control, func(m message) { k.answer(ctx, k.control, m) })
	go k.receive(ctx, k.stdin, k.keyboard.answered)
	go k.receive(ctx, k.shell, func(m message) { shell <- m })
	go k.beat()
	go endWithParent(ctx, k.end)
	k.publish(message{}, "status", fields{"execution_state": "starting"})
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-shell:
			k.answer(ctx, k.shell, m)
		}
	}
}

// use connects the kernel with its state.
func (k *Kernel) use(s Session) {
	k.Session = s
	k.completer = &complete.Engine{L: s.Host.L, Registry: s.Host.Registry}
	if !s.Safe {
		k.completer.Dir = complete.Files
	}
	k.printer = &show.Printer{
		Width: textWidth, Depth: 4, Items: 100, Number: chunk.FormatNumber,
		Describe: func(v lua.LValue) string { return show.Describe(s.Host.L, v) },
		Function: func(f *lua.LFunction) (string, bool) { return s.Host.Registry.Name(s.Host.L, f) },
	}
}

// receive reads the messages of a channel.
func (k *Kernel) receive(ctx context.Context, s zmq.Socket, do func(message)) {
	for ctx.Err() == nil {
		raw, err := s.Recv()
		if err != nil {
			if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
				fmt.Fprintln(os.Stderr, "workbench kernel:", err)
			}
			return
		}
		m, err := k.decode(raw.Frames)
		if err != nil {
			fmt.Fprintln(os.Stderr, "workbench kernel:", err)
			continue
		}
		do(m)
	}
}

// beat sends every heartbeat back.
func (k *Kernel) beat() {
	for {
		m, err := k.heartbeat.Recv()
		if err != nil {
			return
		}
		if err := k.heartbeat.Send(m); err != nil {
			return
		}
	}
}

// send sends a message on a channel.
func (k *Kernel) send(s zmq.Socket, identities [][]byte, kind string, parent json.RawMessage, content any) {
	frames, err := k.encode(identities, kind, parent, content)
	if err == nil {
		k.sending.Lock()
		err = s.SendMulti(zmq.NewMsgFrom(frames...))
		k.sending.Unlock()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "workbench kernel: %s: %v\n", kind, err)
	}
}

// publish tells all front ends what happens because of a message.
func (k *Kernel) publish(parent message, kind string, content any) {
	k.send(k.iopub, [][]byte{[]byte(kind)}, kind, parent.rawHeader, content)
}

// current is the message whose cell runs.
func (k *Kernel) current() message {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.parent
}

// begin makes the context of a cell.
func (k *Kernel) begin(ctx context.Context, m message) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.parent, k.running = m, cancel
	return ctx, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.running = nil
		cancel(nil)
	}
}

// Interrupt ends the cell that runs, as Ctrl-C does at the prompt.
func (k *Kernel) Interrupt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.running != nil {
		k.running(host.ErrInterrupted)
	}
}
