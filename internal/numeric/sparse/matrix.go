package sparse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// Matrix is a matrix of which only some entries are kept, row by row with increasing columns.
type Matrix struct {
	rows, cols int
	start      []int // of each row in col and val; length rows+1
	col        []int
	val        []float64
}

// most bounds rows and columns: their numbers fit into 32 bits.
const most = math.MaxInt32

// New returns the rows × cols matrix with value[k] in row row[k] and column col[k], counted
// from 0. Entries at one place are added, in the order given.
func New(rows, cols int, row, col []int, value []float64) (*Matrix, error) {
	if len(row) != len(col) || len(row) != len(value) {
		return nil, fmt.Errorf("%s, %s and %s: must be as many", spelling.Count(len(row), "row"), spelling.Count(len(col), "column"), spelling.Count(len(value), "value"))
	}
	if err := checkShape(rows, cols, float64(len(value))); err != nil {
		return nil, err
	}
	m := &Matrix{rows: rows, cols: cols, start: make([]int, rows+1), col: make([]int, len(col)), val: make([]float64, len(col))}
	for k, i := range row {
		if i < 0 || i >= rows || col[k] < 0 || col[k] >= cols {
			return nil, fmt.Errorf("entry %d is in row %d and column %d of a %d × %d matrix", k+1, i+1, col[k]+1, rows, cols)
		}
		m.start[i+1]++
	}
	for i := range rows {
		m.start[i+1] += m.start[i]
	}
	next := slices.Clone(m.start[:rows])
	for k, i := range row {
		m.col[next[i]], m.val[next[i]] = col[k], value[k]
		next[i]++
	}
	m.tidy()
	return m, nil
}

// checkShape refuses shapes that are not there or do not fit into memory.
func checkShape(rows, cols int, entries float64) error {
	if rows < 1 || cols < 1 || rows > most || cols > most {
		return fmt.Errorf("shape %d × %d: both must be in 1 … %d", rows, cols, most)
	}
	return dense.CheckSize(fmt.Sprintf("a sparse matrix of %d × %d with %.0f entries", rows, cols, entries), float64(rows)+3*entries)
}

// tidy sorts each row by columns and adds what is at one place.
func (m *Matrix) tidy() {
	kept := 0
	var order []int
	for i := range m.rows {
		lo, hi := m.start[i], m.start[i+1]
		col, val := m.col[lo:hi], m.val[lo:hi]
		if !slices.IsSorted(col) {
			order = order[:0]
			for k := range col {
				order = append(order, k)
			}
			slices.SortStableFunc(order, func(a, b int) int { return col[a] - col[b] })
			c, v := slices.Clone(col), slices.Clone(val)
			for k, p := range order {
				col[k], val[k] = c[p], v[p]
			}
		}
		m.start[i] = kept
		for k, j := range col {
			if kept > m.start[i] && m.col[kept-1] == j {
				m.val[kept-1] += val[k]
				continue
			}
			m.col[kept], m.val[kept] = j, val[k]
			kept++
		}
	}
	m.start[m.rows] = kept
	m.col, m.val = m.col[:kept], m.val[:kept]
}

// FromDense returns the matrix of the entries of a that are not 0.
func FromDense(a *mat.Dense) (*Matrix, error) {
	rows, cols := a.Dims()
	count := 0
	for i := range rows {
		for _, v := range a.RawRowView(i) {
			if v != 0 {
				count++
			}
		}
	}
	if err := checkShape(rows, cols, float64(count)); err != nil {
		return nil, err
	}
	m := &Matrix{rows: rows, cols: cols, start: make([]int, 1, rows+1), col: make([]int, 0, count), val: make([]float64, 0, count)}
	for i := range rows {
		for j, v := range a.RawRowView(i) {
			if v != 0 {
				m.col, m.val = append(m.col, j), append(m.val, v)
			}
		}
		m.start = append(m.start, len(m.col))
	}
	return m, nil
}

// Diagonals returns the rows × cols matrix with diagonals[k] on the diagonal offsets[k], above
// the main one where that is positive. A diagonal of one number is that number throughout;
// any other must have the length of its place.
func Diagonals(rows, cols int, diagonals [][]float64, offsets []int) (*Matrix, error) {
	if len(diagonals) != len(offsets) {
		return nil, fmt.Errorf("%d diagonals and %d offsets: must be as many", len(diagonals), len(offsets))
	}
	total := 0.0
	for k, o := range offsets {
		length := min(rows, cols-o) - max(0, -o)
		if length < 1 {
			return nil, fmt.Errorf("offset %d: outside of a %d × %d matrix", o, rows, cols)
		}
		if d := len(diagonals[k]); d != 1 && d != length {
			return nil, fmt.Errorf("diagonal %d at offset %d has %d numbers: must be %d, or 1", k+1, o, d, length)
		}
		total += float64(length)
	}
	if err := checkShape(rows, cols, 3*total); err != nil {
		return nil, err
	}
	var row, col []int
	var value []float64
	for k, o := range offsets {
		for i := max(0, -o); i < min(rows, cols-o); i++ {
			row, col = append(row, i), append(col, i+o)
			value = append(value, diagonals[k][min(i-max(0, -o), len(diagonals[k])-1)])
		}
	}
	return New(rows, cols, row, col, value)
}

