package dense

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// How much of a long array is shown.
const (
	ShownRows   = 8
	shownBlocks = 3
	gap         = "  " // before every number
	ellipsis    = "…"
)

// A page is what is shown of an array: blocks × rows × columns, by their
// indices, -1 standing for what is left out.
type Page struct {
	shape                 []int
	rows, cols, width     int
	blockAt, rowAt, colAt []int
}

// NewPage has as many columns as could stand in the width.
func NewPage(shape []int, width int) *Page {
	rank := len(shape)
	p := &Page{shape: shape, rows: 1, cols: shape[rank-1], width: width}
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
	p.blockAt, p.rowAt, p.colAt = headTail(blocks, shownBlocks), headTail(p.rows, ShownRows), headTail(p.cols, width/(len(gap)+1))
	return p
}

// Each visits the offsets of the elements that are shown.
func (p *Page) Each(visit func(offset int)) {
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

// Write writes the elements in columns, as many as the width allows.
func (p *Page) Write(b *strings.Builder, text func(offset int) string) {
	cell := 0
	p.Each(func(i int) { cell = max(cell, utf8.RuneCountInString(text(i))) })
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

func (p *Page) block(b *strings.Builder, k, cell int, text func(offset int) string) {
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
type Style struct {
	exponent bool // all numbers with an exponent
	decimals int
}

// How many digits numbers are shown with, usually and at most.
const (
	Digits    = 5
	AllDigits = 16
)

// StyleFor is how to write numbers of which these are shown.
func StyleFor(shown []float64, digits int) Style {
	largest, whole := 0.0, true
	for _, x := range shown {
		if Finite(x) {
			largest = max(largest, math.Abs(x))
			whole = whole && x == math.Trunc(x)
		}
	}
	switch {
	case whole && largest < 1e9:
		return Style{}
	case largest >= 1e6 || largest < 1e-3:
		return Style{exponent: true, decimals: digits - 1}
	}
	return Style{decimals: max(0, digits-1-int(math.Floor(math.Log10(largest))))}
}

// Text writes one number.
func (s Style) Text(x float64) string {
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

// Extent returns the least and the greatest of finite numbers, of which there is one at least, and
// the root of the sum of their squares, which overflows only where it is itself too large. It looks at them once, at
// four at a time that do not wait for each other.
func Extent(x []float64) (least, greatest, norm float64) {
	low0, low1, high0, high1 := x[0], x[0], x[0], x[0]
	var sum0, sum1, sum2, sum3 float64
	rest := x
	for ; len(rest) >= 4; rest = rest[4:] {
		a, b, c, d := rest[0], rest[1], rest[2], rest[3]
		low0, low1 = min(low0, min(a, b)), min(low1, min(c, d))
		high0, high1 = max(high0, max(a, b)), max(high1, max(c, d))
		sum0 += a * a
		sum1 += b * b
		sum2 += c * c
		sum3 += d * d
	}
	for _, v := range rest {
		low0, high0 = min(low0, v), max(high0, v)
		sum0 += v * v
	}
	least, greatest = min(low0, low1), max(high0, high1)
	sum := (sum0 + sum1) + (sum2 + sum3)
	if largest := max(greatest, -least); largest == 0 || sum >= smallestSum && sum <= math.MaxFloat64 {
		return least, greatest, math.Sqrt(sum)
	}
	return least, greatest, scaledNorm(x, max(greatest, -least))
}

// smallestSum is of squares that have lost no digits, but for those that do not matter beside others.
const smallestSum = 1e-280

// scaledNorm is the root of the sum of squares of numbers whose squares are too large, or too small.
func scaledNorm(x []float64, largest float64) float64 {
	sum := 0.0
	for _, v := range x {
		v /= largest
		sum += v * v
	}
	return largest * math.Sqrt(sum)
}
