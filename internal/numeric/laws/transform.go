package laws

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Transform is what laws do on one space: a reduction, then an average, then a mask.
type Transform struct {
	Reduce *Lag         // nil: none
	Space  kernel.Space // reduced, that of the kernel and of all that follows
	Images []Image      // the group that is averaged over, the identity first
	// Obeyed generate the group whose maps G obeys, a part of that of the images;
	// Generators generate that one.
	Obeyed, Generators []Image
	Chi                *expr.Node // 1 where G may differ from zero, 0 elsewhere; nil: everywhere

	Exchanged [][]int      // coordinates of the space before the reduction
	Masks     []*expr.Node // as given, on the space before the reduction
}

// On returns what laws do on a space. It fails where only G = 0 obeys, and where the group is
// infinite or larger than 4096.
func (l Laws) On(s kernel.Space) (*Transform, error) {
	t := &Transform{Reduce: l.Reduce, Space: s, Exchanged: l.Exchanged, Masks: l.Masks}
	if l.Reduce != nil {
		t.Space = l.Reduce.Space(s)
		var err error
		if l, err = l.Reduced(s.Dim()); err != nil {
			return nil, err
		}
	}
	dim := t.Space.Dim()
	obeyed, err := generate(dim, l.Obey)
	if err != nil {
		return nil, err
	}
	t.Obeyed = withPermutations(l.Obey)
	t.Images, t.Generators = obeyed.images(), t.Obeyed
	t.Chi = intersection(l.Masks, t.Images)
	if len(l.Symmetrise) == 0 {
		return t, nil
	}
	both := slices.Concat(l.Obey, l.Symmetrise)
	all, err := generate(dim, both)
	if err != nil {
		return t, nil // see package constraint: symmetrising is no law
	}
	if !ties(all, obeyed, t.Chi) {
		t.Images, t.Generators = all.images(), withPermutations(both)
	}
	return t, nil
}

// intersection is the product of all masks at all images of a point: χ̄. What is
// seen to be the same mask at another image is taken once.
func intersection(masks []*expr.Node, group []Image) *expr.Node {
	if len(masks) == 0 {
		return nil
	}
	chi, known := expr.Const(1), map[string][]*expr.Node{}
	for _, im := range group {
		for _, m := range substitute(masks, im.At) {
			m = expr.Simplify(m)
			text := m.String() // may be cut
			if !slices.ContainsFunc(known[text], func(n *expr.Node) bool { return expr.Equal(m, n) }) {
				known[text] = append(known[text], m)
				chi = expr.Mul(chi, m)
			}
		}
	}
	return chi
}

// ties reports whether a group ties values inside of a mask that a part of it,
// obeyed, does not tie, at random points of all scales around its centre.
func ties(all, obeyed *group, chi *expr.Node) bool {
	if chi == nil {
		return true
	}
	others := slices.DeleteFunc(slices.Clone(all.elements), func(e *element) bool { return obeyed.find(e) != nil })
	y := make([]float64, all.dim)
	inside := 0
	for x := range scattered(all.centre(), manyPoints) {
		if expr.Eval(chi, x) != 1 {
			continue
		}
		inside++
		for _, e := range others[:min(len(others), manyPoints)] {
			if e.at(y, x); expr.Eval(chi, y) == 1 {
				return true
			}
		}
	}
	return inside == 0
}

// Parts reports whether a map moves a mask off itself, at random points of all
// scales around its centre.
func (im Image) Parts(mask *expr.Node) bool {
	g, err := generate(len(im.At), []Image{im})
	if err != nil {
		return false
	}
	e, y, inside := &element{nodes: im.At}, make([]float64, g.dim), false
	for x := range scattered(g.centre(), manyPoints) {
		if expr.Eval(mask, x) != 1 {
			continue
		}
		inside = true
		if e.at(y, x); expr.Eval(mask, y) == 1 {
			return false
		}
	}
	return inside
}

const manyPoints = 400

// scattered yields random points around a centre, at distances of 1e-9 to 1e12.
func scattered(centre []float64, count int) func(yield func([]float64) bool) {
	return func(yield func([]float64) bool) {
		rng := rand.New(rand.NewPCG(9, 10))
		x := make([]float64, len(centre))
		for range count {
			r := math.Pow(10, 21*rng.Float64()-9)
			for i, c := range centre {
				x[i] = c + r*rng.NormFloat64()
			}
			if !yield(x) {
				return
			}
		}
	}
}
