package arrays

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

func TestOpenErrors(t *testing.T) {
	path := put(t, "helmholtz.npz", npzFixtures()["stored"])
	near := filepath.Join(filepath.Dir(path), "helmholz.npz")
	_, err := Load(near, "f")
	wantError(t, err, near, "does not exist", `did you mean "helmholtz.npz"?`)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	_, err = Load(filepath.Join(t.TempDir(), "none.npz"), "f")
	wantError(t, err, "none.npz: file does not exist")
	_, err = Load(put(t, "a.h5", []byte("no HDF5")), "")
	wantError(t, err, "a.h5", "not an HDF5 or NetCDF file")
	_, err = Load("a.xyz", "")
	wantError(t, err, `unknown extension ".xyz"`, ".npz, .npy, .csv, .mat, .h5, .nc or .xlsx")
	_, err = Load(put(t, "empty.csv", nil), "")
	wantError(t, err, "empty.csv: empty file")
	dir := filepath.Join(t.TempDir(), "d.npy")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = Load(dir, "")
	wantError(t, err, "d.npy: not a regular file")
}

func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	err := SaveAll(filepath.Join(dir, "a.mat"), map[string]*array.Array{"1st": count(2)})
	wantError(t, err, "a.mat", `"1st"`, "a letter, then letters")
	err = Save(filepath.Join(dir, "a.foo"), count(2))
	wantError(t, err, `a.foo: extension ".foo": arrays are saved as .npz, .npy, .csv`, `such as "a.npz"`)
	err = SaveAll(filepath.Join(dir, "a.npy"), map[string]*array.Array{"a": count(2), "b": count(2)})
	wantError(t, err, "a.npy: a .npy file holds one array, got 2", ".npz")
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err = Save(filepath.Join(blocked, "a.npy"), count(2))
	wantError(t, err, "a.npy", "its folder cannot be made: "+blocked+": not a directory")
	err = Save(filepath.Join(dir, "a.npz"), &array.Array{})
	wantError(t, err, "a.npz", "has no shape")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("files were left behind: %v, %v", left, err)
	}
}

func TestSaveMakesDirectories(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out", "runs", "a.npy")
	if err := Save(path, count(2)); err != nil {
		t.Fatal(err)
	}
	if back := must(Load(path, "")); !Equal(back, count(2)) {
		t.Errorf("got %v", back)
	}
}

func TestSaveNPY(t *testing.T) {
	path := filepath.Join(t.TempDir(), "A.NPY")
	if err := Save(path, count(20, 300)); err != nil {
		t.Fatal(err)
	}
	if back := must(Load(path, "")); !Equal(back, count(20, 300)) {
		t.Errorf("got %v", back)
	}
	all, err := LoadAll(path)
	if err != nil || all["A"] == nil {
		t.Errorf("LoadAll = %v, %v", all, err)
	}
	_, err = Load(path, "B")
	wantError(t, err, `no array "B"`, "the file holds A")
}

// A write that fails half-way must leave the old file and nothing else.
func TestWriteAtomicKeepsTheOldFile(t *testing.T) {
	path := put(t, "a.txt", []byte("old"))
	failure := errors.New("disk full")
	err := WriteAtomic(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, "new, but only ha"); err != nil {
			return err
		}
		return failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("err = %v", err)
	}
	wantError(t, err, path)
	wantDir(t, path, "old")
	if err := WriteAtomic(path, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	wantDir(t, path, "new")
	err = WriteAtomic(filepath.Dir(path), func(io.Writer) error { return nil })
	wantError(t, err, "is a folder")
	if entries, err := os.ReadDir("/proc"); err != nil || len(entries) == 0 {
		return // only there can nobody make a file
	}
	err = WriteAtomic("/proc/x.npz", func(io.Writer) error { return nil })
	if wantError(t, err, "/proc/x.npz: no file can be made in the folder /proc"); strings.Contains(err.Error(), "tmp") {
		t.Errorf("%v names the temporary file", err)
	}
}

// wantDir checks the content of a file that is alone in its directory.
func wantDir(t *testing.T, path, content string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != content {
		t.Errorf("content %q, %v, want %q", got, err, content)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%d files in the directory, want 1 (%v)", len(entries), err)
	}
}

func TestWriteAtomicLinksAndPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links and permissions are not those of Unix")
	}
	path := put(t, "target.txt", []byte("old"))
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.txt")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteAtomic(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	wantDir(t, path, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v, %v, want those of before", info, err)
	}
	// A new file gets what any program would give it (0666 under the umask).
	dir := t.TempDir()
	plain, fresh := filepath.Join(dir, "plain"), filepath.Join(dir, "fresh")
	f, err := os.Create(plain)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := WriteAtomic(fresh, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	a, err1 := os.Stat(plain)
	b, err2 := os.Stat(fresh)
	if err1 != nil || err2 != nil || a.Mode() != b.Mode() {
		t.Errorf("new file has mode %v, an ordinary one %v", b.Mode(), a.Mode())
	}
}
