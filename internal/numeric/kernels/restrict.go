package kernels

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// restricter is a kernel that knows its own restriction to some coordinates:
// the kernel of the functions left when the other coordinates are held fixed.
type restricter interface {
	// restrict keeps the coordinates from up to, excluding, to of the space; see
	// the function restrict.
	restrict(s kernel.Space, from, to int, at []float64) kernel.Kernel
}

// Restrict returns the restriction of a kernel to the coordinates from up to,
// excluding, to of a space, the others held at the point at (one number per
// coordinate of the space; those kept are not read). Kernels of distances keep
// their form, with their own lengthscales.
func Restrict(k kernel.Kernel, s kernel.Space, from, to int, at []float64) kernel.Kernel {
	switch k := known(k).(type) {
	case restricter:
		return k.restrict(s, from, to, at)
	case Caller:
		return hold(k, s, from, to, at)
	}
	return restricted{Kernel: k, Space: s, From: from, To: to, At: at}
}

func (l lengths) restrict(s kernel.Space, from, to int) kernel.Lengthscale {
	if len(l) != s.Dim() || len(l) == 1 {
		return kernel.Lengthscale(l)
	}
	return kernel.Lengthscale(l[from:to])
}

func (k se) restrict(s kernel.Space, from, to int, _ []float64) kernel.Kernel {
	return kernel.SE{Lengthscale: lengths(k.Lengthscale).restrict(s, from, to)}
}

func (k exponential) restrict(s kernel.Space, from, to int, _ []float64) kernel.Kernel {
	return kernel.Exponential{Lengthscale: lengths(k.Lengthscale).restrict(s, from, to)}
}

func (k matern) restrict(s kernel.Space, from, to int, _ []float64) kernel.Kernel {
	return kernel.Matern{Nu: k.Nu, Lengthscale: lengths(k.Lengthscale).restrict(s, from, to)}
}

func (k rationalQuadratic) restrict(s kernel.Space, from, to int, _ []float64) kernel.Kernel {
	return kernel.RationalQuadratic{Alpha: k.Alpha, Lengthscale: lengths(k.Lengthscale).restrict(s, from, to)}
}

func (k hat) restrict(s kernel.Space, from, to int, _ []float64) kernel.Kernel {
	return kernel.Hat{Lengthscale: lengths(k.Lengthscale).restrict(s, from, to)}
}

func (k periodic) restrict(s kernel.Space, from, to int, _ []float64) kernel.Kernel {
	return kernel.Periodic{Period: k.Period, Lengthscale: lengths(k.Lengthscale).restrict(s, from, to)}
}

func (k brownianBridge) restrict(kernel.Space, int, int, []float64) kernel.Kernel {
	return kernel.BrownianBridge(k)
}

func (k sumKernel) restrict(s kernel.Space, from, to int, at []float64) kernel.Kernel {
	return kernel.Sum{Terms: restrictAll(k.Terms, s, from, to, at)}
}

func (k productKernel) restrict(s kernel.Space, from, to int, at []float64) kernel.Kernel {
	return kernel.Product{Factors: restrictAll(k.Factors, s, from, to, at)}
}

func (k scaledKernel) restrict(s kernel.Space, from, to int, at []float64) kernel.Kernel {
	return kernel.Scaled{Factor: k.Factor, Kernel: Restrict(k.Kernel, s, from, to, at)}
}

// restrict implements Restricter: the kernel of the side that is kept.
func (k tensorKernel) restrict(s kernel.Space, from, to int, at []float64) kernel.Kernel {
	switch {
	case from == s.Inputs && to == s.Dim():
		return k.Output
	case from == 0 && to == s.Inputs:
		return k.Input
	}
	return restricted{Kernel: kernel.Tensor(k), Space: s, From: from, To: to, At: at}
}

// restrict implements Restricter: the smooth part.
func (k kink) restrict(s kernel.Space, from, to int, at []float64) kernel.Kernel {
	return Restrict(k.Base, s, from, to, at)
}

func restrictAll(ks []kernel.Kernel, s kernel.Space, from, to int, at []float64) []kernel.Kernel {
	out := make([]kernel.Kernel, len(ks))
	for i, k := range ks {
		out[i] = Restrict(k, s, from, to, at)
	}
	return out
}

// restricted is a kernel with some coordinates held fixed.
type restricted struct {
	kernel.Kernel `arg:"kernel"`
	Space         kernel.Space `arg:"space"`
	From, To      int          // the coordinates that are left
	At            []float64    // the fixed values
}

func (k restricted) Expr(p, q Point) (*expr.Node, error) {
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
	return Symbolic(k.Kernel, fill(p), fill(q))
}

func (k restricted) String() string { return k.TextBy(kernel.Kernel.String) }

// TextBy is String with other kernels written by write.
func (k restricted) TextBy(write func(kernel.Kernel) string) string {
	return "restriction of " + write(k.Kernel)
}
