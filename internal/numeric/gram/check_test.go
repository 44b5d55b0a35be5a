package gram_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// damaged is an operator and something that it should not have: values at places.
type damaged struct {
	linop.Operator
	at     [][2]int
	values []float64
}

func (d damaged) Apply(ctx context.Context, dst, x []float64) {
	d.Operator.Apply(ctx, dst, x)
	for k, at := range d.at {
		dst[at[0]] += d.values[k] * x[at[1]]
	}
}

// entry needs to be right on the diagonal only.
func (d damaged) entry(i, j int) float64 {
	var v [1]float64
	gram.Entries(d.Operator, v[:], []int{i}, []int{j})
	for k, at := range d.at {
		if at == [2]int{i, j} {
			v[0] += d.values[k]
		}
	}
	return v[0]
}

// An operator that is 1e-8 off the kernel in the Frobenius norm does not pass: whether
// everywhere, in a tenth of the rows, or within one term of a sum where that lives; nor
// does one that has lost a term, nor one that is not a number somewhere. Rows are drawn,
// and so it is tried with many seeds; the chance of one miss in all is that of (1-φ)^s:
// with 2500 rows and 838 draws, of which φ ≥ .05 are damaged, 2e-19 each.
func TestCheckFindsDamage(t *testing.T) {
	const n = 50
	x := mesh.Must(mesh.Uniform(0, 1, n, ""))
	base := kernel.SE{Lengthscale: kernel.Lengthscale{.2}}
	term := local{Kernel: base, centre: []float64{.3, .7}, width: .05, amplitude: 2, box: true, length: 1}
	f := compile(t, kernel.Sum{Terms: []kernel.Kernel{base, term}}, x, x)
	right, _, err := gram.Self(t.Context(), f, x, x, gram.Options{Structure: gram.Kronecker})
	if err != nil {
		t.Fatal(err)
	}
	want := mat.Norm(exact(t, f, x, x), 2)
	rng := rand.New(rand.NewPCG(3, 4))
	spread := func(places func() (i, j int), count int) damaged { // of norm 1e-8 of the kernel
		d := damaged{Operator: right}
		for range count {
			i, j := places()
			d.at, d.values = append(d.at, [2]int{i, j}), append(d.values, 1e-8*want/math.Sqrt(float64(count)))
		}
		return d
	}
	inTerm := func() int { // a point where the term is not zero
		return (13+rng.IntN(4))*n + 33 + rng.IntN(4)
	}
	for name, d := range map[string]func() damaged{
		"everywhere": func() damaged {
			return spread(func() (int, int) { return rng.IntN(n * n), rng.IntN(n * n) }, 40000)
		},
		"a tenth of the rows": func() damaged {
			return spread(func() (int, int) { return rng.IntN(n * n / 10), rng.IntN(n * n) }, 2000)
		},
		"where a term is": func() damaged {
			return spread(func() (int, int) { return inTerm(), rng.IntN(n * n) }, 5)
		},
		"one diagonal entry": func() damaged {
			i := rng.IntN(n * n)
			return spread(func() (int, int) { return i, i }, 1)
		},
		"not a number": func() damaged {
			d := spread(func() (int, int) { i := rng.IntN(n * n); return i, i }, 1)
			d.values[0] = math.NaN()
			return d
		},
	} {
		for seed := range uint64(6) {
			wrong := d()
			if _, verdict, err := gram.Hold(t.Context(), f, x, x, wrong, wrong.entry, seed); err != nil || verdict == "" {
				t.Errorf("%s, seed %d: passed (%v)", name, seed, err)
			}
		}
	}
	lost, _, err := gram.Self(t.Context(), compile(t, base, x, x), x, x, gram.Options{Structure: gram.Kronecker})
	if err != nil {
		t.Fatal(err)
	}
	without := damaged{Operator: lost}
	if _, verdict, err := gram.Hold(t.Context(), f, x, x, without, without.entry, 1); err != nil || verdict == "" {
		t.Errorf("without a term: passed (%v)", err)
	}
	whole := damaged{Operator: right}
	if c, verdict, err := gram.Hold(t.Context(), f, x, x, whole, whole.entry, 1); err != nil || verdict != "" {
		t.Errorf("what is right: %s, %v, %v", verdict, c, err)
	}
}

// A structure in which nothing can be missing is refused, too, where a hundredth of its entries are off: with 8100 of
// them and 4096 drawn, one is missed with a probability of 1e-18.
func TestCheckOfCertainStructures(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 90, ""))
	f := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, x, x)
	right, _, err := gram.Self(t.Context(), f, x, x, gram.Options{Structure: gram.Kronecker})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(10) {
		for _, off := range []float64{0, 1e-8, math.NaN()} {
			entry := func(i, j int) float64 {
				var v [1]float64
				gram.Entries(right, v[:], []int{i}, []int{j})
				if i%100 == int(seed) {
					v[0] += off
				}
				return v[0]
			}
			verdict, err := gram.HoldCertain(t.Context(), f, x, x, right, entry, seed)
			if err != nil || (verdict == "") != (off == 0) {
				t.Errorf("seed %d, entries off by %g: %q, %v", seed, off, verdict, err)
			}
		}
	}
}

