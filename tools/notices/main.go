// Command notices writes THIRD_PARTY_NOTICES: the licences of everything that is compiled
// into the program, found in the modules themselves.
//
//	go run ./tools/notices > THIRD_PARTY_NOTICES
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	text, err := notices()
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
	fmt.Print(text)
}

// systems are those that the program is released for: their binaries may hold different
// modules.
func systems() []string { return []string{"linux", "darwin", "windows"} }

// A component is a module in the program, or Go itself.
type component struct{ name, version, dir string }

// components lists the modules in the program, of all systems.
func components() ([]component, error) {
	all := map[string]component{}
	for _, system := range systems() {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "github.com/greenbench/workbench/workbench")
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
				all[f[0]] = component{f[0], f[1], f[2]}
			}
		}
	}
	var list []component
	for _, c := range all {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b component) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// notices is the text of the file: each licence once, below those it is of. The standard
// library of Go has that of golang.org/x.
func notices() (string, error) {
	list, err := components()
	if err != nil {
		return "", err
	}
	var texts []string // in the order of first use
	holders := map[string][]string{}
	add := func(holder, text string) {
		if holders[text] == nil {
			texts = append(texts, text)
		}
		holders[text] = append(holders[text], holder)
	}
	for _, c := range list {
		found, err := licences(c.dir)
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return "", fmt.Errorf("%s: no licence in %s", c.name, c.dir)
		}
		for _, text := range found {
			add(c.name+" "+c.version, text)
			if c.name == "golang.org/x/sys" && strings.HasPrefix(text, "Copyright 2009 The Go Authors") {
				add("the standard library of Go", text)
			}
		}
	}
	var b strings.Builder
	b.WriteString("The program workbench holds, besides its own code, what is named here. Written by\ngo run ./tools/notices.\n")
	for _, text := range texts {
		b.WriteString("\n" + strings.Repeat("=", 80) + "\n" + strings.Join(slices.Compact(holders[text]), "\n") + "\n" + strings.Repeat("-", 80) + "\n\n" + text + "\n")
	}
	return b.String(), nil
}

// licenceFile matches the files that modules keep their licences in. Of FreeType's two the
// one chosen here is its own, not the GPL.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)[^/]*$|^THIRD_PARTY_LICENSES/.*$|^licenses/ftl\.txt$`)

// licences are the texts in a module.
func licences(dir string) (texts []string, err error) {
	root := os.DirFS(dir)
	err = fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && path != "THIRD_PARTY_LICENSES" && path != "licenses" {
			return fs.SkipDir
		}
		if d.IsDir() || !licenceFile.MatchString(filepath.ToSlash(path)) {
			return nil
		}
		data, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		for i, l := range lines {
			lines[i] = strings.TrimRight(l, " \t\f")
		}
		text := strings.Trim(strings.Join(lines, "\n"), "\n")
		if text == "" {
			return errors.New(path + " is empty")
		}
		texts = append(texts, text)
		return nil
	})
	return texts, err
}
