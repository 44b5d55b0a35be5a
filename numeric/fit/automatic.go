package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	smallestLength = 0.02 // of an axis
	largestLength  = 5.0
	mostWeight     = 1e6 // of a component, and one over the least
	firstTries     = 8   // of one kernel, and how many more for each number
	moreTries      = 4
)

// firstLengths are the fractions of all axes that are tried first.
func firstLengths() []float64 { return []float64{0.04, 0.12, 0.35, 1} }

// chooseNumbers chooses what the kernels of a spec leave open: by REML, with λ chosen anew for
// each unless it is given, on data that are thinned out where there are many (fewer). It
// returns what to say about it, and a note where a choice lies at an end of those tried.
func (s *Spec) chooseNumbers(ctx context.Context) (d decision, err error) {
	if !kernels.IsAuto(s.Kernel) && (s.Bias == nil || !kernels.IsAuto(s.Bias)) {
		return d, nil
	}
	q, err := newSearch(ctx, s)
	if err != nil {
		return d, err
	}
	best, err := q.run(ctx)
	if err != nil {
		return d, err
	}
	open := *s
	chosen := q.filled(s, q.values[best])
	s.Kernel, s.Bias = chosen.Kernel, chosen.Bias
	_, doubt := criteria.Winner(q.field)
	d.why = fmt.Sprintf("%s of %s chosen by reml%s from %d%s", q.what(), s.Text(s.Kernel), doubt, len(q.field), q.from)
	if s.few() {
		var kernels []kernel.Kernel
		for _, v := range q.values {
			kernels = append(kernels, q.filled(&open, v).Kernel)
		}
		d.rivals = plausible(q.field, kernels)
		d.why += allowed(len(d.rivals))
	}
	d.note = q.note(q.values[best])
	return d, nil
}

// decision is what is to be said of a choice.
type decision struct {
	why    string
	note   criteria.Note
	rivals []rival
}

// search looks for the numbers that kernels leave open, one after the other: for those of
// G, then those of a bias that was given.
type search struct {
	spec    *Spec // with the data that are compared on
	from    string
	space   kernel.Space
	lengths []float64 // of the coordinates
	opens   []kernels.Open
	ofGreen int // how many of them are of G
	values  [][]float64
	field   []*criteria.Contender
}

func newSearch(ctx context.Context, s *Spec) (*search, error) {
	space, err := s.kernelSpace()
	if err != nil {
		return nil, err
	}
	q := &search{space: space}
	if q.lengths, err = s.axisLengths(ctx); err != nil {
		return nil, err
	}
	q.opens = kernels.Opens(s.Kernel, q.space)
	q.ofGreen = len(q.opens)
	if s.Bias != nil {
		q.opens = append(q.opens, kernels.Opens(s.Bias, outputSpace(s))...)
	}
	small, err := s.fewer(ctx)
	if err != nil {
		return nil, err
	}
	q.spec = small
	if small.Data != s.Data {
		q.from = fmt.Sprintf(" on %d pairs of %d × %d points", small.Data.N(), small.Data.InputMesh.Size(), small.Data.OutputMesh.Size())
	}
	return q, nil
}

// kernelSpace is that of the kernel's coordinates.
func (s *Spec) kernelSpace() (kernel.Space, error) {
	space := lattice.Space(s.Data.InputMesh, s.Data.OutputMesh)
	if s.Constraint == nil {
		return space, nil
	}
	l, err := constraint.LawsOf(s.Constraint, space)
	if err == nil && l.Reduce != nil {
		space = l.Reduce.Space(space)
	}
	return space, err
}

func outputSpace(s *Spec) kernel.Space { return kernel.Space{Names: s.Data.OutputMesh.Names()} }

// filled is a spec with numbers where its kernels are open.
func (q *search) filled(s *Spec, values []float64) *Spec {
	out := *s
	out.Kernel = kernels.Fill(s.Kernel, q.space, q.lengths, values[:q.ofGreen])
	if s.Bias != nil {
		out.Bias = kernels.Fill(s.Bias, outputSpace(s), q.lengths[len(q.lengths)-s.Data.OutputMesh.Dim():], values[q.ofGreen:])
	}
	return &out
}

