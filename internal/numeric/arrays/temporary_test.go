package arrays

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// writerVariable makes the test binary a writer that is killed in the middle.
const writerVariable = "ARRAY_TEST_WRITER"

// What killed writers left goes with the next write in the directory; what may be
// somebody's stays: files being written, young ones, names that are not ours.
func TestTemporaryFilesAreSwept(t *testing.T) {
	if path := os.Getenv(writerVariable); path != "" {
		WriteAtomic(path, func(w io.Writer) error {
			w.Write(make([]byte, 1<<20))
			os.Stdout.WriteString("writing\n")
			time.Sleep(time.Hour) // until it is killed
			return nil
		})
	}
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		if err := WriteAtomic(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write([]byte("1")); return err }); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour)
	age := func(name string) {
		t.Helper()
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	list := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	start := func(name string) (*exec.Cmd, string) { // and the name of its temporary file
		t.Helper()
		before := list()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestTemporaryFilesAreSwept$")
		cmd.Env = append(os.Environ(), writerVariable+"="+filepath.Join(dir, name))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); errors.Is(err, syscall.ENOEXEC) {
			t.Skip("the processor is emulated, and the system cannot start this program itself: ", err)
		} else if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		if _, err := out.Read(make([]byte, 8)); err != nil {
			t.Fatal(err)
		}
		for _, n := range list() {
			if !slices.Contains(before, n) {
				return cmd, n
			}
		}
		t.Fatal("the writer writes nothing")
		return nil, ""
	}
	dead, left := start("a.npz")
	alive, held := start("b.npz")
	dead.Process.Kill()
	dead.Wait()
	write("c.npz") // the file of the dead writer is young
	if got := list(); !slices.Contains(got, left) || !slices.Contains(got, held) {
		t.Fatalf("a young file was removed: %v", got)
	}
	others := []string{".notes.tmp", "x.0123abcd.tmp", ".x.0123ABCD.tmp", ".x.0123abcde.tmp", ".0123abcd.tmp"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		age(name)
	}
	if err := os.Mkdir(filepath.Join(dir, ".d.0123abcd.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("c.npz", filepath.Join(dir, ".s.0123abcd.tmp")); err != nil {
		t.Skip(err)
	}
	age(left)
	age(held)
	write("c.npz")
	want := append(append([]string{}, others...), ".d.0123abcd.tmp", ".s.0123abcd.tmp", "c.npz", held)
	slices.Sort(want)
	if !lockable(t) {
		want = append(want, left)
		slices.Sort(want)
	}
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("after another write: %v, want %v", got, want)
	}
	alive.Process.Kill()
	alive.Wait()
	SweepTemporary(dir)
	if got := list(); lockable(t) && slices.Contains(got, held) {
		t.Errorf("after its writer's end: %v", got)
	}
}

// lockable says whether this system has locks.
func lockable(t *testing.T) bool {
	f, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return lock(f)
}

// A large directory does not make writes slow: only a part of it is looked at.
func TestSweepOfALargeDirectory(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		f, err := temporary(filepath.Join(dir, "x"))
		if err != nil {
			t.Fatal(i, err)
		}
		f.Close()
	}
	future := time.Now().Add(time.Hour)
	sweep(dir, 100, future)
	if n := entriesOf(t, dir); lockable(t) && n != 200 {
		t.Errorf("%d files are left of 300, want 200", n)
	}
	sweep(dir, -1, future)
	if n := entriesOf(t, dir); lockable(t) && n != 0 {
		t.Errorf("%d files are left, want none", n)
	}
}

func entriesOf(t *testing.T, dir string) int {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
