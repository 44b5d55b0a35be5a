package progress_test

import (
	"context"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

func TestReportReachesTheSinkOfTheContext(t *testing.T) {
	var got []progress.Step
	ctx := progress.With(context.Background(), func(s progress.Step) { got = append(got, s) })
	want := progress.Step{Task: "solve", Done: 3, Total: 10, Label: "residual", Value: 1e-4}
	progress.Report(context.Background(), want) // nobody listens
	progress.Report(ctx, want)
	if len(got) != 1 || got[0] != want {
		t.Errorf("sink received %v, want one %v", got, want)
	}
}

// A step that goes past the end of its task, as the last one to a tolerance does, is at its end.
func TestNoStepIsPastTheEnd(t *testing.T) {
	var got []progress.Step
	ctx := progress.With(t.Context(), func(s progress.Step) { got = append(got, s) })
	progress.Report(ctx, progress.Step{Task: "solve", Done: 12.9, Total: 12.1})
	progress.Report(ctx, progress.Step{Task: "count", Done: 12.9})
	if got[0].Done != 12.1 || got[1].Done != 12.9 {
		t.Errorf("%v", got)
	}
}

// A step that is farther from the end than the start was is at the start; of a task without a known end it is as it is.
func TestNoStepIsBeforeTheStart(t *testing.T) {
	for total, want := range map[float64]float64{7.5: 0, 0: -2} {
		var got progress.Step
		ctx := progress.With(t.Context(), func(s progress.Step) { got = s })
		progress.Report(ctx, progress.Step{Task: "solve", Done: -2, Total: total})
		if got.Done != want {
			t.Errorf("of %g: %g, want %g", total, got.Done, want)
		}
	}
}
