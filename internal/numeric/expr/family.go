package expr

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Family recognises the radial kernels that package simd has fused loops for,
// in whatever way they were written:
//
//	n = amplitude * family(s),  s² = Σ_i (scale[i] (p_i - q_i))²
//
// scale is what simd.NewPoints takes. ok is false for other profiles.
func (r Radial) Family() (family simd.Family, scale []float64, amplitude float64, ok bool) {
	var f familyFinder
	if !f.profile(Simplify(r.Profile)) {
		return 0, nil, 0, false
	}
	for _, l := range r.Scales {
		scale = append(scale, f.rate/l)
	}
	return f.family, scale, f.amplitude, true
}

// Addends are nodes whose sum is n: its terms, as far as sums, differences and their
// opposites, which Simplify makes of differences, are its outermost operations.
func Addends(n *Node) []*Node {
	switch n.op {
	case OpAdd:
		return append(Addends(n.args[0]), Addends(n.args[1])...)
	case OpSub:
		return append(Addends(n.args[0]), Addends(Neg(n.args[1]))...)
	case OpNeg:
		if inner := Addends(n.args[0]); len(inner) > 1 {
			for i, a := range inner {
				inner[i] = Neg(a)
			}
			return inner
		}
	}
	return []*Node{n}
}

// familyFinder matches a profile with amplitude * family(rate * sqrt(t)).
type familyFinder struct {
	family          simd.Family
	rate, amplitude float64
}

func (f *familyFinder) profile(n *Node) bool {
	p := newProduct(nil)
	p.collect(n, 1)
	f.amplitude = p.num / p.den
	var exponential, sum *Node
	for _, k := range p.list {
		switch {
		case k.power != 1:
			return false
		case k.base.op == OpMatern && len(p.list) == 1:
			return f.matern(k.base)
		case k.base.op == OpExp && exponential == nil:
			exponential = k.base.args[0]
		case sum == nil:
			sum = k.base
		default:
			return false
		}
	}
	if exponential == nil {
		return false
	}
	constant, root, linear, ok := inRoot(exponential)
	if !ok || constant != 0 {
		return false
	}
	switch {
	case sum == nil && root == 0 && linear < 0:
		f.family, f.rate = simd.SE, math.Sqrt(-linear)
	case sum == nil && linear == 0 && root < 0:
		f.family, f.rate = simd.Exponential, -root
	case sum != nil && linear == 0 && root < 0:
		f.rate = -root
		return f.polynomial(sum)
	default:
		return false
	}
	return true
}

// matern is a Matérn function of order 1/2, 3/2, 5/2 or infinity.
func (f *familyFinder) matern(n *Node) bool {
	t := splitTerm(n.args[0])
	if !isRoot(t.body) {
		return false
	}
	switch n.value {
	case 0.5:
		f.family = simd.Exponential
	case 1.5:
		f.family = simd.Matern32
	case 2.5:
		f.family = simd.Matern52
	default:
		return false
	}
	f.rate = math.Sqrt(2*n.value) * math.Abs(t.num/t.den)
	return true
}

// polynomial matches c (1 + s) and c (1 + s + s²/3), s being rate sqrt(t).
func (f *familyFinder) polynomial(sum *Node) bool {
	c, root, linear, ok := inRoot(sum)
	if !ok || c == 0 || !nearly(root/c, f.rate) {
		return false
	}
	f.amplitude *= c
	switch {
	case linear == 0:
		f.family = simd.Matern32
	case nearly(linear/c, f.rate*f.rate/3):
		f.family = simd.Matern52
	default:
		return false
	}
	return true
}

// inRoot writes n as constant + root*sqrt(t) + linear*t.
func inRoot(n *Node) (constant, root, linear float64, ok bool) {
	var c sum
	new(simplifier).collect(&c, n, 1, true)
	for _, t := range c.list {
		switch v := t.num / t.den; {
		case isRoot(t.body):
			root = v
		case t.body.op == OpVar:
			linear = v
		default:
			return 0, 0, 0, false
		}
	}
	return c.constant, root, linear, true
}

func isRoot(n *Node) bool { return n.op == OpSqrt && n.args[0].op == OpVar }

// nearly allows for the roundings with which a script computes sqrt(5)²/3.
func nearly(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Abs(b) }
