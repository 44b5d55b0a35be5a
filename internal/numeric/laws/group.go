package laws

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

const (
	maxOrder   = 4096   // of a group that is averaged over
	maxCounted = 50_000 // of one whose order is told
	maxCurved  = 120    // of a group of maps that are not affine
	samples    = 8      // points at which such maps are compared
	sameValue  = 1e-9
)

// group is a finite group of signed maps.
type group struct {
	dim      int
	points   [][]float64 // where elements have their values
	scale    float64     // of the translations
	elements []*element  // the identity first
	buckets  map[int64][]*element
	weights  []float64 // of the values, in the number that elements are found by
}

// element is one signed map.
type element struct {
	sign   float64
	affine *affine      // nil where the map is not
	nodes  []*expr.Node // nil where it is
	values []float64    // of the coordinates at the points of the group
}

// generate completes maps to the group that they generate.
func generate(dim int, maps []Image) (*group, error) {
	g := newGroup(dim)
	var generators []*element
	for _, im := range maps {
		generators = append(generators, g.element(im))
	}
	if err := g.complete(generators); err != nil {
		return nil, err
	}
	return g, g.invertible(generators)
}

// Finite is an error where maps of so many coordinates generate no finite group, or one that is
// too large to average over.
func Finite(dim int, maps []Image) error {
	_, err := generate(dim, maps)
	return err
}

func newGroup(dim int) *group {
	rng := rand.New(rand.NewPCG(7, 8))
	g := &group{dim: dim, buckets: map[int64][]*element{}}
	for range samples {
		x := make([]float64, dim)
		for i := range x {
			x[i] = rng.Float64()
			g.weights = append(g.weights, rng.Float64())
		}
		g.points = append(g.points, x)
	}
	one := &affine{a: make([]float64, dim*dim), b: make([]float64, dim)}
	for i := range dim {
		one.a[i*dim+i] = 1
	}
	e := &element{sign: 1, affine: one}
	g.evaluate(e)
	g.add(e)
	return g
}

// element is the map of an image, which need not be one of the group.
func (g *group) element(im Image) *element {
	e := &element{sign: im.Sign, affine: affineOf(im.At)}
	if e.affine == nil {
		e.nodes = im.At
	} else {
		for _, v := range e.affine.b {
			g.scale = max(g.scale, math.Abs(v))
		}
	}
	g.evaluate(e)
	return e
}

// complete adds all compositions of the elements with the generators.
func (g *group) complete(generators []*element) error {
	curved := slices.ContainsFunc(generators, func(e *element) bool { return e.affine == nil })
	for i := 0; i < len(g.elements); i++ {
		for _, e := range generators {
			next := g.compose(g.elements[i], e)
			known := g.find(next)
			switch {
			case known != nil && known.sign != next.sign:
				return fmt.Errorf("the signs contradict each other: some composition of the maps would both keep and change the sign, and only G = 0 obeys")
			case known != nil:
			case next.affine != nil && next.affine.moves():
				return fmt.Errorf("a composition of the maps moves all points by one step, and repeating it ever further: the group is not finite; mirrors of one coordinate must have one centre")
			case next.affine != nil && next.affine.unbounded():
				return fmt.Errorf("repeating a map stretches ever further: the maps must form a finite group, such as reflections and rotations of a square")
			case curved && len(g.elements) == maxCurved:
				return fmt.Errorf("the maps and their compositions are more than %d, the limit for maps that are not affine: they must form a finite group", maxCurved)
			case len(g.elements) == maxCounted:
				return fmt.Errorf("the maps and their compositions are more than %d: they must form a finite group, such as reflections and rotations of a square, of at most %d elements", maxCounted, maxOrder)
			default:
				g.add(next)
			}
		}
	}
	if n := len(g.elements); n > maxOrder {
		return fmt.Errorf("the maps generate a group of %d elements, which are too many to average over: at most %d; leave some of them out", n, maxOrder)
	}
	return nil
}

