package fit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/outside"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/landmarks"
	"github.com/greenbench/workbench/numeric/fit/internal/posterior"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Estimate is a learned Green's function and bias term:
//
//	G(x,y) = Σ_jk K(x,y; x_j,y_k) Weights_jk,   β(y) = Σ_k Q(y,y_k) BiasWeights_k + Intercept
//
// It is immutable and safe for concurrent use.
type Estimate struct {
	Kernel      kernel.Kernel
	BiasKernel  kernel.Kernel         // nil: β is zero
	Constraint  constraint.Constraint // nil: none
	InputMesh   mesh.Mesh
	OutputMesh  mesh.Mesh
	Weights     *mat.Dense // mx × my
	BiasWeights []float64  // my; nil when β is zero
	Intercept   float64    // constant part of β that is not penalised; 0 without one
	Report      Report

	green     *lattice.Expansion     // K with Weights, and the constraint
	reduction *landmarks.Reduction   // to landmarks, which the weights belong to; nil: they belong to the meshes of the data
	learned   *learned               // what the posterior needs; nil when read from a file
	within    *within                // of another estimate; nil: it is none
	prior     *prior                 // that G and β are beyond; nil: nothing was known
	far       atomic.Pointer[string] // where the estimate was last asked for values far outside its data
	beyond    string                 // what it is a member of a family at, far outside the data; "": nothing
}

// within says what an estimate is a part of, where it finds its posterior.
type within struct {
	whole *Estimate
	place func(x, y mesh.Mesh) (inX, inY mesh.Mesh, err error)
	unit  float64 // of the part, in that of the whole
	bias  bool    // the part has the bias of the whole, and its output

	noise func(ctx context.Context, ys mesh.Mesh) (outputs.NewNoise, error) // see WithBias; nil: that of the estimate
}

// Notes is the report, with a note where the estimate was asked for values far outside
// the meshes of its data.
func (e *Estimate) Notes() Report {
	r := e.Report
	if e.beyond != "" {
		r.note(farOff, "%s", outside.Note(e.beyond))
	}
	if far := e.far.Load(); far != nil {
		r.note(farOff, "%s", outside.Note(*far))
	}
	return r
}

// meshes puts the training meshes in place of meshes without points and checks
// dimensions.
func (e *Estimate) meshes(xs, ys mesh.Mesh) (x, y mesh.Mesh, err error) {
	if xs.Size() == 0 {
		xs = e.InputMesh
	}
	if ys.Size() == 0 {
		ys = e.OutputMesh
	}
	if xs.Dim() != e.InputMesh.Dim() {
		return xs, ys, fmt.Errorf("xmesh: has %d coordinates, must have the %d of the input", xs.Dim(), e.InputMesh.Dim())
	}
	if ys.Dim() != e.OutputMesh.Dim() {
		return xs, ys, fmt.Errorf("ymesh: has %d coordinates, must have the %d of the output", ys.Dim(), e.OutputMesh.Dim())
	}
	if far := e.outside(xs, ys); far != "" {
		e.far.Store(&far)
	}
	return xs, ys, nil
}

// meshesFor returns the meshes xs and ys, those of the data where they are empty, and refuses
// inputs, rows of f, that do not fit xs.
func (e *Estimate) meshesFor(f *mat.Dense, xs, ys mesh.Mesh) (x, y mesh.Mesh, err error) {
	xs, ys, err = e.meshes(xs, ys)
	if _, m := f.Dims(); err == nil && m != xs.Size() {
		err = fmt.Errorf("f: has %d values per input, must be %d, one per point of the input mesh; give xmesh for inputs on another mesh", m, xs.Size())
	}
	return xs, ys, err
}

// Green evaluates G on xs × ys: a matrix of their sizes. A mesh without points
// stands for the one trained on. No matrix between all pairs of points is formed
// where the kernel has a structure.
func (e *Estimate) Green(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	if err := dense.CheckMatrix("green", 1, xs.Size(), ys.Size()); err != nil {
		return nil, err
	}
	g, err := e.reduction.Values(ctx, e.green, xs, ys)
	if err != nil {
		return nil, err
	}
	return e.prior.add(g, func(known Known) (*mat.Dense, error) { return known.Green(ctx, xs, ys) })
}

