package progress

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A Profile is where the time of a computation went, by its stages: those of a stage are in order of their first
// beginning, and follow it.
type Profile struct {
	Seconds   float64 // wall time of all
	Processor float64 // seconds of all processors, of the whole program; 0 where the system does not say
	Bytes     float64 // the most of objects in memory at a time, more than before; looked at every few milliseconds
	Stages    []Stage
}

// A Stage is a part of a computation, with the stages within it. What was done several times in the same place is one.
type Stage struct {
	Name       string  `arg:"name" doc:"what was done"`
	Level      int     `arg:"level" doc:"1 for the stages of the fit, 2 for those within them, and so on: what is within a stage follows it"`
	Times      int     `arg:"times" doc:"how often it was done"`
	Seconds    float64 `arg:"seconds" doc:"wall time, of all times"`
	Share      float64 `arg:"share" doc:"of the time of the fit, 0 to 1"`
	Processor  float64 `arg:"processor" doc:"seconds of all processors, of the whole program; 0 where the system does not say"`
	Iterations int     `arg:"iterations" doc:"steps of the solver"`
	Products   int     `arg:"products" doc:"products with the matrix of the system, of the solver and for random vectors"`
	Bytes      float64 `arg:"bytes" doc:"the most memory at a time, more than before the fit"`
}

// node is a stage as it is recorded.
type node struct {
	name        string
	parent      *node
	within      []*node
	times, open int // how often it began, and how often of these it has not ended
	since       moment
	wall, used  time.Duration
	bytes       float64
	iterations  int
	products    int
}

// moment is when something was, by the wall and by the processors.
type moment struct {
	wall time.Time
	used time.Duration
}

func now() moment {
	used, _ := Processor()
	return moment{time.Now(), used}
}

// recorder is what records the stages of one computation.
type recorder struct {
	mu     sync.Mutex
	root   *node
	before float64 // bytes
	sample []metrics.Sample
}

// place is where in a recording a context is.
type place struct {
	in *recorder
	at *node
}

type profileKey struct{}

// lookEvery is how often memory is looked at.
const lookEvery = 3 * time.Millisecond

// Profiled returns a context whose computations are recorded, until done is called, which gives what they took. Nothing else
// is slower for it: without a recording a stage costs a look into the context.
func Profiled(ctx context.Context) (recorded context.Context, done func() *Profile) {
	runtime.GC() // what is garbage already is not of the computation
	r := &recorder{root: &node{}, sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
	r.before = r.objects()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				r.look()
			}
		}
	}()
	end := r.begin(r.root)
	return context.WithValue(ctx, profileKey{}, place{r, r.root}), sync.OnceValue(func() *Profile {
		end()
		close(ended)
		<-stopped
		return r.profile()
	})
}

// During begins a stage of the recording of ctx, if there is one, which ends with end. What is done with the context that it
// returns is within the stage.
func During(ctx context.Context, name string) (within context.Context, end func()) {
	p, ok := ctx.Value(profileKey{}).(place)
	if !ok {
		return ctx, nothing
	}
	n := p.in.stage(p.at, name)
	return context.WithValue(ctx, profileKey{}, place{p.in, n}), p.in.begin(n)
}

func nothing() {}

// Count adds steps of a solver and products with a matrix to the stage that ctx is in, and to those it is within.
func Count(ctx context.Context, iterations, products int) {
	p, ok := ctx.Value(profileKey{}).(place)
	if !ok {
		return
	}
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	for n := p.at; n != nil; n = n.parent {
		n.iterations += iterations
		n.products += products
	}
}

// stage is that of a name within another one.
func (r *recorder) stage(in *node, name string) *node {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range in.within {
		if n.name == name {
			return n
		}
	}
	n := &node{name: name, parent: in}
	in.within = append(in.within, n)
	return n
}

