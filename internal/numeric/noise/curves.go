package noise

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// curves is noise of which each pair has a random curve, of a kernel on the output with mean
// one of its diagonal, beside white noise: its covariance is I + share K in the units of white
// noise.
type curves struct {
	kernel kernel.Kernel
	length float64 // lengthscale as a fraction of the axes; 0: the kernel leaves none open
	share  float64
	open   kernel.Kernel
}

func (c curves) String() string { return fmt.Sprint(c.kernel) }

// part is the variance of the curve over that of all noise.
func (c curves) part() float64 { return c.share / (1 + c.share) }

// with is the same kernel with another lengthscale and share.
func (c curves) with(y mesh.Mesh, length, share float64) curves {
	c.length, c.share, c.kernel = length, share, c.open
	space := kernel.Space{Names: y.Names()}
	opens := kernels.Opens(c.open, space)
	if len(opens) == 0 {
		c.length = 0
		return c
	}
	var lengths, values []float64
	for _, a := range y.Axes() {
		for k := range a.Lower {
			lengths = append(lengths, a.Upper[k]-a.Lower[k])
		}
	}
	for _, o := range opens {
		if o.Coordinates == nil {
			values = append(values, 1)
		} else {
			values = append(values, length)
		}
	}
	c.kernel = kernels.Fill(c.open, space, lengths, values)
	return c
}

// covariance is that of the noise of one pair.
func (c curves) covariance(ctx context.Context, y mesh.Mesh) (*mat.SymDense, error) {
	n, dy := y.Size(), y.Weights()
	if err := dense.CheckMatrix("covariance of the noise", 3, n, n); err != nil {
		return nil, err
	}
	k, err := gramOf(ctx, c.kernel, y)
	if err != nil {
		return nil, err
	}
	size := c.share / meanDiagonal(k, dy)
	out := mat.NewSymDense(n, nil)
	for i, w := range dy {
		for j := range i + 1 {
			out.SetSym(i, j, size*(k.At(i, j)+k.At(j, i))/2)
		}
		if w > 0 { // others are not seen
			out.SetSym(i, i, out.At(i, i)+1/w)
		} else {
			out.SetSym(i, i, out.At(i, i)+1)
		}
	}
	return out, nil
}

// meanDiagonal is that of dy^½ K dy^½, over the points with quadrature weight.
func meanDiagonal(k *mat.Dense, dy []float64) float64 {
	sum, count := 0.0, 0.0
	for i, w := range dy {
		if w > 0 {
			sum, count = sum+w*k.At(i, i), count+1
		}
	}
	return sum / max(count, 1)
}

// errors are those of f with the curves; with weights the standard deviations of these multiply
// the curves, too.
func (c curves) errors(ctx context.Context, f *noisy) (*dataset.Errors, error) {
	e := &dataset.Errors{}
	if f.errors != nil {
		*e = *f.errors
	}
	var err error
	e.Covariance, err = c.covariance(ctx, f.spec.Data.OutputMesh)
	return e, err
}

func firstLengths() []float64 { return []float64{.02, .05, .1, .2, .4, .8} }

// spacing is that of the points, as a fraction of the axes: curves of a shorter lengthscale are
// white noise.
func spacing(y mesh.Mesh) float64 { return math.Pow(float64(y.Size()), -1/float64(y.Dim())) }

func firstShares() []float64 { return []float64{.1, .3, 1, 3, 10, 30, 100, 1000} }

// likeliest begins with the likelihood of the residuals of the pairs that are complete as if
// they were the noise.
func (c curves) likeliest(ctx context.Context, f *noisy) (best curves, value float64, err error) {
	y := f.spec.Data.OutputMesh
	z, err := f.residuals(ctx)
	if err != nil {
		return c, 0, err
	}
	x := complete(z, y)
	lengths := firstLengths()
	if len(kernels.Opens(c.open, kernel.Space{Names: y.Names()})) == 0 {
		lengths = []float64{0}
	}
	best, value = c.with(y, lengths[len(lengths)/2], 1), math.Inf(1)
	if x == nil {
		return best, value, nil
	}
	for _, l := range lengths {
		own := c.with(y, max(l, spacing(y)), 1)
		k, err := gramOf(ctx, own.kernel, y)
		if err != nil {
			return c, 0, err
		}
		dy := y.Weights()
		size := meanDiagonal(k, dy)
		k.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(dy[i]*dy[j]) / size }, k)
		unlikely, err := unlikelihood(ctx, x, k)
		if err != nil {
			return c, 0, err
		}
		for _, share := range firstShares() {
			if own := unlikely(share); own < value {
				best, value = c.with(y, max(l, spacing(y)), share), own
			}
		}
	}
	return best, value, linop.Stopped(ctx)
}

