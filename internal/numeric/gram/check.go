package gram

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Check is how an operator K̃ was held against the kernel K itself, and what the
// difference was. Two things are looked at.
//
//   - Entries of equal points, all of them up to 2¹⁷ and as many drawn at random
//     beyond. Between different meshes these are entries of nearest points. A part of
//     a sum of kernels is positive semi-definite: if it was left out it is missing on
//     the diagonal, and its Frobenius norm is at most what is missing there.
//   - Rows of K̃ Ω against those of K Ω, for three vectors Ω of independent normal
//     numbers (Freivalds 1979): all rows, as long as these are 2²² values of the
//     kernel; beyond, 2²¹ values of rows drawn at random, at least 64 rows. Half of
//     the draws are of any row alike, half in proportion to the diagonal of one of the
//     addends of the kernel, so that rows are drawn where each of them lives.
//
// Suppose the difference is 1e-8 of K in the Frobenius norm. Rows i whose part of it
// is over 3.5e-9 max(‖K_i‖, rms ‖K_i‖) hold three quarters of its square; let φ be the
// probability that a draw is one of those, which is at least half the part of all rows
// that they are. A row passes when its three products are all below 2e-11 of what they
// are for K: χ²₃ ≤ 3 (2e-11/3.5e-9)² t², where t, of E t³ < 2, is how far the norm of the
// row is overestimated by the same products: a probability below 1e-6. So the difference
// is missed with a probability of at most 1e-6 where all rows are looked at, and of
// (1-φ)^s + 1e-6 where s are drawn. A structure that is known from the expression of
// the kernel, or by comparing all values that it is made of, can only be off
// everywhere, by rounding: then one product with 32 rows is looked at, and 2¹² entries, which miss what a
// hundredth of all have with a probability of 1e-18. The draws are the same every time.
//
// With more than 2²² rows of estimates evaluated on fine meshes three products would
// take longer than what is asked for: 2¹⁷ entries at arbitrary places stand for them. A
// difference in a part φ of all entries is missed with a probability of (1-φ)^131072, in structures that can only be
// off by rounding, of which 2¹⁴ are looked at, of (1-φ)^16384.
type Check struct {
	// Error is the largest difference seen: of the products with a row, relative to
	// those of the kernel's row or to the root mean square of all, whichever is larger;
	// or of an entry, relative to the largest seen.
	Error float64
	Rows  int // looked at
	Of    int // rows of the operator

	op    linop.Operator
	f     *kernels.Function
	rows  mesh.Mesh // the points of the rows looked at
	all   mesh.Mesh // those of the columns
	at    []int     // those rows
	share []float64 // for each: times drawn, over what is expected of it; nil: all rows
}

const (
	checkTolerance = 2e-11   // largest Error that is accepted
	leastDetected  = 1e-8    // where points are rounded so much that it cannot be had
	checkPairs     = 1 << 21 // values of the kernel for a check of rows; twice that if they are all
	checkCalls     = 1 << 16 // the same for kernels that are evaluated by calls
	leastRows      = 64
	certainRows    = 32 // of structures that can only be off by rounding
	certainEntries = 1 << 12
	certainPlaces  = 1 << 14
	checkEntries   = 1 << 17
	checkVectors   = 3
	certainVectors = 1
	checkProducts  = 1 << 22 // rows beyond which a product takes longer than what is asked for
	fewRows        = 16      // part of all rows that are made by themselves where that is cheaper
)

// compressed is an operator that is not evaluated from the kernel.
type compressed interface {
	linop.Operator
	// entries stores entry (i[k], j[k]) in dst[k].
	entries(dst []float64, i, j []int)
	// certain reports whether nothing of the kernel can have been overlooked.
	certain() bool
}

// rowTimer is an operator that makes a few rows of a product at less cost than all.
type rowTimer interface {
	// rowsTimes stores the rows at of the product with b in dst; b is not a part of a matrix.
	rowsTimes(ctx context.Context, dst *mat.Dense, at []int, b *mat.Dense) error
}

// check returns the evidence, and why it does not do; "" when it does.
func (r *reference) check(op compressed) (*Check, string, error) {
	return r.checkBy(op, checkProducts)
}

// checkBy takes products between different meshes only where these have at most so many rows.
func (r *reference) checkBy(op compressed, products int) (c *Check, why string, err error) {
	c = &Check{Of: r.to.Size(), op: op, f: r.f, all: r.from}
	entries, places := checkEntries, checkEntries
	if op.certain() {
		entries, places = certainEntries, certainPlaces
	}
	if c.Error, err = r.entries(op, entries, r.near); err != nil {
		return nil, "", err
	}
	if c.Error <= leastDetected && r.to.Size() > products && !r.to.Equal(r.from) {
		anywhere, err := r.entries(op, places, func(int) int { return r.rng.IntN(r.from.Size()) })
		c.Error = max(c.Error, anywhere)
		return r.verdict(c, err)
	}
	if c.Error <= leastDetected {
		if err := r.draw(c, op.certain()); err != nil {
			return nil, "", err
		}
		vectors := checkVectors
		if op.certain() {
			vectors = certainVectors
		}
		rows, err := r.rows(c, vectors)
		if err != nil {
			return nil, "", err
		}
		c.Error = max(c.Error, rows)
	}
	return r.verdict(c, nil)
}

