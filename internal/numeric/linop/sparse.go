package linop

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Entry is one number of a sparse matrix.
type Entry struct {
	Row, Col int
	Value    float64
}

// Sparse is a matrix of which only the entries that may be nonzero are kept, row
// by row with increasing columns.
type Sparse struct {
	rows, cols int
	start      []int // of each row in col and val; length rows+1
	col        []int
	val        []float64
}

// NewSparse returns the r × c matrix with the given entries. Entries at one place
// are added, in the order given. It panics if an entry is outside.
func NewSparse(r, c int, entries []Entry) *Sparse {
	s, _ := assemble(func(int) error { return nil }, r, c, entries) // which does not fail
	return s
}

// Assemble is [NewSparse] that ends with the context, for matrices of millions of entries.
func Assemble(ctx context.Context, r, c int, entries []Entry) (*Sparse, error) {
	return assemble(func(k int) error { return stoppedAt(ctx, k) }, r, c, entries)
}

// assemble asks at every step whether to go on.
func assemble(stopped func(k int) error, r, c int, entries []Entry) (*Sparse, error) {
	counts, inOrder, last := make([]int, r+1), true, Entry{}
	for k, e := range entries {
		if err := stopped(k); err != nil {
			return nil, err
		}
		if e.Row < 0 || e.Row >= r || e.Col < 0 || e.Col >= c {
			panic(fmt.Sprintf("linop: entry (%d, %d) is outside of a %d × %d matrix", e.Row, e.Col, r, c))
		}
		counts[e.Row+1]++
		inOrder = inOrder && (last.Row < e.Row || last.Row == e.Row && last.Col <= e.Col)
		last = e
	}
	for i := range r {
		counts[i+1] += counts[i]
	}
	sorted := entries
	if !inOrder {
		sorted = make([]Entry, len(entries))
		next := slices.Clone(counts[:r])
		for k, e := range entries {
			if err := stopped(k); err != nil {
				return nil, err
			}
			sorted[next[e.Row]] = e
			next[e.Row]++
		}
	}
	start, col, val := make([]int, r+1), make([]int, 0, len(entries)), make([]float64, 0, len(entries))
	for i := range r {
		if err := stopped(i); err != nil {
			return nil, err
		}
		row := sorted[counts[i]:counts[i+1]]
		byColumn := func(a, b Entry) int { return a.Col - b.Col }
		if !inOrder && !slices.IsSortedFunc(row, byColumn) {
			slices.SortStableFunc(row, byColumn)
		}
		for k, e := range row {
			if k > 0 && row[k-1].Col == e.Col {
				val[len(val)-1] += e.Value
				continue
			}
			col, val = append(col, e.Col), append(val, e.Value)
		}
		start[i+1] = len(col)
	}
	return &Sparse{rows: r, cols: c, start: start, col: col, val: val}, nil
}

// stoppedAt is [Stopped] at some steps of a loop whose steps are short.
func stoppedAt(ctx context.Context, step int) error {
	if step%(1<<14) != 0 {
		return nil
	}
	return Stopped(ctx)
}

// Dims implements Operator.
func (s *Sparse) Dims() (r, c int) { return s.rows, s.cols }

// Row returns the columns, increasing, and the values of row i. They are to be
// read, not written.
func (s *Sparse) Row(i int) (cols []int, vals []float64) {
	lo, hi := s.start[i], s.start[i+1]
	return s.col[lo:hi:hi], s.val[lo:hi:hi]
}

// At returns the entry in row i and column j.
func (s *Sparse) At(i, j int) float64 {
	cols, vals := s.Row(i)
	if k, ok := slices.BinarySearch(cols, j); ok {
		return vals[k]
	}
	return 0
}

// Entries returns alpha times every entry kept, row by row: what sums and multiples
// of matrices are made of.
func (s *Sparse) Entries(alpha float64) []Entry {
	e := make([]Entry, 0, len(s.val))
	for i := range s.rows {
		cols, vals := s.Row(i)
		for k, j := range cols {
			e = append(e, Entry{i, j, alpha * vals[k]})
		}
	}
	return e
}

