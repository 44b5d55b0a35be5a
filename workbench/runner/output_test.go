package runner

import (
	"bufio"
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/bar"
)

// locked is a buffer that the flushing goroutine may write to.
type locked struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func (l *locked) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.String()
}

func TestOutput(t *testing.T) {
	var direct, buffered locked
	o := newOutput(&direct, true)
	o.Write([]byte("a"))
	if direct.text() != "a" {
		t.Error("a terminal waits")
	}
	o.endLine()
	o.endLine()
	if direct.text() != "a\n" {
		t.Errorf("got %q", direct.text())
	}
	o = newOutput(&buffered, false)
	o.Write([]byte("a\n"))
	for end := time.Now().Add(10 * time.Second); buffered.text() == "" && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if buffered.text() != "a\n" {
		t.Error("a pipe never sees the line")
	}
	o.Write([]byte(strings.Repeat("x", 1<<16)))
	o.Flush()
	if len(buffered.text()) != 2+1<<16 {
		t.Errorf("%d bytes", len(buffered.text()))
	}
}

// What a script flushes is written, through all that stands between it and a pipe.
func TestFlush(t *testing.T) {
	for _, flush := range []string{"io.stdout:flush()", "io.flush()"} {
		var pipe bytes.Buffer
		h, err := host.New(host.Options{Out: bar.New(nil, nil).Wrap(bufio.NewWriter(&pipe))})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Run(context.Background(), "a", `io.write("a")`); err != nil || pipe.String() != "" {
			t.Errorf("%q is written before it is flushed, %v", pipe.String(), err)
		}
		if err := h.Run(context.Background(), "b", flush); err != nil || pipe.String() != "a" {
			t.Errorf("%s writes %q: want a; %v", flush, pipe.String(), err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTrust(t *testing.T) {
	list := trustFile(filepath.Join(t.TempDir(), "state", "history"))
	if list.has("/a/rc.lua", []byte("x = 1")) {
		t.Error("an unknown file is trusted")
	}
	if err := list.add("/a/rc.lua", []byte("x = 1")); err != nil {
		t.Fatal(err)
	}
	list.add("/b/rc.lua", []byte("y = 1"))
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{"/a/rc.lua", "x = 1", true},
		{"/b/rc.lua", "y = 1", true},
		{"/a/rc.lua", "x = 2", false},
		{"/c/rc.lua", "x = 1", false},
	} {
		if got := list.has(c.path, []byte(c.text)); got != c.want {
			t.Errorf("%s with %q: %v", c.path, c.text, got)
		}
	}
}
