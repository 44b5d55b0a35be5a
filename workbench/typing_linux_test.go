package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A block is edited as one: its lines are indented, the arrows move in it, and it comes back as it was typed.
func TestBlock(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	from := y.here()
	y.send("for i = 1, 2 do\r")
	y.shows(from, "> for i = 1, 2 do\n>>")
	y.send("if i == 2 then\r")
	y.shows(from, "i == 2 then\n>>")
	y.send("print(i)\r")
	y.shows(from, "print(i)\n>>")
	y.send("end\r")
	y.shows(from, "end\n>>")
	y.send("end\r")
	rows := y.prompt(from)
	want := []string{">>   if i == 2 then", ">>     print(i)", ">>   end", ">> end", "2"}
	if !slices.Equal(rows, want) {
		t.Errorf("got %q", rows)
	}
	// It is recalled whole; two lines up, a character is changed, and Enter runs it.
	from = y.here()
	y.send("\x1b[A")
	y.shows(from, "> for i = 1, 2 do\n>>   if i == 2 then\n>>     print(i)\n>>   end\n>> end")
	y.send("\x1b[A\x1b[A\x1b[A\x1b[F\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x7f1\r")
	if rows := y.prompt(from); rows[len(rows)-1] != "1" || rows[0] != ">>   if i == 1 then" {
		t.Errorf("edited: %q", rows)
	}
	// At the end of an upper line Enter opens a line; Alt-Enter runs.
	from = y.here()
	y.send("\x1b[A\x1b[A\x1b[A\x1b[F\r")
	y.shows(from, ">>     print(i)\n>>\n>>   end")
	y.send("print('new')\x1b\r")
	if rows := y.prompt(from); !slices.Equal(rows[len(rows)-2:], []string{"1", "new"}) {
		t.Errorf("with a line more: %q", rows)
	}
	// A mistake leaves the block to be mended.
	from = y.here()
	y.send("for i = 1, 2 do\r")
	y.shows(from, "do\n>>")
	y.send("x = = 1\r")
	y.shows(from, "error: expected an expression")
	y.wait(from, "the block", func(rows []string) bool {
		return len(rows) > 2 && strings.HasSuffix(strings.Join(rows, "\n"), "\n> for i = 1, 2 do\n>>   x = = 1")
	})
	y.send("\x7f\x7f\x7f1\r")
	y.shows(from, ">>   x = 1\n>>")
	y.send("end\r")
	y.prompt(from)
	y.check("x", "1")
	// Undo, and what was killed comes back.
	from = y.here()
	y.send("one + two\x17\x1f")
	y.shows(from, "> one + two")
	y.send("\x15'a'\x17\x19\x19\x03")
	y.shows(from, "> 'a'a'^C")
	y.prompt(from)
}

func TestBracketedPaste(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	from := y.here()
	var code []string
	code = append(code, "function long(n)", "\tlocal s = 0")
	for range 17 {
		code = append(code, "\ts = s + n")
	}
	code = append(code, "\treturn s", "end", "long(2)", "")
	y.send("\x1b[200~" + strings.Join(code, "\r") + "\x1b[201~")
	rows := y.prompt(from)
	if len(rows) != len(code)-1 || rows[len(rows)-1] != "34" || rows[len(rows)-2] != "> long(2)" {
		t.Errorf("got %q", rows)
	}
	// The function is one entry of the history.
	from = y.here()
	y.send("\x10\x10")
	y.shows(from, "> function long(n)\n>>     local s = 0\n>>     s = s + n")
	y.send("\x03")
	y.prompt(from)
	// A transcript is pasted without its prompts and results; the last line waits.
	from = y.here()
	y.send("\x1b[200~> q = 5\n> q * 2\n10\n> q * 3\x1b[201~")
	y.shows(from, "> q * 3")
	y.send("\r")
	if rows := y.prompt(from); !slices.Equal(rows, []string{"> q * 2", "10", "> q * 3", "15"}) {
		t.Errorf("transcript: %q", rows)
	}
	// An error stops a paste.
	from = y.here()
	y.send("\x1b[200~error('first')\nprint('second')\n\x1b[201~")
	if rows := strings.Join(y.prompt(from), "\n"); strings.Contains(rows, "\nsecond") || !strings.Contains(rows, "1 pasted lines were not run") {
		t.Errorf("after an error: %s", rows)
	}
}

