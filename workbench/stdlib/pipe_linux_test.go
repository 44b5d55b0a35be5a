package stdlib

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Opening a named pipe, which waits for its other end, ends with the run.
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
}
