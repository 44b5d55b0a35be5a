package kernels

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/mesh"
)

// vector holds the inner loops for this machine.
var vector = simd.Best()

// Matrix is k(p_i, q_j) over the points of two meshes. It is never held: each
// product evaluates it block by block, in parallel over rows. The radial families
// of package simd have loops that evaluate and multiply at once; for every other
// expression the compiled tape fills a block, which is then multiplied; for many
// pairs it is that of a formula with fewer quotients and roots, whose values may
// differ by a few roundings from those of [Function.At]. It is immutable and safe
// for concurrent use.
//
// Products are bit for bit the same for any number of processors.
type Matrix struct {
	f          *Function
	tape       *tape
	rows, cols [][]float64 // what the tape takes of the p_i and of the q_j, one slice each
	r, c       int
	piece      int         // pairs in a piece of work
	swapped    bool        // the rows are the kernel's second argument
	fused      *fused      // nil: the tape
	pr, pc     simd.Points // the same points for the fused loops
}

// Matrix returns the matrix between two meshes, both of Space.Dim coordinates.
func (f *Function) Matrix(p, q mesh.Mesh) (*Matrix, error) {
	if p.Dim() != f.Space.Dim() || q.Dim() != f.Space.Dim() {
		return nil, fmt.Errorf("gram: meshes have %d and %d coordinates, the kernel was compiled for %d", p.Dim(), q.Dim(), f.Space.Dim())
	}
	m := &Matrix{f: f, r: p.Size(), c: q.Size(), piece: chunkPairs}
	u := f.fused()
	if u == nil {
		m.evaluated(p, q)
		return m, nil
	}
	origin := make([]float64, q.Dim())
	q.Point(origin, m.c/2)
	x, y := u.scaled(p, origin), u.scaled(q, origin)
	if x == nil || y == nil {
		m.evaluated(p, q)
		return m, nil
	}
	m.fused = u
	var err error
	if m.pr, err = m.fused.points(x); err != nil {
		return nil, err
	}
	m.pc, err = m.fused.points(y)
	return m, err
}

// Gram returns the matrix k(p_i, q_j) over the points of two meshes, in
// parallel over rows.
func (f *Function) Gram(ctx context.Context, p, q mesh.Mesh) (*mat.Dense, error) {
	m, err := f.Matrix(p, q)
	if err != nil {
		return nil, err
	}
	if err := dense.CheckMatrix("gram", 1, p.Size(), q.Size()); err != nil {
		return nil, err
	}
	g := mat.NewDense(p.Size(), q.Size(), dense.Room[float64](p.Size()*q.Size()))
	if err := m.store(ctx, g); err != nil {
		return nil, err
	}
	return g, nil
}

// Dims returns the numbers of rows and columns.
func (m *Matrix) Dims() (r, c int) { return m.r, m.c }

// Fused reports whether products run in the loops of one radial family.
func (m *Matrix) Fused() bool { return m.fused != nil }

// T returns the transpose, sharing memory.
func (m *Matrix) T() *Matrix {
	return &Matrix{
		f: m.f, tape: m.tape, rows: m.cols, cols: m.rows, r: m.c, c: m.r, piece: m.piece, swapped: !m.swapped, fused: m.fused, pr: m.pc, pc: m.pr,
	}
}

const (
	chunkPairs = 1 << 21 // of one piece of work, between two looks at the context
	tapeCols   = 2048    // values that a tape computes at once
	tapeRows   = 96      // rows of the block that is multiplied with a matrix
	tapeDepth  = 256
)

// chunks calls do for pieces of rows, in parallel. The pieces depend on the
// shape only: how many columns there are, and by how many a row is multiplied.
func (m *Matrix) chunks(ctx context.Context, cols int, do func(lo, hi int)) error {
	rows := max(2, m.piece/max(1, m.c*(1+cols/16))&^1)
	most := min(rows, m.r)
	time := m.RowTime() * float64(most)
	if cols > 1 {
		time += vector.ProductTime(most, m.c, cols)
	}
	return Rows(ctx, (m.r+rows-1)/rows, time, func(i int) {
		do(i*rows, min(m.r, (i+1)*rows))
	})
}

// MulVec stores the product with v in dst; len(dst) == r, len(v) == c. Its error
// is the context's.
func (m *Matrix) MulVec(ctx context.Context, dst, v []float64) error {
	if len(dst) != m.r || len(v) != m.c {
		return fmt.Errorf("kernel matrix of %d × %d: cannot multiply %d numbers into %d", m.r, m.c, len(v), len(dst))
	}
	clear(dst)
	return m.chunks(ctx, 1, func(lo, hi int) {
		if fused := m.fused; fused != nil {
			vector.MulVec(dst[lo:hi], m.pr.Slice(lo, hi), m.pc, v)
			scale(dst[lo:hi], fused.amplitude)
			return
		}
		ops, values := m.operands(), make([]float64, min(tapeCols, m.c))
		for from := 0; from < m.c; from += tapeCols {
			part := values[:min(tapeCols, m.c-from)]
			for i := lo; i < hi; i++ {
				ops.evaluate(part, i, from)
				dst[i] += vector.Dot(part, v[from:from+len(part)])
			}
		}
	})
}

