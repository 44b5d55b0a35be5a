package sheet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
)

// Sort orders the rows by columns, the first one first; equal rows stay in their order, and
// missing values come last. Words that end with numbers are in the order of these: run2 before
// run10.
func (s *Sheet) Sort(ctx context.Context, descending bool, by ...string) (*Sheet, error) {
	if len(by) == 0 {
		return nil, errors.New("by: want the name of a column at least")
	}
	var keys []*Column
	for _, name := range by {
		c, err := s.Column(name)
		if err != nil {
			return nil, err
		}
		keys = append(keys, c.ranked())
	}
	rows := make([]int, s.N)
	for i := range rows {
		rows[i] = i
	}
	sign := 1
	if descending {
		sign = -1
	}
	compared := 0
	slices.SortStableFunc(rows, func(i, j int) int {
		if compared++; compared%(1<<16) == 0 && ctx.Err() != nil {
			return 0 // whatever comes out is not used
		}
		for _, c := range keys {
			x, y := c.Numbers[i], c.Numbers[j]
			switch {
			case x == y || math.IsNaN(x) && math.IsNaN(y):
			case math.IsNaN(x):
				return 1
			case math.IsNaN(y):
				return -1
			default:
				return sign * cmp.Compare(x, y)
			}
		}
		return 0
	})
	if ctx.Err() != nil {
		return nil, stopped(ctx)
	}
	return s.Take(rows)
}

// ranked is the column as numbers in its order.
func (c *Column) ranked() *Column {
	if c.Kind != Text {
		return c
	}
	labels := make([]int, len(c.Labels))
	for i := range labels {
		labels[i] = i
	}
	slices.SortStableFunc(labels, func(i, j int) int { return Natural(c.Labels[i], c.Labels[j]) })
	rank := make([]float64, len(labels))
	for k, i := range labels {
		rank[i] = float64(k)
	}
	out := &Column{Numbers: make([]float64, len(c.Codes))}
	for i, k := range c.Codes {
		out.Numbers[i] = math.NaN()
		if k >= 0 {
			out.Numbers[i] = rank[k]
		}
	}
	return out
}

// Natural compares words as people sort them: digits in them are numbers, so that run2 is before
// run10.
func Natural(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i]-'0' < 10 && b[j]-'0' < 10 {
			m, n := digitsEnd(a, i), digitsEnd(b, j)
			x, y := trimZeros(a[i:m]), trimZeros(b[j:n])
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			i, j = m, n
			continue
		}
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
		i, j = i+1, j+1
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), cmp.Compare(a, b))
}

func digitsEnd(s string, i int) int {
	for i < len(s) && s[i]-'0' < 10 {
		i++
	}
	return i
}

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}

// Labels are the values of a column as words, in the order of their first rows, and which of
// them each row has, -1 where it is missing.
func (c *Column) labels() (names []string, of []int32) {
	of = make([]int32, c.Len())
	if c.Kind == Text {
		known := make([]int32, len(c.Labels))
		for i, k := range c.Codes {
			of[i] = -1
			if k < 0 {
				continue
			}
			if known[k] == 0 {
				names = append(names, c.Labels[k])
				known[k] = int32(len(names))
			}
			of[i] = known[k] - 1
		}
		return names, of
	}
	known := make(map[float64]int32)
	for i, x := range c.Numbers {
		of[i] = -1
		if math.IsNaN(x) {
			continue
		}
		k, ok := known[x]
		if !ok {
			k = int32(len(names))
			known[x], names = k, append(names, c.Word(i))
		}
		of[i] = k
	}
	return names, of
}

// A Group is the rows that have one label.
type Group struct {
	Label string
	Rows  []int
}

// Groups are the rows with equal values in a column, in the order of their first rows. A
// missing value is an error.
func (s *Sheet) Groups(ctx context.Context, by string) ([]Group, error) {
	c, err := s.Column(by)
	if err != nil {
		return nil, err
	}
	if err := dense.CheckSize("the groups", 2*float64(s.N)); err != nil {
		return nil, err
	}
	if err := s.checkNames(c); err != nil {
		return nil, err
	}
	names, of := c.labels()
	counts := make([]int, len(names))
	for i, k := range of {
		if k < 0 {
			return nil, fmt.Errorf("%scolumn %s: is missing on %s: which group is that?", s.prefix(), c.Name, s.Where(i))
		}
		counts[k]++
	}
	if ctx.Err() != nil {
		return nil, stopped(ctx)
	}
	groups, all := make([]Group, len(names)), make([]int, s.N)
	for k, name := range names {
		groups[k] = Group{Label: name, Rows: all[:0:counts[k]]}
		all = all[counts[k]:]
	}
	for i, k := range of {
		groups[k].Rows = append(groups[k].Rows, i)
	}
	return groups, nil
}