// Bias evaluates β on ys, or on the mesh trained on when ys has no points.
func (e *Estimate) Bias(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	_, ys, err := e.meshes(mesh.Mesh{}, ys)
	if err != nil {
		return nil, err
	}
	b := make([]float64, ys.Size())
	if e.BiasWeights == nil {
		return b, e.prior.addBias(ctx, b, ys)
	}
	q, err := kernels.Compile(e.BiasKernel, kernel.Space{Names: e.OutputMesh.Names()})
	if err != nil {
		return nil, err
	}
	columns := e.biasMesh().Columns()
	err = kernels.Rows(ctx, ys.Size(), q.Time(len(e.BiasWeights)), func(i int) {
		p, row := make([]float64, ys.Dim()), make([]float64, len(e.BiasWeights))
		ys.Point(p, i)
		q.Row(row, p, columns)
		b[i] = e.Intercept + floats.Dot(row, e.BiasWeights)
	})
	if err != nil {
		return nil, err
	}
	return b, e.prior.addBias(ctx, b, ys)
}

// biasMesh is where the weights of the bias belong.
func (e *Estimate) biasMesh() mesh.Mesh {
	if e.reduction != nil && e.reduction.Out != nil {
		return e.reduction.Out.Mesh
	}
	return e.OutputMesh
}

// At returns G at one point x of the input and y of the output: one kernel
// evaluation for every weight.
func (e *Estimate) At(ctx context.Context, x, y []float64) (float64, error) {
	if len(x) != e.InputMesh.Dim() || len(y) != e.OutputMesh.Dim() {
		return 0, fmt.Errorf("point: got %d + %d coordinates, must be %d + %d", len(x), len(y), e.InputMesh.Dim(), e.OutputMesh.Dim())
	}
	xm, err := pointOf(e.InputMesh, x)
	if err != nil {
		return 0, fmt.Errorf("x: %w", err)
	}
	ym, err := pointOf(e.OutputMesh, y)
	if err != nil {
		return 0, fmt.Errorf("y: %w", err)
	}
	g, err := e.Green(ctx, xm, ym)
	if err != nil {
		return 0, err
	}
	return g.At(0, 0), nil
}

// pointOf is the mesh of one point with the axes of m.
func pointOf(m mesh.Mesh, p []float64) (mesh.Mesh, error) {
	var axes []mesh.Axis
	for _, a := range m.Axes() {
		d := a.Dim()
		one, err := mesh.Scattered(p[:d], d, []float64{1}, a.Names...)
		if err != nil {
			return mesh.Mesh{}, err
		}
		axes, p = append(axes, one), p[d:]
	}
	return mesh.New(axes...)
}

// Predict returns β(y) + ∫ G(x,y) f(x) dx for inputs sampled on xs, one in each
// row of f (n × xs.Size), with the quadrature of xs: n × ys.Size. Meshes without
// points stand for those trained on.
func (e *Estimate) Predict(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshesFor(f, xs, ys)
	if err != nil {
		return nil, err
	}
	beta, err := e.Bias(ctx, ys)
	if err != nil {
		return nil, err
	}
	u, err := e.respond(ctx, f, xs, ys)
	if err != nil {
		return nil, err
	}
	linop.AddToRows(u, 1, beta)
	return u, nil
}

// respond applies G to the inputs in the rows of f. Where the constraint allows it, the inputs
// meet the kernel before the weights do; otherwise they meet G.
func (e *Estimate) respond(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	n, _ := f.Dims()
	if err := dense.CheckMatrix("outputs", 1, n, ys.Size()); err != nil {
		return nil, err
	}
	u, err := e.reduction.Respond(ctx, e.green, f, xs, ys)
	if err != nil {
		return nil, err
	}
	return e.prior.respond(ctx, u, f, xs, ys)
}

// String says what the estimate was learned with, and what the fit reports.
func (e *Estimate) String() string {
	return e.Describe(kernel.Kernel.String) + "\n" + e.Report.String()
}

// Describe is the first line of that, with kernels written by write.
func (e *Estimate) Describe(write func(kernel.Kernel) string) string {
	bias := "false"
	if e.BiasKernel != nil {
		bias = write(e.BiasKernel)
	}
	return fmt.Sprintf("estimate: kernel=%s, bias=%s, lambda=%.4g, rho=%.4g", write(e.Kernel), bias, e.Report.Lambda, e.Report.Rho)
}

