package joint

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// units are those of the data: the network learns f/input ↦ (u - centre)/output.
type units struct{ input, centre, output float64 }

// problem is a network that is to be trained, in units of the data.
type problem struct {
	spec    *Spec
	chain   *chain
	units   units
	kernels []kernel.Kernel
	biases  []kernel.Kernel // nil: without
	factors factors
	from    *weights // what to go on from; nil: starts are tried
}

func newProblem(ctx context.Context, s *Spec) (*problem, error) {
	d := s.Data
	in, err := d.Input.Matrix()
	if err != nil {
		return nil, err
	}
	out, err := d.Output.Matrix()
	if err != nil {
		return nil, err
	}
	p := &problem{spec: s, chain: &chain{lambda: s.Lambda}}
	if err := p.setUnits(in, out); err != nil {
		return nil, err
	}
	k := s.kernel()
	for l := range s.Layers {
		x := d.OutputMesh
		if l == 0 {
			x = d.InputMesh
		}
		own, err := k.between(l, x, d.OutputMesh)
		if err != nil {
			return nil, err
		}
		if err := p.addLayer(ctx, own, x, d.OutputMesh); err != nil {
			return nil, fmt.Errorf("layer %d: %w", l+1, err)
		}
	}
	return p, nil
}

// setUnits takes the mean and the deviation off outputs, where no activation is between.
func (p *problem) setUnits(in, out *mat.Dense) error {
	f, u := mat.DenseCopyOf(in), mat.DenseCopyOf(out)
	a, b := f.RawMatrix().Data, u.RawMatrix().Data
	p.units.input = floats.Norm(a, 2) / math.Sqrt(float64(len(a)))
	if p.units.input == 0 {
		return errors.New("data: all inputs are zero")
	}
	floats.Scale(1/p.units.input, a)
	y := p.spec.Data.OutputMesh
	spread := (&dataset.Dataset{Input: p.spec.Data.Output, Output: p.spec.Data.Output, OutputMesh: y}).Spread()
	if !(spread > 0) {
		return errors.New("data: all outputs are the same: there is nothing to learn from")
	}
	weight := append([]float64(nil), y.Weights()...)
	floats.Scale(1/floats.Sum(weight), weight)
	p.units.output = 1
	if len(p.spec.Activations) < p.spec.Layers {
		p.units.output, p.units.centre = spread, floats.Sum(b)/float64(len(b))
		floats.AddConst(-p.units.centre, b)
		floats.Scale(1/spread, b)
	} else {
		floats.Scale(1/(spread*spread), weight)
	}
	for i, w := range weight {
		weight[i] = math.Sqrt(w)
	}
	p.chain.f, p.chain.u, p.chain.roots = f, u, weight
	return nil
}

// layerKernels are those of layers.
type layerKernels struct {
	first kernel.Kernel
	in    mesh.Mesh
}

// lengthscale is that of kernels without one, as a fraction of each axis.
const lengthscale = 0.3

// kernel is the one given, or a Matérn kernel of unit smoothness on each side.
func (s *Spec) kernel() *layerKernels {
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	switch k := s.Kernel; {
	case k == nil:
		side := func(m mesh.Mesh) kernel.Kernel { return kernel.Matern{Nu: 1.5, Lengthscale: lengths(m)} }
		return &layerKernels{kernel.Tensor{Input: side(x), Output: side(y)}, x}
	case kernels.IsAuto(k):
		return &layerKernels{kernels.Resolve(k, lengths(x, y), lengthscale), x}
	default:
		return &layerKernels{k, x}
	}
}

func lengths(on ...mesh.Mesh) (l kernel.Lengthscale) {
	for _, m := range on {
		for _, a := range m.Axes() {
			for i := range a.Lower {
				extent := a.Upper[i] - a.Lower[i]
				if extent == 0 {
					extent = 1
				}
				l = append(l, lengthscale*extent)
			}
		}
	}
	return l
}

// between is the kernel of a layer: that of the first where layers have its coordinates, or what
// it is on the output.
func (k *layerKernels) between(layer int, x, y mesh.Mesh) (kernel.Kernel, error) {
	if layer == 0 {
		return k.first, nil
	}
	if t, ok := k.first.(kernel.Tensor); ok {
		return kernel.Tensor{Input: t.Output, Output: t.Output}, nil
	}
	if x.Dim() != k.in.Dim() {
		return nil, fmt.Errorf("kernel: is one of %d coordinates of the input and %d of the output, and further layers have %d and %d; give a product of one on each", k.in.Dim(), y.Dim(), x.Dim(), y.Dim())
	}
	return k.first, nil
}