// try evaluates numbers, and reports whether they are the best so far.
func (q *search) try(ctx context.Context, values []float64, best int) (int, error) {
	if len(q.field) >= firstTries+moreTries*len(q.opens) || slices.ContainsFunc(q.values, func(v []float64) bool { return slices.Equal(v, values) }) {
		return best, nil
	}
	progress.Report(ctx, progress.Step{Task: "lengthscale", Done: float64(len(q.field)), Label: "fraction", Value: values[0]})
	c, err := q.filled(q.spec, values).contend(ctx)
	if err != nil {
		return best, err
	}
	q.field, q.values = append(q.field, c), append(q.values, values)
	if err := criteria.Settle(ctx, q.field, false); err != nil {
		return best, err
	}
	if at := criteria.Leader(q.field); at == len(q.field)-1 {
		return at, nil
	}
	return best, nil
}

// run finds the best numbers: a common fraction of all axes first, then each number by
// itself, and all lengthscales together, in steps that become smaller.
func (q *search) run(ctx context.Context) (best int, err error) {
	best = -1
	for _, fraction := range firstLengths() {
		start := make([]float64, len(q.opens))
		for i, o := range q.opens {
			if start[i] = fraction; o.Coordinates == nil {
				start[i] = 1
			}
		}
		if best, err = q.try(ctx, start, best); err != nil {
			return best, err
		}
	}
	if best < 0 {
		return best, fmt.Errorf("lengthscale: none gives a finite likelihood; give a number")
	}
	for _, step := range []float64{2, math.Sqrt2} {
		for moved := true; moved; {
			moved = false
			for i := range len(q.opens) + 1 {
				for _, by := range []float64{step, 1 / step} {
					at, err := q.try(ctx, q.moved(q.values[best], i, by), best)
					if err != nil {
						return best, err
					}
					if at != best {
						best, moved = at, true
						break
					}
				}
			}
		}
	}
	if err := criteria.Settle(ctx, q.field, true); err != nil {
		return best, err
	}
	return criteria.Leader(q.field), nil
}

// moved is numbers with one multiplied, or, for i beyond them, all lengthscales. Weights
// move by more: they count less.
func (q *search) moved(values []float64, i int, by float64) []float64 {
	out := slices.Clone(values)
	for j, o := range q.opens {
		switch {
		case o.Coordinates == nil && i == j:
			out[j] = min(max(out[j]*math.Pow(by, 3), 1/mostWeight), mostWeight)
		case o.Coordinates != nil && (i == j || i == len(values)):
			out[j] = min(max(out[j]*by, smallestLength), largestLength)
		}
	}
	return out
}

func (q *search) what() string {
	if slices.ContainsFunc(q.opens, func(o kernels.Open) bool { return o.Coordinates == nil }) {
		return "lengthscales and weights"
	}
	return "lengthscales"
}

// note says which lengthscales lie at an end of what is tried.
func (q *search) note(values []float64) criteria.Note {
	for i, o := range q.opens {
		if o.Coordinates == nil {
			continue
		}
		names := q.space.Names
		if i >= q.ofGreen {
			names = outputSpace(q.spec).Names
		}
		switch name := names[o.Coordinates[0]]; {
		case values[i] <= smallestLength:
			return criteria.Note{Excepts: greenItself, Text: fmt.Sprintf("the lengthscale of %s is the smallest that was tried, %.0f %% of its axis: give a smaller number, or a rougher kernel", name, 100*values[i])}
		case values[i] >= largestLength:
			return criteria.Note{Excepts: nothing, Text: fmt.Sprintf("the lengthscale of %s is the largest that was tried, %.0f times its axis: hardly anything depends on it", name, values[i])}
		}
	}
	return criteria.Note{}
}

const (
	mostCompared = 6000  // output values, that kernels are compared on
	mostPoints   = 40000 // pairs of an input and an output point
	mostThinned  = 8     // times that meshes are thinned
)

