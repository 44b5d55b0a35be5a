package bindings_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/workbench/host"
)

// A function has the same digest in every state, and another one as soon as anything
// that it computes with is different.
func TestDigest(t *testing.T) {
	digest := func(source string) string {
		h := newHost(t)
		v, err := h.Eval(t.Context(), "test", source)
		if err != nil {
			t.Fatal(err)
		}
		return trace.Digest(h.L, v[0].(*lua.LFunction), func(w io.Writer, v any) { io.WriteString(w, "object") })
	}
	const base = "local a, t = 1, {x = 2, f = function() return 3 end}; t.t = t; g = 4; h = function() return g end; " +
		"return function(p) return a + t.x + t.f() + h() + math.sin(p.n) end"
	want := digest(base)
	if digest(base) != want || digest(strings.ReplaceAll(base, "; ", ";\n\n")) != want {
		t.Error("the same function has two digests")
	}
	seen := map[string]string{want: "nothing"}
	for _, change := range []string{"a, t = 1>a, t = 1.0000000000000002", "x = 2>x = 5", "return 3>return 3.5", "g = 4>g = '4'", "return g>return g + 1", "math.sin>math.cos", "p.n>p.m", "t.t = t>t.u = t"} {
		from, to, _ := strings.Cut(change, ">")
		d := digest(strings.Replace(base, from, to, 1))
		if other, ok := seen[d]; ok {
			t.Errorf("the digest after %s is that after %s", change, other)
		}
		seen[d] = change
	}
}

// On a cluster a script submits its sweep, does its part in each job, and returns the
// rows when nothing is missing. sbatch here runs the jobs at once.
func TestSlurm(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the scheduler needs a shell")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, text := range map[string]string{
		"sbatch": "echo 12",
		"squeue": "exit 1",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "sweep")
	source := `arg = {[0] = "script.lua"}
		return sweep.slurm{out = "` + filepath.ToSlash(out) + `", max_array = 2, grid = {n = {1, 2, 3}}, run = function(p) return {square = p.n^2} end}`
	run := func(part string) lua.LValue {
		t.Helper()
		jobs := part != ""
		t.Setenv("WORKBENCH_SWEEP", map[bool]string{true: filepath.ToSlash(out)}[jobs])
		t.Setenv("WORKBENCH_SWEEP_PART", part)
		var said strings.Builder
		h, err := host.New(host.Options{Out: &said})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		v, err := h.Eval(t.Context(), "script", source)
		if err != nil {
			t.Fatal(err)
		}
		if submitted := strings.Contains(said.String(), "3 combinations to do, submitted as job 12"); submitted != (!jobs && v[0] == lua.LNil) {
			t.Errorf("part %q says %q", part, said.String())
		}
		return v[0]
	}
	for _, part := range []string{"", "1/2", "2/2"} {
		if v := run(part); v != lua.LNil {
			t.Errorf("part %q returns %v before the sweep is complete", part, v)
		}
	}
	rows, ok := run("").(*lua.LTable)
	if !ok || rows.Len() != 3 {
		t.Fatalf("the rows are %v", rows)
	}
	for i := 1; i <= 3; i++ {
		row := rows.RawGetInt(i).(*lua.LTable)
		if n, square := row.RawGetString("n"), row.RawGetString("square"); n != lua.LNumber(i) || square != lua.LNumber(i*i) {
			t.Errorf("row %d: n %v, square %v", i, n, square)
		}
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 7 { // 3 results, tasks.txt, sweep.sh, job.txt, log
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// The jobs of a sweep run with the options that the program was started with, however
// they are written; nothing of them depends on the shell.
func TestSlurmOptions(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir) // where there is no sbatch
	t.Setenv("WORKBENCH_SWEEP", "")
	for name, c := range map[string]struct {
		command []string // of the program
		given   string   // command = of the sweep
		want    string
	}{
		"none":           {[]string{"/bin/workbench"}, "", "exec '/bin/workbench' 'it'\\''s.lua' 'a b'\n"},
		"options":        {[]string{"/bin/workbench", "--max-memory", "1GB", "--threads=2", "--no-init", "--timeout", "5m"}, "", "exec '/bin/workbench' '--max-memory' '1GB' '--threads=2' '--no-init' '--timeout' '5m' 'it'\\''s.lua' 'a b'\n"},
		"own program":    {[]string{"/bin/workbench", "--threads", "2"}, "/shared/workbench", "exec '/shared/workbench' '--threads' '2' 'it'\\''s.lua' 'a b'\n"},
		"a Go program's": {nil, "/shared/workbench", "exec '/shared/workbench' 'it'\\''s.lua' 'a b'\n"},
	} {
		h, err := host.New(host.Options{Out: io.Discard, Script: "it's.lua", Args: []string{"a b"}, Command: c.command})
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "sweep")
		program := c.given
		if program == "" {
			program = "/bin/workbench"
		}
		_, err = h.Eval(t.Context(), "script", fmt.Sprintf("return sweep.slurm{out = %q, command = %q, grid = {n = {1, 2}}, run = function(p) return p.n end}", filepath.ToSlash(out), program))
		h.Close()
		if err != nil {
			t.Fatal(name, err)
		}
		if text, err := os.ReadFile(filepath.Join(out, "sweep.sh")); err != nil || !strings.HasSuffix(string(text), c.want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}