// verdict says whether the largest difference from the kernel that was seen, c.Error, is accepted, or why not.
func (r *reference) verdict(c *Check, err error) (*Check, string, error) {
	if err != nil {
		return nil, "", err
	}
	accepted := max(checkTolerance, 1e-13*math.Sqrt(float64(r.from.Size())))
	if c.Error <= accepted || c.Error <= leastDetected && c.Error <= 2*r.rounding(c.at) {
		return c, "", nil
	}
	return c, fmt.Sprintf("differs from the kernel by %.1e", c.Error), nil
}

// entries is the largest difference of entries, one in each row or in the most rows that
// are drawn; column chooses where.
func (r *reference) entries(op compressed, most int, column func(row int) int) (float64, error) {
	n := min(r.to.Size(), most)
	i, j := make([]int, n), make([]int, n)
	for k := range i {
		i[k] = k
		if n < r.to.Size() {
			i[k] = r.rng.IntN(r.to.Size())
		}
		j[k] = column(i[k])
	}
	got, want := make([]float64, n), make([]float64, n)
	const part = 1 << 12 // some hundredths of a second, with hundreds of terms
	for lo := 0; lo < n; lo += part {
		if err := linop.Stopped(r.ctx); err != nil {
			return 0, fmt.Errorf("kernel structure: %w", err)
		}
		hi := min(lo+part, n)
		op.entries(got[lo:hi], i[lo:hi], j[lo:hi])
		r.f.Block(want[lo:hi], columns(r.to, i[lo:hi]), columns(r.from, j[lo:hi]))
	}
	scale, off := 0.0, 0.0
	for k, v := range want {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, r.notFinite(v, i[k], j[k])
		}
		scale, off = max(scale, math.Abs(v)), max(off, math.Abs(v-got[k])) // NaN stays
	}
	return relative(off, scale), nil
}

// draw chooses the rows to look at.
func (r *reference) draw(c *Check, certain bool) (err error) {
	n, budget := r.to.Size(), checkPairs
	if r.f.Node == nil {
		budget = checkCalls
	}
	s := max(leastRows, budget/r.from.Size())
	if certain {
		s = certainRows
	}
	if s >= n || !certain && 2*s >= n {
		for i := range n {
			c.at = append(c.at, i)
		}
		c.Rows, c.rows = n, r.to
		return nil
	}
	draws, err := r.drawRows(s)
	if err != nil {
		return err
	}
	times := map[int]int{}
	for _, i := range draws {
		times[i]++
	}
	for i := range times {
		c.at = append(c.at, i)
	}
	slices.Sort(c.at)
	for _, i := range c.at {
		c.share = append(c.share, float64(times[i])/(float64(s)*r.weights[i]))
	}
	c.Rows = len(c.at)
	var points []float64
	for _, i := range c.at {
		p := make([]float64, r.to.Dim())
		r.to.Point(p, i)
		points = append(points, p...)
	}
	c.rows = mesh.Must(mesh.Scattered(points, r.to.Dim(), nil, r.to.Names()...))
	return nil
}

// checkPart is how many columns of the kernel's matrix are taken at a time: their
// coordinates take more memory than the numbers that they meet.
const checkPart = 1 << 15

// multiply stores the rows looked at times b in dst: products with parts of the columns, which processors share, added up
// in order.
func (c *Check) multiply(ctx context.Context, dst, b *mat.Dense) error {
	return c.multiplyBy(ctx, dst, b, checkPart)
}

func (c *Check) multiplyBy(ctx context.Context, dst, b *mat.Dense, size int) error {
	n, cols := b.Dims()
	parts := make([]mat.Dense, (n+size-1)/size)
	errs := make([]error, len(parts))
	parallel.Range(len(parts), c.f.Time(c.rows.Size()*min(n, size)), func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			from, to := i*size, min((i+1)*size, n)
			errs[i] = c.part(ctx, &parts[i], b.Slice(from, to, 0, cols).(*mat.Dense), from, to)
		}
	})
	if err := cmp.Or(append(errs, linop.Stopped(ctx))...); err != nil {
		return err
	}
	dst.Zero()
	for i := range parts {
		dst.Add(dst, &parts[i])
	}
	return nil
}

