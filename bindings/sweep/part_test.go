package sweep

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Parts are disjoint, balanced and everything.
func TestPartsAreEverythingOnce(t *testing.T) {
	all := tasks(t, grid(), 1)
	for n := 1; n <= len(all)+2; n++ {
		done := map[string]int{}
		least, most := len(all), 0
		for i := 1; i <= n; i++ {
			own := Part{i, n}.Of(all)
			least, most = min(least, len(own)), max(most, len(own))
			for _, task := range own {
				done[task.Key]++
			}
		}
		if len(done) != len(all) || most > least+1 {
			t.Errorf("%d parts have %d of %d tasks, from %d to %d each", n, len(done), len(all), least, most)
		}
		for key, times := range done {
			if times != 1 {
				t.Errorf("%d parts: %s is done %d times", n, key, times)
			}
		}
	}
}

// Where a quarter of the combinations is slow and every fourth of the grid, each of four parts has some of them.
func TestPartsShareWhatIsSlow(t *testing.T) {
	quick := make([]any, 12)
	for i := range quick {
		quick[i] = float64(i)
	}
	all := tasks(t, []Parameter{{"lambda", quick}, {"n", []any{10.0, 100.0, 1000.0, 10000.0}}}, 1)
	for i := 1; i <= 4; i++ {
		slow, last := 0, -1
		for _, task := range (Part{i, 4}).Of(all) {
			if task.Values["n"] == 10000.0 {
				slow++
			}
			if task.Index <= last {
				t.Errorf("part %d is not in the order of the grid", i)
			}
			last = task.Index
		}
		if slow < 1 || slow > 6 {
			t.Errorf("part %d has %d of the 12 slow combinations", i, slow)
		}
	}
}

// A part reaches the sweeps of its context, but not those within their tasks, and it is known whether there were any.
func TestPartsTravelInTheContext(t *testing.T) {
	if p, ok := PartOf(t.Context()); ok {
		t.Errorf("part %s without one", p)
	}
	ctx, met := WithPart(t.Context(), Part{2, 4})
	if _, ok := PartOf(Whole(ctx)); ok || met() {
		t.Error("the whole is a part")
	}
	if p, ok := PartOf(ctx); !ok || p != (Part{2, 4}) || !met() {
		t.Errorf("part %s, %v", p, ok)
	}
}

// Parts of different numbers overlap: what two do at once is whole all the same, and done twice at most.
func TestTheSameTaskTwiceAtOnce(t *testing.T) {
	dir := t.TempDir()
	all := tasks(t, []Parameter{{"n", []any{1.0, 2.0, 3.0}}}, 1)
	var both sync.WaitGroup
	both.Add(8)
	work := func(_ context.Context, task Task) (map[string]any, error) {
		if task.Index == 0 {
			both.Done()
			both.Wait() // so that all write the first at once
		}
		list := make([]any, 10000)
		for i := range list {
			list[i] = task.Values["n"]
		}
		return map[string]any{"list": list}, nil
	}
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			if out, err := (Sweep{Tasks: all, Store: Store(dir)}).Run(t.Context(), []Worker{work}); err != nil || out.Failed > 0 {
				t.Errorf("%v, %d failed", err, out.Failed)
			}
		})
	}
	runs.Wait()
	records, err := Store(dir).All()
	if err != nil || len(records) != 3 {
		t.Fatalf("%d results, %v", len(records), err)
	}
	for _, r := range records {
		list := r.Result["list"].([]any)
		if len(list) != 10000 || list[0] != r.Values["n"] || list[9999] != r.Values["n"] {
			t.Errorf("the result of %v has %d values", r.Values, len(list))
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestParsePart(t *testing.T) {
	for _, c := range []struct{ text, env, want string }{
		{"2/4", "", "2/4"},
		{"2/4", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MAX=9", "2/4"},
		{"auto", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2", "2/3"},
		{"auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=1", "1/4"},
		{"auto", "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=4", "4/4"},
		{"auto/3", "SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=6 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3", "3/3"},
		{"auto", "LSB_JOBINDEX=3 LSB_JOBINDEX_END=8 LSB_JOBINDEX_STEP=1", "3/8"},
		{"auto", "LSB_JOBINDEX=3 LSB_JOBINDEX_END=7 LSB_JOBINDEX_STEP=2", "2/4"},
		{"auto", "SGE_TASK_ID=1 SGE_TASK_FIRST=1 SGE_TASK_LAST=5 SGE_TASK_STEPSIZE=1", "1/5"},
		{"auto/10", "PBS_ARRAY_INDEX=10", "10/10"},
		{"auto/10", "PBS_ARRAYID=4", "4/10"},
		{"auto/3", "JOB_COMPLETION_INDEX=0", "1/3"},
		{"auto/3", "JOB_COMPLETION_INDEX=2", "3/3"},
		{"0/4", "", "1 <= i <= n"},
		{"5/4", "", "1 <= i <= n"},
		{"x", "", "1 <= i <= n"},
		{"", "", "1 <= i <= n"},
		{"1/", "", "1 <= i <= n"},
		{"1/2/3", "", "1 <= i <= n"},
		{"-1/2", "", "1 <= i <= n"},
		{"auto", "", "no job of an array"},
		{"auto", "SGE_TASK_ID=undefined LSB_JOBINDEX=0", "no job of an array"},
		{"auto", "PBS_ARRAY_INDEX=3", "auto/10"},
		{"auto", "JOB_COMPLETION_INDEX=3", "auto/10"},
		{"auto/0", "PBS_ARRAY_INDEX=3", "number of parts"},
		{"auto/x", "PBS_ARRAY_INDEX=3", "number of parts"},
		{"auto", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=4", "not numbered one after the other"},
		{"auto/4", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=1", "has 1 jobs, not 4"},
		{"auto/3", "PBS_ARRAY_INDEX=4", "none of 3 jobs"},
		{"auto/3", "PBS_ARRAY_INDEX=0", "none of 3 jobs"},
		{"auto/3", "JOB_COMPLETION_INDEX=3", "none of 3 jobs"},
		{"auto/5", "LSB_JOBINDEX=3 LSB_JOBINDEX_END=8", "has 8 jobs"},
		{"auto", "SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2", "none of 3 jobs"},
	} {
		p, err := ParsePart(c.text, func(name string) string {
			for v := range strings.FieldsSeq(c.env) {
				if rest, ok := strings.CutPrefix(v, name+"="); ok {
					return rest
				}
			}
			return ""
		})
		got := p.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want && !(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%s with %s: %s, want %s", c.text, c.env, got, c.want)
		}
	}
}
