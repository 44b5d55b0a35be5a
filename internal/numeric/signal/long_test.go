package signal_test

import (
	"context"
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/greenbench/workbench/internal/numeric/signal"
)

// Long lines, which are transformed as matrices, are what one transform in one go is,
// to rounding; lengths: a power of two, with odd factors, few rows, and a large prime.
func TestLongLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{1 << 17, 3 * 5 * 7 * 1000, 61 * 61 * 59, 131 * 600} {
		z := make([]complex128, n)
		for i := range z {
			z[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		want := fourier.NewCmplxFFT(n).Coefficients(nil, z)
		got, plan := append([]complex128(nil), z...), signal.NewPlan(n)
		if err := plan.Forward(t.Context(), got); err != nil {
			t.Fatal(err)
		}
		// Every one is a sum of n numbers of size 1, of size √n.
		bound := 1e-14 * math.Sqrt(float64(n))
		for k, v := range got {
			if cmplx.Abs(v-want[k]) > bound {
				t.Fatalf("length %d: %v at %d, want %v", n, v, k, want[k])
			}
		}
		if err := plan.Inverse(t.Context(), got); err != nil {
			t.Fatal(err)
		}
		for k, v := range got {
			if cmplx.Abs(v-z[k]) > 1e-13 {
				t.Fatalf("length %d: the inverse is %v at %d, want %v", n, v, k, z[k])
			}
		}
	}
}

// A context that ends at a number of looks at it.
type lasting struct {
	context.Context
	looks atomic.Int64
	most  int64
}

func (l *lasting) Err() error {
	if l.looks.Add(1) > l.most {
		return context.Canceled
	}
	return nil
}

// A long transform ends with its context, also where it has begun.
func TestLongLinesEnd(t *testing.T) {
	for _, n := range []int{1 << 18, 131 * 1000} {
		for _, most := range []int64{0, 1, 5, 20} {
			err := signal.NewPlan(n).Forward(&lasting{Context: context.Background(), most: most}, make([]complex128, n))
			if !errors.Is(err, context.Canceled) {
				t.Errorf("length %d, stopped at look %d: error %v", n, most, err)
			}
		}
	}
}
