package assess

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// CrossValidation is how fits predict what was left out.
type CrossValidation struct {
	Errors []float64 `arg:"errors" doc:"of each pair: root mean square over the output, weighted by the quadrature"`
	RMSE   float64   `arg:"rmse" doc:"root of the mean of their squares"`
	SE     float64   `arg:"se" doc:"standard error of rmse, from the spread over what was left out together"`
	R2     float64   `arg:"r2" doc:"1 less the mean square error over that of the mean curve of the pairs that were learned from; NaN where at no point the outputs of two pairs differ"`
	Folds  int       `arg:"folds" doc:"how often something was left out"`
}

// Split says what is left out together.
type Split struct {
	Folds  int      // parts of the pairs, or of the groups; 0: 5, or as many as there are; as many as there are: one at a time
	Groups []string // label of each pair: those of one label are left out together; nil: each by itself
	Seed   uint64   // of the order in which they are dealt out
}

// learner learns from some samples and predicts others.
type learner interface {
	outputs() ([]fitted, error) // of all samples, without predictions
	// predict learns from the samples in and predicts each output of those left.
	predict(ctx context.Context, in, left []int) ([]*mat.Dense, error)
}

// CrossValidate fits a spec without each part of the pairs, and predicts that. All that the spec
// leaves open, kernels too, is chosen anew each time, and so is the noise; errors that the data have go with
// their pairs.
func CrossValidate(ctx context.Context, s fit.Spec, of noise.Choice, by Split) (*CrossValidation, error) {
	if s.Data == nil {
		return nil, errNoData
	}
	return first(crossValidate(ctx, pairsLearner{s, of}, s.Data.N(), by))
}

// CrossValidateModel is the same for a model of several terms, of each output in the order of the data.
func CrossValidateModel(ctx context.Context, s model.Spec, by Split) ([]*CrossValidation, error) {
	if s.Data == nil {
		return nil, errNoData
	}
	return crossValidate(ctx, modelLearner{s}, s.Data.N(), by)
}

var errNoData = errors.New("data: missing")

func first[T any](all []T, err error) (one T, _ error) {
	if err != nil {
		return one, err
	}
	return all[0], nil
}

func crossValidate(ctx context.Context, l learner, n int, by Split) (all []*CrossValidation, err error) {
	part, folds, err := by.deal(n)
	if err != nil {
		return nil, err
	}
	outs, err := l.outputs()
	if err != nil {
		return nil, err
	}
	sums := make([]heldOut, len(outs))
	for o := range outs {
		sums[o] = heldOut{errors: make([]float64, n), squares: make([]float64, folds), counts: make([]float64, folds)}
	}
	for k := range folds {
		progress.Report(ctx, progress.Step{Task: "cross-validation", Done: float64(k), Total: float64(folds)})
		var in, left []int
		for i, p := range part {
			if p == k {
				left = append(left, i)
			} else {
				in = append(in, i)
			}
		}
		predicted, err := l.predict(ctx, in, left)
		if err != nil {
			return nil, fmt.Errorf("part %d of %d: %w", k+1, folds, err)
		}
		for o, out := range outs {
			out.of = predicted[o]
			out.compare(in, left, func(i int, square, around float64) { sums[o].add(k, i, square, around) })
		}
	}
	for o, out := range outs {
		all = append(all, sums[o].result(out))
	}
	return all, nil
}

// heldOut are errors of what was left out: of each pair, and sums over parts and over all.
type heldOut struct {
	errors, squares, counts []float64
	total, spread           float64
}

func (h *heldOut) add(part, i int, square, around float64) {
	h.errors[i] = math.Sqrt(square)
	h.squares[part], h.counts[part] = h.squares[part]+square, h.counts[part]+1
	h.total, h.spread = h.total+square, h.spread+around
}

