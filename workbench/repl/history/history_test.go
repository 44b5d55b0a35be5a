package history

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func texts(es []Entry) []string {
	var out []string
	for _, e := range es {
		out = append(out, e.Text)
	}
	return out
}

func at(sec int) time.Time { return time.Date(2026, 3, 1, 9, 30, sec, 0, time.UTC) }

// Entries of several lines, with tabs, blank lines and marks of the file format
// inside, come back as they were, with their times.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	want := []string{"1+1", "for i=1,2 do\n\tprint(i)\n\nend", "s = [[\n# time: 1999-01-01T00:00:00Z\n]]", "# comment?"}
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range want {
		if err := l.Append(s, at(i)); err != nil {
			t.Fatal(err)
		}
	}
	// No Close: a killed session does not close either.
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(again.Entries()); !slices.Equal(got, want) {
		t.Errorf("read back %q, want %q", got, want)
	}
	for i, e := range again.Entries() {
		if !e.Time.Equal(at(i)) {
			t.Errorf("entry %d has time %v, want %v", i, e.Time, at(i))
		}
	}
	l.Close()
	again.Close()
}

func TestFileIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	path := filepath.Join(t.TempDir(), "d", "history")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
}

// Two sessions write to one file; both find everything later.
func TestSharedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	a, _ := Open(path)
	b, _ := Open(path)
	a.Append("a1", at(1))
	b.Append("b1\nb2", at(2))
	a.Append("a3", at(3))
	a.Close()
	b.Close()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, want := texts(c.Entries()), []string{"a1", "b1\nb2", "a3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A file whose last record was torn off keeps the others, and the next record
// starts on its own line.
func TestTornFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	os.WriteFile(path, []byte("# time: 2026-03-01T09:30:00Z\n\tx = 1\n# time: 2026-03-01T09:31:00Z\n\tfor i=1"), 0o600)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	l.Append("y = 2", at(0))
	l.Close()
	l, _ = Open(path)
	defer l.Close()
	if got, want := texts(l.Entries()), []string{"x = 1", "for i=1", "y = 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Only the end of a large file is read, and from the beginning of a record.
func TestLargeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	l, _ := Open(path)
	long := strings.Repeat("print(1) -- ", 20) + "\nend"
	for i := range 8000 {
		l.Append(long+string(rune('a'+i%26)), at(i%60))
	}
	l.Close()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if n := len(l.Entries()); n < 3000 || n > 5000 {
		t.Errorf("%d entries from the last megabyte", n)
	}
	if first := l.Entries()[0]; !strings.HasPrefix(first.Text, "print(1)") || first.Time.IsZero() {
		t.Errorf("the first entry is a fragment: %q", first.Text)
	}
}

func TestAppendSkipsRepeatsAndBlanks(t *testing.T) {
	l := New()
	for _, s := range []string{"x", "x", "  ", "y", "x\n"} {
		l.Append(s, at(0))
	}
	if got, want := texts(l.Entries()), []string{"x", "y", "x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSearch(t *testing.T) {
	l := New()
	for _, s := range []string{"k = kernel.se{}", "x = 1", "K2 = kernel.matern{}", "k = kernel.se{}"} {
		l.Append(s, at(0))
	}
	if got, want := texts(l.Search("KERNEL")), []string{"K2 = kernel.matern{}", "k = kernel.se{}"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Without a place to write the history lives in memory.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	os.WriteFile(blocked, nil, 0o600)
	l, err := Open(filepath.Join(blocked, "history"))
	if err == nil {
		t.Fatal("a history under a file was opened")
	}
	if err := l.Append("x", at(0)); err != nil || len(l.Entries()) != 1 {
		t.Errorf("entry lost: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("# time: 2026-03-01T09:30:00Z\n\tx = 1\n\ty\n"))
	f.Add([]byte("\t\n\t\n# time: \n# mode: lua\nplain\n"))
	f.Add([]byte{0, '\n', '\t', 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		// Whatever the file holds, entries written after it survive.
		entries := append(parse(data), Entry{Time: at(1), Text: "last\n\tline"})
		var file []byte
		for _, e := range entries {
			file = append(file, e.record()...)
		}
		if got := parse(file); !slices.Equal(texts(got), texts(entries)) {
			t.Fatalf("got %q, want %q", texts(got), texts(entries))
		}
	})
}
