package array

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// String shows the array for people, in 80 columns: see Format.
func (a *Array) String() string { return a.Format(80) }

// Format returns the array for people: a line with its shape and what it holds,
// then its numbers in columns, no wider than width characters (80 when width <= 0).
// Long axes are cut to head and tail with … between. Minimum, maximum and norm
// are those of the finite numbers. An array of rank 3 or more is shown as the
// matrices over its last two axes.
func (a *Array) Format(width int) string { return a.format(width, dense.Digits) }

// FormatLong shows the array like Format, with all 17 digits of its numbers.
func (a *Array) FormatLong(width int) string { return a.format(width, dense.AllDigits) }

func (a *Array) format(width, digits int) string {
	if width <= 0 {
		width = 80
	}
	var b strings.Builder
	b.WriteString("array " + dense.ShapeString(a.Shape) + a.summary())
	var shown []float64
	p := dense.NewPage(a.Shape, width)
	p.Each(func(i int) { shown = append(shown, a.Data[i]) })
	style := dense.StyleFor(shown, digits)
	p.Write(&b, func(i int) string { return style.Text(a.Data[i]) })
	return b.String()
}

// summary says what the array holds: ", 2 NaN, min -1, max 3, norm 4".
func (a *Array) summary() string {
	if a.Size() == 0 {
		return ", empty"
	}
	var nan, inf int
	finites := a.Data
	for _, x := range a.Data {
		if x-x == 0 { // finite, as most are
			continue
		}
		if math.IsNaN(x) {
			nan++
		} else {
			inf++
		}
	}
	s := ""
	if nan > 0 {
		s += fmt.Sprintf(", %d NaN", nan)
	}
	if inf > 0 {
		s += fmt.Sprintf(", %d Inf", inf)
	}
	if nan+inf > 0 {
		finites = slices.DeleteFunc(slices.Clone(a.Data), func(x float64) bool { return !dense.Finite(x) })
	}
	if len(finites) == 0 {
		return s
	}
	least, greatest, norm := dense.Extent(finites)
	return s + fmt.Sprintf(", min %.4g, max %.4g, norm %.4g", least, greatest, norm)
}
