package stdlib

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Opening a named pipe, which waits for its other end, ends with the run, and so does reading a script from one.
func TestOpeningNamedPipes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	s := newState(t, Options{})
	defer s.lib.session.Begin(t.Context())()
	time.AfterFunc(10*time.Millisecond, func() { s.lib.session.Cancel(errors.New("interrupted")) })
	if _, err := s.lib.open(s.L, name, "r"); !errors.Is(err, errEnded) {
		t.Errorf("a pipe that nobody writes to: %v", err)
	}
	late := time.AfterFunc(10*time.Second, func() { // what waits all the same finds the pipe empty
		if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
			f.Close()
		}
	})
	defer late.Stop()
	if _, err := s.lib.readFile(name); !errors.Is(err, errEnded) {
		t.Errorf("a script in a pipe that nobody writes to: %v", err)
	}
}
