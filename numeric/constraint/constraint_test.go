package constraint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var (
	xy   = kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	xsyt = kernel.Space{Names: []string{"x", "s", "y", "t"}, Inputs: 2}
)

// law is what a function of the constrained space must obey at a point.
type law func(g func([]float64) float64, p []float64) error

func equal(sign float64, image func(p []float64) []float64) law {
	return func(g func([]float64) float64, p []float64) error {
		if a, b := g(p), sign*g(image(p)); math.Abs(a-b) > 1e-13*(1+math.Abs(a)) {
			return fmt.Errorf("G(%.3v) = %.6g, must be %.6g as at %.3v", p, a, b, image(p))
		}
		return nil
	}
}

func zeroWhere(is func(p []float64) bool) law {
	return func(g func([]float64) float64, p []float64) error {
		if is(p) && g(p) != 0 {
			return fmt.Errorf("G(%.3v) = %g, must be 0", p, g(p))
		}
		return nil
	}
}

// below is a constraint of another package: G vanishes where x > y.
type below struct{ constraint.Constraint }

func (below) String() string { return "below" }

func (below) Laws(s kernel.Space) (laws.Laws, error) {
	p, _ := kernels.Points(s)
	return laws.Laws{Masks: []*expr.Node{expr.LE(p.X[0], p.X[1])}}, nil
}

// on is what a constraint does on a space.
func on(c constraint.Constraint, s kernel.Space) (*laws.Transform, error) {
	l, err := constraint.LawsOf(c, s)
	if err != nil {
		return nil, err
	}
	return l.On(s)
}

func swap(p []float64) []float64 { return []float64{p[1], p[0]} }

