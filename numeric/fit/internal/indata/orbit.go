package indata

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Orbit is a group of maps of a constraint that act on inputs and outputs separately,
// G(x, y) = ±G(g x, g y), as flips do. If the kernel is invariant under them, the
// minimiser for every pair with all its images (f ∘ g, ± u ∘ g) is the constrained
// minimiser for the pairs: the objective of the one is that of the other for all G
// that obey, and its only minimiser obeys. So the constraint costs no more than the
// free problem of the data space.
type Orbit struct {
	Sign    []float64
	x, y    [][]int32   // the image of each point of a mesh
	axes    [][][]int32 // that of each point of an output axis
	product [][]int     // of two maps
	N       int         // pairs

	Exact func(ctx context.Context) (*criteria.Exact, error) // of the constrained problem of the pairs
}

// maxOrbit is the largest group for which each pair is taken with all its images.
const maxOrbit = 64

// NewOrbit is that of a constraint, if no map mixes inputs and outputs, or the output axes,
// or changes quadrature weights, and there is no more to the constraint than maps.
func NewOrbit(ctx context.Context, g *lattice.Lattice, n int) (o *Orbit, ok bool) {
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
	o = &Orbit{N: n}
	my := g.Y().Size()
	images, why, err := g.IndexMaps(ctx, g.Images())
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
		o.Sign, o.x, o.y, o.axes = append(o.Sign, im.Sign), append(o.x, x), append(o.y, y), append(o.axes, axes)
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
func (o *Orbit) multiply() bool {
	after := func(g, a []int32) []int32 {
		out := make([]int32, len(a))
		for i, j := range a {
			out[i] = g[j]
		}
		return out
	}
	for g := range o.Sign {
		row := make([]int, len(o.Sign))
		for a := range o.Sign {
			x, y := after(o.x[g], o.x[a]), after(o.y[g], o.y[a])
			row[a] = -1
			for b := range o.Sign {
				if o.Sign[b] == o.Sign[g]*o.Sign[a] && slices.Equal(o.x[b], x) && slices.Equal(o.y[b], y) {
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

// Pairs are those given with all their images, those of one map after another.
func (o *Orbit) Pairs(d *dataset.Dataset) (*dataset.Dataset, error) {
	mx, my := d.InputMesh.Size(), d.OutputMesh.Size()
	f, u := array.New(len(o.Sign)*o.N, mx), array.New(len(o.Sign)*o.N, my)
	for a, sign := range o.Sign {
		for i := range o.N {
			to, from := f.Data[(a*o.N+i)*mx:], d.Input.Data[i*mx:(i+1)*mx]
			for j, v := range from {
				to[o.x[a][j]] = v
			}
			to, from = u.Data[(a*o.N+i)*my:], d.Output.Data[i*my:(i+1)*my]
			for k, v := range from {
				to[o.y[a][k]] = sign * v
			}
		}
	}
	return dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh})
}

const commuting = 1e-9 // relative, of two products with a kernel

// Commutes reports whether the kernel's matrix is invariant under the maps: by its
// products with a random array and with the images of that.
func (o *Orbit) Commutes(ctx context.Context, g *lattice.Lattice, k gram.Product) (bool, error) {
	v := linop.Normal(rand.New(rand.NewPCG(11, 12)), g.Size())
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