func (h *heldOut) result(f fitted) *CrossValidation {
	n, folds := float64(len(h.errors)), len(h.squares)
	mean := h.total / n
	out := &CrossValidation{Errors: h.errors, Folds: folds, RMSE: math.Sqrt(mean), R2: f.explained(h.total, h.spread)}
	variance := 0.0
	for k, v := range h.squares {
		off := v - h.counts[k]*mean
		variance += off * off
	}
	if folds > 1 && mean > 0 {
		se := math.Sqrt(variance*float64(folds)/float64(folds-1)) / n // of the mean square
		out.SE = se / (2 * out.RMSE)
	}
	return out
}

// explained is 1 less the square errors over those of the mean curve; NaN where outputs do not differ
// and these are rounding errors.
func (f fitted) explained(total, spread float64) float64 {
	if alike(f.filled) {
		return math.NaN()
	}
	return 1 - total/spread
}

// compare tells of each of the samples left the mean square error of its prediction, the rows of f.of, and
// that of the mean curve of the samples in.
func (f fitted) compare(in, left []int, each func(i int, square, around float64)) {
	means := make([]float64, len(f.w))
	for k := range means {
		var there []float64
		for _, i := range in {
			if v := f.filled.At(i, k); !math.IsNaN(v) {
				there = append(there, v)
			}
		}
		means[k] = stat.Mean(there, nil)
	}
	for j, i := range left {
		var square, around, length float64
		for k, v := range f.u.RawRowView(i) {
			w := f.w[k]
			if own := w * (v - f.of.At(j, k)) * (v - f.of.At(j, k)); !math.IsNaN(own) && !math.IsNaN(means[k]) {
				square, around, length = square+own, around+w*(v-means[k])*(v-means[k]), length+w
			}
		}
		if length > 0 {
			each(i, square/length, around/length)
		} else {
			each(i, 0, 0)
		}
	}
}

type pairsLearner struct {
	spec  fit.Spec
	noise noise.Choice
}

func (l pairsLearner) outputs() ([]fitted, error) {
	_, u := l.spec.Data.Matrices()
	return []fitted{{u: u, w: l.spec.Data.OutputMesh.Weights(), filled: l.spec.Data.Filled()}}, nil
}

func (l pairsLearner) predict(ctx context.Context, in, left []int) ([]*mat.Dense, error) {
	rest, err := l.spec.Data.Select(left)
	if err != nil {
		return nil, err
	}
	s := l.spec
	if s.Data, err = l.spec.Data.Select(in); err != nil {
		return nil, err
	}
	e, err := noise.Fit(ctx, s, l.noise)
	if err != nil {
		return nil, err
	}
	f, _ := rest.Matrices()
	u, err := e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})
	return []*mat.Dense{u}, err
}

type modelLearner struct{ spec model.Spec }

func (l modelLearner) outputs() (all []fitted, err error) {
	for _, o := range l.spec.Data.Outputs {
		u, err := o.Values.Matrix()
		if err != nil {
			return nil, err
		}
		all = append(all, fitted{u: u, w: o.Mesh.Weights(), filled: u})
	}
	return all, nil
}

