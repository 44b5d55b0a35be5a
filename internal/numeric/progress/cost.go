package progress

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/greenbench/workbench/internal/numeric/remedy"
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

// From how many seconds on a cost is held against the time that is left, and how many times longer it has to be: it may be
// off by a factor of two or so, more on processors that do other things.
const (
	worthRefusing = 10
	muchLonger    = 4
)

// An Option is a way to have less computed, in words that follow a time, and what remains.
type Option struct {
	Words string
	Cost  Cost
}

// InTime is an error if a task is expected to take several times longer than ctx leaves. It names those of the options that
// take half the time or less.
func (c Cost) InTime(ctx context.Context, task string, options func() []Option) error {
	end, limited := ctx.Deadline()
	if !limited || c.Seconds < worthRefusing {
		return nil
	}
	left := max(time.Until(end), 0)
	if c.Seconds <= muchLonger*left.Seconds() {
		return nil
	}
	var cheaper []string
	for _, o := range options() {
		if o.Cost.Seconds > 0 && o.Cost.Seconds <= c.Seconds/2 {
			cheaper = append(cheaper, o.Cost.took()+" "+o.Words)
		}
	}
	text := ""
	if len(cheaper) > 0 {
		text = "it would take about " + strings.Join(cheaper, ", or ") + "; "
	}
	return remedy.MoreTime.For(fmt.Errorf("the %s would take about %s, and the time limit leaves %s", task, c.took(), left.Round(time.Second)), text)
}

func (c Cost) took() string {
	return max(time.Duration(c.Seconds*float64(time.Second)).Round(time.Second), time.Second).String()
}

// Announce tells the listener of ctx what a task takes that takes long, or much memory, until done is called.
func (c Cost) Announce(ctx context.Context, task string) (done func()) {
	if c.Seconds < longTime && c.Bytes < muchMemory {
		return func() {}
	}
	s := Step{Task: task, About: fmt.Sprintf("about %s and %.2g GiB", c.took(), c.Bytes/(1<<30))}
	Report(ctx, s)
	s.Done, s.Total = 1, 1
	return func() { Report(ctx, s) }
}
