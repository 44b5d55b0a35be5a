package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// PropagatorSpec is everything a propagator depends on.
type PropagatorSpec struct {
	// Data has u at the first time as inputs, on the mesh of space, and u in space and time as
	// outputs: uniform times, the last axis.
	Data     *dataset.Dataset
	Channels []Channel // of u and its derivatives in space
	Memory   int       // steps that are looked back at; 0: left-out pairs choose
	Lambda   float64   // ridge penalty: the diagonal of the normal equations is multiplied by 1 + Lambda; 0: left-out pairs choose
}

// Propagator is a learned evolution. It steps u by Duhamel's formula over the last steps,
//
//	u_k = β + ∫ P(x,·) u_{k-s}(x) dx + Σ_c Σ_j ∫ G_cj(x,·) φ_c(u_{k-j})(x) dx,  j = 0 … s,
//
// s the steps there are to look back at, at most the memory: causal, and the same at all times,
// so that it runs on beyond the times of the data. What is on both sides, j = 0, is solved for
// by Newton's method. It is immutable and safe for concurrent use.
type Propagator struct {
	Space, Time mesh.Mesh // of the data
	Report      PropagatorReport
	channels    []*channel
	stages      []*stage // of 1, 2, … steps to look back at
}

// PropagatorReport says what was learned and how far it can be trusted.
type PropagatorReport struct {
	Terms     []string // their formulas
	Memory    int
	Lambda    float64
	Invariant bool      // the same at all points of a circle
	LeftOut   float64   // relative error of running pairs that were left out, from their first time on: root of the sum of squares, over that of the outputs
	ByTime    []float64 // the same for each time after the first
	Residual  float64   // largest of the normal equations, relative
	Unknowns  int
	Largest   float64 // |u| of the data
	Pairs     int
	Seconds   float64
	Advice    string // what is suspicious, one line each
}

// stage is a step with some steps to look back at: points before × points after.
type stage struct {
	from  *mat.Dense
	terms [][]*mat.Dense // by channel and lag
	bias  []float64
}

// history is u at all times of the data: pairs × points, by time.
type history []*mat.Dense

// stacked are the states of all times, one below the other.
func (h history) stacked() *mat.Dense {
	n, m := h[0].Dims()
	all := mat.NewDense(n*len(h), m, nil)
	for t, u := range h {
		all.Slice(t*n, (t+1)*n, 0, m).(*mat.Dense).Copy(u)
	}
	return all
}

// Run is u at the times of the data and as many after them as there are steps: n × (points ×
// (steps + 1)), the time fastest, of states at the first time in the rows of start. It fails
// where a step has no solution, or u is not finite.
func (p *Propagator) Run(ctx context.Context, start *mat.Dense, steps int) (*mat.Dense, []string, error) {
	n, m := start.Dims()
	if m != p.Space.Size() {
		return nil, nil, fmt.Errorf("start: has %d values, must have %d, one for each point of space", m, p.Space.Size())
	}
	if steps < 1 {
		return nil, nil, fmt.Errorf("steps %d: must be at least 1", steps)
	}
	if err := dense.CheckMatrix("predict", 2, n, m*(steps+1)); err != nil {
		return nil, nil, err
	}
	u := mat.NewDense(n, m*(steps+1), nil)
	var mu sync.Mutex
	var failed error
	failedAt, done := n, 0
	parallel.Range(n, 1e6, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			err := p.run(ctx, start.RawRowView(i), steps, u.RawRowView(i))
			mu.Lock()
			if done++; err != nil && i < failedAt {
				failed, failedAt = err, i
			}
			progress.Report(ctx, progress.Step{Task: "marching", Done: float64(done), Total: float64(n)})
			mu.Unlock()
			if ctx.Err() != nil {
				return
			}
		}
	})
	if err := linop.Stopped(ctx); err != nil {
		return nil, nil, err
	}
	if failed != nil {
		return nil, nil, fmt.Errorf("sample %d: %w; the largest |u| at the first time is %.2g times that of the data", failedAt+1, failed, largest(start.RawRowView(failedAt))/p.Report.Largest)
	}
	return u, p.beyond(u, steps), nil
}

