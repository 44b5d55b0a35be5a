package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/criteria"
	"github.com/greenbench/workbench/numeric/fit/lattice"
	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/linop"
)

// orbit is a group of maps of a constraint that act on inputs and outputs separately,
// G(x, y) = ±G(g x, g y), as flips do. If the kernel is invariant under them, the
// minimiser for every pair with all its images (f ∘ g, ± u ∘ g) is the constrained
// minimiser for the pairs: the objective of the one is that of the other for all G
// that obey, and its only minimiser obeys. So the constraint costs no more than the
// free problem of the data space.
type orbit struct {
	sign    []float64
	x, y    [][]int32   // the image of each point of a mesh
	axes    [][][]int32 // that of each point of an output axis
	product [][]int     // of two maps
	n       int         // pairs

	exact func(ctx context.Context) (*criteria.Exact, error) // of the constrained problem of the pairs
}

// images is the free problem of the pairs with their images.
type images struct {
	*inData
	lattice *lattice.Lattice
}

func newImages(ctx context.Context, q *question) (*images, error) {
	spec := *q.spec
	spec.Constraint = nil
	var err error
	if spec.Data, err = q.orbit.images(q.spec.Data); err != nil {
		return nil, err
	}
	sys, err := newSystemWith(ctx, &spec, q.held, true)
	if err != nil {
		return nil, err
	}
	q.orbit.exact = func(ctx context.Context) (*criteria.Exact, error) {
		w, err := newInWeights(ctx, q)
		if err != nil {
			return nil, err
		}
		return w.exactCriteria(ctx)
	}
	sys.orbit = q.orbit
	return &images{&inData{spec: &spec, sys: sys}, q.lattice}, nil
}

// weigh is problem's. The weights of a solution that does not quite obey are projected on
// those that do: with what that takes away, δ, which is orthogonal to the rest.
func (p *images) weigh(ctx context.Context, at penalty, z []float64) (*weighed, error) {
	w, err := p.inData.weigh(ctx, at, z)
	if err != nil {
		return nil, err
	}
	green := w.green.RawMatrix().Data
	delta, change := slices.Clone(green), make([]float64, len(green))
	p.lattice.Average(green)
	floats.Sub(delta, green)
	w.k.Apply(ctx, change, delta)
	square := floats.Dot(delta, change)
	w.green2 -= square
	w.apart += at.lambda * square
	floats.Add(w.misfit, w.respond(ctx, change, nil))
	return w, linop.Stopped(ctx)
}

// maxOrbit is the largest group for which each pair is taken with all its images.
const maxOrbit = 64

// newOrbit is that of a constraint, if no map mixes inputs and outputs, or the output axes,
// or changes quadrature weights, and there is no more to the constraint than maps.
func newOrbit(g *lattice.Lattice, n int) (o *orbit, ok bool) {
	if g.Maps() == nil || g.Masked() || g.Lag() != nil || len(g.Images()) > maxOrbit {
		return nil, false
	}
	if _, back := g.Scales(); back != nil {
		return nil, false
	}
	var shape []int
	for _, a := range g.Y().Axes() {
		shape = append(shape, a.Size())
	}
	o = &orbit{n: n}
	my := g.Y().Size()
	images, why, err := g.IndexMaps(g.Images())
	if err != nil || why != "" {
		return nil, false // compositions that are off the meshes by rounding
	}
	for _, im := range images {
		x, y := make([]int32, g.X().Size()), make([]int32, my)
		for j := range x {
			x[j] = im.At[j*my] / int32(my)
		}
		for k := range y {
			y[k] = im.At[k] % int32(my)
		}
		for i, at := range im.At {
			if at != x[i/my]*int32(my)+y[i%my] {
				return nil, false
			}
		}
		axes := alongAxes(y, shape)
		if axes == nil {
			return nil, false
		}
		o.sign, o.x, o.y, o.axes = append(o.sign, im.Sign), append(o.x, x), append(o.y, y), append(o.axes, axes)
	}
	return o, o.multiply()
}