// invertible: a finite set of maps that is closed under composition is a group if
// some power of each generator is the identity.
func (g *group) invertible(generators []*element) error {
	for _, e := range generators {
		power := e
		for range g.elements {
			if g.same(power, g.elements[0]) {
				break
			}
			power = g.compose(power, e)
		}
		if !g.same(power, g.elements[0]) {
			return fmt.Errorf("a map is not undone by repeating it: the maps must form a finite group, such as reflections and rotations of a square")
		}
	}
	return nil
}

// compose applies first, then e.
func (g *group) compose(first, e *element) *element {
	out := &element{sign: first.sign * e.sign}
	if first.affine != nil && e.affine != nil {
		out.affine = e.affine.after(first.affine)
	} else {
		nodes := substitute(e.write(), first.write())
		for i, n := range nodes {
			nodes[i] = expr.Simplify(n)
		}
		if out.affine = affineOf(nodes); out.affine == nil {
			out.nodes = nodes
		}
	}
	g.evaluate(out)
	return out
}

func (e *element) write() []*expr.Node {
	if e.affine != nil {
		return e.affine.nodes()
	}
	return e.nodes
}

func (g *group) evaluate(e *element) {
	e.values = make([]float64, 0, g.dim*len(g.points))
	y := make([]float64, g.dim)
	for _, x := range g.points {
		e.at(y, x)
		e.values = append(e.values, y...)
	}
}

// at stores the image of x in dst.
func (e *element) at(dst, x []float64) {
	if e.affine != nil {
		e.affine.at(dst, x)
		return
	}
	for i, n := range e.nodes {
		dst[i] = expr.Eval(n, x)
	}
}

// key is a number that equal elements share to less than a bucket.
func (g *group) key(e *element) float64 {
	size, sum := 1.0, 0.0
	for i, v := range e.values {
		size = max(size, math.Abs(v))
		sum += g.weights[i] * v
	}
	return sum / size
}

const bucket = 1e-6

func (g *group) add(e *element) {
	g.elements = append(g.elements, e)
	at := int64(math.Floor(g.key(e) / bucket))
	g.buckets[at] = append(g.buckets[at], e)
}

func (g *group) find(e *element) *element {
	k := g.key(e) / bucket
	low, high := int64(math.Floor(k-.1)), int64(math.Floor(k+.1))
	for at := low; at <= high; at++ {
		for _, f := range g.buckets[at] {
			if g.same(e, f) {
				return f
			}
		}
	}
	return nil
}

// same reports whether two maps agree, to rounding, whatever their signs.
func (g *group) same(e, f *element) bool {
	if e.affine != nil && f.affine != nil {
		return e.affine.is(f.affine, g.scale)
	}
	for i, v := range e.values {
		if !(math.Abs(v-f.values[i]) <= sameValue*(1+math.Abs(v))) {
			return false
		}
	}
	return true
}

// centre is a point that affine elements leave where it is.
func (g *group) centre() []float64 {
	c, zero, y := make([]float64, g.dim), make([]float64, g.dim), make([]float64, g.dim)
	for _, e := range g.elements {
		e.at(y, zero)
		for i, v := range y {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				c[i] += v / float64(len(g.elements))
			}
		}
	}
	return c
}

func (g *group) images() []Image {
	out := make([]Image, len(g.elements))
	for i, e := range g.elements {
		out[i] = Image{Sign: e.sign, At: e.write()}
		if e.affine != nil {
			out[i].Permutation = e.affine.permutation()
		}
	}
	return out
}

// withPermutations tells of maps which of them only permute, mirror and move coordinates.
func withPermutations(maps []Image) []Image {
	out := slices.Clone(maps)
	for i, im := range maps {
		if a := affineOf(im.At); a != nil {
			out[i].Permutation = a.permutation()
		}
	}
	return out
}
