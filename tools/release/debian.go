package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"strings"
	"time"
)

// debian is a package: an ar archive of its format's version, what it is, and its files
// (deb(5)).
func (r *release) debian(processor string, program []byte) ([]byte, error) {
	files, err := r.debianFiles(program)
	if err != nil {
		return nil, err
	}
	size, sums := 0, ""
	for _, f := range files {
		size += len(f.data)
		sums += fmt.Sprintf("%x  %s\n", md5.Sum(f.data), strings.TrimPrefix(f.name, "./"))
	}
	control := fmt.Sprintf(`Package: workbench
Version: %s
Architecture: %s
Maintainer: The workbench authors <greenbench@users.noreply.github.com>
Installed-Size: %d
Section: math
Priority: optional
Homepage: https://github.com/greenbench/workbench
Description: learn Green's functions from data, in Lua
 The workbench learns the Green's function and the bias of a linear operator
 from pairs of functions, noisy and on any mesh, by the exact minimiser in a
 reproducing kernel Hilbert space, with a certificate of how near it is.
 It is scripted in Lua, in files and at a prompt.
`, strings.TrimPrefix(r.version, "v"), processor, (size+1023)/1024)
	about, err := tarred([]file{{"./control", []byte(control), 0o644}, {"./md5sums", []byte(sums), 0o644}}, r.time)
	if err != nil {
		return nil, err
	}
	content, err := tarred(files, r.time)
	if err != nil {
		return nil, err
	}
	return ar([]file{{"debian-binary", []byte("2.0\n"), 0o644}, {"control.tar.gz", about, 0o644}, {"data.tar.gz", content, 0o644}}, r.time), nil
}

// debianFiles are the files of the package, where Debian has such files.
func (r *release) debianFiles(program []byte) ([]file, error) {
	files := []file{{"./usr/bin/workbench", program, 0o755}}
	copyright := "https://github.com/greenbench/workbench\n\n"
	for _, f := range r.documents {
		switch f.name {
		case "LICENSE", "THIRD_PARTY_NOTICES":
			copyright += string(f.data) + "\n"
		case "CHANGELOG.md", "workbench.1":
			data, err := compressed(f.data)
			if err != nil {
				return nil, err
			}
			name := "./usr/share/man/man1/workbench.1.gz"
			if f.name == "CHANGELOG.md" {
				name = "./usr/share/doc/workbench/changelog.gz"
			}
			files = append(files, file{name, data, 0o644})
		case completionName("bash"):
			files = append(files, file{"./usr/share/bash-completion/completions/workbench", f.data, 0o644})
		case completionName("zsh"):
			files = append(files, file{"./usr/share/zsh/vendor-completions/_workbench", f.data, 0o644})
		case completionName("fish"):
			files = append(files, file{"./usr/share/fish/vendor_completions.d/workbench.fish", f.data, 0o644})
		}
	}
	return append(files, file{"./usr/share/doc/workbench/copyright", []byte(copyright), 0o644}), nil
}

// ar is an archive in the format of ar(5).
func ar(files []file, at time.Time) []byte {
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, f := range files {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", f.name, at.Unix(), 0, 0, 0o100000|f.mode, len(f.data))
		b.Write(f.data)
		if len(f.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
