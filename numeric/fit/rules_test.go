package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// rule is a constraint, and beside it what it means, written by hand: maps of points
// under which G keeps its value or changes its sign, where it vanishes, and the two
// times that count by their difference only. The kernel, not G, is symmetrised by
// further maps before it is cut (paper, appendix E.3).
type rule struct {
	c          constraint.Constraint // nil: none
	maps       []signed
	symmetrise []signed
	mask       func(p []float64) bool
	lag        *[2]int

	inexact bool // points and their images coincide to rounding only
}

type signed struct {
	sign float64
	to   func(p []float64) []float64
}

// and is both rules.
func (r rule) and(o rule) rule {
	var list constraint.List
	for _, c := range []constraint.Constraint{r.c, o.c} {
		if l, ok := c.(constraint.List); ok {
			list = append(list, l...)
		} else if c != nil {
			list = append(list, c)
		}
	}
	both := rule{c: list, maps: slices.Concat(r.maps, o.maps), symmetrise: slices.Concat(r.symmetrise, o.symmetrise), mask: r.mask, lag: r.lag, inexact: r.inexact || o.inexact}
	if o.lag != nil {
		both.lag = o.lag
	}
	if o.mask != nil && r.mask != nil {
		both.mask = func(p []float64) bool { return r.mask(p) && o.mask(p) }
	} else if o.mask != nil {
		both.mask = o.mask
	}
	return both
}

// probes are where maps are compared.
func probes(dim int) [][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([][]float64, 3)
	for i := range all {
		for range dim {
			all[i] = append(all[i], rng.Float64())
		}
	}
	return all
}

// laws are what G obeys: the group Γ of the maps, where its values are not cut at any
// image of a point, and the group that the kernel is averaged over, Γ with the
// symmetrising maps as long as those tie no values inside that Γ does not. Γ is nil if
// some map would both keep and change the sign.
func (r rule) laws(centre, scale float64, dim int) (obeyed, average []signed, inside func(p []float64) bool) {
	obeyed = generated(r.maps, dim)
	inside = func(p []float64) bool {
		return r.mask == nil || !slices.ContainsFunc(obeyed, func(g signed) bool { return !r.mask(g.to(p)) })
	}
	average = generated(slices.Concat(r.maps, r.symmetrise), dim)
	if obeyed == nil || average == nil || len(r.symmetrise) == 0 {
		return obeyed, obeyed, inside
	}
	rng, found := rand.New(rand.NewPCG(5, 6)), false
	for range 300 {
		p := make([]float64, dim)
		for i := range p {
			p[i] = centre + scale*rng.NormFloat64()
		}
		if !inside(p) {
			continue
		}
		found = true
		for _, g := range average {
			if q := g.to(p); inside(q) && !slices.ContainsFunc(obeyed, func(h signed) bool { return close9(h.to(p), q) }) {
				return obeyed, obeyed, inside
			}
		}
	}
	if !found {
		average = obeyed
	}
	return obeyed, average, inside
}

func close9(a, b []float64) bool { return floats.Distance(a, b, math.Inf(1)) <= 1e-9 }

// generated completes maps to the group that they generate; nil if some map would both
// keep and change the sign.
func generated(maps []signed, dim int) []signed {
	at := probes(dim)
	key := func(g signed) []float64 {
		var k []float64
		for _, p := range at {
			k = append(k, g.to(p)...)
		}
		return k
	}
	all := []signed{{1, func(p []float64) []float64 { return p }}}
	keys := [][]float64{key(all[0])}
	for i := 0; i < len(all) && len(all) < 1000; i++ {
		for _, m := range maps {
			first := all[i]
			next := signed{first.sign * m.sign, func(p []float64) []float64 { return m.to(first.to(p)) }}
			k := key(next)
			known := slices.IndexFunc(keys, func(o []float64) bool { return close9(o, k) })
			switch {
			case known < 0:
				all, keys = append(all, next), append(keys, k)
			case all[known].sign != next.sign:
				return nil
			}
		}
	}
	return all
}

// exchanges are permutations of coordinates: to[i] is where coordinate i comes from.
func exchanges(sign float64, to ...int) signed {
	return signed{sign, func(p []float64) []float64 {
		q := make([]float64, len(p))
		for i, j := range to {
			q[i] = p[j]
		}
		return q
	}}
}

// swap exchanges two coordinates of dim.
func swap(sign float64, dim, a, b int) signed {
	to := make([]int, dim)
	for i := range to {
		to[i] = i
	}
	to[a], to[b] = b, a
	return exchanges(sign, to...)
}

