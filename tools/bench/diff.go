package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
)

// A change is a row of two commits.
type change struct {
	name          string
	before, after float64 // median seconds
	ratio, se     float64 // after to before, and the standard error of its logarithm
	processor     float64 // the same of the seconds of the processors, which others on the machine lengthen less
	accuracy      string  // what became less accurate by more than a factor of two, or takes more iterations
}

// changes compares the rows that two runs share, by medians: runs at different times, so that what else a machine does
// differs, too.
func changes(before, after run) (all []change) {
	for _, a := range after.Results {
		for _, b := range before.Results {
			if a.Row != b.Row || a.Level != b.Level || a.Threads != b.Threads || len(a.Ours.Times) == 0 || len(b.Ours.Times) == 0 {
				continue
			}
			x, y := walls(b.Ours.Times), walls(a.Ours.Times)
			all = append(all, change{
				name: a.title(), before: median(x), after: median(y), ratio: median(y) / median(x), se: math.Hypot(spread(x), spread(y)),
				processor: median(processors(a.Ours.Times)) / median(processors(b.Ours.Times)), accuracy: worse(b.Ours, a.Ours),
			})
		}
	}
	return all
}

// inTurn are the changes of a run in which the peer is the other commit, pair by pair.
func (run run) inTurn() (all []change) {
	for _, r := range run.Results {
		if len(r.Peers) == 0 || len(r.Peers[0].Times) == 0 || len(r.Ours.Times) == 0 {
			continue
		}
		ratio, processor, se := r.ratio()
		all = append(all, change{
			name: r.title(), before: median(walls(r.Peers[0].Times)), after: median(walls(r.Ours.Times)), ratio: ratio, se: se,
			processor: processor, accuracy: worse(r.Peers[0], r.Ours),
		})
	}
	return all
}

func (out result) title() string {
	return fmt.Sprintf("%s, %s, %d threads", out.Row, out.Level, out.Threads)
}

// worse says which accuracies became worse: residuals by a factor above two, errors by more than 1 %, iterations at all.
func worse(before, after side) (text string) {
	factors := map[string]float64{"residual": 2, "gap": 2, "iterations": 1, "error": 1.01}
	for _, name := range []string{"residual", "gap", "iterations", "error"} {
		a, b := before.Accuracy[name], after.Accuracy[name]
		if len(a) > 0 && len(b) > 0 && b[0] > factors[name]*a[0] && b[0] > 1e-12 {
			text += fmt.Sprintf(" %s %s was %s", name, number(b[0]), number(a[0]))
		}
	}
	return text
}

// printChanges writes a line a row, and says which differ by more than 3 % and three standard errors.
func printChanges(w io.Writer, all []change) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "row\tbefore\tafter\tratio\t±\tdiffers\tof processor\taccuracy")
	for _, c := range all {
		verdict, error := "", number(c.se)
		switch {
		case math.IsInf(c.se, 0):
			verdict, error = "too few rounds", ""
		case differs(c.ratio, c.se) && c.ratio > 1:
			verdict = "slower"
		case differs(c.ratio, c.se):
			verdict = "faster"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.3f\t%s\t%s\t%s\t%s\n", c.name, number(c.before), number(c.after), c.ratio, error, verdict, number(c.processor), c.accuracy)
	}
	_ = t.Flush()
}

// buildCommit builds the workbench of a commit in a folder of its own.
func buildCommit(ctx context.Context, commit, folder string) (program string, err error) {
	tree := filepath.Join(folder, "tree")
	run := func(dir, name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", name, err, text)
		}
		return nil
	}
	if err := run(".", "git", "worktree", "add", "--detach", tree, commit); err != nil {
		return "", err
	}
	defer func() { // the program is all that is needed
		_ = exec.Command("git", "worktree", "remove", "--force", tree).Run()
	}()
	if program, err = filepath.Abs(filepath.Join(folder, "other")); err != nil {
		return "", err
	}
	if err := run(tree, "go", "build", "-o", program, "./workbench"); err != nil {
		return "", err
	}
	_, err = os.Stat(program)
	return program, err
}
