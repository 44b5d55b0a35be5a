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

// saveMethod writes a value to a file of a given name. Its example follows a sample, and has the name in path.
func saveMethod[T any](doc, sample, example, see string, save func(T, context.Context, string) error) bind.Func {
	return bind.Fn("save", doc, func(c *bind.Call, p *struct {
		Self T      `arg:"self"`
		Path string `arg:"path" pos:"1" doc:"file name ending in .npz"`
	},
	) (bind.None, error) {
		if err := mayWrite(c, p.Path); err != nil {
			return bind.None{}, err
		}
		return bind.None{}, save(p.Self, c, p.Path)
	}, bind.Example(sample+"path = os.tmpname() .. \".npz\"\n"+example+"\nos.remove(path)"), bind.See(see))
}

// isSafe tells calls whose files are restricted: they start no programs either.
func isSafe(ctx context.Context) bool {
	_, restricted := ctx.Value(fileAccessKey{}).(FileAccess)
	return restricted
}
