package linop

import (
	"fmt"
	"runtime"

	"github.com/greenbench/workbench/numeric/internal/fft"
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
// lags[i-j] between i and j. The lags are signed: lags is row-major of shape
// 2n_1-1, 2n_2-1, …, with lag zero in the middle.
func NewToeplitz(shape []int, lags []float64) (*Toeplitz, error) {
	count, padded, cells := 1, make([]int, len(shape)), 1
	size := 1
	for i, n := range shape {
		if n < 1 {
			return nil, fmt.Errorf("toeplitz: shape[%d] = %d: must be at least 1", i, n)
		}
		count *= 2*n - 1
		padded[i] = fft.Good(2*n - 1)
		cells *= padded[i]
		size *= n
	}
	if len(lags) != count {
		return nil, fmt.Errorf("toeplitz: got %d lags, must be %d for the shape %v", len(lags), count, shape)
	}
	symbol := make([]float64, cells)
	index := make([]int, len(shape))
	for _, v := range lags {
		at := 0
		for i, n := range shape {
			lag := index[i] - (n - 1)
			if lag < 0 {
				lag += padded[i]
			}
			at = at*padded[i] + lag
		}
		symbol[at] = v
		for i := len(shape) - 1; i >= 0; i-- {
			if index[i]++; index[i] < 2*shape[i]-1 {
				break
			}
			index[i] = 0
		}
	}
	conv, err := fft.NewConvolver(padded, shape, shape, symbol)
	if err != nil {
		return nil, fmt.Errorf("toeplitz: %w", err)
	}
	if cells > 1<<16 { // below, starting goroutines costs more than they save
		conv = conv.WithWorkers(runtime.GOMAXPROCS(0))
	}
	return &Toeplitz{shape: append([]int(nil), shape...), size: size, conv: conv}, nil
}

// Dims implements Operator.
func (t *Toeplitz) Dims() (r, c int) { return t.size, t.size }

// Apply implements Operator.
func (t *Toeplitz) Apply(dst, x []float64) { t.conv.Apply(dst, x) }

// ApplyTranspose implements Adjoint.
func (t *Toeplitz) ApplyTranspose(dst, x []float64) { t.conv.ApplyTransposed(dst, x) }

// Describe implements Describer.
func (t *Toeplitz) Describe() string {
	return fmt.Sprintf("%d-level Toeplitz, %s, by FFT", len(t.shape), describeShape(t.shape))
}
