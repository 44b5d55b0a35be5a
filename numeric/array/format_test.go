package array_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

func TestFormat(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name  string
		a     *array.Array
		width int
		want  string
	}{
		{"whole numbers", array.Vector([]float64{1, 2, -3}), 80, `
array 3, min -3, max 2, norm 3.742
   1   2  -3`},
		{"not finite, vanishing, zero", array.Vector([]float64{0.5, nan, -inf, 1e-17, 0}), 80, `
array 5, 1 NaN, 1 Inf, min 0, max 0.5, norm 0.5
  0.50000      NaN     -Inf  1.0e-17        0`},
		{"nothing finite", array.Vector([]float64{nan, nan}), 80, `
array 2, 2 NaN
  NaN  NaN`},
		{"empty", array.New(0, 3), 80, `
array 0×3, empty`},
		{"small", array.Vector([]float64{1.5e-8, 2e-9}), 80, `
array 2, min 2e-09, max 1.5e-08, norm 1.513e-08
  1.5000e-08  2.0000e-09`},
		{"large", array.Vector([]float64{1234567.5, 1}), 80, `
array 2, min 1, max 1.235e+06, norm 1.235e+06
  1.2346e+06  1.0000e+00`},
		{"long vector", must(arrays.LinSpace(t.Context(), 0, 1, 100)), 40, `
array 100, min 0, max 1, norm 5.788
       0  0.0101  …  0.9899  1.0000`},
		{"tall matrix", count(50, 2), 80, `
array 50×2, min 0, max 99, norm 573
   0   1
   2   3
   4   5
   6   7
   …
  94  95
  96  97
  98  99`},
		{"blocks", count(5, 2, 2), 80, `
array 5×2×2, min 0, max 19, norm 49.7
1 of 5
   0   1
   2   3
…
5 of 5
  16  17
  18  19`},
		{"rank 4", count(2, 1, 1, 2), 80, `
array 2×1×1×2, min 0, max 3, norm 3.742
1, 1 of 2×1
  0  1
2, 1 of 2×1
  2  3`},
	} {
		if got := "\n" + c.a.Format(c.width); got != c.want {
			t.Errorf("%s: got%s\nwant%s", c.name, got, c.want)
		}
	}
	if count(3).String() != count(3).Format(80) || count(3).Format(0) != count(3).Format(80) {
		t.Error("String, Format(0) and Format(80) differ")
	}
}

// Numbers stay within the width, whatever they are, as long as head, … and tail
// fit into it at all; a long array never makes a long text.
func TestFormatStaysWithinWidth(t *testing.T) {
	for _, scale := range []float64{1, -1e-9, 1e12, 1e-300, 123.456} {
		a := must(arrays.LinSpace(t.Context(), 0, scale, 60*70)).Map(math.Sinh)
		for width := 40; width < 200; width += 7 {
			lines := strings.Split(must(a.Reshape(60, 70)).Format(width), "\n")
			if len(lines) != 1+dense.ShownRows {
				t.Errorf("%d lines", len(lines))
			}
			for _, line := range lines[1:] {
				if n := utf8.RuneCountInString(line); n > width {
					t.Errorf("width %d: %d characters: %q", width, n, line)
				}
			}
		}
	}
}
