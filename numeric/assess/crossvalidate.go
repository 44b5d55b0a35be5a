package assess

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/noise"
	"github.com/greenbench/workbench/numeric/progress"
)

// CrossValidation is how fits predict what was left out.
type CrossValidation struct {
	Errors []float64 `arg:"errors" doc:"of each pair: root mean square over the output, weighted by the quadrature"`
	RMSE   float64   `arg:"rmse" doc:"root of the mean of their squares"`
	SE     float64   `arg:"se" doc:"standard error of rmse, from the spread over what was left out together"`
	R2     float64   `arg:"r2" doc:"1 less the mean square error over that of the mean curve of the pairs that were learned from; NaN where all outputs are the same"`
	Folds  int       `arg:"folds" doc:"how often something was left out"`
}

// Split says what is left out together.
type Split struct {
	Folds  int      // parts of the pairs, or of the groups; 0: 5, or as many as there are; as many as there are: one at a time
	Groups []string // label of each pair: those of one label are left out together; nil: each by itself
	Seed   uint64   // of the order in which they are dealt out
}

// CrossValidate fits a spec without each part of the pairs, and predicts that. All that the spec
// leaves open, kernels too, is chosen anew each time, and so is the noise; errors that the data have go with
// their pairs.
func CrossValidate(ctx context.Context, s fit.Spec, of noise.Choice, by Split) (*CrossValidation, error) {
	if s.Data == nil {
		return nil, fmt.Errorf("data: missing")
	}
	n := s.Data.N()
	part, folds, err := by.deal(n)
	if err != nil {
		return nil, err
	}
	out := &CrossValidation{Errors: make([]float64, n), Folds: folds}
	squares, spread := make([]float64, folds), 0.0
	counts := make([]float64, folds)
	total, data := 0.0, s.Data
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
		err := predictLeft(ctx, s, of, data, in, left, func(i int, square, around float64) {
			out.Errors[i] = math.Sqrt(square)
			squares[k], counts[k] = squares[k]+square, counts[k]+1
			total, spread = total+square, spread+around
		})
		if err != nil {
			return nil, fmt.Errorf("part %d of %d: %w", k+1, folds, err)
		}
	}
	mean := total / float64(n)
	out.RMSE, out.R2 = math.Sqrt(mean), explained(data, total, spread)
	variance := 0.0
	for k, v := range squares {
		off := v - counts[k]*mean
		variance += off * off
	}
	if folds > 1 && mean > 0 {
		se := math.Sqrt(variance*float64(folds)/float64(folds-1)) / float64(n) // of the mean square
		out.SE = se / (2 * out.RMSE)
	}
	return out, nil
}

// explained is 1 less the square errors over those of the mean curve; NaN where outputs do not differ
// and these are rounding errors.
func explained(d *dataset.Dataset, total, spread float64) float64 {
	if _, u := d.Matrices(); alike(u) {
		return math.NaN()
	}
	return 1 - total/spread
}

// predictLeft fits the pairs in and predicts those left: the mean square error of each, and that
// of the mean curve.
func predictLeft(ctx context.Context, s fit.Spec, of noise.Choice, d *dataset.Dataset, in, left []int, each func(i int, square, around float64)) error {
	rest, err := d.Select(left)
	if err != nil {
		return err
	}
	if s.Data, err = d.Select(in); err != nil {
		return err
	}
	e, err := noise.Fit(ctx, s, of)
	if err != nil {
		return err
	}
	f, u := rest.Matrices()
	predicted, err := e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return err
	}
	_, known := s.Data.Matrices()
	w := d.OutputMesh.Weights()
	means := make([]float64, len(w))
	for k := range means {
		var there []float64
		for i := range in {
			if v := known.At(i, k); !math.IsNaN(v) {
				there = append(there, v)
			}
		}
		means[k] = stat.Mean(there, nil)
	}
	for j, i := range left {
		var square, around, length float64
		for k, v := range u.RawRowView(j) {
			if own := w[k] * (v - predicted.At(j, k)) * (v - predicted.At(j, k)); !math.IsNaN(own) && !math.IsNaN(means[k]) {
				square, around, length = square+own, around+w[k]*(v-means[k])*(v-means[k]), length+w[k]
			}
		}
		if length > 0 {
			each(i, square/length, around/length)
		} else {
			each(i, 0, 0)
		}
	}
	return nil
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
	R2    float64 `arg:"r2" doc:"1 less their mean square error over that of the mean curve; NaN where all outputs are the same"`
}

// Curve is a learning curve.
type Curve []Learned

// Learn fits a spec to more and more of four fifths of the pairs, in an order of a seed, and predicts
// the last fifth.
func Learn(ctx context.Context, s fit.Spec, of noise.Choice, sizes []int, seed uint64) (Curve, error) {
	if s.Data == nil {
		return nil, fmt.Errorf("data: missing")
	}
	n := s.Data.N()
	most := n - max(1, n/5)
	if len(sizes) == 0 {
		for _, share := range []float64{.125, .25, .5, 1} {
			if k := int(share * float64(most)); k >= 2 && (len(sizes) == 0 || k > sizes[len(sizes)-1]) {
				sizes = append(sizes, k)
			}
		}
	}
	order := rand.New(rand.NewPCG(seed, 31)).Perm(n)
	var out Curve
	for k, size := range sizes {
		if size < 2 || size > most {
			return nil, fmt.Errorf("n %d: must be at least 2 and at most %d, four fifths of the pairs", size, most)
		}
		progress.Report(ctx, progress.Step{Task: "learning curve", Done: float64(k), Total: float64(len(sizes))})
		var total, spread float64
		err := predictLeft(ctx, s, of, s.Data, order[:size], order[most:], func(_ int, square, around float64) {
			total, spread = total+square, spread+around
		})
		if err != nil {
			return nil, fmt.Errorf("%d pairs: %w", size, err)
		}
		out = append(out, Learned{size, math.Sqrt(total / float64(n-most)), explained(s.Data, total, spread)})
	}
	return out, nil
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
