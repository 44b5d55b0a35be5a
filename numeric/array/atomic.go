package array

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteAtomic writes a file as a whole or not at all: into a temporary file in
// the same directory, synced to disk, then renamed over path. When write or the
// disk fails, path is what it was before. Directories on the way to path are
// made. A symbolic link is followed, and the permissions of a file that is
// replaced are kept.
func WriteAtomic(path string, write func(w io.Writer) error) (err error) {
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return fmt.Errorf("%s: its directory cannot be made: %w", path, err)
	}
	f, err := temporary(target)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if info, err := os.Stat(target); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s: is a directory", path)
		}
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	w := bufio.NewWriterSize(f, 1<<16)
	for _, step := range []func() error{
		func() error { return write(w) },
		w.Flush,
		f.Sync,
		f.Close,
		func() error { return os.Rename(f.Name(), target) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	// The rename reaches the disk with the directory. Not every system can sync
	// one, and then there is nothing more to do.
	if dir, err := os.Open(filepath.Dir(target)); err == nil {
		_ = dir.Sync()
		dir.Close()
	}
	return nil
}

// temporary makes a new file beside target. Unlike os.CreateTemp it asks for the
// permissions of an ordinary file, because it will be one.
func temporary(target string) (*os.File, error) {
	dir, base := filepath.Split(target)
	for {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, err
	}
}
