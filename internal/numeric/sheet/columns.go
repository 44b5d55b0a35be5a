package sheet

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// bad marks a field that is no number, among numbers; it is a NaN unlike that of a missing one.
var bad = math.Float64frombits(0x7ff8_0000_0000_0bad)

func isBadNumber(x float64) bool { return math.Float64bits(x) == math.Float64bits(bad) }

// nanosPerByte is what reading takes.
const nanosPerByte = 4

// A reading is a table on the way to a sheet.
type reading struct {
	*table
	parts   []part
	rows    int
	columns []*Column
	lines   []int32
	odd     []int32 // fields of rows that have another number of them than the table; 0 of the others
	// Of each column, in rows that have the right number of fields:
	values, wrong []atomic.Int64
}

// read makes the columns: all are tried as numbers, then those that are none as times or text.
func (t *table) read(ctx context.Context) (*Sheet, error) {
	r := &reading{table: t}
	var err error
	if r.parts, r.rows, err = t.parts(ctx, t.data, t.from, t.line); err != nil {
		return nil, prefixed(t.name, err)
	}
	if r.rows == 0 {
		return nil, prefixed(t.name, errNoRows)
	}
	if err := dense.CheckSize(t.name, float64(r.rows)*float64(t.columns+1)); err != nil {
		return nil, err
	}
	r.columns = named(t.header, t.units, t.columns)
	for _, name := range t.o.Text {
		if _, err := (&Sheet{Columns: r.columns, Source: t.name}).Column(name); err != nil {
			return nil, err
		}
	}
	if err := r.numbers(ctx); err != nil {
		return nil, err
	}
	for k := range r.columns {
		if err := r.decide(ctx, k); err != nil {
			return nil, err
		}
	}
	return r.sheet()
}

// share calls do with the rows of the text, part by part on all processors.
func (r *reading) share(ctx context.Context, do func(row int, s span, fields [][]byte)) error {
	workers := parallel.Workers(float64(len(r.data)) * nanosPerByte)
	parallel.Pieces(workers, len(r.parts), func(k int) {
		if ctx.Err() == nil {
			r.each(r.data, r.parts[k], do)
		}
	})
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	return nil
}

// regular are the fields of a row without the empty one behind a separator at its end.
func (r *reading) regular(fields [][]byte) [][]byte {
	if n := len(fields); n == r.table.columns+1 && len(fields[n-1]) == 0 {
		return fields[:n-1]
	}
	return fields
}

// numbers reads all columns as numbers.
func (r *reading) numbers(ctx context.Context) error {
	n := r.table.columns
	r.lines, r.odd = make([]int32, r.rows), make([]int32, r.rows)
	r.values, r.wrong = make([]atomic.Int64, n), make([]atomic.Int64, n)
	for _, c := range r.columns {
		c.Numbers = make([]float64, r.rows)
	}
	workers := parallel.Workers(float64(len(r.data)) * nanosPerByte)
	parallel.Pieces(workers, len(r.parts), func(k int) {
		if ctx.Err() != nil {
			return
		}
		values, wrong := make([]int64, n), make([]int64, n)
		r.each(r.data, r.parts[k], func(row int, s span, fields [][]byte) {
			r.lines[row] = int32(s.line)
			if fields = r.regular(fields); len(fields) != n {
				r.odd[row] = int32(len(fields))
				return
			}
			for j, field := range fields {
				x, is := r.number(field, r.decimal)
				switch is {
				case isNumber:
					values[j]++
				case isMissing:
					x = math.NaN()
				case isBad:
					x = bad
					wrong[j]++
				}
				r.columns[j].Numbers[row] = x
			}
		})
		for j := range n {
			r.values[j].Add(values[j])
			r.wrong[j].Add(wrong[j])
		}
	})
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	return nil
}

// decide says what a column is, and reads it again if it is not of numbers. A column of which
// more than half is numbers is one of numbers, with mistakes.
func (r *reading) decide(ctx context.Context, k int) error {
	c := r.columns[k]
	values, wrong := r.values[k].Load(), r.wrong[k].Load()
	switch {
	case slices.Contains(r.o.Text, c.Name) || slices.Contains(r.o.Text, c.Header):
		return r.text(ctx, k)
	case wrong == 0:
		return nil
	case r.looksLikeTimes(k):
		return r.times(ctx, k)
	case values >= wrong:
		return nil
	}
	if row, field := r.meantAsNumbers(k); row >= 0 {
		err := fmt.Errorf("%s: column %s, %s %d: %q is not a number%s", r.name, c.Name, r.row, r.lines[row], shorten(field), r.written(field))
		return r.byField(err, k, field)
	}
	return r.text(ctx, k)
}

// meantAsNumbers is the first field of a column of words, if the first of them are all meant as
// numbers: they want a decision, not to be words. row < 0: they are not.
func (r *reading) meantAsNumbers(k int) (row int, field string) {
	const enough = 50
	row, all, as := -1, 0, 0
	for _, a := range r.parts {
		r.each(r.data, a, func(at int, _ span, fields [][]byte) {
			if fields = r.regular(fields); all >= enough || len(fields) != r.table.columns || !isBadNumber(r.columns[k].Numbers[at]) {
				return
			}
			if all++; meantAsNumber(bare(fields[k])) {
				as++
				if row < 0 {
					row, field = at, unquote(fields[k])
				}
			}
		})
		if all >= enough {
			break
		}
	}
	if as < all {
		return -1, ""
	}
	return row, field
}

