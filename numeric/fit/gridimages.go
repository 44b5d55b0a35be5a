package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// indexMap is a map on arrays: entry i of the image is entry at[i] of the array.
type indexMap struct {
	sign float64
	at   []int32
}

// orbits are the sets of weights that a group of maps sends to one another. They are
// known from the generators of the group; its order does not matter.
type orbits struct {
	of   []int32   // the orbit of each weight
	sign []float64 // of each weight against the first of its orbit; 0 where both signs occur
	size []float64 // of each orbit
}

// newOrbits follows the maps, permutations of n weights, from one weight to the next.
func newOrbits(n int, maps []indexMap) *orbits {
	o := &orbits{of: make([]int32, n), sign: make([]float64, n)}
	for i := range o.of {
		o.of[i] = -1
	}
	for first := range n {
		if o.of[first] >= 0 {
			continue
		}
		id, vanishes := int32(len(o.size)), false
		o.of[first], o.sign[first] = id, 1
		members := []int32{int32(first)}
		for k := 0; k < len(members); k++ {
			i := members[k]
			for _, m := range maps {
				j := m.at[i]
				switch {
				case o.of[j] < 0:
					o.of[j], o.sign[j] = id, m.sign*o.sign[i]
					members = append(members, j)
				case o.sign[j] != m.sign*o.sign[i]:
					vanishes = true
				}
			}
		}
		if vanishes {
			for _, i := range members {
				o.sign[i] = 0
			}
		}
		o.size = append(o.size, float64(len(members)))
	}
	return o
}

// average replaces v by the mean of its images.
func (o *orbits) average(v []float64) {
	sums := make([]float64, len(o.size))
	for i, k := range o.of {
		sums[k] += o.sign[i] * v[i]
	}
	for i, k := range o.of {
		v[i] = o.sign[i] * sums[k] / o.size[k]
	}
}

// mean replaces v by the means over the orbits, whatever the signs.
func (o *orbits) mean(v []float64) {
	sums := make([]float64, len(o.size))
	for i, k := range o.of {
		sums[k] += v[i]
	}
	for i, k := range o.of {
		v[i] = sums[k] / o.size[k]
	}
}

// findMaps finds the index maps of the generators and their orbits.
func (g *grid) findMaps() error {
	if len(g.generators) == 0 {
		return nil
	}
	var err error
	if g.maps, err = g.indexMaps(g.generators); err != nil {
		return err
	}
	g.orbits = newOrbits(g.weights(), g.maps)
	return nil
}

// indexMaps are those of maps that send the points of the meshes to one another; for
// others there is an offGrid error.
func (g *grid) indexMaps(images []constraint.Image) ([]indexMap, error) {
	columns, lookup := g.columns(), newLookup(g)
	var out []indexMap
	for _, im := range images {
		mapped, err := evaluateAll(im.At, columns)
		if err != nil {
			return nil, err
		}
		at, err := lookup.find(mapped)
		if err != nil {
			return nil, err
		}
		if !permutes(at) {
			return nil, &offGrid{"two points of the meshes are sent to one"}
		}
		out = append(out, indexMap{sign: im.Sign, at: at})
	}
	return out, nil
}

