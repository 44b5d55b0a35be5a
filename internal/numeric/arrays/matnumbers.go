package arrays

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// isNumeric refuses what is not made of numbers.
func (v *matArray) isNumeric() error {
	if v.class >= matDouble && v.class <= matUint64 || v.class == matSparse {
		return nil
	}
	what := matClasses[v.class]
	switch v.class {
	case matOpaque:
		what += " (a table, string or the like; in MATLAB: table2array, double)"
	case matCell, matStruct:
		what += " of nothing"
	}
	return &unsupportedError{What: what + ": want an array of real numbers"}
}

// real reads an array of real numbers.
func (m *matFile) real(v *matArray) (*array.Array, error) {
	if err := v.isNumeric(); err != nil {
		return nil, err
	}
	if v.complex {
		return nil, complexNumbers("complex " + matClasses[v.class] + ": want an array of real numbers")
	}
	if v.class == matSparse {
		s, err := m.sparse(v)
		if err != nil {
			return nil, err
		}
		return s.dense()
	}
	n, err := dense.SizeOf(v.shape)
	if err != nil {
		return nil, err
	}
	rest, err := m.rest(v)
	if err != nil {
		return nil, err
	}
	data, _, err := m.values(rest, n, "shape "+dense.ShapeString(v.shape))
	if err != nil {
		return nil, err
	}
	return fromColumnMajor(contextOf(m.r), data, v.shape)
}

// complexOf reads an array of complex numbers.
func (m *matFile) complexOf(v *matArray) (*Complex, error) {
	if v.class == matSparse {
		return nil, &unsupportedError{What: "complex sparse matrix: in MATLAB use full(A)"}
	}
	n, err := dense.SizeIn(v.shape, 2)
	if err != nil {
		return nil, err
	}
	rest, err := m.rest(v)
	if err != nil {
		return nil, err
	}
	re, rest, err := m.values(rest, n, "shape "+dense.ShapeString(v.shape))
	if err != nil {
		return nil, err
	}
	im, _, err := m.values(rest, n, "shape "+dense.ShapeString(v.shape))
	if err != nil {
		return nil, err
	}
	return complexParts(contextOf(m.r), re, im, v.shape)
}

// complexParts joins real and imaginary parts, stored by columns.
func complexParts(ctx context.Context, re, im []float64, shape []int) (*Complex, error) {
	z := dense.Room[complex128](len(re))
	for i := range z {
		z[i] = complex(re[i], im[i])
	}
	return complexFromColumnMajor(ctx, z, shape)
}
