package sweep

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program writes a shell script to be found as a program.
func program(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// A job array does each missing task once, whatever the number of jobs: the script
// that sbatch gets is run here as Slurm would run it, with a number for each job.
func TestEveryTaskBelongsToOneJob(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell, which Slurm needs")
	}
	dir := t.TempDir()
	all := tasks(t, grid(), 1)
	missing := all[1:]
	for _, most := range []int{1, 2, 5, 1000} {
		b := Batch{
			Store: Store(filepath.Join(dir, "it's")), MaxArray: most, Jobs: 3, Time: "00:10:00", Memory: "2G", CPUs: 4, Options: []string{"--partition=short"},
			Command: []string{program(t, dir, "show", `printf '%s\n%s\n%s\n' "$WORKBENCH_SWEEP" "$WORKBENCH_SWEEP_PART" "$1"`), "a b's.lua"},
		}
		script, err := b.Write(missing)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		jobs := min(most, len(missing))
		for _, want := range []string{"--time=00:10:00", "--mem=2G", "--cpus-per-task=4", "--partition=short", "--output=" + filepath.Join(dir, "it's", "log", "%A-%a.txt"), "--array=1-" + string(rune('0'+jobs)) + "%3"} {
			if !strings.Contains(string(text), "#SBATCH "+want+"\n") {
				t.Errorf("the script has no %s:\n%s", want, text)
			}
		}
		done := map[string]int{}
		for job := range jobs {
			number := string(rune('1' + job))
			cmd := exec.Command("sh", script)
			cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID="+number)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(out), "\n")
			if lines[0] != string(b.Store) || lines[1] != fmt.Sprintf("%s/%d", number, jobs) || lines[2] != "a b's.lua" {
				t.Fatalf("job %s sees %q", number, lines)
			}
			t.Setenv(storeVariable, lines[0])
			t.Setenv(partVariable, lines[1])
			part, in, err := b.Part(all)
			if err != nil || !in {
				t.Fatal(in, err)
			}
			for _, task := range part {
				done[task.Key]++
			}
		}
		for _, task := range missing {
			if done[task.Key] != 1 {
				t.Errorf("%d jobs: %s is done %d times", jobs, task, done[task.Key])
			}
		}
		if len(done) != len(missing) {
			t.Errorf("%d jobs: %d tasks done, %d were missing", jobs, len(done), len(missing))
		}
		if _, _, err := b.Part(all[:1]); err == nil || !strings.Contains(err.Error(), "has changed since the job was submitted") {
			t.Errorf("another grid: %v", err)
		}
	}
	other := Batch{Store: "elsewhere"}
	if _, in, err := other.Part(all); in || err != nil {
		t.Errorf("a sweep takes the part of another: %v, %v", in, err)
	}
}

// What sbatch says is what the user sees; the job it names is known to run until
// squeue has forgotten it.
func TestSubmit(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell, which Slurm needs")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	b := Batch{Store: Store(t.TempDir()), MaxArray: 10, Command: []string{"true"}}
	script, err := b.Write(tasks(t, grid(), 1))
	if err != nil {
		t.Fatal(err)
	}
	program(t, dir, "sbatch", `test "$1" = --parsable && test -f "$2" && echo "4711;cluster"`)
	program(t, dir, "squeue", `test "$3" = 4711 && echo "4711_[1-3] PD"`)
	if _, running := b.Running(t.Context()); running || !CanSubmit() {
		t.Error("a job runs before one was submitted, or sbatch is not found")
	}
	if job, err := b.Submit(t.Context(), script); job != "4711" || err != nil {
		t.Errorf("job %q, %v", job, err)
	}
	if job, running := b.Running(t.Context()); job != "4711" || !running {
		t.Errorf("job %q, running %v", job, running)
	}
	program(t, dir, "squeue", `echo "invalid job id" >&2; exit 1`)
	if _, running := b.Running(t.Context()); running {
		t.Error("a job that squeue does not know runs")
	}
	program(t, dir, "sbatch", `echo "sbatch: error: no such partition" >&2; exit 1`)
	if _, err := b.Submit(t.Context(), script); err == nil || err.Error() != "sbatch: error: no such partition" {
		t.Errorf("got %v", err)
	}
}
