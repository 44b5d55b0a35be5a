package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// example is a release of the documents of the tree, with a program of a few bytes.
func example(t *testing.T) *release {
	t.Helper()
	t.Chdir("../..")
	r := &release{version: "v1.2.3", commit: "0123456789abcdef", time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	if err := r.document(); err != nil {
		t.Fatal(err)
	}
	return r
}

// The same release gives the same bytes, and every system's archive holds the program and
// what goes with it.
func TestPack(t *testing.T) {
	r := example(t)
	for _, target := range targets() {
		first, err := r.pack(target, []byte("program"))
		if err != nil {
			t.Fatal(err)
		}
		second, err := r.pack(target, []byte("program"))
		if err != nil {
			t.Fatal(err)
		}
		debs := 0
		for name, data := range first {
			if !bytes.Equal(data, second[name]) {
				t.Errorf("%s differs from one time to the next", name)
			}
			if strings.HasSuffix(name, ".deb") {
				debs++
				continue
			}
			found := contents(t, name, data)
			want := []string{"README.md", "CHANGELOG.md", "LICENSE", "THIRD_PARTY_NOTICES", "workbench.1", "completion/workbench", "completion/_workbench", "completion/workbench.fish"}
			program := "workbench"
			if target.system == "windows" {
				program += ".exe"
			}
			folder := strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".tar.gz") + "/"
			if found[folder+program] != "program" {
				t.Errorf("%s has no %s", name, program)
			}
			for _, w := range want {
				if found[folder+w] == "" {
					t.Errorf("%s has no %s", name, w)
				}
			}
		}
		if want := map[bool]int{true: 1}[target.system == "linux"]; debs != want || len(first) != 1+want {
			t.Errorf("%s: %d archives, %d Debian packages", target, len(first), debs)
		}
	}
}

// contents are the files of an archive.
func contents(t *testing.T, name string, data []byte) map[string]string {
	t.Helper()
	found := map[string]string{}
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			found[f.Name] = string(text)
		}
		return found
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = string(text)
	}
}

// Debian's own tools read the package: its control file, its files, and their sums.
func TestDebianPackage(t *testing.T) {
	r := example(t)
	data, err := r.debian("amd64", []byte("program"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(data, []byte("!<arch>\ndebian-binary   1767323045  0     0     100644  4         `\n2.0\ncontrol.tar.gz  ")) {
		t.Errorf("the package begins %q", data[:100])
	}
	tool, err := exec.LookPath("dpkg-deb")
	if err != nil {
		t.Skipf("no dpkg-deb to read it: %v", err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "workbench.deb")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(tool, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("dpkg-deb %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if got := ask("--show", path); got != "workbench\t1.2.3\n" {
		t.Errorf("the package is %q", got)
	}
	list := ask("--contents", path)
	for _, want := range []string{
		"-rwxr-xr-x root/root         7 2026-01-02 03:04 ./usr/bin/workbench", "drwxr-xr-x root/root         0 2026-01-02 03:04 ./usr/share/man/man1/\n",
		"./usr/share/man/man1/workbench.1.gz", "./usr/share/bash-completion/completions/workbench", "./usr/share/zsh/vendor-completions/_workbench",
		"./usr/share/fish/vendor_completions.d/workbench.fish", "./usr/share/doc/workbench/copyright", "./usr/share/doc/workbench/changelog.gz",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	ask("--extract", path, dir)
	ask("--control", path, filepath.Join(dir, "control"))
	sums, err := exec.LookPath("md5sum")
	if err != nil {
		t.Skipf("no md5sum to compare its files: %v", err)
	}
	check := exec.Command(sums, "--check", "--quiet", "control/md5sums")
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("sums: %v\n%s", err, out)
	}
}