// MulMat stores the product with b, c × cols, in dst, r × cols; dst must share no
// memory with b. Its error is the context's.
func (m *Matrix) MulMat(ctx context.Context, dst, b *mat.Dense) error {
	rows, cols := b.Dims()
	if dst.IsEmpty() {
		dst.ReuseAs(m.r, cols)
	}
	if r, c := dst.Dims(); rows != m.c || r != m.r || c != cols {
		return fmt.Errorf("kernel matrix of %d × %d: cannot multiply %d × %d into %d × %d", m.r, m.c, rows, cols, r, c)
	}
	dst.Zero()
	to, from := dst.RawMatrix(), b.RawMatrix()
	return m.chunks(ctx, cols, func(lo, hi int) {
		if fused := m.fused; fused != nil {
			vector.MulMat(to.Data[lo*to.Stride:], to.Stride, m.pr.Slice(lo, hi), m.pc, from.Data, from.Stride, cols)
			for i := lo; i < hi; i++ {
				scale(to.Data[i*to.Stride:][:cols], fused.amplitude)
			}
			return
		}
		ops, block := m.operands(), make([]float64, tapeRows*tapeDepth)
		for at := lo; at < hi; at += tapeRows {
			n := min(tapeRows, hi-at)
			for j := 0; j < m.c; j += tapeDepth {
				depth := min(tapeDepth, m.c-j)
				for i := range n {
					ops.evaluate(block[i*depth:(i+1)*depth], at+i, j)
				}
				vector.Gemm(1, simd.Dense(n, depth, block[:n*depth]),
					simd.Matrix{Rows: depth, Cols: cols, RowStride: from.Stride, ColStride: 1, Data: from.Data[j*from.Stride:]},
					1, simd.Matrix{Rows: n, Cols: cols, RowStride: to.Stride, ColStride: 1, Data: to.Data[at*to.Stride:]})
			}
		}
	})
}

// store stores the whole matrix in dst, r × c.
func (m *Matrix) store(ctx context.Context, dst *mat.Dense) error {
	raw := dst.RawMatrix()
	return m.chunks(ctx, 0, func(lo, hi int) { m.fill(raw.Data[lo*raw.Stride:], raw.Stride, lo, hi) })
}

// fill stores rows lo <= i < hi, stride apart.
func (m *Matrix) fill(dst []float64, stride, lo, hi int) {
	if fused := m.fused; fused != nil {
		vector.Fill(dst, stride, m.pr.Slice(lo, hi), m.pc)
		for i := range hi - lo {
			scale(dst[i*stride:][:m.c], fused.amplitude)
		}
		return
	}
	ops := m.operands()
	for i := lo; i < hi; i++ {
		ops.evaluate(dst[(i-lo)*stride:][:m.c], i, 0)
	}
}

// RowTime is about what Row takes, in nanoseconds.
func (m *Matrix) RowTime() float64 {
	if m.fused != nil {
		return vector.PairTime(m.f.Space.Dim()) * float64(m.c)
	}
	return m.tape.time * float64(m.c)
}

// Row stores row i in dst; len(dst) == c.
func (m *Matrix) Row(dst []float64, i int) { m.fill(dst, m.c, i, i+1) }

func scale(v []float64, c float64) {
	if c == 1 {
		return
	}
	for i := range v {
		v[i] *= c
	}
}

// manyPairs are worth writing the formula for the points that there are, which takes as long as some 10⁵ pairs.
const manyPairs = 1 << 18

// tapeFor returns the tape for the pairs of two meshes.
func (f *Function) tapeFor(p, q mesh.Mesh) *tape {
	if f.Node == nil || float64(p.Size())*float64(q.Size()) < manyPairs {
		return f.tape()
	}
	var slots []expr.Interval
	for _, c := range slices.Concat(p.Columns(), q.Columns()) {
		slots = append(slots, expr.Values(c))
	}
	if last := f.ofPairs.Load(); last != nil && slices.Equal(last.slots, slots) {
		return last.tape
	}
	program, err := expr.CompilePairs(f.Node, p.Dim(), slots)
	if err != nil { // too long a formula
		return f.tape()
	}
	made := &pairTape{slots, newTape(program, p.Dim())}
	f.ofPairs.Store(made)
	return made.tape
}

// pairTape is a tape for pairs of points whose coordinates are in some intervals.
type pairTape struct {
	slots []expr.Interval
	tape  *tape
}

// evaluated prepares a matrix whose values the tape computes.
func (m *Matrix) evaluated(p, q mesh.Mesh) {
	m.tape = m.f.tapeFor(p, q)
	m.rows, m.cols = m.tape.columns(p, false), m.tape.columns(q, true)
}

// operands is scratch of one goroutine for evaluations by the tape.
type operands struct {
	m            *Matrix
	vars         []expr.Operand
	fixed, along []int // the slots of vars for the row's point and the columns' points
}

func (m *Matrix) operands() *operands {
	t := m.tape
	o := &operands{m: m, vars: make([]expr.Operand, len(t.p)+len(t.q)), fixed: t.p, along: t.q}
	if m.swapped {
		o.fixed, o.along = o.along, o.fixed
	}
	return o
}

// evaluate stores k(p_i, q_j) for len(dst) columns from the given one.
func (o *operands) evaluate(dst []float64, i, from int) {
	for k, slot := range o.fixed {
		o.vars[slot].Scalar = o.m.rows[k][i]
	}
	for k, slot := range o.along {
		o.vars[slot].Vector = o.m.cols[k][from : from+len(dst)]
	}
	o.m.tape.program.Block(dst, o.vars)
}
