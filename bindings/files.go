package bindings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/greenbench/workbench/bindings/bind"
)

// FileAccess says which files functions may read and write. Its errors name the
// file and what is allowed.
type FileAccess interface {
	CheckRead(path string) error
	CheckWrite(path string) error
}

type fileAccessKey struct{}

// WithFileAccess returns a context whose calls ask access before they open a file.
// Without one they may open any.
func WithFileAccess(ctx context.Context, access FileAccess) context.Context {
	return context.WithValue(ctx, fileAccessKey{}, access)
}

// mayRead must be asked by every function that reads a file.
func mayRead(ctx context.Context, path string) error {
	if access, ok := ctx.Value(fileAccessKey{}).(FileAccess); ok {
		return access.CheckRead(path)
	}
	return nil
}

// mayWrite must be asked by every function that writes a file of a given name. It says which folder will be made on the
// way to it: one whose name is misspelt would be found by nobody.
func mayWrite(ctx context.Context, path string) error {
	if err := mayWriteIn(ctx, path); err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if c, ok := ctx.(*bind.Call); ok && path != "" {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(c.Out, "note: the folder %s is new\n", folder)
		}
	}
	return nil
}

// mayWriteIn is mayWrite for files in a folder that the function makes for them.
func mayWriteIn(ctx context.Context, path string) error {
	if access, ok := ctx.Value(fileAccessKey{}).(FileAccess); ok {
		return access.CheckWrite(path)
	}
	return nil
}

// isSafe tells calls whose files are restricted: they start no programs either.
func isSafe(ctx context.Context) bool {
	_, restricted := ctx.Value(fileAccessKey{}).(FileAccess)
	return restricted
}
