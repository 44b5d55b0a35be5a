package progress_test

import (
	"context"
	"testing"

	"github.com/greenbench/workbench/numeric/progress"
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
