package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func grid() []Parameter {
	return []Parameter{{"kind", []any{"a", "b"}}, {"n", []any{1.0, 2.0, math.Inf(1)}}}
}

func tasks(t *testing.T, grid []Parameter, seed uint64) []Task {
	t.Helper()
	list, err := Tasks(grid, seed)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Every combination comes once, the last parameter fastest. Keys and seeds belong to
// the values and the seed of the sweep: not to the rest of the grid.
func TestTasks(t *testing.T) {
	all := tasks(t, grid(), 1)
	var got []string
	keys, seeds := map[string]bool{}, map[uint64]bool{}
	for i, task := range all {
		if task.Index != i || task.Seed >= 1<<31 {
			t.Errorf("task %d has the index %d and the seed %d", i, task.Index, task.Seed)
		}
		got = append(got, task.String())
		keys[task.Key], seeds[task.Seed] = true, true
	}
	want := "kind = a, n = 1; kind = a, n = 2; kind = a, n = +Inf; kind = b, n = 1; kind = b, n = 2; kind = b, n = +Inf"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("tasks %s, want %s", text, want)
	}
	if len(keys) != 6 || len(seeds) != 6 {
		t.Errorf("%d keys and %d seeds for 6 tasks", len(keys), len(seeds))
	}
	one := tasks(t, []Parameter{{"n", []any{2.0}}, {"kind", []any{"b"}}}, 1)[0]
	if one.Key != all[4].Key || one.Seed != all[4].Seed {
		t.Error("the key or the seed depends on the rest of the grid")
	}
	if other := tasks(t, grid(), 2)[4]; other.Key == all[4].Key || other.Seed == all[4].Seed {
		t.Error("another seed of the sweep gives the same key or seed")
	}
}

func TestGridsThatAreRefused(t *testing.T) {
	many := make([]any, 1001)
	for i := range many {
		many[i] = float64(i)
	}
	for _, c := range []struct {
		grid []Parameter
		want string
	}{
		{nil, "names no parameter"},
		{[]Parameter{{"n", nil}}, "n: has no values"},
		{[]Parameter{{"n", []any{1.0, 2.0, 1.0}}}, "combinations 1 and 3 are the same: n = 1"},
		{[]Parameter{{"m", many}, {"n", many}}, "more than 1000000"},
	} {
		if _, err := Tasks(c.grid, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want … %s …", err, c.want)
		}
	}
}

// A second run does only what is missing: what failed, what is new in the grid, what
// another computation made. Results come back from their files as they were.
func TestRunTakesUpWhereItEnded(t *testing.T) {
	s := Sweep{Tasks: tasks(t, grid(), 1), Code: "one", Store: Store(t.TempDir())}
	var calls atomic.Int32
	fails := true
	work := func(_ context.Context, task Task) (map[string]any, error) {
		calls.Add(1)
		if fails && task.Index == 3 {
			return nil, errors.New("not today")
		}
		return map[string]any{"x": task.Values["n"], "nan": math.NaN(), "list": []any{1.0, "two"}}, nil
	}
	run := func(s Sweep) Outcome {
		t.Helper()
		calls.Store(0)
		out, err := s.Run(t.Context(), []Worker{work, work})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := run(s)
	if calls.Load() != 6 || first.Failed != 1 || first.Kept != 0 || first.Records[3].Err == nil {
		t.Errorf("first run: %d calls, %d failed, %d kept", calls.Load(), first.Failed, first.Kept)
	}
	fails = false
	second := run(s)
	if calls.Load() != 1 || second.Failed != 0 || second.Kept != 5 {
		t.Errorf("second run: %d calls, %d failed, %d kept", calls.Load(), second.Failed, second.Kept)
	}
	r := second.Records[2]
	if x := r.Result["x"].(float64); !math.IsInf(x, 1) {
		t.Errorf("+Inf was read as %v", x)
	}
	if x := r.Result["nan"].(float64); !math.IsNaN(x) {
		t.Errorf("NaN was read as %v", x)
	}
	if !reflect.DeepEqual(r.Result["list"], []any{1.0, "two"}) {
		t.Errorf("the list was read as %v", r.Result["list"])
	}
	larger := s
	larger.Tasks = tasks(t, []Parameter{{"kind", []any{"a", "b", "c"}}, {"n", []any{1.0, 2.0}}}, 1)
	if out := run(larger); calls.Load() != 2 || out.Kept != 4 {
		t.Errorf("larger grid: %d calls, %d kept", calls.Load(), out.Kept)
	}
	changed := s
	changed.Code = "two"
	if out := run(changed); calls.Load() != 6 || out.Outdated != 6 {
		t.Errorf("changed computation: %d calls, %d outdated", calls.Load(), out.Outdated)
	}
	all, err := s.Store.All()
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, r := range all {
		order = append(order, fmt.Sprint(r.Values["kind"], r.Values["n"]))
	}
	if got := strings.Join(order, " "); got != "a1 a2 a+Inf b1 b2 b+Inf c1 c2" {
		t.Errorf("all results: %s", got)
	}
}

// An interrupt ends a sweep; what was finished is kept.
func TestInterrupt(t *testing.T) {
	s := Sweep{Tasks: tasks(t, grid(), 1), Store: Store(t.TempDir())}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	work := func(ctx context.Context, task Task) (map[string]any, error) {
		if task.Index == 2 {
			cancel(cause)
			return nil, ctx.Err()
		}
		return map[string]any{"x": 1.0}, nil
	}
	if _, err := s.Run(ctx, []Worker{work}); !errors.Is(err, cause) || !strings.Contains(err.Error(), "after 2 of 6 tasks") {
		t.Errorf("got %v", err)
	}
	if all, err := s.Store.All(); err != nil || len(all) != 2 {
		t.Errorf("%d results kept, %v", len(all), err)
	}
}

// Without workers nothing would ever be done.
func TestNoWorkers(t *testing.T) {
	s := Sweep{Tasks: tasks(t, grid(), 1)}
	if _, err := s.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "jobs: must be at least 1") {
		t.Errorf("got %v", err)
	}
}

