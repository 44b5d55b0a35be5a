package arrays

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// WriteAtomic writes a file as a whole or not at all: into a temporary file in
// the same directory, synced to disk, then renamed over path. When write or the
// disk fails, path is what it was before. Directories on the way to path are
// made. A symbolic link is followed, and the permissions of a file that is
// replaced are kept. Temporary files that killed writers left in the directory are
// removed.
func WriteAtomic(path string, write func(w io.Writer) error) (err error) {
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		at, why := cause(err)
		return fmt.Errorf("%s: its folder cannot be made: %s: %w", path, at, why)
	}
	sweep(filepath.Dir(target), sweptEntries, time.Now().Add(-temporaryAge))
	f, err := temporary(target)
	if err != nil {
		_, why := cause(err)
		return fmt.Errorf("%s: no file can be made in the folder %s: %w", path, filepath.Dir(path), why)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if info, err := os.Stat(target); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s: is a folder; give the name of a file", path)
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

// cause is an error of the system without the path that it names, which may be that of the temporary file, and that path.
func cause(err error) (at string, why error) {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Path, of.Err
	}
	return "", err
}