// begin begins a stage; one that is begun on several threads at once lasts until the last of them ends.
func (r *recorder) begin(n *node) (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n.times++
	if n.open++; n.open == 1 {
		n.since = now()
	}
	r.lookLocked()
	return sync.OnceFunc(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.lookLocked()
		if n.open--; n.open == 0 {
			at := now()
			n.wall += at.wall.Sub(n.since.wall)
			n.used += at.used - n.since.used
		}
	})
}

func (r *recorder) objects() float64 {
	metrics.Read(r.sample)
	return float64(r.sample[0].Value.Uint64())
}

func (r *recorder) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookLocked()
}

// lookLocked tells all stages that have not ended how much memory there is.
func (r *recorder) lookLocked() {
	more := r.objects() - r.before
	r.root.walk(0, func(n *node, _ int) {
		if n.open > 0 {
			n.bytes = max(n.bytes, more)
		}
	})
}

func (n *node) walk(level int, do func(n *node, level int)) {
	do(n, level)
	for _, in := range n.within {
		in.walk(level+1, do)
	}
}

func (r *recorder) profile() *Profile {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.root
	p := &Profile{Seconds: all.wall.Seconds(), Processor: all.used.Seconds(), Bytes: all.bytes}
	all.walk(0, func(n *node, level int) {
		if level == 0 {
			return
		}
		p.Stages = append(p.Stages, Stage{
			Name: n.name, Level: level, Times: n.times, Seconds: n.wall.Seconds(), Share: n.wall.Seconds() / max(p.Seconds, 1e-12),
			Processor: n.used.Seconds(), Iterations: n.iterations, Products: n.products, Bytes: n.bytes,
		})
	})
	return p
}

// leastShown is the share of the time from which on a stage is in the table.
const leastShown = 0.001

// String is a table with a line for each stage that took a thousandth of the time or more, and one for what is none.
func (p *Profile) String() string {
	rows := [][]string{{"", "s", "%", "cpu s", "times", "steps", "products", "MB"}}
	row := func(name string, s Stage) {
		rows = append(rows, []string{name, fmt.Sprintf("%.3f", s.Seconds), fmt.Sprintf("%.1f", 100*s.Share), amount("%.3f", s.Processor), count(s.Times), count(s.Iterations), count(s.Products), fmt.Sprintf("%.1f", s.Bytes/1e6)})
	}
	rest := Stage{Seconds: p.Seconds, Processor: p.Processor}
	all := Stage{Times: 1, Seconds: p.Seconds, Share: 1, Processor: p.Processor, Bytes: p.Bytes}
	for _, s := range p.Stages {
		if s.Level == 1 {
			rest.Seconds -= s.Seconds
			rest.Processor -= s.Processor
			all.Iterations += s.Iterations
			all.Products += s.Products
		}
		if s.Share >= leastShown {
			row(strings.Repeat("  ", s.Level-1)+s.Name, s)
		}
	}
	if rest.Share = rest.Seconds / max(p.Seconds, 1e-12); rest.Share >= leastShown {
		rest.Processor = max(rest.Processor, 0)
		row("the rest", rest)
		rows[len(rows)-1][len(rows[0])-1] = ""
	}
	row("all", all)
	return aligned(rows)
}

// amount is a number that is not known where it is zero.
func amount(format string, v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf(format, v)
}

func count(n int) string { return amount("%.0f", float64(n)) }

// aligned are rows in columns, of which the first begins at the left; without those that have nothing below their names.
func aligned(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for c := range widths {
		for r, row := range rows {
			if r > 0 && row[c] != "" {
				widths[c] = max(widths[c], utf8.RuneCountInString(row[c]), utf8.RuneCountInString(rows[0][c]))
			}
		}
	}
	lines := make([]string, len(rows))
	for r, row := range rows {
		var b strings.Builder
		fmt.Fprintf(&b, "%-*s", widths[0], row[0])
		for c := 1; c < len(row); c++ {
			if widths[c] > 0 {
				fmt.Fprintf(&b, "  %*s", widths[c], row[c])
			}
		}
		lines[r] = strings.TrimRight(b.String(), " ")
	}
	return strings.Join(lines, "\n")
}
