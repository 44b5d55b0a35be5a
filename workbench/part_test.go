package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// study is a sweep of 14 combinations whose results go to a folder given as argument. What it computes depends on the
// arguments of the script, not on those of the program.
const study = `local rows = sweep.run{out = arg[1], grid = {n = {1, 2, 3, 4, 5, 6, 7}, kind = {"a", "b"}},
  run = function(p) return p.n + p.seed + #arg end}
if not rows then return end
for _, r in ipairs(rows) do print(r.kind, r.n, r.seed, r.value) end
`

// Whoever starts the parts of a sweep, and at once or not: together they leave what one run does, and the run without
// a part finds it, or does what was lost.
func TestPartsAreOneSweep(t *testing.T) {
	dir := files(t, "study.lua", study)
	want := command(t, dir, "", "study.lua", filepath.Join(dir, "one"))
	if want.status != 0 || strings.Count(want.out, "\n") != 14 {
		t.Fatal(want)
	}
	part := func(t *testing.T, out string, environment []string, options ...string) *exec.Cmd {
		cmd := program(dir, append(options, "study.lua", out)...)
		cmd.Env = append(cmd.Env, environment...)
		return cmd
	}
	for name, c := range map[string]struct {
		done  int // combinations, by the parts
		start func(t *testing.T, out string, i int) *exec.Cmd
	}{
		"processes": {14, func(t *testing.T, out string, i int) *exec.Cmd {
			return part(t, out, nil, "--part", fmt.Sprintf("%d/4", i))
		}},
		"a part is lost": {11, func(t *testing.T, out string, i int) *exec.Cmd {
			if i == 3 {
				return nil
			}
			return part(t, out, nil, "--part", fmt.Sprintf("%d/4", i))
		}},
		"more parts than combinations": {14, func(t *testing.T, out string, i int) *exec.Cmd {
			return part(t, out, []string{fmt.Sprintf("WORKBENCH_PART=%d/15", i)})
		}},
		"Slurm": {14, func(t *testing.T, out string, i int) *exec.Cmd {
			return part(t, out, []string{fmt.Sprint("SLURM_ARRAY_TASK_ID=", i), "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=4", "SLURM_ARRAY_TASK_STEP=1", "SLURM_ARRAY_TASK_COUNT=4"}, "--part", "auto")
		}},
		"Kubernetes": {14, func(t *testing.T, out string, i int) *exec.Cmd {
			return part(t, out, []string{fmt.Sprint("JOB_COMPLETION_INDEX=", i-1), "WORKBENCH_PART=auto/4"})
		}},
		"GNU parallel": {14, func(t *testing.T, out string, i int) *exec.Cmd {
			if i > 1 {
				return nil
			}
			if version, err := exec.Command("parallel", "--version").Output(); err != nil || !strings.HasPrefix(string(version), "GNU parallel") {
				t.Skip("LEFT OUT: the parts that GNU parallel starts, which is not installed")
			}
			cmd := exec.Command("parallel", "-j", "2", os.Args[0], "--part", "{}/4", "study.lua", out, ":::", "1", "2", "3", "4")
			cmd.Dir, cmd.Env = dir, program(dir).Env
			return cmd
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "results")
			n := 4
			if strings.HasPrefix(name, "more") {
				n = 15
			}
			said := atOnce(t, n, func(i int) *exec.Cmd { return c.start(t, out, i) })
			before, err := filepath.Glob(filepath.Join(out, "*.json"))
			if err != nil || len(before) != c.done {
				t.Fatalf("the parts left %d results, want %d, %v:\n%s", len(before), c.done, err, said)
			}
			if !strings.Contains(said, "sweep: part 2 of ") || strings.Contains(said, "\t") {
				t.Errorf("the parts say %q", said)
			}
			kept := map[string]os.FileInfo{}
			for _, path := range before {
				if kept[path], err = os.Stat(path); err != nil {
					t.Fatal(err)
				}
			}
			if got := command(t, dir, "", "study.lua", out); got != want {
				t.Errorf("after the parts a run leaves %+v, want %+v", got, want)
			}
			for path, info := range kept {
				if now, err := os.Stat(path); err != nil || !os.SameFile(now, info) {
					t.Errorf("%s was computed again: %v", path, err)
				}
			}
		})
	}
}

// atOnce runs the commands of n parts, some of which may be nil, and returns what they say.
func atOnce(t *testing.T, n int, start func(i int) *exec.Cmd) string {
	t.Helper()
	said := make([]bytes.Buffer, n)
	var running []*exec.Cmd
	for i := range n {
		cmd := start(i + 1)
		if cmd == nil {
			continue
		}
		cmd.Stdout, cmd.Stderr = &said[i], &said[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(cmd.Args, err)
		}
	}
	var all strings.Builder
	for i := range said {
		all.Write(said[i].Bytes())
	}
	return all.String()
}

// What a part cannot do is said: which part it is, and what to write instead.
func TestPartsThatAreRefused(t *testing.T) {
	t.Parallel()
	dir := files(t, "plain.lua", "print('done')\n", "exits.lua", "os.exit(0)\n", "fails.lua", "error('broken')\n",
		"memory.lua", "sweep.run{grid = {n = {1}}, run = function(p) return p.n end}\n",
		"inner.lua", "sweep.run{out = arg[1], grid = {n = {1, 2}}, run = function(p) return #sweep.run{grid = {m = {1, 2, 3}}, run = function(q) return q.m end} end}\n",
		"array.lua", "print(sweep.slurm{out = arg[1], grid = {n = {1, 2}}, run = function(p) return p.n end})\n")
	out := filepath.Join(dir, "results")
	for _, c := range []struct {
		environment string
		args        []string
		status      int
		want, not   string // of what is said
	}{
		{"", []string{"--part", "0/4", "plain.lua"}, 2, "workbench: --part 0/4: want i/n", "done"},
		{"", []string{"--part", "auto", "plain.lua"}, 2, "this is no job of an array", "done"},
		{"WORKBENCH_PART=5/4", []string{"plain.lua"}, 2, "workbench: WORKBENCH_PART=5/4: want i/n", "done"},
		{"WORKBENCH_PART=5/4", []string{"--part", "1/2", "plain.lua"}, 0, "workbench: --part 1/2: the script has no sweep.run; every part does the same", "5/4"},
		{"WORKBENCH_PART=1/2", []string{"exits.lua"}, 0, "WORKBENCH_PART=1/2: the script has no sweep.run", "error"},
		{"WORKBENCH_PART=", []string{"plain.lua"}, 0, "done", "no sweep.run"},
		{"SLURM_ARRAY_TASK_ID=1", []string{"plain.lua"}, 0, "done", "no sweep.run"},
		{"", []string{"--part", "1/2", "fails.lua"}, 1, "broken", "no sweep.run"},
		{"", []string{"--part", "1/2", "memory.lua"}, 1, "sweep.run: out: missing: this is part 1 of 2", "no sweep.run"},
		{"", []string{"--part", "1/1", "inner.lua", out}, 0, "part 1 of 1: 2 of 2 combinations", "failed"},
		{"", []string{"--part", "1/1", "array.lua", out + "2"}, 0, "part 1 of 1: 2 of 2 combinations\nnil\n", "sbatch"},
	} {
		cmd := program(dir, c.args...)
		cmd.Env = append(cmd.Env, c.environment)
		said, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); status != c.status || !strings.Contains(string(said), c.want) || strings.Contains(string(said), c.not) {
			t.Errorf("%s %q: status %d, %s", c.environment, c.args, status, said)
		}
	}
}
