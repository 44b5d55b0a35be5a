package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const vscode = "../tools/editors/vscode"

func readJSON(t *testing.T, path string, value any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, value); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// What a snippet inserts is right before anything in it is changed, and what needs no file of
// the user runs.
func TestSnippets(t *testing.T) {
	var snippets map[string]struct {
		Prefix string
		Body   []string
	}
	readJSON(t, filepath.Join(vscode, "snippets", "lua.json"), &snippets)
	fields := regexp.MustCompile(`\$\{\d+:((?:[^{}])*)\}|\$\d+`)
	seen := map[string]bool{}
	for name, s := range snippets {
		if !strings.HasPrefix(s.Prefix, "wb") || seen[s.Prefix] {
			t.Errorf("%s: the prefix is %q: want one of its own that begins with wb", name, s.Prefix)
		}
		seen[s.Prefix] = true
		text := strings.ReplaceAll(fields.ReplaceAllString(strings.ReplaceAll(strings.Join(s.Body, "\n"), `\$`, "\x00"), "$1"), "\x00", "$") + "\n"
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "script.lua"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		commands := [][]string{{"lint", "script.lua"}}
		switch {
		case strings.Contains(text, "-->"):
			commands = append(commands, []string{"test", "script.lua"})
		case !strings.Contains(text, ".load("):
			commands = append(commands, []string{"script.lua"})
		}
		for _, args := range commands {
			if r := command(t, dir, "", args...); r.status != 0 {
				t.Errorf("%s: %s: status %d\n%s%s\n%s", name, args, r.status, r.out, r.errs, text)
			}
		}
	}
}

// The editor finds the place and the words of what lint says.
func TestProblemMatcher(t *testing.T) {
	var extension struct {
		Contributes struct {
			ProblemMatchers []struct {
				Name    string
				Pattern struct {
					Regexp                      string
					File, Line, Column, Message int
				}
			}
			TaskDefinitions []struct{ Type string }
			Snippets        []struct{ Path string }
		}
		Main string
	}
	readJSON(t, filepath.Join(vscode, "package.json"), &extension)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "wrong.lua"), []byte("local a = 1\nprint(a, kernel.matren{})\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := command(t, dir, "", "lint", "wrong.lua")
	p := extension.Contributes.ProblemMatchers[0].Pattern
	found := regexp.MustCompile("(?m)" + p.Regexp).FindStringSubmatch(r.out + r.errs)
	if found == nil || filepath.Base(found[p.File]) != "wrong.lua" || found[p.Line] != "2" || found[p.Column] != "17" || !strings.Contains(found[p.Message], "matren") {
		t.Errorf("lint says %q, in which the editor finds %q", r.out+r.errs, found)
	}
	script, err := os.ReadFile(filepath.Join(vscode, extension.Main))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`registerTaskProvider("` + extension.Contributes.TaskDefinitions[0].Type + `"`, `"$` + extension.Contributes.ProblemMatchers[0].Name + `"`} {
		if !strings.Contains(string(script), want) {
			t.Errorf("%s has no %s", extension.Main, want)
		}
	}
}
