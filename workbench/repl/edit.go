package repl

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// Edit asks for an editor with the text of the last input, or of the function
// of that name, when the running input has ended.
func (s *Session) Edit(name string) error {
	text := ""
	switch {
	case name != "":
		f, ok := everywhere.LookUp(s.host.L, name).(*lua.LFunction)
		if !ok || f.IsG {
			return fmt.Errorf("name %q: is no function written in Lua", name)
		}
		definition, ok := s.Desk.Definition(f)
		if !ok {
			return fmt.Errorf("name %q: its text is not at hand", name)
		}
		_, text, _ = strings.Cut(definition, "\n")
	case len(s.done) > 0:
		text = s.done[len(s.done)-1].Text
	}
	s.toEdit = &text
	return nil
}

// openEditor runs the editor that was asked for, and then what was written.
func (s *Session) openEditor(ctx context.Context) {
	if s.toEdit == nil {
		return
	}
	text, err := edit(*s.toEdit)
	s.toEdit = nil
	if err != nil {
		fmt.Fprintln(s.Err, s.paint.Paint(terminal.Error, "error:")+" "+err.Error())
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	fmt.Fprintln(s.Out, strings.TrimRight(text, "\n"))
	s.take(ctx, strings.TrimRight(text, "\n"))
}

// edit lets the user change a text in an editor.
func edit(text string) (string, error) {
	editor := os.Getenv("VISUAL")
	if editor == "" {
		editor = os.Getenv("EDITOR")
	}
	if editor == "" {
		return "", fmt.Errorf("no editor: set the variable EDITOR")
	}
	f, err := os.CreateTemp("", "input-*.lua")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return "", err
	}
	words := strings.Fields(editor)
	cmd := exec.Command(words[0], append(words[1:], f.Name())...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", words[0], err)
	}
	data, err := os.ReadFile(f.Name())
	return string(data), err
}
