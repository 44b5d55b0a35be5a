package arrays

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// A Complex is a dense array of complex128, as [Array] is one of float64.
type Complex struct {
	Shape []int
	Data  []complex128
}

// ComplexOf returns the array of the given shape over data, which it shares; no
// shape at all means a vector.
func ComplexOf(data []complex128, shape ...int) (*Complex, error) {
	if len(shape) == 0 {
		shape = []int{len(data)}
	}
	size, err := dense.SizeIn(shape, 2)
	if err != nil {
		return nil, err
	}
	if size != len(data) {
		return nil, fmt.Errorf("shape %s: wants %d numbers, got %d", dense.ShapeString(shape), size, len(data))
	}
	return &Complex{slices.Clone(shape), data}, nil
}

// newComplex is an array of zeros.
func newComplex(shape []int) (*Complex, error) {
	size, err := dense.SizeIn(shape, 2)
	if err != nil {
		return nil, err
	}
	return &Complex{slices.Clone(shape), dense.Room[complex128](size)}, nil
}

// Cartesian returns re + i im, broadcast as for [Add].
func Cartesian(ctx context.Context, re, im *array.Array) (*Complex, error) {
	shape, err := broadcastShape(re.Shape, im.Shape)
	if err != nil {
		return nil, err
	}
	z, err := newComplex(shape)
	if err != nil {
		return nil, err
	}
	return z, zipped(ctx, z.Data, layoutOf(shape, re.Shape, im.Shape), re.Data, im.Data, 1, func(dst []complex128, x, y []float64) {
		for i := range dst {
			dst[i] = complex(x[i], y[i])
		}
	})
}

// ToComplex returns the numbers with imaginary parts 0.
func ToComplex(ctx context.Context, a *array.Array) (*Complex, error) {
	return Cartesian(ctx, a, array.Scalar(0))
}

// Rank returns the number of axes.
func (z *Complex) Rank() int { return len(z.Shape) }

// Size returns the number of elements.
func (z *Complex) Size() int { return len(z.Data) }

// Real returns the real parts.
func (z *Complex) Real(ctx context.Context) (*array.Array, error) {
	return z.part(ctx, 1, func(z complex128) float64 { return real(z) })
}

// Imag returns the imaginary parts.
func (z *Complex) Imag(ctx context.Context) (*array.Array, error) {
	return z.part(ctx, 1, func(z complex128) float64 { return imag(z) })
}

// Abs returns the absolute values, without overflow before the result does.
func (z *Complex) Abs(ctx context.Context) (*array.Array, error) { return z.part(ctx, 3, abs) }

// abs squares where that neither overflows nor loses digits.
func abs(z complex128) float64 {
	if s := real(z)*real(z) + imag(z)*imag(z); s > 1e-280 && s < 1e300 {
		return math.Sqrt(s)
	}
	return cmplx.Abs(z)
}

// Angle returns the arguments, from -π to π.
func (z *Complex) Angle(ctx context.Context) (*array.Array, error) {
	return z.part(ctx, 20, cmplx.Phase)
}

func (z *Complex) part(ctx context.Context, time float64, fn func(complex128) float64) (*array.Array, error) {
	out, err := unset(z.Shape...)
	if err != nil {
		return nil, err
	}
	return out, mapped(ctx, out.Data, z.Data, time, func(dst []float64, z []complex128) {
		for i, v := range z {
			dst[i] = fn(v)
		}
	})
}

// Map returns fn of every element; it calls fn on several goroutines.
func (z *Complex) Map(ctx context.Context, fn func(complex128) complex128) (*Complex, error) {
	out, err := newComplex(z.Shape)
	if err != nil {
		return nil, err
	}
	return out, mapped(ctx, out.Data, z.Data, 30, func(dst, z []complex128) {
		for i, v := range z {
			dst[i] = fn(v)
		}
	})
}