// looksLikeTimes asks the first fields that are no numbers.
func (r *reading) looksLikeTimes(k int) bool {
	const enough = 50
	all, times := 0, 0
	for _, a := range r.parts {
		if all >= enough {
			break
		}
		r.each(r.data, a, func(_ int, _ span, fields [][]byte) {
			if fields = r.regular(fields); all >= enough || len(fields) != r.table.columns {
				return
			}
			if _, is := r.number(fields[k], r.decimal); is != isMissing {
				all++
				if is == isBad && isTime(bare(fields[k])) {
					times++
				}
			}
		})
	}
	return 2*times > all
}

// text reads a column as words.
func (r *reading) text(ctx context.Context, k int) error {
	c := r.columns[k]
	c.Kind, c.Numbers = Text, nil
	c.Codes = make([]int32, r.rows)
	local := make([][]string, len(r.parts)) // labels of each part, in the order of their first rows
	index := make(map[int]int, len(r.parts))
	for i, a := range r.parts {
		index[a.row] = i
	}
	workers := parallel.Workers(float64(len(r.data)) * nanosPerByte)
	parallel.Pieces(workers, len(r.parts), func(i int) {
		if ctx.Err() != nil {
			return
		}
		known := make(map[string]int32)
		r.each(r.data, r.parts[i], func(row int, _ span, fields [][]byte) {
			c.Codes[row] = -1
			if fields = r.regular(fields); len(fields) != r.table.columns || r.word(bare(fields[k])) {
				return
			}
			raw := fields[k]
			code, ok := known[string(raw)]
			if !ok {
				code = int32(len(local[i]))
				known[string(raw)], local[i] = code, append(local[i], unquote(raw))
			}
			c.Codes[row] = code
		})
	})
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	r.merge(c, local)
	return nil
}

// merge gives equal labels of all parts one code.
func (r *reading) merge(c *Column, local [][]string) {
	known := make(map[string]int32)
	for i, labels := range local {
		code := make([]int32, len(labels))
		for j, label := range labels {
			k, ok := known[label]
			if !ok {
				k = int32(len(c.Labels))
				known[label], c.Labels = k, append(c.Labels, label)
			}
			code[j] = k
		}
		to := r.rows
		if i+1 < len(r.parts) {
			to = r.parts[i+1].row
		}
		for row := r.parts[i].row; row < to; row++ {
			if c.Codes[row] >= 0 {
				c.Codes[row] = code[c.Codes[row]]
			}
		}
	}
}

// times reads a column as seconds since its first time.
func (r *reading) times(ctx context.Context, k int) error {
	c := r.columns[k]
	o, err := r.order(ctx, k)
	if err != nil {
		return err
	}
	c.Kind = Time
	nanos := make([]int64, r.rows)
	var wrong, zoned, plain, dated, undated atomic.Int64
	err = r.share(ctx, func(row int, _ span, fields [][]byte) {
		c.Numbers[row] = math.NaN()
		if fields = r.regular(fields); len(fields) != r.table.columns || r.word(bare(fields[k])) {
			return
		}
		field := bare(fields[k])
		d, ok := parseDate(field)
		if ok {
			nanos[row], ok = d.unix(o)
		}
		if !ok {
			c.Numbers[row] = bad
			wrong.Add(1)
			return
		}
		c.Numbers[row] = 0
		if d.hasZone {
			zoned.Store(int64(row) + 1)
		} else {
			plain.Store(int64(row) + 1)
		}
		if d.hasDate {
			dated.Store(int64(row) + 1)
		} else {
			undated.Store(int64(row) + 1)
		}
	})
	if err != nil {
		return err
	}
	if d, u := int(dated.Load())-1, int(undated.Load())-1; d >= 0 && u >= 0 {
		return fmt.Errorf("%s: column %s: the time on %s %d has a date, %q, and that on %s %d none, %q",
			r.name, c.Name, r.row, r.lines[d], r.field(d, k), r.row, r.lines[u], r.field(u, k))
	}
	r.wrong[k].Store(wrong.Load())
	if zoned.Load() > 0 && plain.Load() > 0 {
		return r.mixedZones(k)
	}
	first := int64(0)
	if i := slices.IndexFunc(c.Numbers, func(x float64) bool { return x == 0 }); i >= 0 {
		first = nanos[i]
	}
	c.Origin, c.Zoned = time.Unix(0, first).UTC(), zoned.Load() > 0
	for i, x := range c.Numbers {
		if x == 0 {
			c.Numbers[i] = seconds(nanos[i], first)
		}
	}
	return nil
}

// seconds is the difference of times in nanoseconds, which may be beyond int64.
func seconds(t, from int64) float64 {
	if d := t - from; (d > 0) == (t > from) {
		return float64(d) / 1e9
	}
	return float64(t)/1e9 - float64(from)/1e9
}

// order says whether days come before months where slashes or dashes do not tell, from the
// dates in which only one of both is possible.
func (r *reading) order(ctx context.Context, k int) (order, error) {
	if r.o.DayFirst != nil {
		if *r.o.DayFirst {
			return dayFirst, nil
		}
		return monthFirst, nil
	}
	var days, months, open atomic.Int64
	err := r.share(ctx, func(row int, _ span, fields [][]byte) {
		if fields = r.regular(fields); len(fields) != r.table.columns {
			return
		}
		d, ok := parseDate(bare(fields[k]))
		if !ok || d.ordered || !d.hasDate {
			return
		}
		open.Store(int64(row) + 1)
		if d.first > 12 {
			days.Store(int64(row) + 1)
		} else if d.second > 12 {
			months.Store(int64(row) + 1)
		}
	})
	switch {
	case err != nil || open.Load() == 0:
		return dayFirst, err
	case days.Load() > 0 && months.Load() > 0:
		return unknownOrder, r.mixedOrder(k)
	case days.Load() > 0:
		return dayFirst, nil
	case months.Load() > 0:
		return monthFirst, nil
	}
	return unknownOrder, r.noOrder(k, int(open.Load())-1)
}
