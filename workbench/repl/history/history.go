// Package history keeps what was typed: a file of records that survives a
// kill -9, holds entries of many lines, and can be read by people.
//
//	# time: 2026-03-01T09:30:00Z
//	<TAB>for i = 1, 3 do
//	<TAB>  print(i)
//	<TAB>end
//
// A record is appended with one write before its input runs, so several
// sessions may share the file and none loses an entry of another. Nothing is
// ever rewritten; only the last megabyte is read back.
package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// readBack is how much of the end of the file a session loads: some twenty
// thousand lines, a few milliseconds.
const readBack = 1 << 20

// An Entry is one complete input.
type Entry struct {
	Time time.Time // zero when the file does not say
	Text string
}

// A Log is the history of all sessions that share a file, as far as it was
// there when this one began, followed by the entries of this session. It is
// not safe for concurrent use.
type Log struct {
	entries []Entry
	file    *os.File
	torn    bool // the file does not end with a line end
}

// DefaultPath is where the history lives unless the caller knows better:
// $XDG_STATE_HOME/workbench/history, ~/.local/state/workbench/history.
func DefaultPath(getenv func(string) string) (string, error) {
	dir := getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("history: no home directory: %w", err)
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "workbench", "history"), nil
}

// New returns a history that is kept in memory only.
func New() *Log { return &Log{} }

// Open reads the end of the file at path and prepares it for appending; the
// file is made if needed, readable by its owner alone. With an error the log is
// still good, in memory only.
func Open(path string) (*Log, error) {
	l := New()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return l, fmt.Errorf("history: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return l, fmt.Errorf("history: %w", err)
	}
	tail, err := readTail(f)
	if err != nil {
		f.Close()
		return l, fmt.Errorf("history: %w", err)
	}
	l.file = f
	l.torn = len(tail) > 0 && tail[len(tail)-1] != '\n'
	l.entries = parse(tail)
	return l, nil
}

// readTail returns the last megabyte, from the beginning of a line on.
func readTail(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New(f.Name() + " is not a regular file")
	}
	from := max(0, info.Size()-readBack)
	tail, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		_, tail, _ = bytes.Cut(tail, []byte("\n"))
		// What is left of a record whose beginning was cut off is no entry.
		if i := bytes.Index(append([]byte("\n"), tail...), []byte("\n"+timeMark)); i >= 0 {
			tail = tail[i:]
		}
	}
	return tail, nil
}

const timeMark = "# time: "

// parse reads records and forgives everything: an unknown mark is skipped, a
// line without one is an entry of its own.
func parse(data []byte) []Entry {
	var out []Entry
	var at time.Time
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			out = append(out, Entry{Time: at, Text: strings.Join(lines, "\n")})
		}
		at, lines = time.Time{}, nil
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "\t"):
			lines = append(lines, line[1:])
		case strings.HasPrefix(line, timeMark):
			flush()
			at, _ = time.Parse(time.RFC3339, strings.TrimSpace(line[len(timeMark):]))
		case strings.HasPrefix(line, "#"), strings.TrimSpace(line) == "":
		default:
			flush()
			lines = []string{line}
			flush()
		}
	}
	flush()
	return out
}

// record is the form of an entry in the file.
func (e Entry) record() []byte {
	var b bytes.Buffer
	b.WriteString(timeMark + e.Time.UTC().Format(time.RFC3339) + "\n")
	for line := range strings.SplitSeq(e.Text, "\n") {
		b.WriteString("\t" + line + "\n")
	}
	return b.Bytes()
}

// Append adds an entry, in memory and in the file. An input that repeats the
// one before it, or is blank, is not kept. After an error of the file the
// session goes on in memory.
func (l *Log) Append(text string, at time.Time) error {
	text = strings.TrimRight(text, "\n")
	if strings.TrimSpace(text) == "" || len(l.entries) > 0 && l.entries[len(l.entries)-1].Text == text {
		return nil
	}
	e := Entry{Time: at, Text: text}
	l.entries = append(l.entries, e)
	if l.file == nil {
		return nil
	}
	data := e.record()
	if l.torn {
		data = append([]byte("\n"), data...)
		l.torn = false
	}
	if _, err := l.file.Write(data); err != nil {
		l.file.Close()
		l.file = nil
		return fmt.Errorf("history: no longer saved: %w", err)
	}
	return nil
}

// Entries returns all entries, oldest first; the slice must not be changed.
func (l *Log) Entries() []Entry { return l.entries }

// Search returns the entries that contain text, ignoring case, oldest first and
// each text once, where it was used last.
func (l *Log) Search(text string) []Entry {
	var out []Entry
	seen := map[string]bool{}
	text = strings.ToLower(text)
	for i := len(l.entries) - 1; i >= 0; i-- {
		e := l.entries[i]
		if !seen[e.Text] && strings.Contains(strings.ToLower(e.Text), text) {
			seen[e.Text] = true
			out = append(out, e)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// Close closes the file.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}
