package lattice

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/internal/expr"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// IndexMap is a map on arrays: entry i of the image is entry At[i] of the array.
type IndexMap struct {
	Sign float64
	At   []int32
}

// orbits are the sets of weights that a group of maps sends to one another. They are
// known from the generators of the group; its order does not matter. Meshes that an estimate is
// evaluated on have ten million weights and more: numbers are as short as they can be.
type orbits struct {
	of   []int32 // the orbit of each weight
	sign []int8  // of each weight against the first of its orbit; 0 where both signs occur
	size []int32 // of each orbit
}

// newOrbits follows the maps, permutations of n weights, from one weight to the next.
func newOrbits(n int, maps []IndexMap) *orbits {
	o := &orbits{of: make([]int32, n), sign: make([]int8, n)}
	for i := range o.of {
		o.of[i] = -1
	}
	var members []int32 // of one orbit
	for first := range n {
		if o.of[first] >= 0 {
			continue
		}
		id, vanishes := int32(len(o.size)), false
		o.of[first], o.sign[first] = id, 1
		members = append(members[:0], int32(first))
		for k := 0; k < len(members); k++ {
			i := members[k]
			for _, m := range maps {
				j, sign := m.At[i], int8(m.Sign)*o.sign[i]
				switch {
				case o.of[j] < 0:
					o.of[j], o.sign[j] = id, sign
					members = append(members, j)
				case o.sign[j] != sign:
					vanishes = true
				}
			}
		}
		if vanishes {
			for _, i := range members {
				o.sign[i] = 0
			}
		}
		o.size = append(o.size, int32(len(members)))
	}
	return o
}

// average replaces v by the mean of its images.
func (o *orbits) average(v []float64) {
	sums := make([]float64, len(o.size))
	for i, k := range o.of {
		sums[k] += float64(o.sign[i]) * v[i]
	}
	for i, k := range o.of {
		v[i] = float64(o.sign[i]) * sums[k] / float64(o.size[k])
	}
}

// mean replaces v by the means over the orbits, whatever the signs.
func (o *orbits) mean(v []float64) {
	sums := make([]float64, len(o.size))
	for i, k := range o.of {
		sums[k] += v[i]
	}
	for i, k := range o.of {
		v[i] = sums[k] / float64(o.size[k])
	}
}

// findMaps finds the index maps of the generators and their orbits.
func (l *Lattice) findMaps(ctx context.Context, beside float64) error {
	if len(l.generators) == 0 {
		return nil
	}
	var err error
	if l.maps, l.off, err = l.indexMaps(ctx, l.generators, beside); err != nil || l.off != "" {
		return err
	}
	l.orbits = newOrbits(l.Size(), l.maps)
	return nil
}

// checkGroup refuses groups that lack maps: maps that are not affine are told apart by their
// values near the origin, and there those of a domain far away may all look alike.
func (l *Lattice) checkGroup(ctx context.Context) error {
	known := func(g constraint.Image) bool { return g.Permutation != nil }
	if !slices.ContainsFunc(l.generators, func(g constraint.Image) bool { return !known(g) }) {
		return nil
	}
	maps, why, err := l.IndexMaps(ctx, l.images)
	if err != nil || why != "" { // compositions that are off the meshes by rounding
		return err
	}
	if all := newOrbits(l.Size(), maps); len(all.size) != len(l.orbits.size) {
		return fmt.Errorf("its maps cannot be told apart near zero, where maps that are not affine are compared: measure the coordinates from a point of the domain")
	}
	return nil
}

// IndexMaps are those of maps that send the points of the meshes to one another; for
// others there are none, and why says why.
func (l *Lattice) IndexMaps(ctx context.Context, images []constraint.Image) (maps []IndexMap, why string, err error) {
	return l.indexMaps(ctx, images, besideOnMeshes)
}