// unlikelihood is minus the logarithm of the likelihood of rows x, of which the covariance is
// σ² (I + share k), where σ is likeliest; what does not depend on the share is left out.
func unlikelihood(ctx context.Context, x, k *mat.Dense) (of func(share float64) float64, err error) {
	values, v, err := linop.Eigen(ctx, k)
	if err != nil {
		return nil, err
	}
	n, my := x.Dims()
	t, squares := linop.Product(ctx, x, v), make([]float64, my)
	for i := range n {
		for k, u := range t.RawRowView(i) {
			squares[k] += u * u
		}
	}
	return func(share float64) float64 {
		det, sum := 0.0, 0.0
		for k, q := range squares {
			h := 1 + share*max(values[k], 0)
			det, sum = det+math.Log(h), sum+q/h
		}
		return (float64(n)*det + float64(n*my)*math.Log(sum)) / 2
	}, nil
}

// complete are the rows of residuals in which only points without quadrature weight are not
// there, these as zeros; nil where they are few.
func complete(z []float64, y mesh.Mesh) *mat.Dense {
	my, dy := y.Size(), y.Weights()
	var rows []float64
	for at := 0; at < len(z); at += my {
		row := append([]float64(nil), z[at:at+my]...)
		for k, w := range dy {
			if w == 0 {
				row[k] = 0
			}
		}
		if !floats.HasNaN(row) {
			rows = append(rows, row...)
		}
	}
	if len(rows) < FewestPairs*my {
		return nil
	}
	return mat.NewDense(len(rows)/my, my, rows)
}

const (
	mostCurves  = 20 // fits for the curves of one kernel
	curveSweeps = 3  // along lengthscale and share, each with steps of half the size of those before
	curveNats   = .1 // that a step must gain for another, and a sweep for the next
)

// hopeless is by how many nats curves must be likelier than no curves, at the lengthscale and share that the residuals ask for, to be
// looked at any closer where it is asked whether there are any: of what gains less, the best near by gains a nat more at most, and curves
// are only taken above [Price].
const hopeless = 2

// refine moves the lengthscale and the share to where REML of the fit is least, one after the other, unless they gain less than that much
// where they are.
func (c curves) refine(ctx context.Context, f *noisy, gain float64) (best *noisy, at curves, err error) {
	r := &refined{f: f, open: c}
	if _, err := r.try(ctx, c.length, c.share); err != nil || math.IsNaN(r.best.reml) || f.reml-r.best.reml < gain {
		return r.best, r.at, err
	}
	for step := 1.0; step > math.Pow(.5, curveSweeps); step /= 2 {
		before := r.best.reml
		for _, by := range [][2]float64{{2, 1}, {1, 3}} {
			if r.at.length == 0 && by[0] != 1 {
				continue
			}
			if err := r.along(ctx, math.Pow(by[0], step), math.Pow(by[1], step)); err != nil {
				return nil, r.at, err
			}
		}
		if step < 1 && before-r.best.reml < curveNats {
			break
		}
	}
	return r.best, r.at, nil
}

// refined are the likeliest curves so far.
type refined struct {
	f    *noisy
	open curves
	fits int
	best *noisy
	at   curves
}

// try is REML with curves, infinite where they are out of bounds or there were too many fits.
func (r *refined) try(ctx context.Context, length, share float64) (float64, error) {
	y := r.f.spec.Data.OutputMesh
	if r.best != nil && (r.fits >= mostCurves || length > 5 || length > 0 && length < spacing(y) || share > 1e6 || share < 1e-6) {
		return math.Inf(1), nil
	}
	r.fits++
	own := r.open.with(y, length, share)
	e, err := own.errors(ctx, r.f)
	if err != nil {
		return 0, err
	}
	next, err := r.f.at(ctx, e)
	if err != nil {
		return 0, err
	}
	if r.best == nil || next.reml < r.best.reml {
		r.best, r.at = next, own
	}
	return next.reml, nil
}

// along moves by steps that multiply lengthscale and share by these factors until the likeliest is between two others, and to the vertex of
// the parabola through the three.
func (r *refined) along(ctx context.Context, length, share float64) error {
	from, least, middle := r.at, r.best.reml, 0.0
	at := func(step float64) (float64, error) {
		return r.try(ctx, from.length*math.Pow(length, step), from.share*math.Pow(share, step))
	}
	var sides [2]float64
	for i, sign := range []float64{-1, 1} {
		var err error
		if sides[i], err = at(sign); err != nil {
			return err
		}
	}
	for i, sign := range []float64{-1, 1} {
		for sides[i] < least-curveNats {
			sides[1-i], least, middle = least, sides[i], middle+sign
			var err error
			if sides[i], err = at(middle + sign); err != nil {
				return err
			}
		}
	}
	bend := sides[0] - 2*least + sides[1]
	vertex := (sides[0] - sides[1]) / (2 * bend)
	if !(bend > 0) || math.IsInf(bend, 1) || math.Abs(vertex) < .05 || math.Abs(vertex) > 1 {
		return nil
	}
	_, err := at(middle + vertex)
	return err
}