// fewer is a spec with data that are thinned out to what kernels can be compared on in
// reasonable time: coarser meshes, if the constraint fits them as it does the given ones,
// then fewer pairs.
func (s *Spec) fewer(ctx context.Context) (*Spec, error) {
	if s.Data.OfCurves() {
		return s.fewerCurves()
	}
	small := *s
	data := s.Data
	var err error
	if outputs.Missing(data) && s.Constraint == nil && !outputs.FewComplete(data) && outputs.Count(data) > problem.MostMatrix {
		if data, err = outputs.CompletePairs(data); err != nil {
			return nil, err
		}
	}
	small.Data = data
	for every := 2; every <= mostThinned && small.Data.InputMesh.Size()*small.Data.OutputMesh.Size() > mostPoints; every++ {
		try := small
		if try.Data, err = prepare.Coarser(data, every); err != nil {
			return nil, err
		}
		fits, err := try.fitsAs(ctx, s)
		if err != nil || !fits {
			break
		}
		small = try
	}
	if most := max(2, mostCompared/small.Data.OutputMesh.Size()); small.Data.N() > most {
		if small.Data, err = small.Data.Select(evenly(small.Data.N(), most)); err != nil {
			return nil, err
		}
	}
	return &small, nil
}

// fewerCurves is a spec with fewer pairs of curves, and all their values.
func (s *Spec) fewerCurves() (*Spec, error) {
	small, values := *s, outputs.Count(s.Data)
	most := s.Data.N() * problem.ToCompare().Rows / max(values, 1)
	if most >= s.Data.N() {
		return &small, nil
	}
	data, err := s.Data.Select(evenly(s.Data.N(), max(2, most)))
	if err != nil {
		return nil, err
	}
	small.Data, err = prepare.WithoutUnused(data)
	return &small, err
}

// fitsAs reports whether the constraint fits the meshes of s as it does those of another.
func (s *Spec) fitsAs(ctx context.Context, other *Spec) (bool, error) {
	if s.Constraint == nil {
		return true, nil
	}
	_, why, err := s.lattice(ctx)
	if err != nil {
		return false, err
	}
	_, before, err := other.lattice(ctx)
	return why == before, err
}

// axisLengths are the lengths of the box of the kernel's coordinates.
func (s *Spec) axisLengths(ctx context.Context) ([]float64, error) {
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	if s.Constraint == nil {
		return boxLengths(x, y), nil
	}
	g, err := lattice.New(ctx, s.Constraint, x, y)
	if err != nil {
		return nil, err
	}
	l := boxLengths(g.X(), g.Y())
	if g.Point() {
		l = l[1:]
	}
	if g.Lag() != nil { // of the lags between the meshes, without their images
		both := boxLengths(x, y)
		l[len(l)-1] = both[g.Lag().Input] + both[g.Lag().Output]
	}
	return l, nil
}

func boxLengths(x, y mesh.Mesh) []float64 {
	var l []float64
	for _, a := range append(x.Axes(), y.Axes()...) {
		for i := range a.Lower {
			l = append(l, a.Upper[i]-a.Lower[i])
		}
	}
	return l
}

// contend is a spec among others that REML chooses from, at its λ or at the best one.
func (s *Spec) contend(ctx context.Context) (*criteria.Contender, error) {
	ctx, end := progress.During(ctx, "one kernel")
	defer end()
	fast := *s
	fast.Dense = false
	p, err := pose.New(ctx, fast.setting())
	if err != nil {
		return nil, err
	}
	ctx, compared := progress.During(ctx, "likelihood")
	defer compared()
	return p.Contend(ctx)
}

// evenly are at most so many of n things.
func evenly(n, most int) []int {
	out := make([]int, min(n, most))
	for i := range out {
		out[i] = int((float64(i) + 0.5) * float64(n) / float64(len(out)))
	}
	return out
}

// severalKernels is how many kernels stand for all that few data allow.
const severalKernels = 12

// plausible are the kernels of a field by their likelihoods, for bands of few data; none where that is not known.
func plausible(field []*criteria.Contender, kernels []kernel.Kernel) (out []rival) {
	at := criteria.Leader(field)
	if at < 0 {
		return nil
	}
	sum := 0.0
	for i, c := range field {
		share := math.Exp(field[at].Value - c.Value)
		if c.Bound || math.IsNaN(share) {
			continue
		}
		sum, out = sum+share, append(out, rival{kernel: kernels[i], share: share})
	}
	for i := range out {
		out[i].share /= sum
	}
	return criteria.Systematic(out, severalKernels, func(r *rival) *float64 { return &r.share })
}

// allowed says of how many kernels bands of few data are means.
func allowed(kernels int) string {
	if kernels < 2 {
		return ""
	}
	return fmt.Sprintf("; bands are means over %d kernels that so few data allow", kernels)
}