// outside says which coordinates of meshes lie far outside the meshes of the data, "" for
// none. G as a function of the lag has no such place.
func (e *Estimate) outside(xs, ys mesh.Mesh) string {
	if e.green.Lattice().Lag() != nil {
		return ""
	}
	var far []string
	in, out := mesh.JointNames(e.InputMesh, e.OutputMesh)
	for _, side := range []struct {
		asked, data mesh.Mesh
		names       []string
	}{{xs, e.InputMesh, in}, {ys, e.OutputMesh, out}} {
		lo, hi := bounds(side.data)
		periodic := periods(side.data)
		low, high := bounds(side.asked)
		for i := range lo {
			if periodic[i] {
				continue
			}
			if text := outside.Interval(side.names[i], [2]float64{low[i], high[i]}, [2]float64{lo[i], hi[i]}); text != "" {
				far = append(far, text)
			}
		}
	}
	return strings.Join(far, ", ")
}

// learned is what an estimate remembers of its making, for questions that its
// weights do not answer. The factors are made when they are first needed.
type learned struct {
	spec    Spec
	open    openness
	rivals  *rivals // of the kernel; nil: there are none
	mutex   sync.Mutex
	factors *posterior.Posterior

	others once[[]otherOne]   // see WithOthers
	factor once[*looseFactor] // of the prior; nil: there is none, or it is known
	shifts once[[]*Estimate]  // of weights that may be off
}

// once is a value that is made by the first who asks for it: zero where nobody has said how.
type once[T any] struct {
	mutex sync.Mutex
	make  func(ctx context.Context) (T, error) // nil: it is there
	value T
}

func (o *once[T]) get(ctx context.Context) (T, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.make != nil {
		v, err := o.make(ctx)
		if err != nil {
			return o.value, err
		}
		o.value, o.make = v, nil
	}
	return o.value, nil
}

// looseFactor is how uncertain the factor c of a prior is: one more unknown of the model, of which nothing is known beforehand. With u₀ what
// the prior predicts, R the inverse covariance of the data at λ and ρ in units of τ², and u the rest of the outputs, the
// factor is by c off with
//
//	mean ⟨u₀, R u⟩ / ⟨u₀, R u₀⟩ ,   variance τ² / ⟨u₀, R u₀⟩ ,
//
// and G by c times what a fit of u₀ leaves of that of the prior. ⟨u, R u⟩ is the least value of the objective.
type looseFactor struct {
	unit       *Estimate // the minimiser for u₀
	mean, size float64   // ⟨u₀, R u₀⟩
}

// openness is what a fit was to choose.
type openness struct {
	Lambda bool `json:"lambda"`
	Rho    bool `json:"rho"`
}

// rivals are the kernels that may be better than that of an estimate, and the spec of a fit with one of them, but for its kernel.
type rivals struct {
	spec Spec
	of   []rival
}

// rival is a kernel that may be better than another, with the probability of that.
type rival struct {
	kernel       kernel.Kernel
	share, ratio float64 // ratio of its λ to that of the other, on the data that they were compared on; 0: not known
}

// otherOne is an estimate that may be the right one instead, with some probability.
type otherOne struct {
	share    float64
	estimate *Estimate
}

// periods reports for each coordinate of a mesh whether it is periodic.
func periods(m mesh.Mesh) []bool {
	var p []bool
	for _, a := range m.Axes() {
		p = append(p, slices.Repeat([]bool{a.Period > 0}, a.Dim())...)
	}
	return p
}

// bounds are the least and largest of each coordinate of a mesh, of the interval for axes
// that have one.
func bounds(m mesh.Mesh) (lo, hi []float64) {
	for _, a := range m.Axes() {
		lo, hi = append(lo, a.Lower...), append(hi, a.Upper...)
	}
	return lo, hi
}

// noData says why an estimate does not have what it was learned from.
func (e *Estimate) noData(needs string) error {
	if e.within != nil && e.within.bias {
		return fmt.Errorf("%s, and noise that is correlated is beyond that; leave noise out for it", needs)
	}
	if e.within != nil {
		return fmt.Errorf("%s, which a term of a model shares with the others: ask the model, or its output; a term has std", needs)
	}
	return remedy.KeepData.For(fmt.Errorf("%s, which the file of this estimate does not hold", needs))
}