func permutes(at []int32) bool {
	seen := make([]bool, len(at))
	for _, i := range at {
		if seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}

// findMask evaluates the mask.
func (g *grid) findMask(t *constraint.Transform) error {
	if g.chi == nil {
		return nil
	}
	var err error
	if g.mask, err = evaluate(g.chi, g.columns()); err != nil {
		return err
	}
	for i, v := range g.mask {
		if v != 0 && v != 1 {
			return fmt.Errorf("mask: returns %g at weight %d, must be 1 or 0", v, i+1)
		}
	}
	if len(t.Obeyed) > 0 { // to rounding, the mask is that at the images of each point
		maps, err := g.indexMaps(g.lift(t.Obeyed))
		if err != nil {
			return err
		}
		o := newOrbits(len(g.mask), maps)
		o.mean(g.mask)
		for i, v := range g.mask {
			g.mask[i] = math.Floor(v + 1e-12)
		}
	}
	if floats.Sum(g.mask) == 0 {
		return fmt.Errorf("mask: leaves no point of the meshes")
	}
	return nil
}

const maskPoints = 4000 // at random in the box of the meshes

// checkMask refuses masks that leave nothing of a function that obeys the maps of the list,
// and masks of more than the lag; x and y are the meshes before the reduction.
func (g *grid) checkMask(t *constraint.Transform, x, y mesh.Mesh) error {
	if g.chi == nil {
		return nil
	}
	p := inBox(maskPoints, x, y)
	symbols, _ := kernel.Points(g.full)
	by := map[int]*expr.Node{}
	for i, v := range g.reduced(symbols.X) {
		by[i] = v
	}
	chi, err := evaluate(expr.Substitute(g.chi, by), p)
	if err != nil {
		return err
	}
	wide := true // all masks, each alone
	for _, m := range t.Masks {
		given, err := evaluate(m, p)
		if err != nil {
			return err
		}
		wide = wide && floats.Sum(given) > maskPoints/100
	}
	if wide && floats.Sum(chi) == 0 {
		return fmt.Errorf("leaves nothing of G: where it vanishes, as causality has it, it vanishes at the images under the maps of the list and where any other mask cuts it too, and here these are all points; leave one of the constraints out")
	}
	if g.lag == nil {
		return nil
	}
	moved := slices.Clone(p) // both times, to the input time of the next point
	for _, i := range []int{g.lag.Input, g.lag.Output} {
		moved[i] = slices.Clone(p[i])
		for k := range moved[i] {
			moved[i][k] += p[g.lag.Input][(k+1)%maskPoints] - p[g.lag.Input][k]
		}
	}
	given, err := evaluate(product(t.Masks), p)
	if err != nil {
		return err
	}
	other, err := evaluate(product(t.Masks), moved)
	if err != nil {
		return err
	}
	for i, v := range given {
		if v != other[i] {
			return fmt.Errorf("with time invariance a mask may depend on the times only by their difference, and this one does not: cut by t - s, or leave one of the two out")
		}
	}
	return nil
}

// product is 1 without factors.
func product(factors []*expr.Node) *expr.Node {
	out := expr.Const(1)
	for _, f := range factors {
		out = expr.Mul(out, f)
	}
	return out
}

// inBox returns the columns of random points in the box of two meshes.
func inBox(count int, x, y mesh.Mesh) [][]float64 {
	rng := rand.New(rand.NewPCG(13, 14))
	var p [][]float64
	for _, a := range append(x.Axes(), y.Axes()...) {
		for i, low := range a.Lower {
			column := make([]float64, count)
			for k := range column {
				column[k] = low + rng.Float64()*(a.Upper[i]-low)
			}
			p = append(p, column)
		}
	}
	return p
}

// average replaces v by the mean of its images: a symmetric projection.
func (g *grid) average(v []float64) {
	if g.orbits != nil {
		g.orbits.average(v)
	}
}

// scales returns the square roots of the quadrature weights, averaged over the images
// of each point so that the average of scaled arrays is a symmetric projection, and
// the factors that lead back to those of each point: nil where the images have the
// same weights.
func (g *grid) scales() (s, back []float64) {
	own := roots(g.x.Weights(), g.y.Weights())
	if g.orbits == nil {
		return own, nil
	}
	s, back = make([]float64, len(own)), make([]float64, len(own))
	floats.MulTo(s, own, own)
	g.orbits.mean(s)
	same := true
	for i, v := range own {
		s[i] = math.Sqrt(s[i])
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
	known := map[string]bool{}
	for _, im := range g.images {
		p := im.Permutation
		if text := fmt.Sprint(p); len(p) != len(shape) || known[text] {
			continue
		} else {
			known[text] = true
		}
		count++
		index := make([]int, len(shape))
		for i := range sum {
			from := 0
			for k := range shape {
				from = from*shape[k] + index[p[k]]
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

// fraction is the part of all arrays of weights that the constraint leaves: orbits
// that do not vanish, with a point that the mask keeps.
func (g *grid) fraction() float64 {
	n := g.weights()
	if g.orbits == nil && g.mask == nil {
		return 1
	}
	left, seen := 0, make([]bool, n)
	for i := range n {
		k := i
		if g.orbits != nil {
			k = int(g.orbits.of[i])
			seen[k] = seen[k] || g.orbits.sign[i] == 0
		}
		if !seen[k] && (g.mask == nil || g.mask[i] == 1) {
			seen[k] = true
			left++
		}
	}
	return max(float64(left), 1) / float64(n)
}