// Kron returns the Kronecker product of a and b.
func Kron(ctx context.Context, a, b *Matrix) (*Matrix, error) {
	rows, cols := float64(a.rows)*float64(b.rows), float64(a.cols)*float64(b.cols)
	if rows > most || cols > most {
		return nil, fmt.Errorf("a Kronecker product of %.0f × %.0f: at most %d each", rows, cols, most)
	}
	entries := float64(len(a.val)) * float64(len(b.val))
	if err := checkShape(int(rows), int(cols), entries); err != nil {
		return nil, err
	}
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	m := &Matrix{rows: int(rows), cols: int(cols), start: make([]int, 1, int(rows)+1), col: make([]int, 0, int(entries)), val: make([]float64, 0, int(entries))}
	for i := range a.rows {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		for r := range b.rows {
			for p := a.start[i]; p < a.start[i+1]; p++ {
				for q := b.start[r]; q < b.start[r+1]; q++ {
					m.col, m.val = append(m.col, a.col[p]*b.cols+b.col[q]), append(m.val, a.val[p]*b.val[q])
				}
			}
			m.start = append(m.start, len(m.col))
		}
	}
	return m, nil
}

// Dims is the shape.
func (m *Matrix) Dims() (rows, cols int) { return m.rows, m.cols }

// Len is the number of entries kept.
func (m *Matrix) Len() int { return len(m.val) }

// Row returns the columns, increasing, and the values of row i. They are to be read, not
// written.
func (m *Matrix) Row(i int) (cols []int, values []float64) {
	lo, hi := m.start[i], m.start[i+1]
	return m.col[lo:hi:hi], m.val[lo:hi:hi]
}

// At returns the entry in row i and column j.
func (m *Matrix) At(i, j int) float64 {
	cols, values := m.Row(i)
	if k, ok := slices.BinarySearch(cols, j); ok {
		return values[k]
	}
	return 0
}

// Dense returns the matrix with all its zeros.
func (m *Matrix) Dense() (*mat.Dense, error) {
	if err := dense.CheckMatrix(fmt.Sprintf("a sparse matrix of %d × %d", m.rows, m.cols), 1, m.rows, m.cols); err != nil {
		return nil, err
	}
	out := mat.NewDense(m.rows, m.cols, nil)
	for i := range m.rows {
		cols, values := m.Row(i)
		row := out.RawRowView(i)
		for k, j := range cols {
			row[j] = values[k]
		}
	}
	return out, nil
}

// Transpose returns the transpose.
func (m *Matrix) Transpose() *Matrix {
	t := &Matrix{rows: m.cols, cols: m.rows, start: make([]int, m.cols+1), col: make([]int, len(m.col)), val: make([]float64, len(m.val))}
	for _, j := range m.col {
		t.start[j+1]++
	}
	for j := range m.cols {
		t.start[j+1] += t.start[j]
	}
	next := slices.Clone(t.start[:m.cols])
	for i := range m.rows {
		for p := m.start[i]; p < m.start[i+1]; p++ {
			k := next[m.col[p]]
			next[m.col[p]]++
			t.col[k], t.val[k] = i, m.val[p]
		}
	}
	return t
}

// Symmetric reports whether the matrix equals its transpose, but for differences of tolerance
// times its largest entry.
func (m *Matrix) Symmetric(tolerance float64) bool {
	if m.rows != m.cols {
		return false
	}
	t, bound := m.Transpose(), tolerance*m.largest()
	for i := range m.rows {
		p, q := m.start[i], t.start[i]
		for p < m.start[i+1] || q < t.start[i+1] {
			switch {
			case q == t.start[i+1] || p < m.start[i+1] && m.col[p] < t.col[q]:
				if !(math.Abs(m.val[p]) <= bound) {
					return false
				}
				p++
			case p == m.start[i+1] || t.col[q] < m.col[p]:
				if !(math.Abs(t.val[q]) <= bound) {
					return false
				}
				q++
			default:
				if !(math.Abs(m.val[p]-t.val[q]) <= bound) {
					return false
				}
				p++
				q++
			}
		}
	}
	return true
}

// largest is the largest absolute value of an entry; NaN if there is one.
func (m *Matrix) largest() float64 {
	largest := 0.0
	for _, v := range m.val {
		largest = max(largest, math.Abs(v))
	}
	return largest
}

// Format describes the matrix in a line.
func (m *Matrix) String() string {
	return fmt.Sprintf("sparse matrix, %d × %d with %s", m.rows, m.cols, spelling.Count(len(m.val), "entry"))
}