// ScaleRows is the matrix with row i times weight i; rows of weight zero are empty.
func (s *Sparse) ScaleRows(weight []float64) *Sparse {
	t := &Sparse{rows: s.rows, cols: s.cols, start: make([]int, s.rows+1), col: make([]int, 0, len(s.col)), val: make([]float64, 0, len(s.val))}
	for i, w := range weight {
		if cols, vals := s.Row(i); w != 0 {
			t.col = append(t.col, cols...)
			for _, v := range vals {
				t.val = append(t.val, w*v)
			}
		}
		t.start[i+1] = len(t.col)
	}
	return t
}

// Mul returns the product with b.
func (s *Sparse) Mul(b *Sparse) *Sparse {
	if s.cols != b.rows {
		panic(fmt.Sprintf("linop: %d × %d matrix times %d × %d", s.rows, s.cols, b.rows, b.cols))
	}
	var e []Entry
	for i := range s.rows {
		cols, vals := s.Row(i)
		for k, j := range cols {
			more, values := b.Row(j)
			for q, c := range more {
				e = append(e, Entry{i, c, vals[k] * values[q]})
			}
		}
	}
	return NewSparse(s.rows, b.cols, e)
}

// Transpose returns the transpose.
func (s *Sparse) Transpose() *Sparse {
	t := &Sparse{rows: s.cols, cols: s.rows, start: make([]int, s.cols+1), col: make([]int, len(s.col)), val: make([]float64, len(s.val))}
	for _, j := range s.col {
		t.start[j+1]++
	}
	for j := range s.cols {
		t.start[j+1] += t.start[j]
	}
	next := slices.Clone(t.start[:s.cols])
	for i := range s.rows {
		cols, vals := s.Row(i)
		for k, j := range cols {
			t.col[next[j]], t.val[next[j]] = i, vals[k]
			next[j]++
		}
	}
	return t
}

// Len is the number of entries kept.
func (s *Sparse) Len() int { return len(s.val) }

// Apply implements Operator; it is too short to end before.
func (s *Sparse) Apply(_ context.Context, dst, x []float64) { s.MulVec(dst, x) }

// MulVec stores the product with x in dst.
func (s *Sparse) MulVec(dst, x []float64) {
	for i := range s.rows {
		cols, vals := s.Row(i)
		sum := 0.0
		for k, j := range cols {
			sum += vals[k] * x[j]
		}
		dst[i] = sum
	}
}

// ApplyTranspose implements Adjoint.
func (s *Sparse) ApplyTranspose(_ context.Context, dst, x []float64) {
	clear(dst)
	for i := range s.rows {
		cols, vals := s.Row(i)
		for k, j := range cols {
			dst[j] += vals[k] * x[i]
		}
	}
}

// AddMul adds alpha times the product with x to dst: every column of x is one
// vector. dst is r × m and x is c × m for the same m; they must not overlap.
func (s *Sparse) AddMul(dst *mat.Dense, alpha float64, x *mat.Dense) {
	to, from := dst.RawMatrix(), x.RawMatrix()
	if to.Rows != s.rows || from.Rows != s.cols || to.Cols != from.Cols {
		panic(fmt.Sprintf("linop: %d × %d matrix times %d × %d into %d × %d", s.rows, s.cols, from.Rows, from.Cols, to.Rows, to.Cols))
	}
	for i := range s.rows {
		cols, vals := s.Row(i)
		row := blas64.Vector{N: to.Cols, Inc: 1, Data: to.Data[i*to.Stride:]}
		for k, j := range cols {
			blas64.Axpy(alpha*vals[k], blas64.Vector{N: to.Cols, Inc: 1, Data: from.Data[j*from.Stride:]}, row)
		}
	}
}

// Symmetric reports whether the matrix equals its transpose, bit for bit.
func (s *Sparse) Symmetric() bool {
	if s.rows != s.cols {
		return false
	}
	for i := range s.rows {
		cols, vals := s.Row(i)
		for k, j := range cols {
			if j != i && s.At(j, i) != vals[k] {
				return false
			}
		}
	}
	return true
}

// Describe implements Describer.
func (s *Sparse) Describe() string {
	return fmt.Sprintf("sparse matrix, %d × %d with %d entries", s.rows, s.cols, len(s.val))
}
