package stdlib

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/greenbench/workbench/workbench/chunk"
)

// What is no ordinary file, a named pipe, a device, the output of a command, may keep a reader waiting for ever. Such
// operations of the system run beside the script, which goes on when its run is ended. What was begun is not lost: the next
// read gets it.

// errEnded is what operations return whose run was ended while they waited.
var errEnded = errors.New("the run was ended")

// checkRun ends a function that waited until its run was over, and has nothing to return.
func (c call) checkRun() {
	if c.lib.session.Err() != nil {
		c.refuse("%v", errEnded)
	}
}

// ordinary reports whether a path names a file that can be read to its end without waiting.
func ordinary(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular() || info.IsDir() // what is not there, or a folder, fails at once
}

// outcome is what a call of Read or Write returned.
type outcome struct {
	data []byte
	n    int
	err  error
}

// PatientReader is a reader whose waiting ends with the run of a session; without a session it waits.
type PatientReader struct {
	io.Reader
	Session *Session

	grace   time.Duration // how long the end of the file waits for that of the run
	pending chan outcome  // a read that has begun; nil if there is none
	rest    []byte        // what was read and not fetched
}

// Read implements io.Reader.
func (r *PatientReader) Read(p []byte) (int, error) {
	if r.Session == nil && r.pending == nil && len(r.rest) == 0 {
		return r.Reader.Read(p)
	}
	if len(r.rest) > 0 {
		n := copy(p, r.rest)
		r.rest = r.rest[n:]
		return n, nil
	}
	if r.pending == nil {
		done, buffer := make(chan outcome, 1), make([]byte, len(p))
		r.pending = done
		go func() {
			n, err := r.Reader.Read(buffer)
			done <- outcome{buffer[:n], n, err}
		}()
	}
	var ended <-chan struct{}
	if r.Session != nil {
		ended = r.Session.Done()
	}
	select {
	case <-ended:
		return 0, errEnded
	case got := <-r.pending:
		r.pending = nil
		n := copy(p, got.data)
		r.rest = got.data[n:]
		if n == 0 && errors.Is(got.err, io.EOF) && r.endsSoon(ended) {
			return 0, errEnded
		}
		return n, got.err
	}
}

// endsSoon waits for the end of the run as long as the reader grants.
func (r *PatientReader) endsSoon(ended <-chan struct{}) bool {
	if r.grace == 0 {
		return false
	}
	select {
	case <-ended:
		return true
	case <-time.After(r.grace):
		return false
	}
}

// patientWriter is a writer whose waiting ends with the run.
type patientWriter struct {
	io.Writer
	session *Session
}

// Write implements io.Writer.
func (w patientWriter) Write(p []byte) (int, error) {
	done, data := make(chan outcome, 1), append([]byte(nil), p...)
	go func() {
		n, err := w.Writer.Write(data)
		done <- outcome{n: n, err: err}
	}()
	select {
	case <-w.session.Done():
		return 0, errEnded
	case got := <-done:
		return got.n, got.err
	}
}

// openPatiently opens a file; opening a named pipe waits for its other end.
func (lib *Library) openPatiently(path string, flags int) (*os.File, error) {
	if ordinary(path) {
		return os.OpenFile(path, flags, 0o666)
	}
	type opened struct {
		f   *os.File
		err error
	}
	done, abandoned := make(chan opened), make(chan struct{})
	go func() {
		f, err := os.OpenFile(path, flags, 0o666)
		select {
		case done <- opened{f, err}:
		case <-abandoned:
			if err == nil {
				f.Close()
			}
		}
	}()
	select {
	case <-lib.session.Done():
		close(abandoned)
		return nil, &os.PathError{Op: "open", Path: path, Err: errEnded}
	case got := <-done:
		return got.f, got.err
	}
}

// readFile reads source text from a file.
func (lib *Library) readFile(path string) ([]byte, error) {
	if ordinary(path) {
		return os.ReadFile(path)
	}
	f, err := lib.openPatiently(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(&PatientReader{Reader: f, Session: lib.session}, chunk.MaxSource+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}
