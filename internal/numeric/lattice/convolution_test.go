package lattice_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Values, the adjoint and the energies of modes are those of the sums over lags, written out.
func TestConvolution(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const n = 3
	for _, window := range []struct{ ns, nt int }{{5, 5}, {4, 7}, {6, 2}, {1, 3}} {
		axis := func(name string, m int) mesh.Axis { return must(mesh.Trapezoid(uneven(rng, m), name)) }
		times := func(name string, m int) mesh.Axis {
			return must(mesh.Uniform(0, max(.1, .1*float64(m-1)), max(m, 2), name))
		}
		s, tt := times("s", window.ns), times("t", window.nt)
		x, y := must(mesh.New(axis("x", 3), s)), must(mesh.New(axis("y", 2), tt))
		inv := constraint.List{constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}}
		l := must(lattice.New(t.Context(), inv, x, y))
		nx, ny, ns, nt := 3, 2, s.Size(), tt.Size()
		lags := l.Y().Axes()[1]
		nl := lags.Size()
		f := mat.NewDense(n, nx*ns, normal(rng, n*nx*ns))
		c := must(lattice.NewConvolution(t.Context(), l, f, x, y, true))

		dx, ds := x.Axes()[0].Weights, s.Weights
		direct := func(g []float64) []float64 {
			out := make([]float64, n*ny*nt)
			for i := range n {
				for k := range ny {
					for r := range nt {
						for j := range nx {
							for q := range ns {
								lag := l.Before() + ns - 1 + r - q
								out[(i*ny+k)*nt+r] += f.At(i, j*ns+q) * math.Sqrt(dx[j]) * ds[q] * g[(j*ny+k)*nl+lag] *
									math.Sqrt(tt.Weights[r]/lags.Weights[lag]/n)
							}
						}
					}
				}
			}
			return out
		}
		g, r := normal(rng, nx*ny*nl), normal(rng, n*ny*nt)
		want, got, back := direct(g), make([]float64, n*ny*nt), make([]float64, len(g))
		c.Apply(t.Context(), got, g)
		if d := floats.Distance(got, want, 2); !(d <= 1e-13*floats.Norm(want, 2)) {
			t.Errorf("%v: response off by %.1e", window, d)
		}
		c.Adjoint(t.Context(), back, r)
		if a, b := floats.Dot(back, g), floats.Dot(r, want); !(math.Abs(a-b) <= 1e-13*floats.Norm(r, 2)*floats.Norm(want, 2)) {
			t.Errorf("%v: adjoint gives %v, response %v", window, a, b)
		}

		var qx, qy, ql mat.QR
		qx.Factorize(mat.NewDense(nx, nx, normal(rng, nx*nx)))
		qy.Factorize(mat.NewDense(ny, ny, normal(rng, ny*ny)))
		ql.Factorize(mat.NewDense(nl, nl, normal(rng, nl*nl)))
		var u, vy, vl mat.Dense
		qx.QTo(&u)
		qy.QTo(&vy)
		ql.QTo(&vl)
		mask := normal(rng, nl)
		nu := must(c.Energies(t.Context(), &u, gram.Basis{&vy, &vl}, mask))
		var modes [][2]int
		var responses [][]float64
		for a := range nx {
			for k := range ny {
				for m := range nl {
					mode := make([]float64, 0, len(g))
					for j := range nx {
						for q := range ny {
							for lag := range nl {
								mode = append(mode, u.At(j, a)*vy.At(q, k)*mask[lag]*vl.At(lag, m))
							}
						}
					}
					out := direct(mode)
					if k == 0 {
						modes, responses = append(modes, [2]int{a, m}), append(responses, out)
					}
					if want, got := floats.Dot(out, out), nu.At(a, k*nl+m); !(math.Abs(got-want) <= 1e-13*mat.Max(nu)) {
						t.Errorf("%v: energy of mode %d, %d, %d is %v, want %v", window, a, k, m, got, want)
					}
				}
			}
		}
		masked := mat.DenseCopyOf(&vl)
		for lag, w := range mask {
			floats.Scale(w, masked.RawRowView(lag))
		}
		overlaps := must(c.Overlaps(t.Context(), &u, masked, modes))
		for p, a := range responses {
			for q, b := range responses {
				if want, got := floats.Dot(a, b), overlaps.At(p, q); !(math.Abs(got-want) <= 1e-13*mat.Max(nu)) {
					t.Errorf("%v: overlap of modes %v and %v is %v, want %v", window, modes[p], modes[q], got, want)
				}
			}
		}
	}
}

// What a constraint on the lag does to an array it does to functions of the lag; one that exchanges inputs and
// outputs does not say so.
func TestOnLastAxis(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	x := must(mesh.New(must(mesh.Uniform(0, 1, 3, "x")), must(mesh.Uniform(0, 1, 4, "s"))))
	y := must(mesh.New(must(mesh.Uniform(0, 1, 3, "y")), must(mesh.Uniform(0, 1, 4, "t"))))
	invariant := constraint.TimeInvariant{Input: "s", Output: "t"}
	for _, c := range []struct {
		on constraint.List
		ok bool
	}{
		{constraint.List{invariant}, true},
		{constraint.List{invariant, constraint.Causal{Input: "s", Output: "t"}}, true},
		{constraint.List{invariant, constraint.Symmetric{Names: []string{"x", "y"}}}, false},
	} {
		l := must(lattice.New(t.Context(), c.on, x, y))
		axes := l.Y().Axes()
		nl := axes[len(axes)-1].Size()
		v := mat.NewDense(nl, 1, normal(rng, nl))
		beside := normal(rng, l.Size()/nl)
		all := outer(beside, v.RawMatrix().Data)
		l.Average(all)
		l.Mask(all)
		ok := l.OnLastAxis(v)
		if ok != c.ok {
			t.Errorf("%v: acts on the lag alone: %v, want %v", c.on, ok, c.ok)
		}
		if got := outer(beside, v.RawMatrix().Data); ok && !(floats.Distance(got, all, math.Inf(1)) <= 1e-14) {
			t.Errorf("%v: functions of the lag become others than arrays do", c.on)
		}
	}
}

// outer is a ⊗ b.
func outer(a, b []float64) []float64 {
	var out []float64
	for _, p := range a {
		for _, q := range b {
			out = append(out, p*q)
		}
	}
	return out
}

// uneven is m increasing numbers.
func uneven(rng *rand.Rand, m int) []float64 {
	out := make([]float64, m)
	for i := range out {
		out[i] = float64(i) + .5*rng.Float64()
	}
	return out
}
