package assess

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

func (o output) summary(ctx context.Context) (*Summary, fitted, error) {
	s := summaryOf(o.Report.Report, 0, o.Mesh.Size())
	u, err := o.Samples().Output(o.Name).Values.Matrix()
	if err != nil {
		return nil, fitted{}, err
	}
	of, err := o.Predict(ctx, o.Samples(), mesh.Mesh{})
	return s, fitted{u: u, of: of, w: o.Mesh.Weights(), filled: u}, err
}

// terms are those of the model with a test of each, and β.
func (o output) terms(ctx context.Context, s *Summary, f fitted, seed uint64) (all []Term, err error) {
	tested := 0
	for _, t := range o.Terms {
		if t.Kind != model.Noise {
			tested++
		}
	}
	for i, t := range o.Terms {
		if t.Kind == model.Noise {
			continue
		}
		progress.Report(ctx, progress.Step{Task: "test of " + t.Name, Done: float64(i), Total: float64(tested)})
		own := Term{Name: t.Name, SD: t.Deviation}
		if tested == 1 {
			err = o.testAlone(ctx, &own, t, s, f, seed)
		} else {
			err = o.testBeside(ctx, &own, t, s, f, seed)
		}
		if err != nil {
			return nil, fmt.Errorf("test of %s: %w", t.Name, err)
		}
		all = append(all, own)
	}
	beta, err := o.Bias(ctx, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	return withBias(ctx, all, len(beta) > 0, o.Bias)
}

// testAlone tests the only term by permutations, as G = 0 of an estimate of one operator.
func (o output) testAlone(ctx context.Context, own *Term, t *model.Term, s *Summary, f fitted, seed uint64) error {
	in, err := alikeIn(ctx, t)
	if err != nil {
		return err
	}
	out, err := smoothed(ctx, centredRows(f.u, f.w), o.Mesh)
	if err != nil {
		return err
	}
	own.F = s.overMean(f)
	own.Score, own.P, err = tested(permute(ctx, in, out, seed))
	return err
}

// testBeside tests a term beside others, by the score of its variance in the model without it: how alike
// are residuals of that of samples that are alike in the term, for smoothings that are not chosen for
// the data. p is the larger of two: by draws of what that model leaves of data for which it is true, which know what
// the other terms have taken, and by permutations of the residuals, which do not need the noise to be as the model has it.
//
// A term that a group contains is not tested: its curves of the labels take all that the term could say, and any residuals are as likely.
func (o output) testBeside(ctx context.Context, own *Term, t *model.Term, s *Summary, f fitted, seed uint64) error {
	if own.within = o.within(t); own.within != "" {
		return nil
	}
	null, err := o.Otherwise(ctx, model.Change{Without: t.Name})
	if err != nil {
		return err
	}
	r, err := null.Residuals(ctx)
	if err != nil {
		return err
	}
	without := fitted{u: f.u, w: f.w, filled: f.filled}
	if without.of, err = null.Predict(ctx, o.Samples(), mesh.Mesh{}); err != nil {
		return err
	}
	if !s.Partial {
		own.F = s.fStatistic(f, without.squares(), r.DF)
	}
	in, err := alikeIn(ctx, t)
	if err != nil {
		return err
	}
	for i, m := range in {
		in[i] = both(m, r.Pairs)
	}
	smooth, err := smoothingsOf(o.Mesh)
	if err != nil {
		return err
	}
	along := func(r *fit.Residue) (all []*mat.Dense) {
		z := mat.DenseCopyOf(r.Values)
		z.Apply(func(_, _ int, v float64) float64 {
			if math.IsNaN(v) {
				return 0
			}
			return v
		}, z)
		for _, s := range smooth {
			all = append(all, linop.Product(ctx, linop.Product(ctx, z, s), z.T()))
		}
		return all
	}
	m, err := measure(ctx, r, []probe{{combine: highest, of: func(r *fit.Residue) (scores []float64) {
		for _, b := range along(r) {
			for _, a := range in {
				scores = append(scores, sumOfProducts(a, b))
			}
		}
		return scores
	}}}, rand.New(rand.NewPCG(seed, 37)))
	if err != nil {
		return err
	}
	out := along(r.Observed)
	for _, b := range out {
		inUnit(b)
	}
	_, p, err := permute(ctx, in, out, seed)
	score := highest(m[0].z)
	p = max(p, m[0].p)
	own.Score, own.P = &score, &p
	return err
}

// within is a group of the model that contains a term, as that is the same in all samples of each of its labels; empty: there is none.
func (o output) within(t *model.Term) string {
	values, _ := t.Columns()
	for _, g := range o.Terms {
		if g == t || g.Form != model.LabelCurves || t.Form == model.LabelCurves {
			continue
		}
		labels, _ := g.Columns()
		if n, count := labels.Dims(); n > count && constantIn(values, labels) {
			return g.Name
		}
	}
	return ""
}

// constantIn reports whether rows of values are the same, but for rounding, where those of labels are.
func constantIn(values, labels *mat.Dense) bool {
	n, _ := values.Dims()
	size, first := mat.Norm(values, math.Inf(1)), map[int]int{}
	for i := range n {
		label := floats.MaxIdx(labels.RawRowView(i))
		if _, seen := first[label]; !seen {
			first[label] = i
		}
		if floats.Distance(values.RawRowView(i), values.RawRowView(first[label]), math.Inf(1)) > 1e-12*size {
			return false
		}
	}
	return true
}

// alikeIn are how alike samples are in a term, n × n: of functions smoothed by some lengthscales.
func alikeIn(ctx context.Context, t *model.Term) ([]*mat.Dense, error) {
	columns, on := t.Columns()
	switch t.Form {
	case model.LabelCurves:
		return []*mat.Dense{linop.Product(ctx, columns, columns.T())}, nil
	case model.Formless:
		return nearIn(on), nil
	}
	all, err := smoothed(ctx, centredRows(columns, on.Weights()), on)
	if on.Size() == 1 && err == nil {
		all = all[:1] // they are all the same
	}
	return all, err
}

// nearIn are how near samples are to one another in the norm of an operator, for some lengthscales in the
// root mean square distance.
func nearIn(on mesh.Mesh) (all []*mat.Dense) {
	n, d := on.Size(), on.Dim()
	points := on.Points()
	squares, mean := mat.NewDense(n, n, nil), 0.0
	for i := range n {
		for j := range n {
			r := distance(points[i*d:(i+1)*d], points[j*d:(j+1)*d])
			squares.Set(i, j, r*r)
			mean += r * r / float64(n*n)
		}
	}
	for _, l := range []float64{0.25, 1, 4} {
		g := mat.NewDense(n, n, nil)
		g.Apply(func(_, _ int, v float64) float64 { return math.Exp(-v / (2 * l * l * mean)) }, squares)
		all = append(all, g)
	}
	return all
}

// smoothingsOf are those of the output.
func smoothingsOf(m mesh.Mesh) (all []*mat.Dense, err error) {
	if err := dense.CheckMatrix("test of a term", len(smoothings()), m.Size(), m.Size()); err != nil {
		return nil, err
	}
	for _, l := range smoothings() {
		all = append(all, inUnit(smoothing(m, l, 0, m.Size())))
	}
	return all, nil
}

// both are some rows and columns; nil: all.
func both(m *mat.Dense, of []int) *mat.Dense {
	if of == nil {
		return m
	}
	return mat.DenseCopyOf(pick(mat.DenseCopyOf(pick(m, of).T()), of).T())
}

func sumOfProducts(a, b *mat.Dense) (sum float64) {
	n, _ := a.Dims()
	for i := range n {
		sum += mat.Dot(mat.NewVecDense(n, a.RawRowView(i)), mat.NewVecDense(n, b.RawRowView(i)))
	}
	return sum
}
