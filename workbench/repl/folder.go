package repl

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/repl/line"
	"github.com/greenbench/workbench/workbench/repl/offer"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// folderCommand is cd, pwd or ls, as a word with a folder after it or as a call.
var folderCommand = regexp.MustCompile(`^(cd|pwd|ls)(?:\s*\(\s*\)|\s*\(\s*(?:"([^"]*)"|'([^']*)')\s*\)|\s+(?:"([^"]*)"|'([^']*)'|([^\s=(]\S*)))?$`)

// folder is the command about folders that a line is, nil if it is none or the word is a variable.
func (s *Session) folder(text string) func(context.Context) {
	m := folderCommand.FindStringSubmatch(text)
	if m == nil || s.Pipe || s.host.L.G.Global.RawGetString(m[1]) != lua.LNil {
		return nil
	}
	path := strings.Join(m[2:], "")
	return func(context.Context) {
		if err := s.inFolder(m[1], path); err != nil {
			fmt.Fprintln(s.Err, s.paint.Paint(terminal.Error, "error:")+" "+err.Error())
		}
	}
}

func (s *Session) inFolder(word, path string) error {
	if s.Safe {
		return fmt.Errorf("--safe keeps to the folder it began in: %s is not allowed", word)
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok || word == "cd" && path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		path = filepath.Join(home, rest)
	}
	switch word {
	case "ls":
		if path == "" {
			path = "."
		}
		return s.list(path)
	case "cd":
		if err := os.Chdir(path); err != nil {
			return fmt.Errorf("cd: %s is no folder that can be entered; ls shows those there are", path)
		}
	}
	here, err := os.Getwd()
	if err == nil {
		fmt.Fprintln(s.Out, here)
	}
	return err
}

// list shows the names in a folder, those of folders with a slash behind them.
func (s *Session) list(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("ls: %s is no folder that can be read; pwd says where you are", path)
	}
	var c offer.Completion
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		c.Candidates = append(c.Candidates, offer.Candidate{Text: name})
	}
	if len(c.Candidates) > 0 {
		_, err = io.WriteString(s.Out, line.Columns(c, max(s.Terminal.Width(), 20), 1<<20))
	}
	return err
}
