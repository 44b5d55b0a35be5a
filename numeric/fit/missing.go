package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/solve"
)

// missing reports whether an output is NaN.
func missing(d *dataset.Dataset) bool {
	return d.Missing && slices.ContainsFunc(d.Output.Data, math.IsNaN)
}

// observed is the system of a fit in which some outputs are missing: rows and
// columns of S K̄ Sᵀ + I for what was observed. Its vectors have one entry for
// every output value, n × my, zero where it is missing.
type observed struct {
	sys  *system // of the outputs with zeros in place of what is missing, in its bases
	mask []float64

	flat   contrast // of the free constant of β; nil: there is none
	length float64  // of the data of the constant one
}

// newObserved makes the system of what is observed.
func newObserved(sys *system, mask []float64, flat bool) observed {
	o := observed{sys: sys, mask: mask}
	if flat && sys.q != nil {
		c := outer(ones(sys.n), sys.rdy)
		floats.Mul(c, mask)
		scale(c, 1/math.Sqrt(float64(sys.n)))
		o.flat, o.length = newContrast(c)
	}
	return o
}

// Dims implements linop.Operator.
func (o observed) Dims() (r, c int) { return len(o.mask), len(o.mask) }

// Apply implements linop.Operator.
func (o observed) Apply(ctx context.Context, dst, z []float64) { o.between(ctx, dst, z, o.sys) }

// between applies an operator of the rotated system to what is observed of z.
func (o observed) between(ctx context.Context, dst, z []float64, a linop.Operator) {
	in := make([]float64, len(z))
	floats.MulTo(in, z, o.mask)
	o.rotated(ctx, dst, in, a)
	floats.Mul(dst, o.mask)
}

// rotated applies an operator of the rotated system to all of z.
func (o observed) rotated(ctx context.Context, dst, z []float64, a linop.Operator) {
	in := o.toBases(ctx, z)
	out := make([]float64, len(in))
	a.Apply(ctx, out, in)
	o.fromBases(ctx, dst, out)
}

// fitMissing is fitAll for data of which some outputs are missing: the misfit is the sum
// over what was observed. choice is how λ was chosen, if it was.
func (s *Spec) fitMissing(ctx context.Context, e *Estimate, choice Report) error {
	rep := &e.Report
	lambda, rho := s.Lambda, s.rho(s.Lambda)
	switch {
	case choice.Lambda > 0:
		rep.takeChoice(choice)
	case lambda > 0 && s.unmeasured:
		rep.Criterion = "given"
	case lambda > 0:
		rep.Criterion = "given"
		v, err := s.measured(ctx, lambda, rho)
		if err != nil {
			return err
		}
		rep.takeSheet(v)
	default:
		var err error
		if lambda, rho, err = lambdaOfComplete(ctx, s, rep); err != nil {
			return err
		}
	}
	filled, mask := fill(s.Data)
	complete := *s
	complete.Data, complete.Intercept = filled, NoIntercept // that of what is observed is another
	sys, why, err := buildSystem(ctx, &complete, false)
	if err != nil {
		return err
	}
	complete.Lambda, complete.Rho = lambda, rho
	m, err := newSimultaneous(ctx, sys, &complete)
	if err != nil {
		return err
	}
	sys.lambda, sys.rho = lambda, rho
	o := newObserved(sys, mask, s.flat())
	t := make([]float64, len(mask))
	o.between(ctx, t, o.scaledOutputs(filled), identity(len(mask)))
	mean := o.flat.project(t)
	z := make([]float64, len(mask))
	pre, err := newObservedPreconditioner(ctx, o, m.at(lambda, rho))
	if err != nil {
		return err
	}
	cg := solve.CG{Tolerance: s.tolerance(), MaxIterations: defaultMaxIterations, Preconditioner: o.flat.inverse(ctx, pre)}
	if s.MaxIterations > 0 {
		cg.MaxIterations = s.MaxIterations
	}
	out, err := cg.Solve(ctx, o.flat.operator(o), z, t)
	if err != nil {
		return explained(ctx, err, o, s.Kernel, lambda)
	}
	rep.Iterations, rep.Converged, rep.Residual = out.Iterations, out.Converged, out.Residual
	rep.Unknowns = int(floats.Sum(mask))
	rep.Method = out.Method + " on what is observed, " + sys.k.Describe()
	rep.Reason = fmt.Sprintf("%s; %d of %d outputs are missing; %s", why, len(mask)-rep.Unknowns, len(mask), out.Reason)
	return certify(ctx, e, penalty{lambda, rho}, o.weigh(ctx, z, t, mean))
}

// identity is the operator that copies.
func identity(n int) linop.Operator { return linop.Diagonal(ones(n)) }

// fill puts zeros in place of missing outputs and returns a mask of those that
// are there.
func fill(d *dataset.Dataset) (*dataset.Dataset, []float64) {
	out, mask := d.Output.Copy(), ones(d.Output.Size())
	for i, v := range out.Data {
		if math.IsNaN(v) {
			out.Data[i], mask[i] = 0, 0
		}
	}
	filled := *d
	filled.Output, filled.Missing = out, false
	return &filled, mask
}