func TestBrokenResultsAreNamed(t *testing.T) {
	dir := t.TempDir()
	s := Store(dir)
	if _, err := s.All(); err == nil || !strings.Contains(err.Error(), "no results of a sweep here") {
		t.Errorf("empty directory: %v", err)
	}
	if _, err := Store(filepath.Join(dir, "none")).All(); err == nil || !strings.Contains(err.Error(), "no such directory") {
		t.Errorf("no directory: %v", err)
	}
	for _, name := range []string{"0123456789abcdef.json", "fedcba9876543210.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.All()
	for _, name := range []string{"0123456789abcdef.json", "fedcba9876543210.json"} {
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, name)+": is not the result of a task") {
			t.Errorf("truncated file: %v", err)
		}
	}
}

// What a machine that failed left of a result is computed again, whatever is in the file, and the others are kept.
func TestDamagedResultsAreComputedAgain(t *testing.T) {
	dir := t.TempDir()
	s := Sweep{Tasks: tasks(t, []Parameter{{"n", []any{1.0, 2.0, 3.0, 4.0}}}, 1), Store: Store(dir)}
	var calls atomic.Int32
	square := []Worker{func(_ context.Context, t Task) (map[string]any, error) {
		calls.Add(1)
		n := t.Values["n"].(float64)
		return map[string]any{"square": n * n}, nil
	}}
	if _, err := s.Run(t.Context(), square); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(s.Store.path(s.Tasks[0].Key))
	if err != nil {
		t.Fatal(err)
	}
	for i, rest := range [][]byte{{}, whole[:40], make([]byte, 200)} {
		if err := os.WriteFile(s.Store.path(s.Tasks[i].Key), rest, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := s.Run(t.Context(), square)
	if err != nil || out.Damaged != 3 || out.Kept != 1 || calls.Load() != 7 {
		t.Errorf("%d damaged, %d kept, %d calls: %v", out.Damaged, out.Kept, calls.Load(), err)
	}
	if whole, err = os.ReadFile(s.Store.path(s.Tasks[3].Key)); err != nil { // under the name of another
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Store.path(s.Tasks[0].Key), whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err = s.Run(t.Context(), square); err != nil || out.Damaged != 1 || out.Kept != 3 || calls.Load() != 8 {
		t.Errorf("copied: %d damaged, %d kept, %d calls: %v", out.Damaged, out.Kept, calls.Load(), err)
	}
	for i, r := range out.Records {
		if n := float64(i + 1); r.Result["square"] != n*n {
			t.Errorf("%v: %v", r.Values, r.Result)
		}
	}
}

// Results of several versions of a computation, or of several seeds, are not taken for those of one sweep.
func TestMixedResultsAreTold(t *testing.T) {
	of := func(n float64, seed uint64, code string) Record {
		return Record{Values: map[string]any{"n": n, "more": math.Inf(1)}, Seed: seed, Code: code}
	}
	for want, records := range map[string][]Record{
		"":                     {of(1, 3, "a"), of(2, 4, "a")},
		"of 2 versions of run": {of(1, 3, "a"), of(2, 4, "b"), of(3, 5, "b")},
		"1 of them of combinations that others are of, with another seed":                       {of(1, 3, "a"), of(1, 4, "a")},
		"of 2 versions of run, 1 of them of combinations that others are of, with another seed": {of(1, 3, "a"), of(1, 4, "b")},
	} {
		if got := Mixed(records); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// As many tasks run at once as there are workers, and each worker does one at a time.
func TestWorkersAreNotShared(t *testing.T) {
	s := Sweep{Tasks: tasks(t, []Parameter{{"n", []any{1.0, 2.0, 3.0, 4.0}}}, 1)}
	var both sync.WaitGroup
	both.Add(2)
	worker := func() Worker {
		var busy atomic.Bool
		first := true
		return func(context.Context, Task) (map[string]any, error) {
			if busy.Swap(true) {
				return nil, errors.New("two tasks in one worker")
			}
			defer busy.Store(false)
			if first {
				first = false
				both.Done()
				both.Wait() // ends only if the other worker runs too
			}
			return map[string]any{}, nil
		}
	}
	out, err := s.Run(t.Context(), []Worker{worker(), worker()})
	if err != nil || out.Failed > 0 {
		t.Errorf("%v, %d failed: %v", err, out.Failed, out.Records)
	}
}