// addLayer adds a layer from x to y.
func (p *problem) addLayer(ctx context.Context, k kernel.Kernel, x, y mesh.Mesh) error {
	l := &layer{x: x, y: y, dx: x.Weights()}
	sum := kernels.DirectSum{Parts: []kernels.Summand{{Kernel: k, On: x}}, Output: y}
	trace, err := sum.Trace(0)
	if err != nil {
		return err
	}
	dx, dy := floats.Sum(l.dx), floats.Sum(y.Weights())
	if l.size = trace * dx / dy; !(l.size > 0) {
		return errors.New("kernel: is zero on the meshes of the data")
	}
	if err := l.setKernel(ctx, k, sum.Space(0)); err != nil {
		return err
	}
	var q kernel.Kernel
	if !p.spec.NoBias {
		if q = p.spec.Bias; q == nil {
			q = sum.OnOutput()
		}
		f, err := kernels.Compile(q, kernel.Space{Names: y.Names()})
		if err != nil {
			return fmt.Errorf("bias: %w", err)
		}
		if l.q, err = f.Gram(ctx, y, y); err != nil {
			return err
		}
		l.bias = mat.Trace(l.q) / float64(y.Size())
		if !(l.bias > 0) {
			return errors.New("bias: its kernel is zero on the mesh of the outputs")
		}
	}
	if m := l.modes; m != nil {
		if m.left, err = p.factors.of(ctx, l.left); err != nil {
			return err
		}
		if m.right, err = p.factors.of(ctx, l.right); err != nil {
			return err
		}
		if l.q != nil {
			if m.bias, err = p.factors.of(ctx, l.q); err != nil {
				return err
			}
		}
	}
	if at := len(p.chain.layers); at < len(p.spec.Activations) {
		if l.sigma, err = newActivation(p.spec.Activations[at]); err != nil {
			return err
		}
	}
	p.chain.layers = append(p.chain.layers, l)
	p.kernels, p.biases = append(p.kernels, k), append(p.biases, q)
	return nil
}

// setKernel holds K on the meshes: products of one kernel on each side as such, others in the
// structure that they have.
func (l *layer) setKernel(ctx context.Context, k kernel.Kernel, on kernel.Space) error {
	f, err := kernels.Compile(k, on)
	if err != nil {
		return err
	}
	if l.k, _, err = gram.Self(ctx, f, l.x, l.y, gram.Options{}); err != nil {
		return err
	}
	if p, ok := l.k.(gram.Factored); ok && p.Terms() == 1 {
		l.left, l.right = mat.DenseCopyOf(p.Left(0)), mat.DenseCopyOf(p.Right(0))
		l.modes = &modes{}
		return nil
	}
	return l.setFactors(ctx, f)
}

// setFactors are about those of a kernel that is no product: what it is through the middle of
// the meshes.
func (l *layer) setFactors(ctx context.Context, f *kernels.Function) error {
	mx, my := l.x.Size(), l.y.Size()
	if err := dense.CheckMatrix("kernel", 1, max(mx, my), max(mx, my)); err != nil {
		return err
	}
	columns := func(at func(i int) (int, int), count int) (*mat.Dense, error) {
		out, point := mat.NewDense(count, count, nil), make([]float64, l.x.Dim()+l.y.Dim())
		all := make([][]float64, len(point))
		for i := range count {
			a, b := at(i)
			l.x.Point(point[:l.x.Dim()], a)
			l.y.Point(point[l.x.Dim():], b)
			for c, v := range point {
				all[c] = append(all[c], v)
			}
		}
		err := kernels.Rows(ctx, count, f.Time(count), func(i int) {
			p := make([]float64, len(all))
			for c := range all {
				p[c] = all[c][i]
			}
			f.Row(out.RawRowView(i), p, all)
		})
		return out, err
	}
	var err error
	if l.left, err = columns(func(i int) (int, int) { return i, my / 2 }, mx); err != nil {
		return err
	}
	l.right, err = columns(func(i int) (int, int) { return mx / 2, i }, my)
	if size := l.right.At(my/2, my/2); err == nil && size > 0 {
		l.right.Scale(1/size, l.right)
	}
	return err
}

func newActivation(a Activation) (*activation, error) {
	n := expr.Simplify(a.Map)
	value, err := expr.Compile(n, 1)
	if err != nil {
		return nil, err
	}
	slope, err := expr.Compile(expr.Simplify(expr.Diff(n, 0)), 1)
	return &activation{value, slope}, err
}

// of is the problem of some of the pairs, in the same units.
func (p *problem) of(rows []int) *problem {
	part, c := *p, *p.chain
	c.f, c.u = selected(c.f, rows), selected(c.u, rows)
	part.chain = &c
	return &part
}

func selected(a *mat.Dense, rows []int) *mat.Dense {
	_, m := a.Dims()
	out := mat.NewDense(len(rows), m, nil)
	for i, r := range rows {
		out.SetRow(i, a.RawRowView(r))
	}
	return out
}

// mse of some pairs: of weights that were learned from others.
func (p *problem) mse(ctx context.Context, w *weights) (float64, error) {
	s := p.chain.forward(ctx, w)
	return s.mse, linop.Stopped(ctx)
}