// alongAxes splits a map of a product of axes into maps of each, nil if it is no
// product of such.
func alongAxes(y []int32, shape []int) [][]int32 {
	axes, stride := make([][]int32, len(shape)), len(y)
	for a, n := range shape {
		stride /= n
		axes[a] = make([]int32, n)
		for i := range axes[a] {
			axes[a][i] = y[i*stride] / int32(stride) % int32(n)
		}
	}
	for k, at := range y {
		stride, image := len(y), int32(0)
		for a, n := range shape {
			stride /= n
			image += axes[a][k/stride%n] * int32(stride)
		}
		if image != at {
			return nil
		}
	}
	return axes
}

// multiply fills in the products; it fails if one is missing.
func (o *orbit) multiply() bool {
	after := func(g, a []int32) []int32 {
		out := make([]int32, len(a))
		for i, j := range a {
			out[i] = g[j]
		}
		return out
	}
	for g := range o.sign {
		row := make([]int, len(o.sign))
		for a := range o.sign {
			x, y := after(o.x[g], o.x[a]), after(o.y[g], o.y[a])
			row[a] = -1
			for b := range o.sign {
				if o.sign[b] == o.sign[g]*o.sign[a] && slices.Equal(o.x[b], x) && slices.Equal(o.y[b], y) {
					row[a] = b
				}
			}
			if row[a] < 0 {
				return false
			}
		}
		o.product = append(o.product, row)
	}
	return true
}

// images are the pairs with all their images, those of one map after another.
func (o *orbit) images(d *dataset.Dataset) (*dataset.Dataset, error) {
	mx, my := d.InputMesh.Size(), d.OutputMesh.Size()
	f, u := array.New(len(o.sign)*o.n, mx), array.New(len(o.sign)*o.n, my)
	for a, sign := range o.sign {
		for i := range o.n {
			to, from := f.Data[(a*o.n+i)*mx:], d.Input.Data[i*mx:(i+1)*mx]
			for j, v := range from {
				to[o.x[a][j]] = v
			}
			to, from = u.Data[(a*o.n+i)*my:], d.Output.Data[i*my:(i+1)*my]
			for k, v := range from {
				to[o.y[a][k]] = sign * v
			}
		}
	}
	return dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh})
}

const commuting = 1e-9 // relative, of two products with a kernel

// commutes reports whether the kernel's matrix is invariant under the maps: by its
// products with a random array and with the images of that.
func (o *orbit) commutes(ctx context.Context, g *lattice.Lattice, k gram.Product) (bool, error) {
	rng := rand.New(rand.NewPCG(11, 12))
	v := make([]float64, g.Size())
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	kv, image, got := make([]float64, len(v)), make([]float64, len(v)), make([]float64, len(v))
	k.Apply(ctx, kv, v)
	for _, im := range g.Maps() {
		for i, at := range im.At {
			image[i] = v[at]
		}
		k.Apply(ctx, got, image)
		var off, size float64
		for i, at := range im.At {
			off = max(off, math.Abs(got[i]-kv[at]))
			size = max(size, math.Abs(got[i]))
		}
		if off > commuting*size {
			return false, linop.Stopped(ctx)
		}
	}
	return true, linop.Stopped(ctx)
}

// shares returns, for the modes of a system in its bases, r × my, how much of each
// obeys the constraint: the diagonal of the projection on arrays of outputs that the
// maps leave as they are. Modes that do not are no part of the constrained problem, nor
// of its determinant.
func (o *orbit) shares(ctx context.Context, sys *system) *mat.Dense {
	r := sys.rows()
	total := mat.NewDense(r, sys.my, nil)
	for g, sign := range o.sign {
		rows, modes := make([]float64, r), []float64{sign / float64(len(o.sign))}
		for a, b := range o.product[g] {
			for i := range o.n {
				if ctx.Err() != nil {
					return total
				}
				from, to := sys.p.RawRowView(a*o.n+i), sys.p.RawRowView(b*o.n+i)
				for k, v := range from {
					rows[k] += v * to[k]
				}
			}
		}
		for axis, v := range sys.v {
			n, _ := v.Dims()
			next := make([]float64, 0, len(modes)*n)
			own := make([]float64, n)
			for i, at := range o.axes[g][axis] {
				for k, c := range v.RawRowView(i) {
					own[k] += c * v.At(int(at), k)
				}
			}
			for _, p := range modes {
				for _, q := range own {
					next = append(next, p*q)
				}
			}
			modes = next
		}
		total.RankOne(total, 1, mat.NewVecDense(r, rows), mat.NewVecDense(sys.my, modes))
	}
	return total
}
