package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// restricter is a kernel that knows its own restriction to some coordinates:
// the kernel of the functions left when the other coordinates are held fixed.
type restricter interface {
	// restrict keeps the coordinates from up to, excluding, to of the space; see
	// the function restrict.
	restrict(s Space, from, to int, at []float64) Kernel
}

// Restrict returns the restriction of a kernel to the coordinates from up to,
// excluding, to of a space, the others held at the point at (one number per
// coordinate of the space; those kept are not read). Kernels of distances keep
// their form, with their own lengthscales.
func Restrict(k Kernel, s Space, from, to int, at []float64) Kernel {
	switch k := k.(type) {
	case restricter:
		return k.restrict(s, from, to, at)
	case Caller:
		return hold(k, s, from, to, at)
	}
	return restricted{Kernel: k, Space: s, From: from, To: to, At: at}
}

func (l Lengthscale) restrict(s Space, from, to int) Lengthscale {
	if len(l) != s.Dim() || len(l) == 1 {
		return l
	}
	return l[from:to]
}

func (k SE) restrict(s Space, from, to int, _ []float64) Kernel {
	return SE{Lengthscale: k.Lengthscale.restrict(s, from, to)}
}

func (k Exponential) restrict(s Space, from, to int, _ []float64) Kernel {
	return Exponential{Lengthscale: k.Lengthscale.restrict(s, from, to)}
}

func (k Matern) restrict(s Space, from, to int, _ []float64) Kernel {
	return Matern{Nu: k.Nu, Lengthscale: k.Lengthscale.restrict(s, from, to)}
}

func (k RationalQuadratic) restrict(s Space, from, to int, _ []float64) Kernel {
	return RationalQuadratic{Alpha: k.Alpha, Lengthscale: k.Lengthscale.restrict(s, from, to)}
}

func (k Hat) restrict(s Space, from, to int, _ []float64) Kernel {
	return Hat{Lengthscale: k.Lengthscale.restrict(s, from, to)}
}

func (k Periodic) restrict(s Space, from, to int, _ []float64) Kernel {
	return Periodic{Period: k.Period, Lengthscale: k.Lengthscale.restrict(s, from, to)}
}

func (k BrownianBridge) restrict(Space, int, int, []float64) Kernel { return k }

func (k Sum) restrict(s Space, from, to int, at []float64) Kernel {
	return Sum{Terms: restrictAll(k.Terms, s, from, to, at)}
}

func (k Product) restrict(s Space, from, to int, at []float64) Kernel {
	return Product{Factors: restrictAll(k.Factors, s, from, to, at)}
}

func (k Scaled) restrict(s Space, from, to int, at []float64) Kernel {
	return Scaled{Factor: k.Factor, Kernel: Restrict(k.Kernel, s, from, to, at)}
}

// restrict implements Restricter: the kernel of the side that is kept.
func (k Tensor) restrict(s Space, from, to int, at []float64) Kernel {
	switch {
	case from == s.Inputs && to == s.Dim():
		return k.Output
	case from == 0 && to == s.Inputs:
		return k.Input
	}
	return restricted{Kernel: k, Space: s, From: from, To: to, At: at}
}

// restrict implements Restricter: the smooth part.
func (k Kink) restrict(s Space, from, to int, at []float64) Kernel {
	return Restrict(k.Base, s, from, to, at)
}

func restrictAll(ks []Kernel, s Space, from, to int, at []float64) []Kernel {
	out := make([]Kernel, len(ks))
	for i, k := range ks {
		out[i] = Restrict(k, s, from, to, at)
	}
	return out
}

// restricted is a kernel with some coordinates held fixed.
type restricted struct {
	Kernel   Kernel    `arg:"kernel"`
	Space    Space     `arg:"space"`
	From, To int       // the coordinates that are left
	At       []float64 // the fixed values
}

func (k restricted) expr(p, q Point) (*expr.Node, error) {
	if len(p.X) != k.To-k.From {
		return nil, fmt.Errorf("restriction to %d coordinates: the points have %d", k.To-k.From, len(p.X))
	}
	fill := func(r Point) Point {
		full := Point{Space: k.Space}
		for i := range k.Space.Names {
			if i >= k.From && i < k.To {
				full.X = append(full.X, r.X[i-k.From])
			} else {
				full.X = append(full.X, expr.Const(k.At[i]))
			}
		}
		return full
	}
	return Expr(k.Kernel, fill(p), fill(q))
}

func (k restricted) String() string { return fmt.Sprintf("restriction of %s", k.Kernel) }