// Between different meshes with many rows entries at arbitrary places stand for products: an operator is refused that has a
// wrong entry in each row, though none of nearest points, and its products are not taken. With fewer rows, and on one mesh,
// products are.
func TestEntriesStandForProductsOfManyRows(t *testing.T) {
	const rows = 40
	many, few, ends := mesh.Must(mesh.Uniform(0, 1, rows/2, "")), mesh.Must(mesh.Uniform(0, 1, 5, "")), mesh.Must(mesh.Uniform(0, 1, 2, ""))
	f := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, many, ends)
	joint := func(x mesh.Mesh) mesh.Mesh {
		return product(t, rename(x, f.Space.Names[:1]), rename(ends, f.Space.Names[1:]))
	}
	for _, c := range []struct {
		name       string
		from       mesh.Mesh
		most       int  // rows with which products are taken
		byProducts bool // which is so
	}{
		{"more rows", few, rows - 1, false},
		{"as many rows", few, rows, true},
		{"fewer rows", few, rows + 1, true},
		{"one mesh", many, rows - 1, true},
	} {
		k, err := f.Gram(t.Context(), joint(many), joint(c.from))
		if err != nil {
			t.Fatal(err)
		}
		zero := linop.Dense{M: mat.NewDense(rows, 2*c.from.Size(), nil)}
		farther := func(i, j int) float64 { // off but where points are near
			if k.At(i, j) < math.Exp(-.5*.2*.2/.25) {
				return k.At(i, j) + 1e-6
			}
			return k.At(i, j)
		}
		for _, try := range []struct {
			name  string
			op    linop.Operator
			entry func(i, j int) float64
			found bool
		}{
			{"the kernel", linop.Dense{M: k}, k.At, false},
			{"wrong products", zero, k.At, c.byProducts},
			{"wrong entries", linop.Dense{M: k}, farther, !c.byProducts},
		} {
			verdict, err := gram.HoldBetween(t.Context(), f, many, ends, c.from, ends, try.op, try.entry, c.most)
			if err != nil || (verdict != "") != try.found {
				t.Errorf("%s, %s: %q, %v", c.name, try.name, verdict, err)
			}
		}
	}
}

// What no structure reproduces falls back to the next, down to the kernel itself: here
// points that are equispaced but for 1e-9 of their distance, on an axis that claims to
// be uniform.
func TestNextStructure(t *testing.T) {
	a, err := mesh.Uniform(0, 1, 30, "")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	a.Coordinates = append([]float64(nil), a.Coordinates...)
	for i := range a.Coordinates {
		a.Coordinates[i] += 1e-9 * a.Step * rng.NormFloat64()
	}
	x := mesh.Must(a, nil)
	f := compile(t, kernel.Exponential{Lengthscale: kernel.Lengthscale{.01}}, x, x)
	p, why, err := gram.Self(t.Context(), f, x, x, gram.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := exact(t, f, x, x)
	g := problem{Rand: rng}
	if e := g.differs(p, want); !(e <= 1e-10) {
		t.Errorf("%s differs by %.1e; %s", p.Describe(), e, why)
	}
	if _, _, err := gram.Self(t.Context(), f, x, x, gram.Options{Structure: gram.FFT}); err == nil {
		t.Error("the Toeplitz structure was not refused")
	}
	t.Log(p.Describe(), why)
}

// The difference of products from those of the kernel is exact where all rows are
// looked at, and of the right size where some are.
func TestDifference(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 55, ""))
	small := mesh.Must(mesh.Uniform(0, 1, 20, ""))
	for _, m := range []mesh.Mesh{small, x} {
		n := m.Size() * m.Size()
		f := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, m, m)
		right, _, err := gram.Self(t.Context(), f, m, m, gram.Options{Structure: gram.Kronecker})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 8))
		d := damaged{Operator: right}
		w, exactly, first := make([]float64, n), 0.0, 0.0
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		for i := range w { // below what is refused
			v := 1e-13 * (1 + rng.Float64())
			d.at, d.values = append(d.at, [2]int{i, n - 1 - i}), append(d.values, v)
			exactly = math.Hypot(exactly, v*w[n-1-i])
			first += w[i] * v * w[n-1-i]
		}
		c, verdict, err := gram.Hold(t.Context(), f, m, m, d, d.entry, 1)
		if err != nil || verdict != "" {
			t.Fatal(verdict, err)
		}
		got, product, err := c.Difference(t.Context(), w, nil)
		if err != nil {
			t.Fatal(err)
		}
		kw := make([]float64, n)
		d.Apply(t.Context(), kw, w)
		if again, same, err := c.Difference(t.Context(), w, kw); err != nil || !slices.Equal(again, got) || same != product {
			t.Errorf("%v: with the product %g, %v, without %g", c, same, err, product)
		}
		tol := 0.02 // of rounding
		if c.Rows < c.Of {
			tol = 0.2
		}
		if e := mat.Norm(mat.NewVecDense(n, got), 2); !(math.Abs(e-exactly) <= tol*exactly) {
			t.Errorf("%v: the difference is %g, must be %g", c, e, exactly)
		}
		if !(product >= math.Abs(first)*(1-tol)) || !(product <= math.Abs(first)+20*exactly) {
			t.Errorf("%v: the product is %g, must be %g", c, product, math.Abs(first))
		}
	}
}