// part stores the rows looked at, of columns from … to-1, times b in dst.
func (c *Check) part(ctx context.Context, dst, b *mat.Dense, from, to int) error {
	d := c.all.Dim()
	points := make([]float64, (to-from)*d)
	for k, column := range c.all.ColumnsOf(from, to) {
		for i, v := range column {
			points[i*d+k] = v
		}
	}
	m, err := c.f.Matrix(c.rows, mesh.Must(mesh.Scattered(points, d, nil, c.all.Names()...)))
	if err != nil {
		return err
	}
	return m.MulMat(ctx, dst, b)
}

// apply stores the rows looked at of the operator's product with b in dst.
func (c *Check) apply(ctx context.Context, dst, b *mat.Dense) error {
	if op, ok := c.op.(rowTimer); ok && len(c.at)*fewRows <= c.Of {
		return op.rowsTimes(ctx, dst, c.at, b)
	}
	_, cols := b.Dims()
	column := make([]float64, c.Of)
	for q := range cols {
		c.op.Apply(ctx, column, mat.Col(nil, q, b))
		for k, i := range c.at {
			dst.Set(k, q, column[i])
		}
	}
	return linop.Stopped(ctx)
}

// rows is the largest difference of the rows drawn. The norm of a row is known by its
// products too.
func (r *reference) rows(c *Check, vectors int) (float64, error) {
	cols := r.from.Size()
	omega := mat.NewDense(cols, vectors, nil)
	for j := range cols {
		if j%(1<<18) == 0 && r.ctx.Err() != nil {
			break
		}
		for q := range vectors {
			omega.Set(j, q, r.rng.NormFloat64())
		}
	}
	want, got := mat.NewDense(len(c.at), vectors, nil), mat.NewDense(len(c.at), vectors, nil)
	if err := c.multiply(r.ctx, want, omega); err != nil {
		return 0, fmt.Errorf("kernel structure: stopped: %w", err)
	}
	if err := c.apply(r.ctx, got, omega); err != nil {
		return 0, fmt.Errorf("kernel structure: %w", err)
	}
	norm, squares, weight := make([]float64, len(c.at)), 0.0, 0.0
	for k, i := range c.at {
		norm[k] = floats.Norm(want.RawRowView(k), 2)
		if math.IsNaN(norm[k]) || math.IsInf(norm[k], 0) {
			return 0, r.notFinite(norm[k], i, r.near(i))
		}
		squares, weight = squares+c.shareOf(k)*norm[k]*norm[k], weight+c.shareOf(k)
	}
	rms, worst := math.Sqrt(squares/weight), 0.0
	for k := range c.at {
		worst = max(worst, relative(floats.Distance(want.RawRowView(k), got.RawRowView(k), 2), max(norm[k], rms)))
	}
	return worst, nil
}

func (c *Check) shareOf(k int) float64 {
	if c.share == nil {
		return 1
	}
	return c.share[k]
}

// Difference estimates d = (K - K̃) w and |⟨w, d⟩|: exact where all rows were looked at.
// Otherwise rows that were not are zero in d, and the others so much larger that the
// expectation of every weighted sum of squares is right; the product has two standard
// errors added. A nil Check is that of an operator evaluated from the kernel itself: d
// is nil. kw is K̃ w where it is at hand, or nil. Cost: that product, and the rows again.
func (c *Check) Difference(ctx context.Context, w, kw []float64) (d []float64, product float64, err error) {
	if c == nil || len(c.at) == 0 { // between different meshes there is no certificate to cover
		return nil, 0, nil
	}
	d, got, want := make([]float64, c.Of), make([]float64, len(c.at)), make([]float64, len(c.at))
	if err := c.multiply(ctx, mat.NewDense(len(c.at), 1, want), mat.NewDense(len(w), 1, w)); err != nil {
		return nil, 0, err
	}
	if kw == nil {
		if err := c.apply(ctx, mat.NewDense(len(c.at), 1, got), mat.NewDense(len(w), 1, w)); err != nil {
			return nil, 0, err
		}
	}
	for k, i := range c.at {
		if kw != nil {
			got[k] = kw[i]
		}
		d[i] = want[k] - got[k]
	}
	deviation := 0.0
	for k, i := range c.at {
		v := c.shareOf(k) * w[i] * d[i]
		product += v
		if c.share != nil {
			deviation = math.Hypot(deviation, v)
		}
		d[i] *= math.Sqrt(c.shareOf(k))
	}
	return d, math.Abs(product) + 2*deviation, nil
}

// String says what was looked at.
func (c *Check) String() string {
	switch {
	case c == nil:
		return "evaluated from the kernel itself"
	case c.Rows == c.Of:
		return fmt.Sprintf("%.1e, of all %d rows of the kernel's matrix", c.Error, c.Of)
	}
	return fmt.Sprintf("%.1e, of %d of %d rows of the kernel's matrix, drawn at random", c.Error, c.Rows, c.Of)
}

// checked is a Product that has been held against the kernel.
type checked struct{ evidence *Check }

// Check implements Product.
func (c *checked) Check() *Check { return c.evidence }

func (c *checked) set(e *Check) { c.evidence = e }
