package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// WriteNotebooks writes every guide that has Lua to run as a notebook of Jupyter into a
// directory, which is made when it is missing.
func WriteNotebooks(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range guideNames() {
		data, ok, err := Notebook(name)
		if err != nil {
			return fmt.Errorf("manual: %w", err)
		}
		if !ok {
			continue
		}
		if err := writeFile(filepath.Join(dir, name+".ipynb"), data); err != nil {
			return err
		}
	}
	return nil
}

// raises marks a line of a guide that shows an error.
const raises = "--!"

// newCell is a cell of the format nbformat 4.5. One that shows an error says so, and the cells
// below it are run all the same.
func newCell(kind, id, source string) map[string]any {
	metadata := map[string]any{}
	cell := map[string]any{"cell_type": kind, "id": id, "metadata": metadata, "source": source}
	if kind == "code" {
		cell["execution_count"], cell["outputs"] = nil, []any{}
		if strings.Contains(source, raises) {
			metadata["tags"] = []string{"raises-exception"}
		}
	}
	return cell
}

// Notebook is a guide as a notebook whose Lua can be run cell by cell, with its text between;
// ok is false for a guide without such code.
func Notebook(name string) (data []byte, ok bool, err error) {
	src, err := guideFiles.ReadFile("guide/" + name + ".md")
	if err != nil {
		return nil, false, err
	}
	var cells []map[string]any
	var lines []string
	flush := func(kind string) {
		text := strings.Trim(strings.Join(lines, "\n"), "\n")
		if lines = nil; text != "" {
			cells = append(cells, newCell(kind, fmt.Sprintf("%s-%d", name, len(cells)+1), text))
			ok = ok || kind == "code"
		}
	}
	running := false
	for line := range strings.SplitSeq(string(src), "\n") {
		switch {
		case !running && line == "```lua":
			flush("markdown")
			running = true
		case running && line == "```":
			flush("code")
			running = false
		case running && strings.Contains(line, raises): // nothing after it would run in its cell
			flush("code")
			lines = []string{line}
			flush("code")
		case !running && strings.HasPrefix(line, "!["): // the cell shows its figure
		default:
			lines = append(lines, line)
		}
	}
	flush("markdown")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err = e.Encode(map[string]any{
		"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{
			"kernelspec":    map[string]any{"display_name": "Workbench (Lua)", "language": "lua", "name": "workbench"},
			"language_info": map[string]any{"name": "lua"},
		},
	})
	return b.Bytes(), ok, err
}
