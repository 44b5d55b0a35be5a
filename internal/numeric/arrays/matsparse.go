package arrays

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
)

// triplets are a sparse matrix as the places of its entries, columns and rows from 0.
type triplets struct {
	rows, columns int
	row, column   []int
	value         []float64
}

// sparse reads a sparse matrix of level 5: the rows of the entries, where each column
// begins among them, the values.
func (m *matFile) sparse(v *matArray) (*triplets, error) {
	if len(v.shape) != 2 || v.shape[0] < 0 || v.shape[1] < 0 {
		return nil, fmt.Errorf("corrupt: a sparse matrix of shape %s", dense.ShapeString(v.shape))
	}
	rest, err := m.rest(v)
	if err != nil {
		return nil, err
	}
	row, rest, err := m.indices(rest)
	if err != nil {
		return nil, err
	}
	begin, rest, err := m.indices(rest)
	if err != nil {
		return nil, err
	}
	s := &triplets{rows: v.shape[0], columns: v.shape[1]}
	if len(begin) != s.columns+1 || begin[0] != 0 {
		return nil, fmt.Errorf("corrupt: a sparse matrix of %d columns has %d of them", s.columns, len(begin)-1)
	}
	n := begin[s.columns]
	if n > len(row) {
		return nil, fmt.Errorf("corrupt: a sparse matrix of %d entries has the rows of %d", n, len(row))
	}
	s.row = row[:n]
	for j := range s.columns {
		if begin[j+1] < begin[j] || begin[j+1] > n {
			return nil, fmt.Errorf("corrupt: column %d of a sparse matrix ends before it begins", j+1)
		}
		for range begin[j+1] - begin[j] {
			s.column = append(s.column, j)
		}
	}
	kind, stored, _, err := m.part(rest)
	if err != nil {
		return nil, err
	}
	if int(kind) >= len(matNumbers) || matNumbers[kind].size == 0 || len(stored)/matNumbers[kind].size < n {
		return nil, fmt.Errorf("corrupt: a sparse matrix of %d entries has %d bytes of values", n, len(stored))
	}
	s.value, _, err = m.values(rest, len(stored)/matNumbers[kind].size, "a sparse matrix")
	if err != nil {
		return nil, err
	}
	s.value = s.value[:n]
	return s, s.check()
}

// indices are the next element's numbers of 32 bits.
func (m *matFile) indices(b []byte) ([]int, []byte, error) {
	_, stored, rest, err := m.part(b)
	if err != nil {
		return nil, nil, err
	}
	at := make([]int, len(stored)/4)
	for i := range at {
		at[i] = int(int32(m.order.Uint32(stored[4*i:])))
	}
	return at, rest, nil
}

func (s *triplets) check() error {
	for i, r := range s.row {
		if c := s.column[i]; r < 0 || r >= s.rows || c < 0 || c >= s.columns {
			return fmt.Errorf("corrupt: an entry at row %d, column %d of a sparse matrix of %d×%d", r+1, c+1, s.rows, s.columns)
		}
	}
	return nil
}

// dense is the matrix with its zeros, which may be a hundred times what is stored and not more.
func (s *triplets) dense() (*array.Array, error) {
	size := float64(s.rows) * float64(s.columns)
	if size > 1<<20+100*float64(len(s.value)) {
		return nil, remedy.SparseParts.For(&unsupportedError{What: fmt.Sprintf("a sparse matrix of %d×%d with %d entries, which would be nearly all zeros",
			s.rows, s.columns, len(s.value))}, len(s.value))
	}
	a, err := array.Zeros(s.rows, s.columns)
	if err != nil {
		return nil, err
	}
	for i, x := range s.value {
		a.Data[s.row[i]*s.columns+s.column[i]] += x // MATLAB adds what is at one place
	}
	return a, nil
}