// Combine returns a op b element by element, broadcast as for [Add], for the
// operations + - * / ^.
func Combine(ctx context.Context, op byte, a, b *Complex) (*Complex, error) {
	shape, err := broadcastShape(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	out, err := newComplex(shape)
	if err != nil {
		return nil, err
	}
	fn := map[byte]func(z, w complex128) complex128{'+': nil, '-': nil, '*': nil, '/': divided, '^': power}[op]
	return out, zipped(ctx, out.Data, layoutOf(shape, a.Shape, b.Shape), a.Data, b.Data, 2, func(dst, a, b []complex128) {
		a, b = a[:len(dst)], b[:len(dst)]
		switch op {
		case '+':
			for i := range dst {
				dst[i] = a[i] + b[i]
			}
		case '-':
			for i := range dst {
				dst[i] = a[i] - b[i]
			}
		case '*':
			for i := range dst {
				dst[i] = a[i] * b[i]
			}
		default:
			for i := range dst {
				dst[i] = fn(a[i], b[i])
			}
		}
	})
}

// divided is z/w; a real w divides both parts, so that z/0 is infinite as real numbers are.
func divided(z, w complex128) complex128 {
	if imag(w) == 0 {
		return complex(real(z)/real(w), imag(z)/real(w))
	}
	return z / w
}

// power is z^w: by products for small whole exponents, so that i^2 is -1.
func power(z, w complex128) complex128 {
	n := real(w)
	if imag(w) != 0 || n != math.Trunc(n) || math.Abs(n) > 100 {
		return cmplx.Pow(z, w)
	}
	p, square := complex(1, 0), z
	for k := int(math.Abs(n)); k > 0; k >>= 1 {
		if k&1 == 1 {
			p *= square
		}
		square *= square
	}
	if n < 0 {
		return divided(1, p)
	}
	return p
}

// Index returns the i-th sub-array along the first axis, sharing its numbers; it
// panics when i is outside.
func (z *Complex) Index(i int) *Complex {
	shape, data := dense.Indexed(z.Shape, z.Data, i)
	return &Complex{shape, data}
}

// Reshape is [array.Array.Reshape].
func (z *Complex) Reshape(shape ...int) (*Complex, error) {
	shape, err := dense.Reshaped(z.Size(), shape)
	if err != nil {
		return nil, err
	}
	return ComplexOf(z.Data, shape...)
}

// Transpose permutes the axes, as the function [Transpose]; it does not conjugate.
func (z *Complex) Transpose(ctx context.Context, perm ...int) (*Complex, error) {
	shape, step, err := permuted(z.Shape, perm)
	if err != nil {
		return nil, err
	}
	out, err := newComplex(shape)
	if err != nil {
		return nil, err
	}
	return out, gather(ctx, out.Data, z.Data, 0, shape, step)
}

// byParts is what a linear function of arrays makes of both parts.
func (z *Complex) byParts(ctx context.Context, of func(*array.Array) (*array.Array, error)) (*Complex, error) {
	var parts [2]*array.Array
	for k, part := range []func(context.Context) (*array.Array, error){z.Real, z.Imag} {
		whole, err := part(ctx)
		if err != nil {
			return nil, err
		}
		if parts[k], err = of(whole); err != nil {
			return nil, err
		}
	}
	return Cartesian(ctx, parts[0], parts[1])
}

// Sum adds up along an axis, as [Reduce].
func (z *Complex) Sum(ctx context.Context, axis int) (*Complex, error) {
	return z.byParts(ctx, func(a *array.Array) (*array.Array, error) { return Reduce(ctx, a, "sum", 0, axis, false) })
}

// Mean is the mean along an axis, as [Reduce].
func (z *Complex) Mean(ctx context.Context, axis int) (*Complex, error) {
	return z.byParts(ctx, func(a *array.Array) (*array.Array, error) { return Reduce(ctx, a, "mean", 0, axis, false) })
}

// String is Format(80).
func (z *Complex) String() string { return z.Format(80) }

// Format returns the array for people, as [array.Array.Format]; one number alone is a
// number: 1 + 2i.
func (z *Complex) Format(width int) string { return z.format(width, dense.Digits) }

// FormatLong is Format with all digits of the numbers.
func (z *Complex) FormatLong(width int) string { return z.format(width, dense.AllDigits) }

func (z *Complex) format(width, digits int) string {
	if width <= 0 {
		width = 80
	}
	p := dense.NewPage(z.Shape, width)
	var shown []float64
	p.Each(func(i int) { shown = append(shown, real(z.Data[i]), imag(z.Data[i])) })
	s := dense.StyleFor(shown, digits)
	text := func(i int) string { return complexText(s, z.Data[i]) }
	if z.Size() == 1 {
		return text(0)
	}
	var b strings.Builder
	b.WriteString("complex array " + dense.ShapeString(z.Shape))
	if z.Size() == 0 {
		b.WriteString(", empty")
	}
	p.Write(&b, text)
	return b.String()
}

// complexText is "1 + 2i", "1 - 2i".
func complexText(s dense.Style, z complex128) string {
	sign, im := " + ", imag(z)
	if math.Signbit(im) && im != 0 {
		sign, im = " - ", -im
	}
	return s.Text(real(z)) + sign + s.Text(im) + "i"
}

// ComplexDot returns the matrix product, as [Dot]; it does not conjugate.
func ComplexDot(ctx context.Context, a, b *Complex) (*Complex, error) {
	var parts []*array.Array
	for _, half := range []func(context.Context) (*array.Array, error){a.Real, a.Imag, b.Real, b.Imag} {
		part, err := half(ctx)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	product := func(sign func(ctx context.Context, a, b *array.Array) (*array.Array, error), i, j, k, l int) (*array.Array, error) {
		p, err := Dot(ctx, parts[i], parts[j])
		if err != nil {
			return nil, err
		}
		q, err := Dot(ctx, parts[k], parts[l])
		if err != nil {
			return nil, err
		}
		return sign(ctx, p, q)
	}
	re, err := product(Sub, 0, 2, 1, 3)
	if err != nil {
		return nil, err
	}
	im, err := product(Add, 0, 3, 1, 2)
	if err != nil {
		return nil, err
	}
	return Cartesian(ctx, re, im)
}