func symmetric(s kernel.Space, odd bool, names ...string) rule {
	sign := 1.0
	var c constraint.Constraint = constraint.Symmetric{Names: names}
	if odd {
		sign, c = -1, constraint.Antisymmetric{Names: names}
	}
	r := rule{c: c}
	for i := range len(names) - 1 {
		r.maps = append(r.maps, swap(sign, s.Dim(), slices.Index(s.Names, names[i]), slices.Index(s.Names, names[i+1])))
	}
	return r
}

func flip(s kernel.Space, about float64, odd bool, names ...string) rule {
	sign := 1.0
	if odd {
		sign = -1
	}
	return rule{
		c: constraint.Flip{Names: names, About: about, Odd: odd}, inexact: true,
		maps: []signed{{sign, func(p []float64) []float64 {
			q := slices.Clone(p)
			for _, n := range names {
				i := slices.Index(s.Names, n)
				q[i] = 2*about - q[i]
			}
			return q
		}}},
	}
}

// permute exchanges lists of two coordinates.
func permute(s kernel.Space, lists ...[]string) rule {
	to := make([]int, s.Dim())
	for i := range to {
		to[i] = i
	}
	for _, l := range lists {
		a, b := slices.Index(s.Names, l[0]), slices.Index(s.Names, l[1])
		to[a], to[b] = b, a
	}
	return rule{c: constraint.Permute{Lists: lists}, maps: []signed{exchanges(1, to...)}}
}

// rotation turns the plane of two coordinates by a right angle about a centre.
func rotation(s kernel.Space, centre, sign float64, a, b string) rule {
	i, j := slices.Index(s.Names, a), slices.Index(s.Names, b)
	x, y := expr.Var(kernels.NameSlot(0, 0), a), expr.Var(kernels.NameSlot(0, 1), b)
	return rule{
		c: written.Defined{
			Average: []written.Signed{{Sign: sign, Map: written.Map{
				Formula: kernels.Formula{Points: 1, Names: []string{a, b}, Forms: []kernels.Form{{Nodes: []*expr.Node{expr.Sub(expr.Const(2*centre), y), x}}}},
				Image:   []string{a, b},
			}}},
			Text: fmt.Sprintf("define{average={{map=function(p) return {%s=%v-p.%s, %s=p.%s} end, sign=%v}}}", a, 2*centre, b, b, a, sign),
		},
		inexact: true,
		maps: []signed{{sign, func(p []float64) []float64 {
			q := slices.Clone(p)
			q[i], q[j] = 2*centre-p[j], p[i]
			return q
		}}},
	}
}

// within is where two coordinates are at most a width apart.
func within(s kernel.Space, a, b string, width float64) rule {
	i, j := slices.Index(s.Names, a), slices.Index(s.Names, b)
	return rule{
		c: region{where: func(p kernels.Point) *expr.Node {
			return expr.GE(expr.Const(width), expr.Abs(expr.Sub(p.X[i], p.X[j])))
		}, text: fmt.Sprintf("function(p) return le(math.abs(p.%s-p.%s), %v) end", a, b, width)},
		mask: func(p []float64) bool { return math.Abs(p[i]-p[j]) <= width },
	}
}

func times(s kernel.Space) (in, out int) {
	return slices.Index(s.Names, "s"), slices.Index(s.Names, "t")
}

func causal(s kernel.Space, anti bool) rule {
	in, out := times(s)
	r := rule{c: constraint.Causal{Input: "s", Output: "t"}, symmetrise: []signed{swap(1, s.Dim(), in, out)}}
	r.mask = func(p []float64) bool { return p[out]-p[in] >= -sameTime(p[out], p[in]) }
	if anti {
		r.c = constraint.Anticausal{Input: "s", Output: "t"}
		r.mask = func(p []float64) bool { return p[out]-p[in] <= sameTime(p[out], p[in]) }
	}
	return r
}

func invariant(s kernel.Space) rule {
	in, out := times(s)
	return rule{c: constraint.TimeInvariant{Input: "s", Output: "t"}, lag: &[2]int{in, out}, inexact: true}
}

func (r rule) String() string {
	if r.c == nil {
		return "none"
	}
	return strings.ReplaceAll(fmt.Sprint(r.c), "\n", " ")
}

// sameTime is how far apart two times are one: the nodes of two rules that are equal in exact
// arithmetic differ by rounding, and causality includes the same time.
func sameTime(s, t float64) float64 { return 1e-12 * (math.Abs(s) + math.Abs(t)) }
