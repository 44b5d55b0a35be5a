package testrun

import (
	"bytes"
	"io"
	"sync"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
)

// A Maker makes the host of one test file. Its modules include the given one,
// which is the module test of that file; what it prints goes to out.
type Maker func(test bind.Module, out io.Writer) (*host.Host, error)

// collector keeps what a test file prints; several goroutines may write to it.
type collector struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (c *collector) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf.Write(p)
}

// take returns what was written since the last call.
func (c *collector) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := c.buf.String()
	c.buf.Reset()
	return text
}
