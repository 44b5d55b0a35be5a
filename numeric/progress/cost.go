package progress

import (
	"context"
	"fmt"
	"time"
)

// Cost is about what a computation takes, as its sizes have it: within a factor of two, as a rule.
type Cost struct {
	Seconds float64 `arg:"seconds" doc:"wall time, on processors that do nothing else"`
	Bytes   float64 `arg:"bytes" doc:"memory, beside the data"`
}

// And is the cost of a computation after another.
func (c Cost) And(d Cost) Cost { return Cost{c.Seconds + d.Seconds, max(c.Bytes, d.Bytes)} }

// From how many seconds and bytes on a cost is said beforehand.
const (
	longTime   = 2
	muchMemory = 1 << 30
)

// Announce tells the listener of ctx what a task takes that takes long, or much memory, until done is called.
func (c Cost) Announce(ctx context.Context, task string) (done func()) {
	if c.Seconds < longTime && c.Bytes < muchMemory {
		return func() {}
	}
	took := time.Duration(c.Seconds * float64(time.Second)).Round(time.Second)
	task = fmt.Sprintf("%s, about %s and %.2g GiB", task, took, c.Bytes/(1<<30))
	Report(ctx, Step{Task: task})
	return func() { Report(ctx, Step{Task: task, Done: 1, Total: 1}) }
}
