// Command live builds what "workbench doc --html DIR --live" needs: the program for browsers,
// compressed, Go's support for it, and the licences of what is in them.
//
//	go run ./tools/live -out bin/live
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/greenbench/workbench/workbench/live"
)

func main() {
	out := flag.String("out", filepath.Join("bin", "live"), "folder for what is built")
	stamps := flag.String("ldflags", "", "more flags for the linker, such as -X settings of the version")
	flag.Parse()
	if err := run(*out, *stamps); err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
}

func run(out, stamps string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	makers := map[string]func() ([]byte, error){
		"workbench.wasm.gz": func() ([]byte, error) { return program(out, stamps) },
		"wasm_exec.js":      support,
		"LICENSES.txt":      licences,
	}
	for _, name := range live.Files() {
		data, err := makers[name]()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(out, name), data, 0o666); err != nil {
			return err
		}
		fmt.Printf("%-18s %5.1f MB\n", name, float64(len(data))/1e6)
	}
	return nil
}

// program compiles the workbench for browsers and compresses it.
func program(out, stamps string) ([]byte, error) {
	path := filepath.Join(out, "workbench.tmp")
	defer os.Remove(path)
	cmd := exec.Command("go", "build", "-o", path, "-trimpath", "-ldflags", strings.TrimSpace("-s -w "+stamps), "./workbench/browser")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// support is the script of the Go that builds the program: the two belong together.
func support() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
}

// licences is ours and those of others, Go's among them.
func licences() (all []byte, err error) {
	for _, name := range []string{"LICENSE", "THIRD_PARTY_NOTICES"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(append(all, text...), '\n')
	}
	return all, nil
}
