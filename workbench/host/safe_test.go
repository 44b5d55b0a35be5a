package host

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files are the ways of scripts to read and to write a file; %FILE% is its path
// without the extension.
var files = struct{ reads, writes []string }{
	reads: []string{
		`array.load("%FILE%.npy")`,
		`data.load("%FILE%.npz")`,
		`sheet.load("%FILE%.csv")`,
		`green.load("%FILE%.estimate.npz")`,
	},
	writes: []string{
		`array{1, 2, 3}:save("%FILE%.npy")`,
		`d:save("%FILE%.npz")`,
		`sheet.new{a = {1, 2}}:save("%FILE%.csv")`,
		`green.fit{data = d, kernel = kernel.se{lengthscale = 0.3}, lambda = 1e-3}:save("%FILE%.estimate.npz")`,
		`plot.lines{ {y = {1, 2}}, file = "%FILE%.svg" }`,
		`plot.lines{ {y = {1, 2}}, show = false }:save("%FILE%.svg")`,
	},
}

const someData = `d = data.new{input = array.eye(3), output = array.eye(3), input_mesh = mesh.uniform(0, 1, 3)}
`

// In safe mode the modules read files in the folder of the script and no others,
// and write none; without it they do both everywhere.
func TestSafeFiles(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "script")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	inside, outside := filepath.Join(folder, "a"), filepath.Join(dir, "a")
	run := func(h *Host, text, file string) error {
		return h.Run(context.Background(), "main.lua", someData+strings.ReplaceAll(text, "%FILE%", filepath.ToSlash(file)))
	}
	free, _ := newHost(t, Options{})
	for _, file := range []string{inside, outside} {
		for _, text := range append(files.writes, files.reads...) {
			if err := run(free, text, file); err != nil {
				t.Fatalf("without safe mode: %s: %v", text, err)
			}
		}
	}
	safe, _ := newHost(t, Options{Safe: true, Script: filepath.Join(folder, "main.lua")})
	before := listing(t, dir)
	for _, text := range files.reads {
		if err := run(safe, text, inside); err != nil {
			t.Errorf("in the folder: %s: %v", text, err)
		}
		for _, file := range []string{outside, filepath.Join(folder, "..", "a")} {
			if err := run(safe, text, file); err == nil || !strings.Contains(err.Error(), "outside the folder of the script") {
				t.Errorf("outside: %s: %v", text, err)
			}
		}
		if err := run(safe, "coroutine.wrap(function() "+text+" end)()", outside); err == nil {
			t.Errorf("outside, in a coroutine: %s: no error", text)
		}
	}
	for _, text := range files.writes {
		for _, file := range []string{filepath.Join(folder, "new"), filepath.Join(dir, "new")} {
			if err := run(safe, text, file); err == nil || !strings.Contains(err.Error(), "safe mode does not write files") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("files before:\n%s\nafter:\n%s", before, after)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*", "*/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	return strings.Join(names, "\n")
}

// Nothing of an impossible size ends the process: it is an error that says what
// it would need.
func TestTooLarge(t *testing.T) {
	h, _ := newHost(t, Options{})
	for _, text := range []string{
		`kernel.se{lengthscale = 1}:gram(mesh.uniform(0, 1, 1e6))`,
		`kernel.se{lengthscale = 1}:eigen{mesh = mesh.uniform(0, 1, 1e6)}`,
		`random.field{kernel = kernel.brownian_bridge{}, mesh = mesh.uniform(0, 1, 1e6)}`,
		`random.brownian_bridge{mesh = mesh.uniform(0, 1, 1e6), n = 1e7}`,
		`random.normal{shape = {1e9, 1e9}}`,
		`random.uniform{shape = {1e9, 1e9}}`,
		`mesh.uniform(0, 1, 1e13)`,
		`mesh.periodic(0, 1, 1e13)`,
		`local m = mesh.uniform(0, 1, 1e6, "x") return m * m:rename("y") * m:rename("z")`,
		`mesh.uniform(0, 1, 1e6):refine(1e9)`,
		`array.zeros(1e9, 1e9)`,
		`local a = array.zeros(1e7, 1) return a:dot(a:transpose())`,
		`local a = array.zeros(1e7, 1) return a + a:transpose()`,
		`pde.poisson{mesh = mesh.uniform(0, 1, 1e6)}:green()`,
		`pde.poisson{mesh = mesh.uniform(0, 1, 1e5)}:sample{n = 1e8, input = {kernel = kernel.se{lengthscale = 1}}}`,
		someData + `local e = green.fit{data = d, kernel = kernel.se{lengthscale = 0.3}, lambda = 1e-3}
			local m = mesh.uniform(0, 1, 1e6) return e:green(m, m)`,
		`linalg.eigh(array.eye(1e6))`,
	} {
		err := h.Run(context.Background(), "large.lua", text)
		if err == nil || !strings.Contains(err.Error(), "; the limit is ") || strings.Contains(err.Error(), "internal error") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
