package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/host"
)

// Every script of a figure, and those of sections 4 and 5.5, run on small problems, and
// the page collects them all: their tables and their pictures.
func TestPaperScripts(t *testing.T) {
	t.Chdir("..")
	out := t.TempDir()
	scripts, err := filepath.Glob("scripts/paper/figure*.lua")
	if err != nil {
		t.Fatal(err)
	}
	if len(scripts) != 10 {
		t.Fatalf("%d scripts, the paper has 10 figures", len(scripts))
	}
	scripts = append(scripts, "scripts/paper/rates.lua", "scripts/paper/oscillator.lua")
	if !testmain.EveryCase() { // a fit of each kind; the page has all
		scripts = []string{"scripts/paper/figure1.lua", "scripts/paper/figure4.lua", "scripts/paper/figure6.lua"}
	}
	for _, path := range scripts {
		t.Run(filepath.Base(path), func(t *testing.T) {
			runPaper(t, path, fmt.Sprintf("quick, out = true, %q", out))
			pictures, err := filepath.Glob(filepath.Join(out, strings.TrimSuffix(filepath.Base(path), ".lua")+"*.png"))
			if err != nil || len(pictures) == 0 {
				t.Errorf("no picture (%v)", err)
			}
		})
	}
	if !testmain.EveryCase() {
		return
	}
	runPaper(t, "scripts/paper/page.lua", fmt.Sprintf("quick, out = true, %q", out))
	page, err := os.ReadFile(filepath.Join(out, "paper.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range scripts {
		if want := fmt.Sprintf(`<h2 id="%s">`, strings.TrimSuffix(filepath.Base(path), ".lua")); !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(string(page), `src="http`) || strings.Contains(string(page), "<script") {
		t.Error("the page is not self-contained")
	}
}

// What make paper runs is every script of the paper, once, but those that are parts of others.
func TestPaperIsWhole(t *testing.T) {
	text, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	var named, want []string
	for line := range strings.Lines(string(text)) {
		if name, list, ok := strings.Cut(line, ":="); ok && strings.HasPrefix(name, "PAPER_") {
			named = append(named, strings.Fields(list)...)
		}
	}
	slices.Sort(named)
	for _, path := range testmain.Must(filepath.Glob("../scripts/paper/*.lua"))(t) {
		switch name := strings.TrimSuffix(filepath.Base(path), ".lua"); name {
		case "systems", "helmholtz", "poisson", "page":
		default:
			want = append(want, name)
		}
	}
	if !slices.Equal(named, want) {
		t.Errorf("make paper runs %v, the scripts are %v", named, want)
	}
}

func runPaper(t *testing.T, path, settings string) {
	t.Helper()
	h, err := host.New(host.Options{Out: io.Discard, Err: io.Discard, Script: path})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Run(context.Background(), "settings", settings); err != nil {
		t.Fatal(err)
	}
	if err := h.Run(context.Background(), path, string(text)); err != nil {
		t.Fatal(err)
	}
}
