package fit_test

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// lengthscale is a length, mostly comparable to the domain and sometimes far below the
// spacing of the points.
func (p *randomProblem) lengthscale(dim int) kernel.Lengthscale {
	l := make(kernel.Lengthscale, dim)
	for i := range l {
		l[i] = p.length() * p.between(.1, 1.5)
		if p.chance(8) {
			l[i] = p.length() * p.between(2e-3, .1)
		}
	}
	if p.chance(2) {
		return l[:1]
	}
	return l
}

// kernel draws a kernel on a space, with others inside to a depth.
func (p *randomProblem) kernel(s kernel.Space, depth int) kernel.Kernel {
	inside := func() kernel.Kernel { return p.kernel(s, depth-1) }
	if depth == 0 || p.chance(2) {
		return p.simple(s)
	}
	switch p.rng.IntN(9) {
	case 0, 1:
		return kernel.Sum{Terms: []kernel.Kernel{inside(), inside()}}
	case 2:
		return kernel.Product{Factors: []kernel.Kernel{inside(), inside()}}
	case 3:
		return kernel.Scaled{Factor: p.between(.01, 100), Kernel: inside()}
	case 4:
		by := p.function(s.Dim())
		return kernels.ScaledBy{Base: inside(), By: by, Text: by.Forms[0].Nodes[0].String()}
	case 5:
		places := []float64{p.lower - .1*p.length(), p.lower, p.upper}[:1+p.rng.IntN(3)]
		return kernel.Vanishing{Base: inside(), Where: map[string][]float64{s.Names[p.rng.IntN(s.Dim())]: places[len(places)-1:]}}
	}
	switch {
	case s.Inputs > 0 && s.Inputs < s.Dim() && p.chance(2):
		return kernel.Tensor{
			Input:  p.kernel(kernel.Space{Names: s.Names[:s.Inputs]}, depth-1),
			Output: p.kernel(kernel.Space{Names: s.Names[s.Inputs:]}, depth-1),
		}
	case s.Inputs > 0 && 2*s.Inputs == s.Dim():
		return kernel.Kink{Base: inside(), Jump: p.simple(s), Power: []float64{1, 3}[p.rng.IntN(2)], OneSided: s.Inputs == 1 && p.chance(2)}
	}
	return kernel.Sum{Terms: []kernel.Kernel{inside(), kernel.Scaled{Factor: .1, Kernel: inside()}}}
}

// simple draws from the kernels without others inside.
func (p *randomProblem) simple(s kernel.Space) kernel.Kernel {
	l, d := p.lengthscale(s.Dim()), s.Dim()
	switch p.rng.IntN(16) {
	case 0, 1:
		return kernel.SE{Lengthscale: l}
	case 2:
		return kernel.Exponential{Lengthscale: l}
	case 3, 4:
		return kernel.Matern{Nu: []float64{.5, 1.5, 2.5, 3.5, .8, 2}[p.rng.IntN(6)], Lengthscale: l}
	case 5:
		return kernel.Hat{Lengthscale: l}
	case 6:
		return kernel.RationalQuadratic{Alpha: p.between(.3, 5), Lengthscale: l}
	case 7:
		return kernel.Periodic{Period: p.length() * []float64{1, 2, .7}[p.rng.IntN(3)], Lengthscale: p.unitless(l)}
	case 8:
		return kernel.BrownianBridge{Lower: p.lower - .1, Upper: p.upper}
	case 9:
		if d <= 2 {
			return kernel.Sobolev{Terms: 1 + p.rng.IntN(4), Lower: p.lower, Upper: p.upper + .1}
		}
	case 10:
		return kernel.Polynomial{Degree: 1 + p.rng.IntN(3), Offset: p.rng.Float64()}
	case 11:
		return kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: l}, kernel.Scaled{Factor: p.between(.01, 1), Kernel: kernel.White{}}}}
	case 12:
		return kernel.White{}
	case 13:
		m := kernels.Mercer{}
		for k := range 1 + p.rng.IntN(3) {
			m.Functions, m.Eigenvalues = append(m.Functions, p.function(d)), append(m.Eigenvalues, 1/float64(1+k))
			m.Text = append(m.Text, m.Functions[k].Forms[0].Nodes[0].String())
		}
		return m
	case 14:
		if k, err := p.defined(d); err == nil {
			return k
		}
	}
	return kernel.Matern{Nu: 2.5, Lengthscale: l}
}

func (p *randomProblem) unitless(l kernel.Lengthscale) kernel.Lengthscale {
	out := make(kernel.Lengthscale, len(l))
	for i := range l {
		out[i] = max(.1, l[i]/p.length())
	}
	return out
}

// function is a function of one point: a wave along a direction, a bump, or a step.
func (p *randomProblem) function(dim int) kernels.Formula {
	c := expr.Const
	sum, square := c(p.rng.Float64()), c(0)
	for i := range dim {
		x := expr.Var(kernels.NumberSlot(0, i), fmt.Sprintf("[%d]", i+1))
		u := expr.Mul(c(1/p.length()), expr.Sub(x, c(p.lower)))
		sum = expr.Add(sum, expr.Mul(c(4*p.rng.Float64()), u))
		v := expr.Sub(u, c(p.rng.Float64()))
		square = expr.Add(square, expr.Mul(v, v))
	}
	node := []*expr.Node{
		expr.Add(c(1.2), expr.Sin(sum)),
		expr.Exp(expr.Mul(c(-1/p.between(.02, 1)), square)),
		expr.LE(square, c(p.between(.1, 1))),
	}[p.rng.IntN(3)]
	return kernels.Formula{Points: 1, Forms: []kernels.Form{{Dim: dim, Nodes: []*expr.Node{node}}}}
}

// defined is a kernel as a script defines one: of a warped distance, or with a
// lengthscale that depends on the place (Gibbs).
func (p *randomProblem) defined(dim int) (kernel.Kernel, error) {
	c := expr.Const
	at := func(point, i int) *expr.Node {
		x := expr.Var(kernels.NumberSlot(point, i), strings.Repeat("q", point)+fmt.Sprintf("[%d]", i+1))
		return expr.Mul(c(1/p.length()), expr.Sub(x, c(p.lower)))
	}
	warp := []func(u *expr.Node) *expr.Node{
		func(u *expr.Node) *expr.Node { return expr.Exp(u) },
		func(u *expr.Node) *expr.Node { return expr.Add(u, expr.Mul(c(.2), expr.Sin(expr.Mul(c(5), u)))) },
		func(u *expr.Node) *expr.Node { return expr.Mul(c(2), u) },
	}[p.rng.IntN(3)]
	sum := c(0)
	for i := range dim {
		d := expr.Sub(warp(at(0, i)), warp(at(1, i)))
		sum = expr.Add(sum, expr.Mul(d, d))
	}
	node := expr.Exp(expr.Mul(c(-1/p.between(.05, 2)), sum))
	if p.chance(2) {
		node = expr.Exp(expr.Neg(expr.Mul(c(p.between(.5, 5)), expr.Sqrt(sum))))
	}
	if p.chance(3) { // a plane wave
		phase := c(0)
		for i := range dim {
			phase = expr.Add(phase, expr.Mul(c(6*p.rng.Float64()), expr.Sub(at(0, i), at(1, i))))
		}
		node = expr.Add(node, expr.Cos(phase))
	}
	f := kernels.Formula{Points: 2, Forms: []kernels.Form{{Dim: dim, Nodes: []*expr.Node{node}}}}
	return kernels.NewDefined(f, node.String())
}
