package testrun

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/workbench/host"
)

// plainMaker makes hosts with the module test and one registered type.
func plainMaker(test bind.Module, out io.Writer) (*host.Host, error) {
	return host.New(host.Options{Out: out, Err: out, In: strings.NewReader(""), Modules: bind.New(test, vectors())})
}

// vectors is a module with the array type and vec{…}, which makes one.
func vectors() bind.Module {
	return bind.Module{
		Name: "vec", Doc: "Vectors, for these tests.",
		Types: []bind.Type{bind.TypeOf[*array.Array]("array", "Numbers.")},
		Funcs: []bind.Func{
			bind.Fn("of", "A vector.", func(_ *bind.Call, a *struct {
				Numbers []float64 `arg:"numbers" pos:"..." allow:"nan"`
			},
			) (*array.Array, error) {
				return array.Vector(a.Numbers), nil
			}),
			bind.Fn("grid", "An array of this shape whose elements count from 1.", func(_ *bind.Call, a *struct {
				Shape []int `arg:"shape" pos:"..."`
			},
			) (*array.Array, error) {
				x := array.New(a.Shape...)
				for i := range x.Data {
					x.Data[i] = float64(i + 1)
				}
				return x, nil
			}),
			bind.Fn("nu", "Refuses what is not positive.", func(_ *bind.Call, a *struct {
				Nu float64 `arg:"nu" allow:">0"`
			},
			) (float64, error) {
				return a.Nu, nil
			}),
		},
	}
}

// write writes files, given as name and text, into a new folder.
func write(t *testing.T, files ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runSource runs one test file and returns its result.
func runSource(t *testing.T, source string) *File {
	t.Helper()
	dir := write(t, "case.lua", source)
	r := &fileRunner{maker: plainMaker, version: "1"}
	return r.run(t.Context(), filepath.ToSlash(filepath.Join(dir, "case.lua")))
}

// outline writes a result as one line per case, and its failures below.
func outline(f *File) string {
	var b strings.Builder
	for _, c := range f.Cases {
		fmt.Fprintf(&b, "%s %s\n", c.Status, c.Name)
		if c.Reason != "" {
			fmt.Fprintf(&b, "  reason %s\n", c.Reason)
		}
		for _, e := range c.Failures {
			fmt.Fprintf(&b, "  %d\n%s\n", e.Line, indent(e.Message, "    "))
		}
	}
	if f.Reason != "" {
		fmt.Fprintf(&b, "file skipped: %s\n", f.Reason)
	}
	if f.Error != nil {
		fmt.Fprintf(&b, "error %d\n%s\n", f.Error.Line, indent(f.Error.Message, "    "))
	}
	text := b.String()
	return strings.ReplaceAll(text, f.Path, "case.lua")
}