// A line of twenty thousand characters is there at once.
func TestLongPaste(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	text := "{" + strings.Repeat("1,", 10000) + "}"
	for _, paste := range []string{"\x1b[200~n = #" + text + "\x1b[201~\r", "n = #" + text + "\r"} {
		from := y.here()
		y.send(paste)
		y.prompt(from)
		y.check("n", "10000")
		y.check("n = 0")
	}
}

func TestTypedPaste(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	from := y.here()
	y.send("for i=1,2 do\n\tprint(i)\nend\n7 * 6\n")
	y.wait(from, "the result", func(rows []string) bool { return slices.Contains(rows, "42") && slices.Contains(rows, "2") })
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.npz"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	y := open(t, options{dir: dir})
	y.prompt(0)
	complete := func(keys string, want ...string) {
		t.Helper()
		from := y.here()
		y.send(keys)
		for _, w := range want {
			y.shows(from, w)
		}
		y.send("\x03")
		y.prompt(from)
	}
	y.check("G = array{1, 2}")
	complete("kern\t", "> kernel.")
	complete("kernel.\t", "matern", "periodic", "> kernel.")
	complete("kernel.mate\t", "> kernel.matern{")
	complete("kernel.matern{\t", "kernel.matern{nu", "lengthscale=", "> kernel.matern{")
	complete("kernel.matern{len\t", "> kernel.matern{lengthscale=")
	complete("G:tran\t", "> G:transpose(")
	complete("array.load(\"da\t", `> array.load("data.npz"`)
	complete("whi\t", "> while")
	complete("kernel.mtn\t", "> kernel.matern{")
	y.check(`t = {["two words"] = 1, λ = 2}`)
	complete(`t["tw`+"\t", `> t["two words"]`)
	complete("t.\\lambda\t", "> t.λ")
	complete("?kernel.mate\t", "> ?kernel.matern{")
	complete("\tx", ">   x")
}

func TestHistorySurvivesAKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	y := open(t, options{dir: dir})
	y.prompt(0)
	y.check("remembered = 1")
	from := y.here()
	y.send("for i = 1, 1 do\r")
	y.shows(from, "do\n>>")
	y.send("remembered = 2\r")
	y.shows(from, "2\n>>")
	y.send("end\r")
	y.prompt(from)
	y.cmd.Process.Kill()
	<-y.ended

	y = open(t, options{dir: dir})
	y.prompt(0)
	from = y.here()
	y.send("\x1b[A")
	y.shows(from, "> for i = 1, 1 do\n>>   remembered = 2\n>> end")
	y.send("\x1b[A\x1b[A\x1b[A")
	y.shows(from, "> remembered = 1")
	y.send("\x03")
	y.prompt(from)
	// A prefix narrows what the arrows recall.
	from = y.here()
	y.send("rem\x1b[A")
	y.shows(from, "> remembered = 1")
	y.send("\x03")
	y.prompt(from)
	// Ctrl-R searches.
	from = y.here()
	y.send("\x12for i")
	y.shows(from, "search 'for i': for i = 1, 1 do\n>>   remembered = 2\n>> end")
	y.send("\r")
	y.prompt(from)
	y.check("remembered", "2")
	y.check(`history("REMEMBERED = 1")`, "remembered = 1")
}

func TestKeys(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	// Keys that end other editors: search in an empty history, a NUL, Ctrl-S.
	from := y.here()
	y.send("\x12\x03")
	y.prompt(from)
	from = y.here()
	y.send("\x13\x03")
	y.prompt(from)
	from = y.here()
	y.send("1\x00 + 1\r")
	if rows := y.prompt(from); !slices.Equal(rows, []string{"2"}) {
		t.Errorf("a NUL in the line: %q", rows)
	}
	from = y.here()
	y.send("= '数学 λ' .. 1" + "\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D" + "!\r")
	if rows := y.prompt(from); !slices.Equal(rows, []string{"数学 λ!1"}) {
		t.Errorf("wide characters: %q", rows)
	}
	// Word by word, to the ends, deleting.
	from = y.here()
	y.send("one + two\x1b[1;5D\x1b[1;5D\x1b[1~'a' .. \x1b[4~\x17'b'\x1b[H\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x1b[3~")
	y.shows(from, "> one + 'b'")
	y.send("\x03")
	y.prompt(from)
}

