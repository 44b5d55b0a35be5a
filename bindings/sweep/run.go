package sweep

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// Worker does one task. Each is used by one goroutine.
type Worker func(ctx context.Context, t Task) (result map[string]any, err error)

// Sweep is what to run, and where the results go.
type Sweep struct {
	Tasks []Task
	Code  string // digest of the computation: results of another one are not used
	Store Store  // "" keeps nothing
}

// Outcome is what a run gives.
type Outcome struct {
	Records  []Record // in the order of the tasks
	Kept     int      // results of earlier runs
	Outdated int      // results of another computation, which were computed again
	Damaged  int      // files that hold no result, or that of another task, which were computed again
	Failed   int
}

// Missing lists the places of the tasks that have no result of this computation.
func (s Sweep) Missing() (missing []int, outcome Outcome, err error) {
	outcome.Records = make([]Record, len(s.Tasks))
	for i, t := range s.Tasks {
		outcome.Records[i] = Record{Values: t.Values, Seed: t.Seed, Code: s.Code}
		if s.Store == "" {
			missing = append(missing, i)
			continue
		}
		r, ok, err := s.Store.Get(t.Key)
		switch {
		case errors.Is(err, errDamaged), ok && !r.isOf(t):
			outcome.Damaged++
		case err != nil:
			return nil, outcome, err
		case ok && r.Code == s.Code:
			outcome.Records[i] = r
			outcome.Kept++
			continue
		case ok:
			outcome.Outdated++
		}
		missing = append(missing, i)
	}
	return missing, outcome, nil
}

// Run does what is missing, with as many tasks at once as there are workers. A task
// that fails does not stop the others; its record says why, and the next run tries
// it again.
func (s Sweep) Run(ctx context.Context, workers []Worker) (Outcome, error) {
	missing, outcome, err := s.Missing()
	if err != nil {
		return outcome, err
	}
	if s.Store != "" {
		arrays.SweepTemporary(string(s.Store)) // of runs that were killed
	}
	if len(workers) == 0 {
		return outcome, errors.New("jobs: must be at least 1")
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next, done := make(chan int), 0
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, work := range workers[:min(len(workers), len(missing))] {
		group.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue
				}
				r, err := s.do(ctx, work, s.Tasks[i])
				if err != nil {
					stop(err)
				}
				if ctx.Err() != nil {
					continue
				}
				mu.Lock()
				if outcome.Records[i] = r; r.Err != nil {
					outcome.Failed++
				}
				done++
				progress.Report(ctx, progress.Step{Task: "sweep", Done: float64(done), Total: float64(len(missing))})
				mu.Unlock()
			}
		})
	}
	for _, i := range missing {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return outcome, fmt.Errorf("sweep stopped after %d of %d tasks: %w", done, len(missing), context.Cause(ctx))
	}
	return outcome, nil
}

// do does one task and keeps the result. The error ends the sweep.
func (s Sweep) do(ctx context.Context, work Worker, t Task) (Record, error) {
	r := Record{Values: t.Values, Seed: t.Seed, Code: s.Code}
	start := time.Now()
	r.Result, r.Err = work(ctx, t)
	r.Seconds = time.Since(start).Seconds()
	if r.Err != nil || s.Store == "" {
		return r, nil
	}
	return r, s.Store.Put(t.Key, r)
}
