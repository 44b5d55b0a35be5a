package progress_test

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// A computation reports where it is to whoever called it and wants to know.
func ExampleReport() {
	ctx := progress.With(context.Background(), func(s progress.Step) {
		fmt.Printf("%s: %.0f of %.0f\n", s.Task, s.Done, s.Total)
	})
	for i := range 2 {
		progress.Report(ctx, progress.Step{Task: "sweep", Done: float64(i + 1), Total: 2})
	}
	// Output:
	// sweep: 1 of 2
	// sweep: 2 of 2
}
