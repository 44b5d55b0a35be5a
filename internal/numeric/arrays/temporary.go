package arrays

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// A temporary file is locked by its writer as long as it lives: the system gives the
// lock back when the process ends, however it ends. So a file that can be locked, and
// was not written for a while, is what a killed writer left.

// temporaryName is how temporary files are called: .NAME.0123abcd.tmp, beside NAME.
var temporaryName = regexp.MustCompile(`^\..+\.[0-9a-f]{8}\.tmp$`)

const (
	temporaryAge = time.Minute // before that, one may just have been made and not yet be locked
	sweptEntries = 1000        // of a directory, looked at by each write
)

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
		if err == nil {
			lock(f)
		}
		return f, err
	}
}

// SweepTemporary removes the temporary files that killed writers left in a directory.
func SweepTemporary(dir string) { sweep(dir, -1, time.Now().Add(-temporaryAge)) }

// sweep removes what killed writers left before a time, among the first entries of a
// directory, or all if n < 0. It is a service, whose failure is nobody's: what cannot
// be removed stays.
func sweep(dir string, n int, before time.Time) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(n)
	for _, name := range names {
		if temporaryName.MatchString(name) {
			removeAbandoned(filepath.Join(dir, name), before)
		}
	}
}

// removeAbandoned removes a file that no writer holds. While it is locked here nobody
// else removes it or makes another of its name.
func removeAbandoned(path string, before time.Time) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.ModTime().After(before) {
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil || !os.SameFile(info, opened) || !lock(f) {
		return
	}
	if now, err := os.Lstat(path); err == nil && os.SameFile(now, opened) {
		os.Remove(path)
	}
}
