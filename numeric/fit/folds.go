package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
)

const (
	maxFolds     = 5
	firstDecades = 0.5  // step of the search for λ
	lastDecades  = 0.12 // and its end
	mostDecades  = 10   // from where it begins
)

// folds is cross-validation: every fifth pair is left out, G is learned from the
// others, and predicts the outputs of those.
type folds struct {
	spec   Spec
	count  int
	train  []*dataset.Dataset
	held   []*dataset.Dataset
	errors map[float64]float64 // by the decimal logarithm of λ
}

// crossValidate sets λ to where the error of cross-validation is least, beginning
// with the choice of REML, and returns that error: the squared difference, integrated
// over the outputs, in the mean of the pairs. Cost: about 40 fits.
func (s *Spec) crossValidate(ctx context.Context) (least float64, err error) {
	first := *s
	first.Criterion = REML
	e, err := first.estimate(ctx)
	if err != nil {
		return 0, err
	}
	f, err := newFolds(s)
	if err != nil {
		return 0, err
	}
	if s.freeRatio() && e.Report.Rho > 0 {
		s.ratio = e.Report.Rho / e.Report.Lambda
		f.spec.ratio = s.ratio
	}
	begin := math.Log10(e.Report.Lambda)
	at := begin
	if least, err = f.error(ctx, at); err != nil {
		return 0, err
	}
	for step := firstDecades; step > lastDecades; {
		moved := false
		for _, next := range []float64{at - step, at + step} {
			if math.Abs(next-begin) > mostDecades {
				continue
			}
			v, err := f.error(ctx, next)
			if err != nil {
				return 0, err
			}
			if v < least {
				at, least, moved = next, v, true
				break
			}
		}
		if !moved {
			step /= 2
		}
	}
	s.Lambda = math.Pow(10, at) * f.share()
	return least, nil
}

func newFolds(s *Spec) (*folds, error) {
	n := s.Data.N()
	if n < 2 {
		return nil, fmt.Errorf("criterion \"cv\": leaves pairs out, so it needs at least 2; there is %d", n)
	}
	f := &folds{spec: *s, count: min(maxFolds, n), errors: map[float64]float64{}}
	f.spec.unmeasured = true
	for k := range f.count {
		var in, out []int
		for i := range n {
			if i%f.count == k {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		train, err := s.Data.Select(in)
		if err != nil {
			return nil, err
		}
		held, err := s.Data.Select(out)
		if err != nil {
			return nil, err
		}
		f.train, f.held = append(f.train, train), append(f.held, held)
	}
	return f, nil
}

// share is how much smaller λ is for all pairs than for those of a fold: it is the
// noise over the number of pairs.
func (f *folds) share() float64 { return float64(f.count-1) / float64(f.count) }

// error is the error of cross-validation for a λ.
func (f *folds) error(ctx context.Context, log float64) (float64, error) {
	if v, ok := f.errors[log]; ok {
		return v, nil
	}
	sum := 0.0
	for k, train := range f.train {
		progress.Report(ctx, progress.Step{Task: "cross-validation", Done: float64(len(f.errors)*f.count + k), Label: "lambda", Value: math.Pow(10, log)})
		s := f.spec
		s.Data, s.Lambda = train, math.Pow(10, log)
		e, err := s.estimate(ctx)
		var small *tooSmall
		if errors.As(err, &small) {
			f.errors[log] = math.Inf(1)
			return f.errors[log], nil
		}
		if err != nil {
			return 0, err
		}
		misfit, err := heldOut(ctx, e, f.held[k])
		if err != nil {
			return 0, err
		}
		sum += misfit
	}
	f.errors[log] = sum / float64(f.spec.Data.N())
	return f.errors[log], nil
}

// heldOut is the sum over pairs of the squared error of predictions, integrated over
// the outputs; outputs that are missing do not count.
func heldOut(ctx context.Context, e *Estimate, d *dataset.Dataset) (float64, error) {
	f, err := d.Input.Matrix()
	if err != nil {
		return 0, err
	}
	u, err := e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return 0, err
	}
	my, sum := d.OutputMesh.Size(), 0.0
	for i := range d.N() {
		row := u.RawRowView(i)
		for k, w := range d.OutputMesh.Weights() {
			if diff := d.Output.Data[i*my+k] - row[k]; !math.IsNaN(diff) {
				sum += w * diff * diff
			}
		}
	}
	return sum, nil
}
