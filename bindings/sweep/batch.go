package sweep

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/arrays"
)

// Batch is a job array of Slurm that runs a script once for each [Part] of the tasks
// that are missing. The script comes to the same sweep again; there Part tells it
// which tasks are its own.
type Batch struct {
	Store    Store
	Command  []string // the program, the script and its arguments
	Jobs     int      // how many run at once, at most; 0 means as many as the cluster likes
	Time     string   // limit of each job, such as 01:00:00
	Memory   string   // such as 4G
	CPUs     int      // of each job
	Options  []string // further options of sbatch, such as --partition=short
	MaxArray int      // how many jobs an array may have; a job has several tasks if there are more
}

// Names of environment variables by which a job knows its part.
const (
	storeVariable = "WORKBENCH_SWEEP"
	partVariable  = "WORKBENCH_SWEEP_PART"
)

func (b Batch) list() string   { return filepath.Join(string(b.Store), "tasks.txt") }
func (b Batch) script() string { return filepath.Join(string(b.Store), "sweep.sh") }
func (b Batch) job() string    { return filepath.Join(string(b.Store), "job.txt") }
func (b Batch) logs() string   { return filepath.Join(string(b.Store), "log") }

// Write writes the list of tasks and the script for sbatch, and returns the path of
// the script.
func (b Batch) Write(missing []Task) (string, error) {
	var list, script bytes.Buffer
	for _, t := range missing {
		fmt.Fprintln(&list, t.Key)
	}
	fmt.Fprintln(&script, "#!/bin/sh")
	option := func(format string, args ...any) {
		fmt.Fprintf(&script, "#SBATCH "+format+"\n", args...)
	}
	parts := min(len(missing), max(1, b.MaxArray))
	option("--job-name=%s", filepath.Base(string(b.Store)))
	if b.Jobs > 0 {
		option("--array=1-%d%%%d", parts, b.Jobs)
	} else {
		option("--array=1-%d", parts)
	}
	option("--output=%s", filepath.Join(b.logs(), "%A-%a.txt")) // the number of the submission, too: another has other tasks
	if b.Time != "" {
		option("--time=%s", b.Time)
	}
	if b.Memory != "" {
		option("--mem=%s", b.Memory)
	}
	if b.CPUs > 0 {
		option("--cpus-per-task=%d", b.CPUs)
	}
	for _, o := range b.Options {
		option("%s", o)
	}
	fmt.Fprintf(&script, "export %s=%s\nexport %s=$SLURM_ARRAY_TASK_ID/%d\nexec", storeVariable, quoted(string(b.Store)), partVariable, parts)
	for _, word := range b.Command {
		script.WriteString(" " + quoted(word))
	}
	script.WriteString("\n")
	for path, text := range map[string]*bytes.Buffer{b.list(): &list, b.script(): &script} {
		if err := arrays.WriteAtomic(path, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err }); err != nil {
			return "", err
		}
	}
	return b.script(), os.MkdirAll(b.logs(), 0o777)
}

// Running returns the job that was submitted last, if it waits or runs.
func (b Batch) Running(ctx context.Context) (job string, running bool) {
	text, err := arrays.ReadRegular(b.job())
	if err != nil {
		return "", false
	}
	job = strings.TrimSpace(string(text))
	// squeue fails for a job that it has forgotten.
	out, err := exec.CommandContext(ctx, "squeue", "--noheader", "--jobs", job).Output()
	return job, err == nil && len(bytes.TrimSpace(out)) > 0
}

// Submit gives the script to sbatch and returns the number of the job.
func (b Batch) Submit(ctx context.Context, script string) (job string, err error) {
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, "sbatch", "--parsable", script)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			return "", errors.New(text) // it names sbatch itself
		}
		return "", fmt.Errorf("sbatch: %w", err)
	}
	job, _, _ = strings.Cut(strings.TrimSpace(out.String()), ";")
	return job, arrays.WriteAtomic(b.job(), func(w io.Writer) error { _, err := fmt.Fprintln(w, job); return err })
}

// CanSubmit reports whether this machine has sbatch.
func CanSubmit() bool {
	_, err := exec.LookPath("sbatch")
	return err == nil
}

// Part returns the tasks of the job that this process runs as; inJob is false
// outside jobs, and in jobs of other sweeps.
func (b Batch) Part(tasks []Task) (part []Task, inJob bool, err error) {
	if os.Getenv(storeVariable) != string(b.Store) {
		return nil, false, nil
	}
	own, err := ParsePart(os.Getenv(partVariable), os.Getenv)
	if err != nil {
		return nil, true, fmt.Errorf("%s=%q: %w", partVariable, os.Getenv(partVariable), err)
	}
	f, err := arrays.OpenRegular(b.list())
	if err != nil {
		return nil, true, err
	}
	defer f.Close()
	byKey := map[string]Task{}
	for _, t := range tasks {
		byKey[t.Key] = t
	}
	var missing []Task // when the job was submitted
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		t, ok := byKey[lines.Text()]
		if !ok {
			return nil, true, errors.New("grid: has changed since the job was submitted; cancel it and submit again")
		}
		missing = append(missing, t)
	}
	return own.Of(missing), true, lines.Err()
}

// quoted is a word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
