package notebook

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	zmq "github.com/go-zeromq/zmq4"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
)

// A client is a front end as the protocol describes one.
type client struct {
	t *testing.T
	wire
	shell, control, stdin, iopub zmq.Socket
	inbox                        map[zmq.Socket]chan zmq.Msg
	done                         chan error // what Serve returned
}

// patience is how long a test waits for a message before it says what is missing.
const patience = 30 * time.Second

// connection is one on ports that are free.
func connection(t *testing.T) Connection {
	t.Helper()
	c := Connection{Transport: "tcp", IP: "127.0.0.1", Key: "a key", SignatureScheme: signatureScheme}
	for _, port := range []*int{&c.ShellPort, &c.ControlPort, &c.StdinPort, &c.IOPubPort, &c.HeartbeatPort} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // after all are chosen, so that they differ
		*port = l.Addr().(*net.TCPAddr).Port
	}
	return c
}

// start runs a kernel and connects with it.
func start(t *testing.T, safe bool) *client {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	where := connection(t)
	k, err := Listen(ctx, where)
	if err != nil {
		t.Fatal(err)
	}
	desk := &everywhere.Desk{Safe: safe}
	desk.Registry = bind.New(append(bindings.All(), desk.Module())...)
	h, err := host.New(host.Options{Out: k.Stdout(), Err: k.Stderr(), In: k.Stdin(), Safe: safe, Modules: desk.Registry})
	if err != nil {
		t.Fatal(err)
	}
	desk.Load, desk.Source = h.Library.Load, h.Source
	desk.Begin(h.L)
	c := &client{t: t, wire: wire{[]byte(where.Key), newID()}, inbox: map[zmq.Socket]chan zmq.Msg{}, done: make(chan error, 1)}
	go func() {
		c.done <- k.Serve(ctx, Session{Host: h, Desk: desk, Safe: safe, SVG: true})
		h.Close()
	}()
	identity := zmq.WithID(zmq.SocketIdentity(newID()))
	c.shell, c.control, c.stdin = zmq.NewDealer(ctx, identity), zmq.NewDealer(ctx, identity), zmq.NewDealer(ctx, identity)
	c.iopub = zmq.NewSub(ctx)
	for s, port := range map[zmq.Socket]int{c.shell: where.ShellPort, c.control: where.ControlPort, c.stdin: where.StdinPort, c.iopub: where.IOPubPort} {
		if err := s.Dial(where.address(port)); err != nil {
			t.Fatal(err)
		}
		c.listen(s)
	}
	if err := c.iopub.SetOption(zmq.OptionSubscribe, ""); err != nil {
		t.Fatal(err)
	}
	c.subscribed()
	return c
}

// listen collects the messages of a channel.
func (c *client) listen(s zmq.Socket) {
	got := make(chan zmq.Msg, 1000)
	c.inbox[s] = got
	go func() {
		for m, err := s.Recv(); err == nil; m, err = s.Recv() {
			got <- m
		}
	}()
}

// subscribed asks until an answer is published: what was published before a subscription is lost.
func (c *client) subscribed() {
	c.t.Helper()
	for range 100 {
		c.ask(c.shell, "kernel_info_request", fields{})
		c.receive(c.shell)
		time.Sleep(10 * time.Millisecond)
		if len(c.inbox[c.iopub]) > 0 {
			id := c.ask(c.shell, "kernel_info_request", fields{})
			c.receive(c.shell)
			for c.published(id) != nil { // up to idle
			}
			return
		}
	}
	c.t.Fatal("nothing is published")
}

// ask sends a request and returns its name.
func (c *client) ask(s zmq.Socket, kind string, content fields) string {
	c.t.Helper()
	frames, err := c.encode(nil, kind, nil, content)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := s.SendMulti(zmq.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
	var h header
	if err := json.Unmarshal(frames[2], &h); err != nil {
		c.t.Fatal(err)
	}
	return h.ID
}

// An answer is a message of the kernel.
type answer struct {
	kind    string
	parent  string
	content fields
}

// text is a field of the content, a.b for one in another.
func (a answer) text(path string) string {
	var v any = a.content
	for name := range strings.SplitSeq(path, " ") {
		m, ok := v.(fields)
		if !ok {
			return ""
		}
		v = m[name]
	}
	s, _ := v.(string)
	return s
}

// receive waits for a message.
func (c *client) receive(s zmq.Socket) answer {
	c.t.Helper()
	select {
	case raw := <-c.inbox[s]:
		m, err := c.decode(raw.Frames)
		if err != nil {
			c.t.Fatal(err)
		}
		a := answer{kind: m.header.Type}
		var parent header
		_ = json.Unmarshal(raw.Frames[len(raw.Frames)-3], &parent) // {} has none
		a.parent = parent.ID
		if err := json.Unmarshal(m.content, &a.content); err != nil {
			c.t.Fatal(err)
		}
		return a
	case <-time.After(patience):
		c.t.Fatal("no message")
		return answer{}
	}
}

// published waits for what is told next because of a request; nil after its last message.
func (c *client) published(id string) *answer {
	c.t.Helper()
	for {
		a := c.receive(c.iopub)
		if a.parent != id {
			continue
		}
		if a.kind == "status" && a.text("execution_state") == "idle" {
			return nil
		}
		return &a
	}
}

// run runs a cell and returns its reply and what was published.
func (c *client) run(code string, more ...fields) (reply answer, output []answer) {
	c.t.Helper()
	content := fields{"code": code, "allow_stdin": false, "stop_on_error": false}
	for _, m := range more {
		for k, v := range m {
			content[k] = v
		}
	}
	id := c.ask(c.shell, "execute_request", content)
	reply = c.receive(c.shell)
	for a := c.published(id); a != nil; a = c.published(id) {
		if a.kind != "status" && a.kind != "execute_input" {
			output = append(output, *a)
		}
	}
	return reply, output
}
