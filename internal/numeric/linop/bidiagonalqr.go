package linop

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// bidiagonalQR makes an upper bidiagonal matrix, with diagonal d and e next to it,
// diagonal by sweeps of rotations, which turn the rows of left and right along with it.
type bidiagonalQR struct {
	ctx         context.Context
	d, e        []float64
	left, right simd.Matrix

	sweeps  []sweep // to be applied to the rows
	pending int     // rotations in them
}

// sweep is one rotation for each of the rows at, at+1, …, with the next one.
type sweep struct {
	at          int
	left, right []rotation
}

type rotation = simd.Rotation

// run makes e zero and d the singular values, in no order and with any sign.
func (b *bidiagonalQR) run() error {
	n, least := len(b.d), 0.0
	for i, v := range b.d {
		least = max(least, epsilon/8*math.Abs(v), epsilon/8*math.Abs(b.e[i]))
	}
	count := 0
	for m := n - 1; m > 0; {
		if err := Stopped(b.ctx); err != nil {
			return err
		}
		// Rotations round each entry by about epsilon, so that sweeps need not make it smaller.
		from, singular := m, math.Abs(b.d[m]) <= least
		for from > 0 && math.Abs(b.e[from-1]) > max(least, epsilon*(math.Abs(b.d[from-1])+math.Abs(b.d[from]))) {
			from--
			singular = singular || math.Abs(b.d[from]) <= least
		}
		if from == m {
			b.e[m-1] = 0
			m--
			continue
		}
		// Sweeps for one value are for all of them: of a group of small ones the first may take as many as there are rows.
		if count++; count > mostSweeps*n {
			return fmt.Errorf("singular values of a bidiagonal matrix of %d rows did not converge", n)
		}
		shift := 0.0
		if !singular {
			shift = leastSingular(b.d[m-1], b.e[m-1], b.d[m])
			if q := shift / b.d[from]; q*q < epsilon {
				shift = 0
			}
		}
		s := sweep{at: from, left: make([]rotation, m-from), right: make([]rotation, m-from)}
		if shift == 0 {
			b.withoutShift(s, m)
		} else {
			b.shifted(s, m, shift)
		}
		b.sweeps, b.pending = append(b.sweeps, s), b.pending+m-from
		if b.pending > 32*n {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	return b.flush()
}

// withoutShift is a sweep that keeps small singular values to their last digits.
func (b *bidiagonalQR) withoutShift(s sweep, m int) {
	d, e, before, own := b.d, b.e, rotation{C: 1}, rotation{C: 1}
	for i := s.at; i < m; i++ {
		var r float64
		own, r = rotate(d[i]*own.C, e[i])
		if i > s.at {
			e[i-1] = before.S * r
		}
		s.right[i-s.at] = own
		before, d[i] = rotate(before.C*r, d[i+1]*own.S)
		s.left[i-s.at] = before
	}
	h := d[m] * own.C
	d[m], e[m-1] = h*before.C, h*before.S
}

func (b *bidiagonalQR) shifted(s sweep, m int, shift float64) {
	d, e := b.d, b.e
	f, g := (math.Abs(d[s.at])-shift)*(math.Copysign(1, d[s.at])+shift/d[s.at]), e[s.at]
	for i := s.at; i < m; i++ {
		own, r := rotate(f, g)
		if i > s.at {
			e[i-1] = r
		}
		f, e[i] = own.C*d[i]+own.S*e[i], own.C*e[i]-own.S*d[i]
		g, d[i+1] = own.S*d[i+1], own.C*d[i+1]
		s.right[i-s.at] = own
		own, d[i] = rotate(f, g)
		f, d[i+1] = own.C*e[i]+own.S*d[i+1], own.C*d[i+1]-own.S*e[i]
		if i < m-1 {
			g, e[i+1] = own.S*e[i+1], own.C*e[i+1]
		}
		s.left[i-s.at] = own
	}
	e[m-1] = f
}

// rotate returns the rotation that takes (f, g) to (r, 0).
func rotate(f, g float64) (q rotation, r float64) {
	if g == 0 {
		return rotation{C: 1}, f
	}
	r = math.Copysign(math.Hypot(f, g), f)
	return rotation{C: f / r, S: g / r}, r
}

// leastSingular is the smaller singular value of [f g; 0 h].
func leastSingular(f, g, h float64) float64 {
	f, g, h = math.Abs(f), math.Abs(g), math.Abs(h)
	lo, hi := min(f, h), max(f, h)
	if lo == 0 {
		return 0
	}
	if g <= hi {
		a, b, c := 1+lo/hi, (hi-lo)/hi, (g/hi)*(g/hi)
		return lo * (2 / (math.Sqrt(a*a+c) + math.Sqrt(b*b+c)))
	}
	r := hi / g
	a, b := (1+lo/hi)*r, ((hi-lo)/hi)*r
	return 2 * lo * r / (math.Sqrt(1+a*a) + math.Sqrt(1+b*b))
}

// flush turns the rows of the bases by the rotations that are pending, in so few columns at a time
// that all rows of them stay in a cache over all sweeps.
func (b *bidiagonalQR) flush() error {
	n := len(b.d)
	blocks := (n + simd.TurnedColumns - 1) / simd.TurnedColumns
	parallel.Range(2*blocks, float64(b.pending*simd.TurnedColumns), func(lo, hi int) {
		room := simd.Dense(n, simd.TurnedColumns, make([]float64, n*simd.TurnedColumns))
		for k := lo; k < hi; k++ {
			if b.ctx.Err() != nil {
				return
			}
			of, right, from := b.left, k >= blocks, k%blocks*simd.TurnedColumns
			if right {
				of = b.right
			}
			m := part(of, 0, n, from, min(from+simd.TurnedColumns, n))
			some := part(room, 0, n, 0, m.Cols)
			copyTo(some, m)
			for _, s := range b.sweeps {
				all := s.left
				if right {
					all = s.right
				}
				vector.Rotations(room.Data[s.at*room.Cols:], all)
			}
			copyTo(m, some)
		}
	})
	b.sweeps, b.pending = b.sweeps[:0], 0
	return Stopped(b.ctx)
}

func copyTo(dst, src simd.Matrix) {
	for i := range src.Rows {
		copy(row(dst, i), row(src, i))
	}
}
