package array

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// How much of a long array is shown.
const (
	shownRows   = 8
	shownBlocks = 3
	gap         = "  " // before every number
	ellipsis    = "…"
)

// String shows the array for people, in 80 columns: see Format.
func (a *Array) String() string { return a.Format(80) }

// Format returns the array for people: a line with its shape and what it holds,
// then its numbers in columns, no wider than width characters (80 when width <= 0).
// Long axes are cut to head and tail with … between. Minimum, maximum and norm
// are those of the finite numbers. An array of rank 3 or more is shown as the
// matrices over its last two axes.
func (a *Array) Format(width int) string { return a.format(width, digits) }

// FormatLong shows the array like Format, with all 17 digits of its numbers.
func (a *Array) FormatLong(width int) string { return a.format(width, allDigits) }

func (a *Array) format(width, digits int) string {
	if width <= 0 {
		width = 80
	}
	var b strings.Builder
	b.WriteString("array " + ShapeString(a.Shape) + a.summary())
	var shown []float64
	p := newPage(a.Shape, width)
	p.each(func(i int) { shown = append(shown, a.Data[i]) })
	style := styleFor(shown, digits)
	p.write(&b, func(i int) string { return style.text(a.Data[i]) })
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
		if math.IsNaN(x) {
			nan++
		} else if math.IsInf(x, 0) {
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
		finites = slices.DeleteFunc(slices.Clone(a.Data), func(x float64) bool { return !finite(x) })
	}
	if len(finites) == 0 {
		return s
	}
	ctx := context.Background()
	return s + fmt.Sprintf(", min %.4g, max %.4g, norm %.4g",
		extreme(ctx, finites, false), extreme(ctx, finites, true), norm(ctx, finites, 2))
}

// A page is what is shown of an array: blocks × rows × columns, by their
// indices, -1 standing for what is left out.
type page struct {
	shape                 []int
	rows, cols, width     int
	blockAt, rowAt, colAt []int
}

// newPage has as many columns as could stand in the width.
func newPage(shape []int, width int) *page {
	rank := len(shape)
	p := &page{shape: shape, rows: 1, cols: shape[rank-1], width: width}
	if rank > 1 {
		p.rows = shape[rank-2]
	}
	blocks := 1
	for _, n := range shape[:max(rank-2, 0)] {
		blocks *= n
	}
	if slices.Contains(shape, 0) {
		blocks = 0
	}
	p.blockAt, p.rowAt, p.colAt = headTail(blocks, shownBlocks), headTail(p.rows, shownRows), headTail(p.cols, width/(len(gap)+1))
	return p
}

// each visits the offsets of the elements that are shown.
func (p *page) each(visit func(offset int)) {
	for _, k := range p.blockAt {
		for _, i := range p.rowAt {
			for _, j := range p.colAt {
				if k >= 0 && i >= 0 && j >= 0 {
					visit((k*p.rows+i)*p.cols + j)
				}
			}
		}
	}
}

// write writes the elements in columns, as many as the width allows.
func (p *page) write(b *strings.Builder, text func(offset int) string) {
	cell := 0
	p.each(func(i int) { cell = max(cell, utf8.RuneCountInString(text(i))) })
	p.colAt = headTail(p.cols, max(3, p.width/(len(gap)+cell)))
	for _, k := range p.blockAt {
		if k < 0 {
			b.WriteString("\n" + ellipsis)
			continue
		}
		if len(p.shape) > 2 {
			b.WriteString("\n" + ordinal(k, p.shape[:len(p.shape)-2]))
		}
		p.block(b, k, cell, text)
	}
}

func (p *page) block(b *strings.Builder, k, cell int, text func(offset int) string) {
	for _, i := range p.rowAt {
		b.WriteByte('\n')
		if i < 0 {
			b.WriteString(gap + pad(ellipsis, cell))
			continue
		}
		for _, j := range p.colAt {
			if j < 0 {
				b.WriteString(gap + ellipsis)
				continue
			}
			b.WriteString(gap + pad(text((k*p.rows+i)*p.cols+j), cell))
		}
	}
}

// headTail returns the indices 0 … n-1, or when they are more than limit >= 3
// the first and last of them with -1 between, limit in all.
func headTail(n, limit int) []int {
	var at []int
	if n <= limit {
		for i := range n {
			at = append(at, i)
		}
		return at
	}
	head := limit / 2
	for i := range head {
		at = append(at, i)
	}
	at = append(at, -1)
	for i := n - (limit - head - 1); i < n; i++ {
		at = append(at, i)
	}
	return at
}

// ordinal names the k-th matrix of a block of them, counting from 1 as people
// do: "2 of 50", "1, 2 of 3×50".
func ordinal(k int, shape []int) string {
	parts := make([]string, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		parts[d] = strconv.Itoa(k%shape[d] + 1)
		k /= shape[d]
	}
	return strings.Join(parts, ", ") + " of " + ShapeString(shape)
}

// A style writes numbers so that columns of them align: 5 significant digits of
// the largest, in fixed point, with an exponent for the few that would vanish
// in it, or with an exponent for all.
type style struct {
	exponent bool // all numbers with an exponent
	decimals int
}

const (
	digits    = 5
	allDigits = 16
)

func styleFor(shown []float64, digits int) style {
	largest, whole := 0.0, true
	for _, x := range shown {
		if finite(x) {
			largest = max(largest, math.Abs(x))
			whole = whole && x == math.Trunc(x)
		}
	}
	switch {
	case whole && largest < 1e9:
		return style{}
	case largest >= 1e6 || largest < 1e-3:
		return style{exponent: true, decimals: digits - 1}
	}
	return style{decimals: max(0, digits-1-int(math.Floor(math.Log10(largest))))}
}

func (s style) text(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strconv.FormatFloat(x, 'f', -1, 64), "+")
	case x == 0:
		return "0" // exact, unlike 0.0000
	case s.exponent:
		return strconv.FormatFloat(x, 'e', s.decimals, 64)
	case math.Abs(x) < 10*math.Pow10(-s.decimals) && x != math.Trunc(x):
		return strconv.FormatFloat(x, 'e', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', s.decimals, 64)
}

func pad(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}
