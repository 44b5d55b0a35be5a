package families

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// kinkedData is white inputs and what an integral operator whose G has a kink makes of them, with noise.
func kinkedData(n, m int, noise float64) Data {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	line := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	f, g := mat.NewDense(n, m, linop.Normal(rng, n*m)), mat.NewDense(m, m, nil)
	p, w := line.Points(), line.Weights()
	for j := range m {
		for k := range m {
			g.Set(j, k, w[j]*min(p[j], p[k])*(1-max(p[j], p[k])))
		}
	}
	u := mat.NewDense(n, m, nil)
	u.Mul(f, g)
	for i := range n {
		for k := range m {
			u.Set(i, k, u.At(i, k)+noise*rng.NormFloat64())
		}
	}
	return Data{Input: f, Output: u, X: line, Y: line}
}

// A kink begins where its criterion is least with a smooth part whose lengthscales are up to sixteen times as long and whose noise is up to
// four decades less; where the smooth part is the same in noise, it has to gain a nat.
func TestKinksBeginWithALongerSmoothPart(t *testing.T) {
	q := newSearch(testmain.Must(newSample(t.Context(), kinkedData(8, 8, 1e-3)))(t))
	for _, steps := range [][]int{{12, 12}, {22, 20}, {34, 36}} {
		c, err := q.try(t.Context(), candidate{family: infinite, steps: steps})
		if err != nil {
			t.Fatal(err)
		}
		f := factory{search: q, rounding: negligible, known: map[jump]*ramps{}}
		for _, power := range powers() {
			var all []kinked
			for _, longer := range []int{0, 4, 8, 12, 16} {
				for _, less := range []float64{1, 1e-2, 1e-4} {
					from := c
					from.lambda *= less
					from.steps = []int{min(steps[0]+longer, 38), min(steps[1]+longer, 38)}
					k, err := f.try(t.Context(), from, jump{power: power, step: 25}, math.Inf(-1), .5)
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, k)
				}
			}
			least := slices.MinFunc(all, func(a, b kinked) int { return cmp.Compare(a.value, b.value) }).value
			for _, smooth := range []float64{math.Inf(1), least + 1.1, least + .9, -1e9} {
				want := kinked{candidate: candidate{value: math.Inf(1)}}
				for i, k := range all {
					if k.value < want.value && (i%3 > 0 || k.value < smooth-1) {
						want = k
					}
				}
				got, err := f.start(t.Context(), c, power, smooth)
				if err != nil || got.value != want.value || !slices.Equal(got.steps, want.steps) || got.lambda != want.lambda {
					t.Errorf("%v, power %d: begins with %v at %g (%g), want %v at %g (%g); %v", steps, power, got.steps, got.lambda, got.value, want.steps, want.lambda, want.value, err)
				}
			}
		}
	}
}

// A kink that the data do not see has no likelihood, and its factor one column.
func TestKinksThatAreNotSeen(t *testing.T) {
	q := newSearch(testmain.Must(newSample(t.Context(), kinkedData(8, 8, 1e-3)))(t))
	p, err := q.product(t.Context(), candidate{family: infinite, steps: []int{20, 20}})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := p.rows.vectors.Dims()
	columns, _ := p.cols.vectors.Dims()
	z := &ramps{r: r, q: columns, unit: 1, probes: mat.NewDense(4, 2, nil), parts: []*mat.Dense{mat.NewDense(r, columns, nil), mat.NewDense(r, columns, nil)}}
	if err := z.compress(t.Context(), unseen); err != nil || len(z.parts) != 1 {
		t.Errorf("%d parts, %v", len(z.parts), err)
	}
	z.parts = append(z.parts, z.parts[0])
	b, err := newBent(t.Context(), p, z)
	if err != nil {
		t.Fatal(err)
	}
	a, err := b.along(t.Context(), p.top())
	if err != nil {
		t.Fatal(err)
	}
	if s := a.at(t.Context(), 1); !math.IsInf(s.sum(), 1) {
		t.Errorf("REML %g, LOO %g", s.reml, s.loo)
	}
}
