package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/sorting"
)

// Part is the I-th of N parts of a sweep, from 1. Parts are disjoint, differ by one task at most, and are all tasks together,
// whatever has been done before: they may be run in any order, again, and at once on a shared folder.
type Part struct{ I, N int }

func (p Part) String() string { return fmt.Sprintf("%d/%d", p.I, p.N) }

// Of are the tasks of a part, in their order. They are every N-th by their keys, which are as good as random: the slow
// combinations are spread, wherever they stand in the grid.
func (p Part) Of(tasks []Task) (own []Task) {
	shuffled := slices.Clone(tasks)
	sorting.By(shuffled, func(a, b Task) int { return strings.Compare(a.Key, b.Key) })
	for k := p.I - 1; k < len(shuffled); k += p.N {
		own = append(own, shuffled[k])
	}
	sorting.By(own, func(a, b Task) int { return a.Index - b.Index })
	return own
}

// assigned is the part that the sweeps of a context do.
type assigned struct {
	Part
	met atomic.Bool
}

type partKey struct{}

// WithPart returns a context whose sweeps do that part only; met reports whether there was a sweep.
func WithPart(ctx context.Context, p Part) (within context.Context, met func() bool) {
	a := &assigned{Part: p}
	return context.WithValue(ctx, partKey{}, a), a.met.Load
}

// PartOf is the part that a sweep in this context does, if not the whole.
func PartOf(ctx context.Context) (Part, bool) {
	a, ok := ctx.Value(partKey{}).(*assigned)
	if !ok {
		return Part{}, false
	}
	a.met.Store(true)
	return a.Part, true
}

// Whole returns a context whose sweeps do everything: those within a task.
func Whole(ctx context.Context) context.Context { return context.WithValue(ctx, partKey{}, nil) }

// ParsePart reads "i/n", or takes i, and n where it is known, from the variables that a scheduler gives to the jobs of an array:
// "auto", or "auto/n" for those that do not say n. Nothing is taken from a scheduler that was not asked for: a script that is
// run by hand within a job does everything.
func ParsePart(text string, getenv func(string) string) (Part, error) {
	first, count, counted := strings.Cut(text, "/")
	n, err := strconv.Atoi(count)
	switch {
	case first == "auto" && !counted:
		return fromScheduler(0, getenv)
	case first == "auto" && (err != nil || n < 1):
		return Part{}, fmt.Errorf("want the number of parts after the slash, such as auto/10")
	case first == "auto":
		return fromScheduler(n, getenv)
	}
	i, err2 := strconv.Atoi(first)
	if err != nil || err2 != nil || i < 1 || i > n {
		return Part{}, fmt.Errorf("want i/n with 1 <= i <= n, such as 2/4; or auto in a job of an array")
	}
	return Part{i, n}, nil
}

// A numbering is how a scheduler numbers the jobs of an array: names of variables, "" where it does not say.
type numbering struct {
	scheduler                       string
	index, first, last, step, count string
	from                            int // where it counts from, if it does not say
}

// numberings are those of the known schedulers, by their manuals.
func numberings() []numbering {
	return []numbering{
		{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT", 0},
		{"LSF", "LSB_JOBINDEX", "", "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP", "", 1},
		{"Grid Engine", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", "", 1},
		{"PBS", "PBS_ARRAY_INDEX", "", "", "", "", 1},
		{"Torque", "PBS_ARRAYID", "", "", "", "", 1},
		{"Kubernetes", "JOB_COMPLETION_INDEX", "", "", "", "", 0},
	}
}

// fromScheduler is the part of this job; n is 0 where it was not given.
func fromScheduler(n int, getenv func(string) string) (Part, error) {
	var names []string
	for _, s := range numberings() {
		names = append(names, s.index)
		index, ok := number(getenv, s.index)
		if ok && (index > 0 || s.scheduler != "LSF") { // LSF: 0 is a job of no array
			return s.part(index, n, getenv)
		}
	}
	return Part{}, fmt.Errorf("this is no job of an array: none of %s is a number; give i/n, such as 2/4", strings.Join(names, ", "))
}

// part is that of the job with an index.
func (s numbering) part(index, n int, getenv func(string) string) (Part, error) {
	first, ok := number(getenv, s.first)
	if !ok {
		first = s.from
	}
	step, ok := number(getenv, s.step)
	if !ok || step < 1 {
		step = 1
	}
	if last, ok := number(getenv, s.last); ok {
		jobs := (last-first)/step + 1
		if count, ok := number(getenv, s.count); ok && count != jobs {
			return Part{}, fmt.Errorf("the array of %s has %d jobs, which are not numbered one after the other: give i/n, such as 2/4", s.scheduler, count)
		}
		if n > 0 && n != jobs {
			return Part{}, fmt.Errorf("the array of %s has %d jobs, not %d: give i/n, such as 2/4, to do some of the parts only", s.scheduler, jobs, n)
		}
		n = jobs
	}
	i := (index-first)/step + 1
	switch {
	case n == 0:
		return Part{}, fmt.Errorf("%s does not say how many jobs the array has; give the number, such as auto/10", s.scheduler)
	case (index-first)%step != 0, index < first, i > n:
		return Part{}, fmt.Errorf("%s is %d, which is none of %d jobs from %d on: number them so", s.index, index, n, first)
	}
	return Part{i, n}, nil
}

// number is that of a variable; false where it is none, as Grid Engine's "undefined".
func number(getenv func(string) string, name string) (int, bool) {
	if name == "" {
		return 0, false
	}
	v, err := strconv.Atoi(getenv(name))
	return v, err == nil && v >= 0 && v <= math.MaxInt32
}
