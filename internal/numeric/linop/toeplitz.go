package linop

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/fft"
	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// Toeplitz is a multilevel Toeplitz operator: on arrays of one shape, the entry
// between indices i and j depends on i - j only. Its product is a zero padded
// convolution by fast Fourier transforms, O(n log n).
type Toeplitz struct {
	shape []int
	size  int
	conv  *fft.Convolver
}

// NewToeplitz returns the operator on arrays of the given shape with entry
// lags[i-j] between i and j. Along an axis that is even the sign of the lag does
// not matter and lags has the n entries 0 … n-1; along any other it has 2n-1,
// with lag zero in the middle. even may be nil: no axis is. Where the entries decay fast, those
// at long lags are left out (see withinReach). The error may be the context's.
func NewToeplitz(ctx context.Context, shape []int, even []bool, lags []float64) (*Toeplitz, error) {
	count, size, folds := 1, 1, len(shape) > 1
	lagShape := make([]int, len(shape))
	for i, n := range shape {
		if n < 1 {
			return nil, fmt.Errorf("toeplitz: shape[%d] = %d: must be at least 1", i, n)
		}
		lagShape[i] = 2*n - 1
		if even != nil && even[i] {
			lagShape[i] = n
		}
		folds = folds && lagShape[i] == n
		count *= lagShape[i]
		size *= n
	}
	if len(lags) != count {
		return nil, fmt.Errorf("toeplitz: got %d lags, must be %d for the shape %v", len(lags), count, shape)
	}
	reach, lagShape, lags := withinReach(shape, lagShape, lags)
	padded := make([]int, len(shape))
	for i, n := range shape {
		padded[i] = fft.Good(n + reach[i] - 1)
	}
	var conv *fft.Convolver
	var err error
	if folds {
		conv, err = fft.NewEvenConvolver(ctx, padded, shape, reach, lags)
	} else {
		conv, err = embedded(ctx, padded, shape, reach, lagShape, lags)
	}
	if err != nil {
		return nil, fmt.Errorf("toeplitz: %w", err)
	}
	return &Toeplitz{shape: append([]int(nil), shape...), size: size, conv: conv}, nil
}

// ToeplitzSize is how many numbers NewToeplitz holds at a time, the lags not counted, and how many there are in a
// product: the padded array and its spectrum; and the symbol with a complex half spectrum that is padded but for the
// first axis. Where all axes are even the symbol is a small part of it, made from as much again. Entries that decay fast
// take less.
func ToeplitzSize(shape []int, even bool) (making, product float64) {
	cells, half, folded := 1.0, 1.0, 1.0
	for i, n := range shape {
		padded := fft.Good(2*n - 1)
		cells *= float64(padded)
		folded *= float64(padded/2 + 1)
		if i == len(shape)-1 {
			padded = padded/2 + 1
		}
		half *= float64(padded)
	}
	switch first := float64(shape[0]) / float64(fft.Good(2*shape[0]-1)); {
	case len(shape) == 1:
		return 2 * cells, half
	case even:
		return 2 * folded, folded + 2*first*half
	default:
		return 2 * cells, half + 2*first*half
	}
}

// embedded is the product for lags of both signs.
func embedded(ctx context.Context, padded, shape, reach, lagShape []int, lags []float64) (*fft.Convolver, error) {
	cells := 1
	for _, n := range padded {
		cells *= n
	}
	symbol, err := parallel.Zeros(ctx, cells)
	if err != nil {
		return nil, err
	}
	embed(ctx, symbol, lags, reach, lagShape, padded)
	return fft.NewConvolver(ctx, padded, shape, shape, symbol)
}

// fewCells are not worth a look at the context.
const fewCells = 1 << 16

// embed writes lags, of both signs up to reach, to the circulant grid padded, where lag -k is at
// N-k. The cells that no lag reaches stay zero.
func embed(ctx context.Context, symbol, lags []float64, reach, lagShape, padded []int) {
	if len(reach) == 0 {
		symbol[0] = lags[0]
		return
	}
	inner, innerLags := len(symbol)/padded[0], len(lags)/lagShape[0]
	for lag := 1 - reach[0]; lag < reach[0]; lag++ {
		at, from := lag, lag+reach[0]-1
		if lag < 0 {
			at += padded[0]
		}
		if lagShape[0] == reach[0] {
			from = max(lag, -lag)
		}
		if inner > fewCells && ctx.Err() != nil {
			return
		}
		embed(ctx, symbol[at*inner:(at+1)*inner], lags[from*innerLags:(from+1)*innerLags], reach[1:], lagShape[1:], padded[1:])
	}
}

// Dims implements Operator.
func (t *Toeplitz) Dims() (r, c int) { return t.size, t.size }

// Apply implements Operator.
func (t *Toeplitz) Apply(ctx context.Context, dst, x []float64) {
	t.conv.WithContext(ctx).Apply(dst, x)
}

// ApplyTranspose implements Adjoint.
func (t *Toeplitz) ApplyTranspose(ctx context.Context, dst, x []float64) {
	t.conv.WithContext(ctx).ApplyTransposed(dst, x)
}

// Describe implements Describer.
func (t *Toeplitz) Describe() string {
	return fmt.Sprintf("%d-level Toeplitz, %s, by FFT", len(t.shape), describeShape(t.shape))
}