// Mesh is space times the first time and so many steps.
func (p *Propagator) Mesh(steps int) (mesh.Mesh, error) {
	if steps == p.Time.Size()-1 {
		return mesh.Product(p.Space, p.Time)
	}
	a := p.Time.Axes()[0]
	b, err := mesh.Uniform(a.Coordinates[0], a.Coordinates[0]+float64(steps)*a.Step, steps+1, a.Names[0])
	if err != nil {
		return mesh.Mesh{}, err
	}
	times, err := mesh.New(b)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.Product(p.Space, times)
}

// run stores the times of one sample.
func (p *Propagator) run(ctx context.Context, start []float64, steps int, out []float64) error {
	m := len(start)
	past := [][]float64{start} // the latest last
	phi := [][][]float64{p.phi(start)}
	in := make(inputs, len(p.channels))
	for k := 0; ; k++ {
		for x, v := range past[len(past)-1] {
			out[x*(steps+1)+k] = v
		}
		if k == steps {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(past) > len(p.stages) {
			past, phi = past[1:], phi[1:]
		}
		back := len(past)
		s := p.stages[back-1]
		base := append([]float64(nil), s.bias...)
		addProduct(base, past[0], s.from)
		for c := range p.channels {
			for lag := 1; lag <= back; lag++ {
				addProduct(base, phi[back-lag][c], s.terms[c][lag])
			}
		}
		next := base
		if len(p.channels) > 0 {
			op := &operator{channels: p.channels}
			for c := range p.channels {
				op.green, op.scale = append(op.green, s.terms[c][0]), append(op.scale, 1)
			}
			solved, err := op.solve(ctx, base, in, 0, past[back-1])
			if errors.Is(err, errNoFixedPoint) {
				return fmt.Errorf("step %d has no solution that Newton's method finds", k+1)
			}
			if err != nil {
				return err
			}
			next = solved.u
		}
		if v := norm(next); math.IsNaN(v) || math.IsInf(v, 0) || v > 1e6*math.Sqrt(float64(m))*p.Report.Largest {
			return fmt.Errorf("u grows without bound: it is %.3g at step %d", largest(next), k+1)
		}
		past, phi = append(past, next), append(phi, p.phi(next))
	}
}

// phi are the channels of a state.
func (p *Propagator) phi(u []float64) [][]float64 {
	all := make([][]float64, len(p.channels))
	for k, c := range p.channels {
		all[k] = make([]float64, c.on.Size())
		c.value.Block(all[k], c.operands(nil, 0, u))
	}
	return all
}

// addProduct adds x g to v.
func addProduct(v, x []float64, g *mat.Dense) {
	for i, s := range x {
		floats.AddScaled(v, s, g.RawRowView(i))
	}
}

// beyond says which samples are of an amplitude that no pair has.
func (p *Propagator) beyond(u *mat.Dense, steps int) []string {
	var samples []string
	worst := 0.0
	for i := range u.RawMatrix().Rows {
		if own := largest(u.RawRowView(i)); own > amplitudeMargin*p.Report.Largest {
			samples, worst = append(samples, fmt.Sprint(i+1)), max(worst, own)
		}
	}
	if samples == nil {
		return nil
	}
	return []string{fmt.Sprintf("the largest |u| is up to %.3g times that of the data, in the samples %s: what the terms do there is extrapolated", worst/p.Report.Largest, listed(samples))}
}

// String is one line on the propagator, and notes.
func (p *Propagator) String() string {
	r := p.Report
	name := "linear propagator"
	if len(r.Terms) > 0 {
		name = "propagator of " + strings.Join(r.Terms, ", ")
	}
	lines := []string{fmt.Sprintf("%s, %d steps of %.4g from %d pairs: left-out pairs to %.2g", name, p.Time.Size()-1, p.Time.Axes()[0].Step, r.Pairs, r.LeftOut)}
	if r.Advice != "" {
		for line := range strings.SplitSeq(r.Advice, "\n") {
			lines = append(lines, "  note: "+line)
		}
	}
	return strings.Join(lines, "\n")
}
