package criteria

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// panelWidth is how many columns are eliminated together: enough that most of the work
// is matrix products.
const panelWidth = 128

// factored is a symmetric positive definite matrix H = D^½ L Lᵀ D^½. Dividing by D, a
// diagonal near that of H, first keeps the small eigenvalues of a matrix whose rows are
// of very different sizes.
type factored struct {
	root    []float64  // D^½
	l       *mat.Dense // L; once inverted W = L⁻¹ D^-½, so that H⁻¹ = Wᵀ W
	logs    float64    // log det H
	inverse bool
}

// factor takes the matrix h, whose lower triangle is read and which is overwritten; d
// must be positive. Cost: n³/3 multiplications and additions. The error is the context's,
// or solve.ErrNotPositive.
func factor(ctx context.Context, h *mat.Dense, d []float64) (*factored, error) {
	f := &factored{l: h, root: make([]float64, len(d))}
	for i, v := range d {
		f.root[i] = math.Sqrt(v)
	}
	for i, s := range f.root {
		row := h.RawRowView(i)
		for j, t := range f.root[:i+1] {
			row[j] /= s * t
		}
		clear(row[i+1:])
	}
	if err := f.eliminate(ctx); err != nil {
		return nil, err
	}
	for i, s := range f.root {
		f.logs += 2 * math.Log(s*h.At(i, i))
	}
	return f, nil
}

// part is rows i … i2-1 and columns j … j2-1 of a matrix.
func part(m *mat.Dense, i, i2, j, j2 int) *mat.Dense { return m.Slice(i, i2, j, j2).(*mat.Dense) }

func (f *factored) eliminate(ctx context.Context) error {
	n := len(f.root)
	for j := 0; j < n; j += panelWidth {
		if ctx.Err() != nil {
			return fmt.Errorf("determinant stopped: %w", context.Cause(ctx))
		}
		end := min(n, j+panelWidth)
		diagonal := part(f.l, j, end, j, end)
		if !eliminateSmall(diagonal) {
			return fmt.Errorf("determinant: %w", solve.ErrNotPositive)
		}
		if end == n {
			break
		}
		inverse := invertSmall(diagonal)
		below := part(f.l, end, n, j, end)
		negative := new(mat.Dense)
		if err := linop.MulContext(ctx, negative, below, inverse.T()); err != nil {
			return err
		}
		below.Copy(negative)
		negative.Scale(-1, negative)
		err := kernels.Rows(ctx, (n-end+panelWidth-1)/panelWidth, productTime(n-end, panelWidth, panelWidth)/2, func(k int) {
			lo := k * panelWidth
			hi := min(n-end, lo+panelWidth)
			_ = linop.AddMul(ctx, part(f.l, end+lo, n, end+lo, end+hi), part(negative, lo, n-end, 0, end-j), part(below, lo, hi, 0, end-j).T())
		})
		if err != nil {
			return fmt.Errorf("determinant stopped: %w", err)
		}
	}
	for i := range n { // what the products left above the diagonal
		clear(f.l.RawRowView(i)[i+1:])
	}
	return nil
}

// productTime is about what a product of matrices takes on one processor, in nanoseconds.
func productTime(r, inner, c int) float64 { return 0.05 * float64(r) * float64(inner) * float64(c) }

// eliminateSmall is the Cholesky factor in place of the lower triangle; false where a pivot is not
// positive.
func eliminateSmall(a *mat.Dense) bool {
	n, _ := a.Dims()
	for i := range n {
		row := a.RawRowView(i)
		for j := range i {
			other := a.RawRowView(j)
			row[j] = (row[j] - floats.Dot(row[:j], other[:j])) / other[j]
		}
		pivot := row[i] - floats.Dot(row[:i], row[:i])
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return false
		}
		row[i] = math.Sqrt(pivot)
		clear(row[i+1:])
	}
	return true
}

// invertSmall returns the inverse of a lower triangle.
func invertSmall(l *mat.Dense) *mat.Dense {
	n, _ := l.Dims()
	w := mat.NewDense(n, n, nil)
	for i := range n {
		row := w.RawRowView(i)
		for j, v := range l.RawRowView(i)[:i] {
			floats.AddScaled(row[:j+1], -v, w.RawRowView(j)[:j+1])
		}
		floats.Scale(1/l.At(i, i), row[:i])
		row[i] = 1 / l.At(i, i)
	}
	return w
}

// solve returns H⁻¹ b.
func (f *factored) solve(b []float64) []float64 {
	n := len(b)
	x := append([]float64(nil), b...)
	if f.inverse {
		w := mat.NewVecDense(n, nil)
		w.MulVec(f.l, mat.NewVecDense(n, b))
		mat.NewVecDense(n, x).MulVec(f.l.T(), w)
		return x
	}
	floats.Div(x, f.root)
	for i := range x {
		row := f.l.RawRowView(i)
		x[i] = (x[i] - floats.Dot(row[:i], x[:i])) / row[i]
	}
	for i := n - 1; i >= 0; i-- {
		row := f.l.RawRowView(i)
		x[i] /= row[i]
		floats.AddScaled(x[:i], -x[i], row[:i])
	}
	floats.Div(x, f.root)
	return x
}

