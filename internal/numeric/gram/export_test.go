package gram

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// CrossForms makes every form that the kernel has between meshes, with what its
// check says: "" where it is the kernel.
func CrossForms(ctx context.Context, f *kernels.Function, xs, ys, x, y mesh.Mesh) (ops []linop.Operator, verdicts []string, err error) {
	r, err := newReference(ctx, f, xs, ys, x, y)
	if err != nil {
		return nil, nil, err
	}
	c := &crosser{reference: r, xs: xs, ys: ys, x: x, y: y, most: math.Inf(1)}
	for _, s := range structures() {
		if s.between == nil {
			continue
		}
		op, err := s.between(c)
		if err != nil {
			return nil, nil, err
		}
		if op == nil {
			continue
		}
		_, verdict, err := c.check(op)
		if err != nil {
			return nil, nil, err
		}
		ops, verdicts = append(ops, op), append(verdicts, verdict)
	}
	return ops, verdicts, nil
}

// MixtureProduct is what a product with a mixture of these matrices, by term and axis, differs
// by from the sum over all entries, relative to the largest, and the axis contracted first.
func MixtureProduct(ctx context.Context, terms [][]*mat.Dense) (off float64, first int) {
	m := &mixture{terms: terms}
	n, cols := 1, 1
	for _, e := range terms[0] {
		r, c := e.Dims()
		m.to, m.from = append(m.to, r), append(m.from, c)
		n, cols = n*r, cols*c
	}
	x, got, size := make([]float64, cols), make([]float64, n), 0.0
	for j := range x {
		x[j] = math.Sin(float64(1 + j))
	}
	m.Apply(ctx, got, x)
	for i, v := range got {
		want := 0.0
		for j, xj := range x {
			for _, term := range terms {
				p, row, col := xj, i, j
				for k := len(term) - 1; k >= 0; k-- {
					p *= term[k].At(row%m.to[k], col%m.from[k])
					row, col = row/m.to[k], col/m.from[k]
				}
				want += p
			}
		}
		size, off = max(size, math.Abs(want)), max(off, math.Abs(v-want))
	}
	return off / size, order(m.to, m.from)[0]
}

// MixtureRows is what rows of a product with a mixture, and its entries, differ by from the
// products with it, relative to the largest.
func MixtureRows(ctx context.Context, f *kernels.Function, xs, ys, x, y mesh.Mesh) float64 {
	m, err := newMixture(ctx, f, xs, ys, x, y, math.Inf(1))
	if m == nil || err != nil {
		return math.NaN()
	}
	return rowsOff(ctx, m)
}

// rowsOff is what rows of a product, and entries, differ by from the products themselves, relative to the largest.
func rowsOff(ctx context.Context, m interface {
	compressed
	rowTimer
},
) float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	n, cols := m.Dims()
	b := mat.NewDense(cols, 2, nil)
	for i := range b.RawMatrix().Data {
		b.RawMatrix().Data[i] = rng.NormFloat64()
	}
	at := []int{n - 1, 0, n / 2, n / 2, n / 3}
	rows := mat.NewDense(len(at), 2, nil)
	if err := m.rowsTimes(ctx, rows, at, b); err != nil {
		return math.NaN()
	}
	all, size, off := make([]float64, n), 0.0, 0.0
	for q := range 2 {
		m.Apply(ctx, all, mat.Col(nil, q, b))
		for k, i := range at {
			size, off = max(size, math.Abs(all[i])), max(off, math.Abs(all[i]-rows.At(k, q)))
		}
	}
	for j := range cols {
		e := make([]float64, cols)
		e[j] = 1
		m.Apply(ctx, all, e)
		for _, i := range at {
			var v [1]float64
			m.entries(v[:], []int{i}, []int{j})
			off = max(off, math.Abs(v[0]-all[i]))
		}
	}
	return off / size
}

// Entries stores entries of an operator that is not evaluated from the kernel.
func Entries(op linop.Operator, dst []float64, i, j []int) bool {
	c, ok := op.(compressed)
	if ok {
		c.entries(dst, i, j)
	}
	return ok
}

// Hold is the check of an operator on x × y that claims to be the kernel.
func Hold(ctx context.Context, f *kernels.Function, x, y mesh.Mesh, op linop.Operator, entry func(i, j int) float64, seed uint64) (c *Check, verdict string, err error) {
	r, err := newReference(ctx, f, x, y, x, y)
	if err != nil {
		return nil, "", err
	}
	r.rng = rand.New(rand.NewPCG(seed, 1))
	return r.check(claim{op, entry, false})
}

// HoldCertain is that of an operator that claims, besides, that nothing of the kernel can be missing in it.
func HoldCertain(ctx context.Context, f *kernels.Function, x, y mesh.Mesh, op linop.Operator, entry func(i, j int) float64, seed uint64) (verdict string, err error) {
	r, err := newReference(ctx, f, x, y, x, y)
	if err != nil {
		return "", err
	}
	r.rng = rand.New(rand.NewPCG(seed, 1))
	_, verdict, err = r.check(claim{op, entry, true})
	return verdict, err
}

// HoldBetween is that of an operator from x × y to xs × ys, with products on so many rows at most.
func HoldBetween(ctx context.Context, f *kernels.Function, xs, ys, x, y mesh.Mesh, op linop.Operator, entry func(i, j int) float64, products int) (verdict string, err error) {
	r, err := newReference(ctx, f, xs, ys, x, y)
	if err != nil {
		return "", err
	}
	_, verdict, err = r.checkBy(claim{op, entry, false}, products)
	return verdict, err
}

type claim struct {
	linop.Operator
	entry func(i, j int) float64
	sure  bool
}

func (c claim) entries(dst []float64, i, j []int) {
	for k := range dst {
		dst[k] = c.entry(i[k], j[k])
	}
}

func (c claim) certain() bool { return c.sure }

// Multiplications counts those of a response of n functions by a sum of Kronecker products.
func Multiplications(left, right []*mat.Dense, n int) (direct, through float64, err error) {
	sum, err := linop.NewKroneckerSum(left, right)
	if err != nil {
		return 0, 0, err
	}
	direct, through = (&kronecker{KroneckerSum: sum}).multiplications(n)
	return direct, through, nil
}

// Slices is the one Kronecker product that stands in for a kernel without structure.
func Slices(ctx context.Context, f *kernels.Function, x, y mesh.Mesh) (left, right mat.Matrix, err error) {
	g, err := newChooser(ctx, f, x, y, structures())
	if err != nil {
		return nil, nil, err
	}
	k, err := g.rankOne()
	if err != nil {
		return nil, nil, err
	}
	return k.Left(0), k.Right(0), nil
}

// KroneckerRows is what rows of a product with a sum of Kronecker products differ by from the products with it, relative
// to the largest.
func KroneckerRows(ctx context.Context, f *kernels.Function, x, y mesh.Mesh) float64 {
	g, err := newChooser(ctx, f, x, y, structures())
	if err != nil {
		return math.NaN()
	}
	k, err := g.kronecker(crossTolerance, maxTerms)
	if k == nil || err != nil {
		return math.NaN()
	}
	return rowsOff(ctx, k)
}

// Contractions counts the multiplications of a tensor with one matrix for each axis.
func Contractions(to, from []int) float64 { return contractions(to, from) }

// RoughTolerance is that of sums which stand in for another.
const RoughTolerance = roughTolerance
