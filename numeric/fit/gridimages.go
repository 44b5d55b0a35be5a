package fit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// indexMap averages arrays: entry i of the image is entry at[i] of the array.
type indexMap struct {
	sign float64
	at   []int32
	axes []int // the permutation of coordinates, nil when the map is no such thing
}

func (g *grid) findImages(t constraint.Transform) error {
	images := t.Images(g.full.Dim())
	if len(images) == 1 {
		return nil // the identity: nothing to average
	}
	columns := g.representative()
	symbols, _ := kernel.Points(g.full)
	lookup := newLookup(g)
	for _, im := range images {
		x := g.reduced(im.Map(symbols.X))
		mapped := make([][]float64, len(x))
		for i, n := range x {
			col, err := g.evaluate(n, columns)
			if err != nil {
				return err
			}
			mapped[i] = col
		}
		at, err := lookup.find(mapped)
		if err != nil {
			return err
		}
		g.images = append(g.images, indexMap{sign: im.Sign, at: at, axes: g.reducedPermutation(im.Permutation)})
	}
	return nil
}

// reducedPermutation is a permutation of the full coordinates as one of the
// coordinates of the weights.
func (g *grid) reducedPermutation(p []int) []int {
	if p == nil || g.lag == nil {
		return p
	}
	place := map[int]int{}
	first := 0
	if g.point {
		first = 1
	}
	for i := range p {
		if i != g.lag.Input && i != g.lag.Output {
			place[i] = first + len(place)
		}
	}
	out := make([]int, first+len(place)+1)
	for i, j := range p {
		if at, ok := place[i]; ok {
			to, ok := place[j]
			if !ok {
				return nil
			}
			out[at] = to
		}
	}
	last := len(out) - 1
	out[last] = last
	return out
}

func (g *grid) findMask(t constraint.Transform) error {
	if len(t.Masks) == 0 {
		return nil
	}
	symbols, _ := kernel.Points(g.full)
	var err error
	g.mask, err = g.evaluate(t.Chi(symbols.X), g.representative())
	if err != nil {
		return err
	}
	kept := 0
	for i, v := range g.mask {
		if v != 0 && v != 1 {
			return fmt.Errorf("mask: returns %g at weight %d, must be 1 or 0", v, i+1)
		}
		if v == 1 {
			kept++
		}
	}
	if kept == 0 {
		return fmt.Errorf("mask: leaves no point of the meshes")
	}
	return nil
}

// average replaces v by the mean of its images: a symmetric projection.
func (g *grid) average(v []float64) {
	if g.images == nil {
		return
	}
	out := make([]float64, len(v))
	for _, im := range g.images {
		c := im.sign / float64(len(g.images))
		for i, j := range im.at {
			out[i] += c * v[j]
		}
	}
	copy(v, out)
}

// scales returns the square roots of the quadrature weights, averaged over the images
// of each point so that the average of scaled arrays is a symmetric projection, and
// the factors that lead back to those of each point: nil where the images have the
// same weights.
func (g *grid) scales() (s, back []float64) {
	own := roots(g.x.Weights(), g.y.Weights())
	if g.images == nil {
		return own, nil
	}
	s, back = make([]float64, len(own)), make([]float64, len(own))
	same := true
	for i, v := range own {
		sum := 0.0
		for _, im := range g.images {
			sum += own[im.at[i]] * own[im.at[i]]
		}
		s[i] = math.Sqrt(sum / float64(len(g.images)))
		if s[i] > 0 {
			back[i] = v / s[i]
		}
		same = same && math.Abs(s[i]-v) <= 1e-12*s[i]
	}
	if same {
		return own, nil
	}
	return s, back
}

// applyMask sets to zero what the mask forbids.
func (g *grid) applyMask(v []float64) {
	for i, m := range g.mask {
		if m == 0 {
			v[i] = 0
		}
	}
}

// averageModes averages numbers given for the tensor modes of the axes over the
// images that permute coordinates, mx × my.
func (g *grid) averageModes(nu *mat.Dense) {
	axes := append(g.x.Axes(), g.y.Axes()...)
	var shape []int
	for _, a := range axes {
		shape = append(shape, a.Size())
	}
	count, data := 0, nu.RawMatrix().Data
	sum := make([]float64, len(data))
	for _, im := range g.images {
		if len(im.axes) != len(shape) {
			continue
		}
		count++
		index := make([]int, len(shape))
		for i := range sum {
			from := 0
			for k := range shape {
				from = from*shape[k] + index[im.axes[k]]
			}
			sum[i] += data[from]
			for k := len(shape) - 1; k >= 0; k-- {
				if index[k]++; index[k] < shape[k] {
					break
				}
				index[k] = 0
			}
		}
	}
	if count == 0 {
		return
	}
	for i, v := range sum {
		data[i] = v / float64(count)
	}
}

// fraction is the part of all arrays of weights that the constraint leaves: the
// trace of the average over the number of weights, or what the mask keeps if that
// is less.
func (g *grid) fraction() float64 {
	n := float64(g.weights())
	part := 1.0
	if g.images != nil {
		trace := 0.0
		for _, im := range g.images {
			for i, j := range im.at {
				if int32(i) == j {
					trace += im.sign
				}
			}
		}
		part = trace / float64(len(g.images)) / n
	}
	if g.mask != nil {
		part = min(part, floats.Sum(g.mask)/n)
	}
	return max(part, 1/n)
}
