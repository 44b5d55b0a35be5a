// Package progress lets long computations say how far they are, without knowing
// who listens. The listener travels in the context; without one, reporting
// costs a context lookup and nothing else.
package progress

import "context"

// A Step is one report of a running computation.
type Step struct {
	Task        string  // what runs, in a word or two: "solve"
	About       string  // what all of it takes: "about 4s and 0.1 GiB"; may be empty
	Done, Total float64 // in the task's own unit; Total <= 0 when it is unknown
	Label       string  // what Value is: "residual"; may be empty
	Value       float64
	Note        string // in place of all others: see Note
}

// Note tells the listener of ctx what whoever sees only the numbers would not know: that they are
// extrapolated, say. It is shown to the person, and the computation goes on.
func Note(ctx context.Context, text string) { Report(ctx, Step{Note: text}) }

// A Sink receives steps; it must be quick, and safe for concurrent use.
type Sink func(Step)

type key struct{}

// With returns a context whose computations report to sink.
func With(ctx context.Context, sink Sink) context.Context {
	return context.WithValue(ctx, key{}, sink)
}

// Report tells the listener of ctx, if there is one, how far a task is. What goes past its end, as the last step to a
// tolerance does, is at its end; what is farther from it than at its start, as residuals may be, is at its start.
func Report(ctx context.Context, s Step) {
	if s.Total > 0 {
		s.Done = min(max(s.Done, 0), s.Total)
	}
	if sink, ok := ctx.Value(key{}).(Sink); ok && sink != nil {
		sink(s)
	}
}
