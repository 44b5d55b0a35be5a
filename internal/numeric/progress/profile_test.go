package progress_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// stage does something within a stage.
func stage(ctx context.Context, name string, do func(ctx context.Context)) {
	ctx, end := progress.During(ctx, name)
	defer end()
	do(ctx)
}

// Stages are in the order of their beginnings, each followed by those within it; what is done again in the same place is added
// to what was done before, and what is counted counts for all stages around it.
func TestStagesNestAndAdd(t *testing.T) {
	ctx, done := progress.Profiled(t.Context())
	var kept []byte
	for range 3 {
		stage(ctx, "choice", func(ctx context.Context) {
			stage(ctx, "solve", func(ctx context.Context) {
				progress.Count(ctx, 2, 5)
				time.Sleep(time.Millisecond)
			})
		})
	}
	stage(ctx, "solve", func(ctx context.Context) {
		kept = make([]byte, 40<<20)
		progress.Count(ctx, 1, 0)
	})
	p := done()
	if len(kept) == 0 || p != done() {
		t.Error("a profile that is done changes")
	}
	want := []progress.Stage{
		{Name: "choice", Level: 1, Times: 3, Iterations: 6, Products: 15},
		{Name: "solve", Level: 2, Times: 3, Iterations: 6, Products: 15},
		{Name: "solve", Level: 1, Times: 1, Iterations: 1},
	}
	if len(p.Stages) != len(want) {
		t.Fatalf("%d stages, want %d:\n%s", len(p.Stages), len(want), p)
	}
	for i, s := range p.Stages {
		w := want[i]
		if s.Name != w.Name || s.Level != w.Level || s.Times != w.Times || s.Iterations != w.Iterations || s.Products != w.Products {
			t.Errorf("stage %d is %+v, want %+v", i, s, w)
		}
	}
	if in, around := p.Stages[1].Seconds, p.Stages[0].Seconds; in < .003 || around < in || p.Seconds < around+p.Stages[2].Seconds {
		t.Errorf("times do not nest:\n%s", p)
	}
	if used, ok := progress.Processor(); ok && (used <= 0 || p.Processor > used.Seconds()) {
		t.Errorf("%v s of the processors, of %v of the whole program", p.Processor, used)
	}
	if last := p.Stages[2].Bytes; last < 40e6 || p.Bytes < last || p.Stages[0].Bytes >= 40e6 {
		t.Errorf("40 MiB of the last stage are not seen there alone:\n%s", p)
	}
}

// A stage that is open on several threads at once takes the time from the first beginning to the last end, once.
func TestStagesOnThreadsCountOnce(t *testing.T) {
	ctx, done := progress.Profiled(t.Context())
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			stage(ctx, "work", func(ctx context.Context) {
				progress.Count(ctx, 0, 1)
				time.Sleep(5 * time.Millisecond)
			})
		})
	}
	group.Wait()
	p := done()
	if s := p.Stages[0]; s.Times != 8 || s.Products != 8 || s.Seconds > p.Seconds || s.Seconds < .005 {
		t.Errorf("%+v of %v s", s, p.Seconds)
	}
}

// Without a recording a stage is the context that it was given, and nothing is allocated.
func TestStagesCostNothingWithoutARecording(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, 1)
	if got := testing.AllocsPerRun(100, func() {
		own, end := progress.During(ctx, "solve")
		progress.Count(own, 0, 1)
		end()
		if own != ctx {
			t.Error("another context")
		}
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// A recording ends with its computation's context as any other: whoever records calls done, before or after.
func TestRecordingsOfWhatWasStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	recorded, done := progress.Profiled(ctx)
	within, end := progress.During(recorded, "solve")
	cancel()
	if within.Err() == nil {
		t.Error("what is recorded goes on after its context has ended")
	}
	if p := done(); len(p.Stages) != 1 || p.Stages[0].Seconds != 0 {
		t.Errorf("a stage that has not ended has no time yet: %+v", p.Stages)
	}
	end()
}

// The table has a line for what took a thousandth of the time or more, in columns, and no columns of nothing.
func TestProfilesAreTables(t *testing.T) {
	p := &progress.Profile{Seconds: 2, Bytes: 3e6, Stages: []progress.Stage{
		{Name: "choice of λ", Level: 1, Times: 1, Seconds: 1.5, Share: .75, Iterations: 12, Bytes: 2e6},
		{Name: "solve", Level: 2, Times: 10, Seconds: .25, Share: .125, Iterations: 12, Bytes: 1e6},
		{Name: "brief", Level: 1, Times: 1, Seconds: .0004, Share: .0002, Bytes: 3e6},
		{Name: "solve", Level: 1, Times: 1, Seconds: .4, Share: .2, Iterations: 3, Bytes: 3e6},
	}}
	want := `
                 s      %  times  steps   MB
choice of λ  1.500   75.0      1     12  2.0
  solve      0.250   12.5     10     12  1.0
solve        0.400   20.0      1      3  3.0
the rest     0.100    5.0
all          2.000  100.0      1     15  3.0`
	if got := "\n" + p.String(); got != want {
		t.Errorf("%s\nwant%s", got, want)
	}
	if got := strings.Count((&progress.Profile{}).String(), "\n"); got != 1 {
		t.Errorf("a profile of nothing has %d lines after the first", got)
	}
}