func TestNarrowTerminal(t *testing.T) {
	t.Parallel()
	y := open(t, options{columns: 40, rows: 12})
	y.prompt(0)
	y.run("x = " + strings.Repeat("1+", 40) + "1")
	y.check("x", "41")
	for _, r := range y.run("array.zeros(200, 200)") {
		if len([]rune(r)) > 40 {
			t.Errorf("a row of %d columns: %q", len([]rune(r)), r)
		}
	}
	if rows := y.run("t = {}; for i = 1, 500 do t[i] = i end; t"); len(rows) > 12 {
		t.Errorf("%d rows on a screen of 12: %q", len(rows), rows)
	}
	from := y.here()
	y.send("kernel.\t")
	y.shows(from, "> kernel.")
	y.send("\x03")
	y.prompt(from)
	y.check("1+1", "2")
}

// A suggestion from the history stands behind what is typed, and the right arrow takes it; Ctrl-X Ctrl-E edits the line.
func TestSuggestion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "editor.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nsed -i 's/1/7/' \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	y := open(t, options{dir: dir, env: []string{"EDITOR=" + script}})
	y.prompt(0)
	y.check("σ² = 40 + 2")
	from := y.here()
	y.send("σ²")
	y.shows(from, "> σ² = 40 + 2")
	y.send("\r")
	if rows := y.prompt(from); !slices.Equal(rows, []string{"42"}) {
		t.Errorf("a suggestion was run: %q", rows)
	}
	from = y.here()
	y.send("σ² ")
	y.shows(from, "= 40 + 2")
	y.send("\x1b[C + 1\r")
	y.prompt(from)
	y.check("σ²", "43")
	from = y.here()
	y.send("x = 1\x18\x05")
	y.shows(from, "> x = 7")
	y.send("\r")
	y.prompt(from)
	y.check("x", "7")
	y.check("ls", "editor.sh")
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := y.run("cd data"); len(got) != 1 || !strings.HasSuffix(got[0], "/data") {
		t.Errorf("cd data: %q", got)
	}
	y.check(`cd("none")`, "error: cd: none is no folder that can be entered; ls shows those there are")
	y.check("ls()")
	y.check("ls = 3")
	y.check("ls", "3")
}

func TestEditor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "editor.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nsed -i 's/1/7/' \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	y := open(t, options{dir: dir, env: []string{"EDITOR=" + script}})
	y.prompt(0)
	y.check("x = 1")
	y.check("edit()", "x = 7")
	y.check("x", "7")
}

// A page of help longer than the window goes through the pager; a short one, and any under --safe, does not.
func TestPager(t *testing.T) {
	t.Parallel()
	y := open(t, options{env: []string{"PAGER=sed s/^/paged:/"}})
	y.prompt(0)
	from := y.here()
	y.send("?green.fit\r")
	if rows := y.prompt(from); !strings.HasPrefix(rows[len(rows)-1], "paged:") {
		t.Errorf("a long page ends %q", rows[len(rows)-1])
	}
	from = y.here()
	y.send("?mesh.chebyshev\r")
	if rows := y.prompt(from); strings.Contains(strings.Join(rows, "\n"), "paged:") {
		t.Errorf("a short page is %q", rows)
	}
	safe := open(t, options{args: []string{"--safe"}, env: []string{"PAGER=sed s/^/paged:/"}})
	safe.prompt(0)
	from = safe.here()
	safe.send("?green.fit\r")
	if rows := safe.prompt(from); strings.Contains(strings.Join(rows, "\n"), "paged:") {
		t.Error("--safe runs the pager")
	}
}

// Where an argument begins, Tab lists the variables of the user below the signature, not all there is.
func TestArgumentsAreVariables(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.check("left = 2", "")
	from := y.here()
	y.send("mesh.uniform(\t\t")
	y.shows(from, "left")
	y.wait(from, "no modules", func(rows []string) bool {
		return !strings.Contains(strings.Join(rows, "\n"), "tostring")
	})
}
