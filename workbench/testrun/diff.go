package testrun

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// explainNumber returns the failure text of one number: the errors and the
// tolerance that refused it.
func explainNumber(got, want float64, tol Tolerance) string {
	if math.IsNaN(got) && math.IsNaN(want) {
		return "nan equals nan only with nan = true; tolerance " + tol.String()
	}
	return fmt.Sprintf("absolute error %s, relative error %s; tolerance %s", absError(got, want), relError(got, want), tol)
}

func absError(got, want float64) string {
	if got == want {
		return "0" // two infinities too
	}
	return plainNumber(math.Abs(got-want), 3)
}

func relError(got, want float64) string {
	if got == want {
		return "0"
	}
	return plainNumber(math.Abs(got-want)/math.Abs(want), 3)
}

// diffNumbers compares two numbers and returns the failure, or "".
func diffNumbers(got, want float64, tol Tolerance) string {
	if tol.Accepts(got, want) {
		return ""
	}
	return fmt.Sprintf("got       %s\nexpected  %s\n%s", digits17(got), digits17(want), explainNumber(got, want, tol))
}

// digits17 writes a number so that it can be read back.
func digits17(x float64) string { return plainNumber(x, 17) }

// plainNumber writes a number with so many digits, and nan and inf in the
// words of the rest of the workbench.
func plainNumber(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}

// diffArrays compares two arrays element by element and returns the failure,
// or "". The worst element is the one whose error is the largest multiple of
// what its tolerance allows.
func diffArrays(got, want *array.Array, tol Tolerance) string {
	if !slices.Equal(got.Shape, want.Shape) {
		return fmt.Sprintf("shapes: got %s, expected %s\n%s", dense.ShapeString(got.Shape), dense.ShapeString(want.Shape), both(got, want))
	}
	worst, excess, outside := 0, 0.0, 0
	for i := range want.Data {
		e := tol.excess(got.Data[i], want.Data[i])
		if e > 1 {
			outside++
		}
		if e > excess {
			worst, excess = i, e
		}
	}
	if outside == 0 {
		return ""
	}
	g, w := got.Data[worst], want.Data[worst]
	return fmt.Sprintf("%d of %d elements outside, the worst at %s:\ngot       %s\nexpected  %s\n%s\nof all elements:\n%s",
		outside, want.Size(), indexText(want, worst), digits17(g), digits17(w), explainNumber(g, w, tol), both(got, want))
}

// diffNorms compares ‖got - want‖ with abs + rel ‖want‖, the Frobenius norm,
// and returns the failure, or "".
func diffNorms(got, want *array.Array, tol Tolerance) string {
	if !slices.Equal(got.Shape, want.Shape) {
		return diffArrays(got, want, tol)
	}
	diff := make([]float64, want.Size())
	for i := range diff {
		diff[i] = got.Data[i] - want.Data[i]
	}
	d, n := norm(diff), norm(want.Data)
	if d <= tol.Abs+tol.Rel*n && !math.IsInf(n, 0) {
		return ""
	}
	return fmt.Sprintf("norm of the difference %s, norm of what is expected %s\nabsolute error %s, relative error %s in norm; tolerance %s\n%s",
		digits17(d), digits17(n), plainNumber(d, 3), plainNumber(d/n, 3), tol, both(got, want))
}

// norm returns the Euclidean norm, without overflow on the way.
func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum = math.Hypot(sum, v)
	}
	return sum
}

// indexText writes the index of an element as Lua counts: [1, 3].
func indexText(a *array.Array, offset int) string {
	index := a.Position(offset)
	for k := range index {
		index[k]++
	}
	return strings.ReplaceAll(fmt.Sprint(index), " ", ", ")
}

// both shows two arrays, the first and last rows of long ones.
func both(got, want *array.Array) string {
	const width = 76
	return "got       " + indentRest(got.Format(width-10)) + "\nexpected  " + indentRest(want.Format(width-10))
}