// scaledOutputs is U dy^½/√n.
func (o observed) scaledOutputs(d *dataset.Dataset) []float64 {
	u := slices.Clone(d.Output.Data)
	timesRows(u, o.sys.rdy)
	scale(u, 1/math.Sqrt(float64(o.sys.n)))
	return u
}

// lambdaOfComplete returns λ and ρ: the choice of the criterion on the pairs without
// missing outputs, rescaled from their number to that of all.
func lambdaOfComplete(ctx context.Context, s *Spec, rep *Report) (lambda, rho float64, err error) {
	complete := *s
	if complete.Data, err = completePairs(s.Data); err != nil {
		return 0, 0, err
	}
	sys, _, err := newSystem(ctx, &complete)
	if err != nil {
		return 0, 0, err
	}
	m, err := newSimultaneous(ctx, sys, &complete)
	if err != nil {
		return 0, 0, err
	}
	if err := sys.chooseLambda(ctx, &complete, m, rep); err != nil {
		return 0, 0, err
	}
	rep.Criterion += fmt.Sprintf(" on the %d complete pairs", complete.Data.N())
	rep.takeSheet(unknownSheet(0, 0)) // what was computed is of those
	share := float64(complete.Data.N()) / float64(s.Data.N())
	if s.Rho > 0 {
		return sys.lambda * share, s.Rho, nil
	}
	return sys.lambda * share, sys.rho * share, nil
}

// fewComplete reports whether the pairs without missing outputs are too few to choose λ
// from: less than a quarter.
func fewComplete(d *dataset.Dataset) bool {
	if !missing(d) {
		return false
	}
	complete, my := 0, d.OutputMesh.Size()
	for i := range d.N() {
		if !slices.ContainsFunc(d.Output.Data[i*my:(i+1)*my], math.IsNaN) {
			complete++
		}
	}
	return complete < max(2, d.N()/4)
}

// completePairs returns the pairs without missing outputs, from which λ and
// lengthscales are chosen.
func completePairs(d *dataset.Dataset) (*dataset.Dataset, error) {
	var inputs, outputs []float64
	mx, my := d.InputMesh.Size(), d.OutputMesh.Size()
	n := 0
	for i := range d.N() {
		if u := d.Output.Data[i*my : (i+1)*my]; !slices.ContainsFunc(u, math.IsNaN) {
			inputs, outputs = append(inputs, d.Input.Data[i*mx:(i+1)*mx]...), append(outputs, u...)
			n++
		}
	}
	if n < 2 {
		return nil, fmt.Errorf("\"auto\": choosing lambda or a lengthscale needs at least 2 pairs without missing outputs, there are %d; give numbers", n)
	}
	return dataset.New(dataset.Spec{
		Input: &array.Array{Shape: []int{n, mx}, Data: inputs}, Output: &array.Array{Shape: []int{n, my}, Data: outputs},
		InputMesh: d.InputMesh, OutputMesh: d.OutputMesh,
	})
}

// weigh turns a solution into weights. mean is the component of the data along the free
// constant, which t is without.
func (o observed) weigh(ctx context.Context, z, t []float64, mean float64) *weighed {
	sys := o.sys
	o.flat.project(z) // rounding along a free constant, which A makes large
	w := sys.weightsOf(ctx, o.toBases(ctx, z))
	w.respond = o.respond
	az := make([]float64, len(z))
	o.Apply(ctx, az, z) // (A + I) z, and z has nothing along the free constant
	if left := mean - o.flat.project(az); o.flat != nil {
		w.intercept = left / o.length
	}
	w.misfit, w.dual = floats.AddTo(az, floats.SubTo(az, t, az), z), z
	w.size, w.length = notNothing(floats.Norm(t, 2)), outputLength(sys.rdy, o.mask)
	return w
}

// toBases is z in the bases of the complete system.
func (o observed) toBases(ctx context.Context, z []float64) []float64 {
	n, my := o.sys.n, o.sys.my
	in := mat.NewDense(n, my, nil)
	if linop.MulContext(ctx, in, o.sys.p.T(), mat.NewDense(n, my, z)) == nil {
		o.sys.v.forward(ctx, in.RawMatrix().Data)
	}
	return in.RawMatrix().Data
}

// fromBases undoes toBases, and stores the result in dst.
func (o observed) fromBases(ctx context.Context, dst, z []float64) {
	n, my := o.sys.n, o.sys.my
	o.sys.v.backward(ctx, z)
	_ = linop.MulContext(ctx, mat.NewDense(n, my, dst), o.sys.p, mat.NewDense(n, my, z))
}

// respond is that of the complete system, where it was observed.
func (o observed) respond(ctx context.Context, g, b []float64) []float64 {
	h := make([]float64, len(o.mask))
	o.fromBases(ctx, h, o.sys.respond(ctx, g, b))
	floats.Mul(h, o.mask)
	return h
}