func (l modelLearner) predict(ctx context.Context, in, left []int) (all []*mat.Dense, err error) {
	rest, err := l.spec.Data.Select(left)
	if err != nil {
		return nil, err
	}
	s := l.spec
	if s.Data, err = l.spec.Data.Select(in); err != nil {
		return nil, err
	}
	e, err := model.Fit(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, o := range e.Outputs {
		u, err := o.Predict(ctx, rest, mesh.Mesh{})
		if err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, nil
}

// deal gives each pair its part.
func (s Split) deal(n int) (part []int, folds int, err error) {
	labels := s.Groups
	if labels == nil {
		for i := range n {
			labels = append(labels, fmt.Sprint(i))
		}
	}
	if len(labels) != n {
		return nil, 0, fmt.Errorf("groups: %d labels for %d pairs: want one each", len(labels), n)
	}
	number := map[string]int{}
	for _, l := range labels {
		if _, known := number[l]; !known {
			number[l] = len(number)
		}
	}
	units := len(number)
	if s.Groups != nil && units < 2 {
		return nil, 0, fmt.Errorf("groups: every pair has the label %q: what is left out needs two labels at least", labels[0])
	}
	if units < 2 {
		return nil, 0, errors.New("data: there is one pair, and nothing is left to learn from without it; give two at least")
	}
	if folds = s.Folds; folds == 0 {
		folds = min(5, units)
	}
	if folds < 2 || folds > units {
		return nil, 0, fmt.Errorf("folds %d: must be at least 2 and at most %d, what can be left out by itself", folds, units)
	}
	order := rand.New(rand.NewPCG(s.Seed, 29)).Perm(units)
	part = make([]int, n)
	for i, l := range labels {
		part[i] = order[number[l]] % folds
	}
	return part, folds, nil
}

// String is the result in a line.
func (c *CrossValidation) String() string {
	return fmt.Sprintf("left out in %d parts: rmse %.4g ± %.2g, R² %s", c.Folds, c.RMSE, c.SE, defined("%.4f", c.R2))
}

// Learned is the error of fits to fewer pairs.
type Learned struct {
	Pairs int     `arg:"n" doc:"pairs learned from"`
	RMSE  float64 `arg:"rmse" doc:"of the pairs that none of them learned from"`
	R2    float64 `arg:"r2" doc:"1 less their mean square error over that of the mean curve; NaN where at no point the outputs of two pairs differ"`
}

// Curve is a learning curve.
type Curve []Learned

// Learn fits a spec to more and more of four fifths of the pairs, in an order of a seed, and predicts
// the last fifth.
func Learn(ctx context.Context, s fit.Spec, of noise.Choice, sizes []int, seed uint64) (Curve, error) {
	if s.Data == nil {
		return nil, errNoData
	}
	return first(learn(ctx, pairsLearner{s, of}, s.Data.N(), sizes, seed))
}

// LearnModel is the same for a model of several terms, of each output in the order of the data.
func LearnModel(ctx context.Context, s model.Spec, sizes []int, seed uint64) ([]Curve, error) {
	if s.Data == nil {
		return nil, errNoData
	}
	return learn(ctx, modelLearner{s}, s.Data.N(), sizes, seed)
}

func learn(ctx context.Context, l learner, n int, sizes []int, seed uint64) ([]Curve, error) {
	const fewest = 3 // two to learn from, and one to predict
	if n < fewest {
		return nil, fmt.Errorf("data: %d pairs: a learning curve needs at least %d, two to learn from and one to predict", n, fewest)
	}
	most := n - max(1, n/5)
	if len(sizes) == 0 {
		for _, share := range []float64{.125, .25, .5, 1} {
			if k := int(share * float64(most)); k >= 2 {
				sizes = append(sizes, k)
			}
		}
	}
	outs, err := l.outputs()
	if err != nil {
		return nil, err
	}
	order := rand.New(rand.NewPCG(seed, 31)).Perm(n)
	all := make([]Curve, len(outs))
	for k, size := range sizes {
		if size < 2 || size > most {
			return nil, fmt.Errorf("n %d: must be at least 2 and at most %d, four fifths of the pairs", size, most)
		}
		progress.Report(ctx, progress.Step{Task: "learning curve", Done: float64(k), Total: float64(len(sizes))})
		predicted, err := l.predict(ctx, order[:size], order[most:])
		if err != nil {
			return nil, fmt.Errorf("%d pairs: %w", size, err)
		}
		for o, out := range outs {
			var total, spread float64
			out.of = predicted[o]
			out.compare(order[:size], order[most:], func(_ int, square, around float64) {
				total, spread = total+square, spread+around
			})
			all[o] = append(all[o], Learned{size, math.Sqrt(total / float64(n-most)), out.explained(total, spread)})
		}
	}
	return all, nil
}

// String is the curve as a table.
func (c Curve) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%6s  %10s  %7s", "n", "rmse", "R²")
	for _, l := range c {
		fmt.Fprintf(&b, "\n%6d  %10.4g  %7.4f", l.Pairs, l.RMSE, l.R2)
	}
	return b.String()
}