// Every function of a constrained space obeys the law, checked on the kernel's
// own sections K_c(·, q) at random points; and the constrained kernel is symmetric
// and positive semi-definite.
func TestConstraintsHold(t *testing.T) {
	matern := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}
	per := func(l ...float64) kernel.Kernel { return kernel.Exponential{Lengthscale: l} }
	for _, c := range []struct {
		c    constraint.Constraint
		k    kernel.Kernel
		s    kernel.Space
		obey []law
	}{
		{constraint.Symmetric{Names: []string{"x", "y"}}, matern, xy, []law{equal(1, swap)}},
		{constraint.Symmetric{Names: []string{"x", "y"}}, per(.3, .8), xy, []law{equal(1, swap)}},
		{constraint.Antisymmetric{Names: []string{"x", "y"}}, matern, xy, []law{equal(-1, swap)}},
		{constraint.Symmetric{Names: []string{"x", "y", "z"}}, matern, kernel.Space{Names: []string{"x", "y", "z"}, Inputs: 1}, []law{
			equal(1, func(p []float64) []float64 { return []float64{p[2], p[0], p[1]} }),
			equal(1, func(p []float64) []float64 { return []float64{p[1], p[0], p[2]} }),
		}},
		{constraint.Antisymmetric{Names: []string{"x", "y", "z"}}, matern, kernel.Space{Names: []string{"x", "y", "z"}, Inputs: 1}, []law{
			equal(1, func(p []float64) []float64 { return []float64{p[2], p[0], p[1]} }),
			equal(-1, func(p []float64) []float64 { return []float64{p[1], p[0], p[2]} }),
		}},
		{constraint.Flip{Names: []string{"x", "y"}}, matern, xy, []law{equal(1, func(p []float64) []float64 { return []float64{-p[0], -p[1]} })}},
		{constraint.Flip{Names: []string{"x"}, About: .5, Odd: true}, matern, xy, []law{equal(-1, func(p []float64) []float64 { return []float64{1 - p[0], p[1]} })}},
		{constraint.Permute{Lists: [][]string{{"x", "y"}, {"s", "t"}}}, matern, xsyt, []law{
			equal(1, func(p []float64) []float64 { return []float64{p[2], p[3], p[0], p[1]} }),
		}},
		{constraint.Causal{Input: "s", Output: "t"}, matern, xsyt, []law{zeroWhere(func(p []float64) bool { return p[3] < p[1] })}},
		{constraint.Anticausal{Input: "s", Output: "t"}, matern, xsyt, []law{zeroWhere(func(p []float64) bool { return p[3] > p[1] })}},
		{constraint.TimeInvariant{Input: "s", Output: "t"}, per(.3, .5, .2), xsyt, []law{equal(1, func(p []float64) []float64 { return []float64{p[0], p[1] + .37, p[2], p[3] + .37} })}},
		{constraint.List{constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}, constraint.Symmetric{Names: []string{"x", "y"}}}, matern, xsyt, []law{
			zeroWhere(func(p []float64) bool { return p[3] < p[1] }),
			equal(1, func(p []float64) []float64 { return []float64{p[2], p[1], p[0], p[3]} }),
			equal(1, func(p []float64) []float64 { return []float64{p[0], p[1] - .2, p[2], p[3] - .2} }),
		}},
		{below{}, matern, xy, []law{zeroWhere(func(p []float64) bool { return p[0] > p[1] })}},
	} {
		t.Run(c.c.String(), func(t *testing.T) {
			f, err := kernels.Compile(constraint.Apply(c.c, c.k), c.s)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			var cloud []float64
			nonzero := 0
			for range 40 {
				q := point(rng, c.s.Dim())
				cloud = append(cloud, q...)
				for range 20 {
					p := point(rng, c.s.Dim())
					g := func(p []float64) float64 { return f.At(p, q) }
					if g(p) != 0 {
						nonzero++
					}
					for _, l := range c.obey {
						if err := l(g, p); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if nonzero == 0 {
				t.Error("the constrained kernel is zero everywhere")
			}
			m := mesh.Must(mesh.Scattered(cloud, c.s.Dim(), nil, c.s.Names...))
			if _, err := f.Verify(t.Context(), m); err != nil {
				t.Error(err)
			}
		})
	}
}

func point(rng *rand.Rand, d int) []float64 {
	p := make([]float64, d)
	for i := range p {
		p[i] = 2*rng.Float64() - 1
	}
	return p
}

func TestBadInputIsRefusedByName(t *testing.T) {
	for _, c := range []struct {
		c    constraint.Constraint
		s    kernel.Space
		want string
	}{
		{constraint.Symmetric{Names: []string{"x", "z"}}, xy, `no coordinate "z": the coordinates here are x (input) and y (output)`},
		{constraint.Symmetric{Names: []string{"x"}}, xy, "got 1 coordinates, must be at least 2"},
		{constraint.Symmetric{Names: []string{"x", "x"}}, xy, `coordinate "x": named twice`},
		{constraint.Permute{Lists: [][]string{{"x", "y"}, {"s"}}}, xsyt, "got 1 coordinates"},
		{constraint.Permute{}, xsyt, "got no coordinates"},
		{constraint.Causal{Input: "s", Output: "t"}, xy, "needs a time axis on both sides"},
		{constraint.Causal{Input: "t", Output: "s"}, xsyt, `input "t": is a coordinate of the output`},
		{constraint.List{constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.TimeInvariant{Input: "s", Output: "t"}}, xsyt, "time is reduced twice"},
	} {
		if _, err := on(c.c, c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.c, err, c.want)
		}
	}
}

func ExampleApply() {
	k := constraint.Apply(constraint.Symmetric{Names: []string{"x", "y"}}, kernel.SE{Lengthscale: kernel.Lengthscale{1}})
	f, err := kernels.Compile(k, xy)
	fmt.Printf("%.6f %.6f %v\n", f.At([]float64{0, 1}, []float64{2, 0}), f.At([]float64{1, 0}, []float64{2, 0}), err)
	// Output:
	// 0.344308 0.344308 <nil>
}
