package arrays

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// wantError checks that err says every one of the given things.
func wantError(t *testing.T, err error, say ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", say)
	}
	for _, s := range say {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

// must is for arrays that a test makes from numbers known to be right.
func must(a *array.Array, err error) *array.Array {
	if err != nil {
		panic(err)
	}
	return a
}

// count returns 0, 1, 2, … in the given shape.
func count(shape ...int) *array.Array {
	a := array.New(shape...)
	for i := range a.Data {
		a.Data[i] = float64(i)
	}
	return a
}

// wantArray compares exactly.
func wantArray(t *testing.T, got *array.Array, shape []int, data ...float64) {
	t.Helper()
	if want := (&array.Array{Shape: shape, Data: data}); !Equal(got, want) {
		t.Errorf("got %v %v, want %v %v", got.Shape, got.Data, shape, data)
	}
}

func TestConstructors(t *testing.T) {
	wantArray(t, must(array.Zeros(2, 1)), []int{2, 1}, 0, 0)
	wantArray(t, must(Full(ctx(), 1, 3)), []int{3}, 1, 1, 1)
	wantArray(t, must(Full(ctx(), 2.5, 1, 2)), []int{1, 2}, 2.5, 2.5)
	wantArray(t, must(Eye(ctx(), 2)), []int{2, 2}, 1, 0, 0, 1)
	wantArray(t, array.Scalar(4), []int{1}, 4)
	wantArray(t, array.New(2, 0), []int{2, 0})
	_, err := Eye(ctx(), 0)
	wantError(t, err, "n 0", "at least 1")
	_, err = array.Zeros()
	wantError(t, err, "at least one axis")
}

// An allocation that fails would end the program, so an impossible shape must
// be an error, with the memory it wants.
func TestImpossibleShapes(t *testing.T) {
	for _, shape := range [][]int{
		{1 << 30, 1 << 30},
		{math.MaxInt, math.MaxInt, math.MaxInt},
		{math.MaxInt},
		{0, math.MaxInt},
	} {
		_, err := array.Zeros(shape...)
		wantError(t, err, "needs", "the limit is")
	}
	_, err := array.Zeros(1<<25, 1<<25)
	wantError(t, err, "33554432×33554432", "8 PiB")
	_, err = Add(ctx(), array.New(1<<22, 1), array.New(1, 1<<22)) // 2^44 numbers of 8 bytes
	wantError(t, err, "128 TiB")
}

// The expected bits are those that numpy.linspace(0, 1, 100) and (-2, 2, 50)
// left in a .npz file.
func TestLinSpaceIsNumPys(t *testing.T) {
	x := must(LinSpace(ctx(), 0, 1, 100))
	for i, bits := range map[int]uint64{
		0: 0, 6: 0x3faf07c1f07c1f08, 7: 0x3fb219dbcc486770, 13: 0x3fc0cede62433b7a,
		29: 0x3fd2bf5a814afd6a, 57: 0x3fe26c9b26c9b26d, 98: 0x3fefad40a57eb503, 99: 0x3ff0000000000000,
	} {
		if got := math.Float64bits(x.Data[i]); got != bits {
			t.Errorf("LinSpace(ctx(), 0, 1, 100)[%d] = %#x, want %#x", i, got, bits)
		}
	}
	x = must(LinSpace(ctx(), -2, 2, 50))
	for i, bits := range map[int]uint64{
		1: 0xbffeb1a1f58d0fac, 7: 0xbff6db6db6db6db7, 13: 0xbfee0a72f0539784,
		29: 0x3fd7829cbc14e5e0, 47: 0x3ffd6343eb1a1f58, 49: 0x4000000000000000,
	} {
		if got := math.Float64bits(x.Data[i]); got != bits {
			t.Errorf("LinSpace(ctx(), -2, 2, 50)[%d] = %#x, want %#x", i, got, bits)
		}
	}
	wantArray(t, must(LinSpace(ctx(), 3, 5, 1)), []int{1}, 3)
	wantArray(t, must(LinSpace(ctx(), 1, 0, 3)), []int{3}, 1, .5, 0)
	_, err := LinSpace(ctx(), 0, 1, 0)
	wantError(t, err, "n 0", "at least 1")
	_, err = LinSpace(ctx(), 0, math.Inf(1), 3)
	wantError(t, err, "+Inf", "finite")
}

func TestLogSpace(t *testing.T) {
	// Decimal literals are correctly rounded, so whole exponents must be exact.
	wantArray(t, must(LogSpace(ctx(), -6, 0, 7)), []int{7}, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1)
	// 10^(1/2) = 3.16227766016837933…
	wantArray(t, must(LogSpace(ctx(), 0, 1, 3)), []int{3}, 1, 3.1622776601683795, 10)
	_, err := LogSpace(ctx(), 0, 1, -1)
	wantError(t, err, "n -1")
}

func TestComparison(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	a := array.Vector([]float64{1, nan, inf, 4})
	if !Equal(a, a.Copy()) {
		t.Error("an array with NaN does not equal its copy")
	}
	if Equal(a, must(a.Reshape(2, 2))) {
		t.Error("different shapes are equal")
	}
	// |4.4-4| = 0.4 is within 0.05 + 0.1·4 = 0.45, but not 0.01 + 0.09·4 = 0.37.
	b := array.Vector([]float64{1, nan, inf, 4.4})
	c, err := allClose(b, a, 0.1, 0.05)
	if err != nil || !c.Close() || c.Worst[0] != 3 {
		t.Errorf("allClose = %v, %v", c, err)
	}
	c, err = allClose(b, a, 0.09, 0.01)
	if err != nil || c.Close() || c.Outside != 1 || c.Worst[0] != 3 || c.Got != 4.4 || c.Want != 4 {
		t.Errorf("allClose = %v, %v", c, err)
	}
	if got := c.String(); !strings.Contains(got, "1 outside") || !strings.Contains(got, "[3]: got 4.4000000000000004, want 4") {
		t.Errorf("String() = %q", got)
	}
	// Infinities of other sign, and NaN against a number, are never close.
	for _, pair := range [][2]float64{{inf, -inf}, {nan, 0}, {0, nan}, {inf, 1e308}} {
		c, err := allClose(array.Scalar(pair[0]), array.Scalar(pair[1]), 1, math.MaxFloat64)
		if err != nil || c.Close() {
			t.Errorf("%v: %v, %v", pair, c, err)
		}
	}
	c, err = allClose(count(2, 3), must(array.Zeros(2, 3)), 0, 0)
	if err != nil || c.Outside != 5 || !slices.Equal(c.Worst, []int{1, 2}) {
		t.Errorf("allClose = %v, %v", c, err)
	}
	_, err = allClose(count(2), count(3), 0, 0)
	wantError(t, err, "got 2, want 3")
	if c, err := allClose(array.New(0), array.New(0), 0, 0); err != nil || !c.Close() || c.String() != "no elements" {
		t.Errorf("empty: %v, %v", c, err)
	}
}