func (l *Lattice) indexMaps(ctx context.Context, images []constraint.Image, beside float64) (maps []IndexMap, why string, err error) {
	lookup, why := newLookup(l, beside)
	if why != "" {
		return nil, why, nil
	}
	for _, im := range images {
		at, why, err := lookup.find(ctx, im)
		if err == nil && why == "" && !permutes(at) {
			why = "two points of the meshes are sent to one"
		}
		if err != nil || why != "" {
			return nil, why, err
		}
		maps = append(maps, IndexMap{Sign: im.Sign, At: at})
	}
	return maps, "", nil
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
func (l *Lattice) findMask(ctx context.Context, t *constraint.Transform) error {
	if l.chi == nil {
		return nil
	}
	var err error
	if l.mask, err = evaluate(l.chi, l.columns()); err != nil {
		return err
	}
	for i, v := range l.mask {
		if v != 0 && v != 1 {
			return fmt.Errorf("mask: returns %g at weight %d, must be 1 or 0", v, i+1)
		}
	}
	if len(t.Obeyed) > 0 { // to rounding, the mask is that at the images of each point
		maps, why, err := l.IndexMaps(ctx, l.lift(t.Obeyed))
		if l.off = why; err != nil || why != "" {
			return err
		}
		o := newOrbits(len(l.mask), maps)
		o.mean(l.mask)
		for i, v := range l.mask {
			l.mask[i] = math.Floor(v + 1e-12)
		}
	}
	if floats.Sum(l.mask) == 0 {
		return fmt.Errorf("mask: leaves no point of the meshes")
	}
	return nil
}

const maskPoints = 4000 // at random in the box of the meshes

// checkMask refuses masks that leave nothing of a function that obeys the maps of the list,
// and masks of more than the lag; x and y are the meshes before the reduction.
func (l *Lattice) checkMask(t *constraint.Transform, x, y mesh.Mesh) error {
	if l.chi == nil {
		return nil
	}
	p := inBox(maskPoints, x, y)
	symbols, _ := kernel.Points(l.full)
	by := map[int]*expr.Node{}
	for i, v := range l.reduced(symbols.X) {
		by[i] = v
	}
	chi, err := evaluate(expr.Substitute(l.chi, by), p)
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
	if l.lag == nil {
		return nil
	}
	moved := slices.Clone(p) // both times, to the input time of the next point
	for _, i := range []int{l.lag.Input, l.lag.Output} {
		moved[i] = slices.Clone(p[i])
		for k := range moved[i] {
			moved[i][k] += p[l.lag.Input][(k+1)%maskPoints] - p[l.lag.Input][k]
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

// Average replaces v by the mean of its images: a symmetric projection.
func (l *Lattice) Average(v []float64) {
	if l.orbits != nil {
		l.orbits.average(v)
	}
}

// Scales returns the square roots of the quadrature weights, averaged over the images
// of each point so that the average of scaled arrays is a symmetric projection, and
// the factors that lead back to those of each point: nil where the images have the
// same weights.
func (l *Lattice) Scales() (s, back []float64) {
	var own []float64
	for _, p := range l.x.Weights() {
		for _, q := range l.y.Weights() {
			own = append(own, math.Sqrt(p*q))
		}
	}
	if l.orbits == nil {
		return own, nil
	}
	s, back = make([]float64, len(own)), make([]float64, len(own))
	floats.MulTo(s, own, own)
	l.orbits.mean(s)
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

// Mask sets to zero what the mask forbids.
func (l *Lattice) Mask(v []float64) {
	for i, m := range l.mask {
		if m == 0 {
			v[i] = 0
		}
	}
}

// Exchanged is for each axis of X and Y the first of those that the maps exchange it with,
// itself if there is none.
func (l *Lattice) Exchanged() []int {
	axes := append(l.x.Axes(), l.y.Axes()...)
	first := make([]int, len(axes))
	for k := range first {
		first[k] = k
	}
	for _, im := range l.images {
		if len(im.Permutation) != len(axes) {
			continue
		}
		for k, to := range im.Permutation {
			if axes[k].Size() == axes[to].Size() {
				first[k] = min(first[k], to)
			}
		}
	}
	return first
}

// AverageModes averages numbers given for the tensor modes of the axes over the
// images that permute coordinates, mx × my.
func (l *Lattice) AverageModes(nu *mat.Dense) {
	axes := append(l.x.Axes(), l.y.Axes()...)
	var shape []int
	for _, a := range axes {
		shape = append(shape, a.Size())
	}
	count, data := 0, nu.RawMatrix().Data
	sum := make([]float64, len(data))
	known := map[string]bool{}
	for _, im := range l.images {
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

// Fraction is the part of all arrays of weights that the constraint leaves: orbits
// that do not vanish, with a point that the mask keeps.
func (l *Lattice) Fraction() float64 {
	f := l.Folding()
	if f == nil {
		return 1
	}
	return float64(max(f.Size(), 1)) / float64(l.Size())
}

// LastAxisMask is the mask along the last axis when it depends on nothing else,
// nil otherwise.
func (l *Lattice) LastAxisMask() []float64 {
	if l.mask == nil {
		return nil
	}
	axes := l.y.Axes()
	n := axes[len(axes)-1].Size()
	first := l.mask[:n]
	for at := n; at < len(l.mask); at += n {
		if !floats.Equal(first, l.mask[at:at+n]) {
			return nil
		}
	}
	return first
}
