package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What people who come from IPython, Julia or Octave look for at a prompt, one row each: keys, and
// what the screen then shows. TestBlock, TestHistorySurvivesAKill and TestPictures have others.
func TestOffers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	editor := filepath.Join(dir, "editor.sh")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i 's/one/two/' \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pairs.csv"), []byte("1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	y := open(t, options{dir: dir, columns: 110, rows: 50, env: []string{"EDITOR=" + editor, "PAGER=sed s/^/paged:/"}})
	y.prompt(0)
	const enter, up, right = "\r", "\x1b[A", "\x1b[C"
	y.run(`t = {["two words"] = 1, size = {}} d = data.new{input = {{1, 2}}, output = {{1, 2}}, input_mesh = mesh.uniform(0, 1, 2)}`)
	y.run("function f(x)\r  local y = 2 * x\r  return y\rend")
	for _, c := range []struct {
		row, keys string
		want      []string
	}{
		{"1 modules, methods, fields of own tables", "t.si\t", []string{"> t.size"}},
		{"2 named arguments, signature above", "kernel.matern{len\t", []string{"> kernel.matern{lengthscale="}},
		{"2 values of arguments", `green.fit{data = d, criterion = "rem` + "\t", []string{`criterion = "reml"`}},
		{"3 file names in quotes", `data.load("pai` + "\t", []string{`data.load("pairs.csv"`}},
		{"4 keys of tables", `t["tw` + "\t", []string{`> t["two words"]`}},
		{"5 letters in order", "kernel.mtn\t", []string{"> kernel.matern{"}},
		{"6 where an argument begins, the user's variables", "mesh.uniform(\t\t", []string{"mesh.uniform(a, b, n", "d", "t"}},
		{"7 history, by prefix", "t = {[" + up, []string{`> t = {["two words"] = 1`}},
		{"8 a block is recalled as it was typed", "func" + up, []string{"> function f(x)\n>>   local y = 2 * x\n>>   return y\n>> end"}},
		{"10 bracketed paste", "\x1b[200~a = 1\na + 1\n\x1b[201~", []string{"2"}},
		{"12 a suggestion from the history", "t = {" + right, []string{"> t = {[\"two words\"] = 1, size = {}} d"}},
		{"13 greek names", `\lambda` + "\t = 3" + enter, []string{"> λ = 3"}},
		{"14 results", "6 * 7" + enter + "_ + 1" + enter + "_2" + enter, []string{"42", "43", "42"}},
		{"15 ; keeps quiet, and asks the shell", ";echo fr''om the shell" + enter, []string{"from the shell"}},
		{"16 pwd, ls", "ls" + enter, []string{"pairs.csv"}},
		{"17 name?", "kernel.matern?" + enter, []string{"smoothness order"}},
		{"18 help on a variable is on what it holds", "d?" + enter, []string{"dataset: Pairs of functions on meshes"}},
		{"19 long help is paged", "?green.fit" + enter, []string{"paged:"}},
		{"20 ??f shows the source", "??f" + enter, []string{"local y = 2 * x"}},
		{"21 errors: place, mark, suggestion", "mesh.unifrom(0, 1, 3)" + enter, []string{"did you mean 'uniform'?", "^^^^^^^"}},
		{"21 what called what", "traceback()" + enter, []string{"in main chunk"}},
		{"24 time", "time(f, 4)" + enter, []string{"allocated", "8"}},
		{"24 bench", "bench(function() return f(1) end, {seconds = 0.01})" + enter, []string{"\nmedian"}},
		{"25 who", "who()" + enter, []string{"f  function"}},
		{"26 arrays", "array.zeros(30, 40)" + enter, []string{"array 30×40"}},
		{
			"27 records", "{{name = 'the first one of these', size = 1, error = 1 / 3, time = 1 / 7, other = 1 / 9}, {name = 'second', size = 200}}" + enter,
			[]string{"   name                    size             error", "2  second                   200"},
		},
		{"28 pictures as text", "plot.lines{{y = {1, 2, 3}}}" + enter, []string{"lines, 1 series"}},
		{"31 sessions", `save_session("s.session")` + enter + `load_session("s.session")` + enter, []string{"\ns.session: "}},
		{"32 scripts and reports", `report("r.html")` + enter + `save "s.lua"` + enter, []string{"\nr.html", "\ns.lua: "}},
		{"33 reload", `reload("kernel")` + enter, []string{"module kernel: Positive"}},
		{"34 the editor", "edit('f')" + enter, []string{"function f"}},
		{"37 undo", "word other\x17\x1f", []string{"> word other"}},
		{"37 Ctrl-X Ctrl-E", "one = 1\x18\x05", []string{"> two = 1"}},
		{"38 Ctrl-W, Ctrl-Y", "'a b'\x17\x19", []string{"> 'a b'"}},
		{"41 a module that is overwritten", "mesh = 3" + enter, []string{"'mesh' is now your variable"}},
		{"42 all digits", `format("long")` + enter + "1 / 3" + enter, []string{"0.3333333333333333"}},
	} {
		from := y.here()
		y.send(c.keys)
		y.wait(from, c.row, func(rows []string) bool {
			text := strings.Join(rows, "\n")
			return !slices.ContainsFunc(c.want, func(w string) bool { return !strings.Contains(text, w) })
		})
		y.send("\x03")
		y.prompt(from)
	}
	y.send("\x04")
	if status := y.exit(); status != 0 {
		t.Errorf("39: Ctrl-D leaves with status %d", status)
	}
}