// invert replaces L by W, in its place. Cost: n³/3 multiplications and additions.
func (f *factored) invert(ctx context.Context) error {
	n := len(f.root)
	for i := 0; i < n; i += panelWidth {
		end := min(n, i+panelWidth)
		inverse := invertSmall(part(f.l, i, end, i, end))
		left := new(mat.Dense) // -(diagonal block)⁻¹ times what is left of it
		if i > 0 {
			if err := linop.MulContext(ctx, left, inverse, part(f.l, i, end, 0, i)); err != nil {
				return err
			}
			left.Scale(-1, left)
		}
		part(f.l, i, end, 0, end).Zero()
		err := kernels.Rows(ctx, i/panelWidth, productTime(end-i, i, panelWidth)/2, func(k int) {
			j := k * panelWidth
			_ = linop.AddMul(ctx, part(f.l, i, end, j, j+panelWidth), part(left, 0, end-i, j, i), part(f.l, j, i, j, j+panelWidth))
		})
		if err != nil {
			return fmt.Errorf("inverse stopped: %w", err)
		}
		part(f.l, i, end, i, end).Copy(inverse)
	}
	for i := range n {
		floats.Div(f.l.RawRowView(i), f.root)
	}
	f.inverse = true
	return nil
}

// trace is that of H⁻¹; after invert.
func (f *factored) trace() float64 {
	sum := 0.0
	for i := range f.root {
		row := f.l.RawRowView(i)[:i+1]
		sum += floats.Dot(row, row)
	}
	return sum
}

// Span is a run of columns, from lo to hi-1.
type Span struct{ Lo, Hi int }

// blocks returns the diagonal blocks of (P ⊗ I) H⁻¹ (P ⊗ I)ᵀ for groups of its rows, each
// a list of spans, as one block over them all; after invert. P has my rows and columns of
// H for each entry; nil stands for the identity. Cost: with r the columns of P at most
// n² (rows of P/2 + largest group) multiplications and additions.
func (f *factored) blocks(ctx context.Context, p *mat.Dense, my int, groups [][]Span) ([]*mat.Dense, error) {
	n, chunk := len(f.root), plainRows
	if p != nil {
		rows, _ := p.Dims()
		chunk = max(fewestRows, min(mostRows, turnedSize/(rows*my)))
	}
	out := make([]*mat.Dense, len(groups))
	for g, group := range groups {
		size := 0
		for _, s := range group {
			size += s.Hi - s.Lo
		}
		out[g] = mat.NewDense(size, size, nil)
	}
	t := &turned{p: p, my: my}
	for from := 0; from < n; from += chunk {
		to := min(n, from+chunk)
		err := t.turn(ctx, f.l, from, to)
		if err == nil {
			err = kernels.Rows(ctx, len(groups), productTime(to-from, my, my), func(g int) { addGram(ctx, out[g], t, groups[g]) })
		}
		if err != nil {
			return nil, fmt.Errorf("leave-one-out stopped: %w", err)
		}
	}
	return out, nil
}

const (
	plainRows  = 64 // of W that are taken at a time
	fewestRows = 32 // of W that are turned at a time
	mostRows   = 256
	turnedSize = 1 << 20 // numbers that this makes, about: they stay in the cache
)

// turned is some rows of W (P ⊗ I)ᵀ, P with my rows and columns for each entry; nil stands
// for the identity.
type turned struct {
	p    *mat.Dense
	my   int
	w    *mat.Dense // those rows; with P, in each row what a row of P makes of them, one after another
	room [2][]float64
}

// turn takes rows from … to-1 of W. That is a triangle: only the first columns of P meet
// anything of them.
func (t *turned) turn(ctx context.Context, w *mat.Dense, from, to int) error {
	n, _ := w.Dims()
	if t.p == nil {
		t.w = part(w, from, to, 0, n)
		return nil
	}
	rows, all := t.p.Dims()
	r, width := (to+t.my-1)/t.my, (to-from)*t.my
	if t.room[0] == nil {
		t.room = [2][]float64{make([]float64, all*width), make([]float64, rows*width)}
	}
	in := mat.NewDense(r, width, t.room[0][:r*width])
	for a := range r {
		row := in.RawRowView(a)
		for i := range to - from {
			copy(row[i*t.my:(i+1)*t.my], w.RawRowView(from + i)[a*t.my:])
		}
	}
	t.w = mat.NewDense(rows, width, t.room[1][:rows*width])
	return linop.MulContext(ctx, t.w, part(t.p, 0, rows, 0, r), in)
}

// columns is some of the columns, in pieces.
func (t *turned) columns(group []Span) []*mat.Dense {
	var out []*mat.Dense
	for _, s := range group {
		if t.p == nil {
			n, _ := t.w.Dims()
			out = append(out, part(t.w, 0, n, s.Lo, s.Hi))
			continue
		}
		for lo := s.Lo; lo < s.Hi; {
			a := lo / t.my
			hi, row := min(s.Hi, (a+1)*t.my), t.w.RawRowView(a)
			out = append(out, part(mat.NewDense(len(row)/t.my, t.my, row), 0, len(row)/t.my, lo-a*t.my, hi-a*t.my))
			lo = hi
		}
	}
	return out
}

// addGram adds the products of the columns in the spans.
func addGram(ctx context.Context, dst *mat.Dense, t *turned, group []Span) {
	i, columns := 0, t.columns(group)
	for _, left := range columns {
		_, rows := left.Dims()
		j := 0
		for _, right := range columns {
			_, cols := right.Dims()
			_ = linop.AddMul(ctx, part(dst, i, i+rows, j, j+cols), left.T(), right)
			j += cols
		}
		i += rows
	}
}