// checkNames refuses numbers that float64 does not tell from their neighbours, as names of groups.
func (s *Sheet) checkNames(c *Column) error {
	const exact = 1 << 53
	if c.Kind != Number {
		return nil
	}
	if i := slices.IndexFunc(c.Numbers, func(x float64) bool { return math.Abs(x) >= exact }); i >= 0 {
		return remedy.TextColumn.For(fmt.Errorf("%scolumn %s: %.0f on %s: numbers of 16 digits and more are rounded, so that different ones may become equal",
			s.prefix(), c.Name, c.Numbers[i], s.Where(i)), c.Name)
	}
	return nil
}

// Means has a row for each value of a column: the mean of the numbers that are not missing in
// every other column of numbers, and the number of rows.
func (s *Sheet) Means(ctx context.Context, by string) (*Sheet, error) {
	groups, err := s.Groups(ctx, by)
	if err != nil {
		return nil, err
	}
	key, _ := s.Column(by)
	first := make([]int, len(groups))
	counts := make([]float64, len(groups))
	for k, g := range groups {
		first[k], counts[k] = g.Rows[0], float64(len(g.Rows))
	}
	columns := []*Column{key.take(first)}
	for _, c := range s.Columns {
		if c == key || c.Kind == Text {
			continue
		}
		if ctx.Err() != nil {
			return nil, stopped(ctx)
		}
		mean := *c
		mean.Numbers = make([]float64, len(groups))
		for k, g := range groups {
			mean.Numbers[k] = average(c.Numbers, g.Rows)
		}
		columns = append(columns, &mean)
	}
	if !slices.Contains(s.Names(), "count") {
		columns = append(columns, NewColumn("count", counts))
	}
	return New(columns...)
}

// average leaves out what is missing. It costs numbers that share a large offset no digits.
func average(x []float64, rows []int) float64 {
	first, sum, n := math.NaN(), 0.0, 0.0
	for _, i := range rows {
		v := x[i]
		switch {
		case math.IsNaN(v):
			continue
		case n == 0:
			first = v
		}
		sum, n = sum+(v-first), n+1
	}
	if mean := first + sum/n; n == 0 || !math.IsNaN(mean) && !math.IsInf(mean, 0) {
		return mean
	}
	mean := 0.0 // of infinite numbers, or of such whose sum is
	for _, i := range rows {
		if !math.IsNaN(x[i]) {
			mean += x[i] / n
		}
	}
	return mean
}

// Pivot has a row for each value of the column pair and a column for each value of x: the
// numbers of value there, NaN where there is none. Positions increase, rows are in the order
// of their first ones. Two values in one place are an error.
func (s *Sheet) Pivot(ctx context.Context, pair, x, value string) (values *array.Array, at []float64, labels []string, err error) {
	groups, err := s.Groups(ctx, pair)
	if err != nil {
		return nil, nil, nil, err
	}
	position, err := s.Numbers(x)
	if err != nil {
		return nil, nil, nil, err
	}
	of, err := s.Numbers(value)
	if err != nil {
		return nil, nil, nil, err
	}
	for i, v := range position.Numbers {
		if math.IsNaN(v) {
			return nil, nil, nil, fmt.Errorf("%scolumn %s: is missing on %s", s.prefix(), position.Name, s.Where(i))
		}
	}
	at = slices.Compact(slices.Sorted(slices.Values(position.Numbers)))
	if err := dense.CheckSize(fmt.Sprintf("a table of %d × %d", len(groups), len(at)), float64(len(groups))*float64(len(at))); err != nil {
		return nil, nil, nil, err
	}
	if values, err = arrays.Full(ctx, math.NaN(), len(groups), len(at)); err != nil {
		return nil, nil, nil, err
	}
	row := make([]int, len(at)) // where a column was filled last
	for k, g := range groups {
		clear(row)
		if ctx.Err() != nil {
			return nil, nil, nil, stopped(ctx)
		}
		for _, i := range g.Rows {
			j, _ := slices.BinarySearch(at, position.Numbers[i])
			if row[j] > 0 {
				return nil, nil, nil, s.twice(pair, g.Label, position, row[j]-1, i)
			}
			row[j], values.Data[k*len(at)+j] = i+1, of.Numbers[i]
		}
		labels = append(labels, g.Label)
	}
	return values, at, labels, nil
}

// twice says that rows i and j have one place.
func (s *Sheet) twice(pair, label string, position *Column, i, j int) error {
	return remedy.LeaveOneOut.For(fmt.Errorf("%s%s %s at %s = %s is there twice, on %s and %s",
		s.prefix(), pair, label, position.Name, position.Word(j), s.Where(i), s.Where(j)))
}
