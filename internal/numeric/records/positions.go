package records

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// clock puts times on one clock: since the first of all where the pairs were measured at the
// same time, and since the start of each pair otherwise.
func (b *builder) clock(labels []string, fields []*field) {
	timed := false
	for _, f := range fields {
		timed = timed || f.time
	}
	if !timed {
		return
	}
	base := int64(math.MaxInt64)
	largest := 0.0
	for _, f := range fields {
		for _, c := range f.curves {
			if f.time && len(c.at) > 0 {
				base, largest = min(base, c.origin), max(largest, math.Abs(c.at[0]), math.Abs(c.at[len(c.at)-1]))
			}
		}
	}
	first := math.Inf(1)
	starts, ends := make(map[string]float64), make(map[string]float64)
	for _, f := range fields {
		for label, c := range f.curves {
			if !f.time || len(c.at) == 0 {
				continue
			}
			shift := float64(c.origin-base) / 1e9
			largest = max(largest, shift)
			from, to := shift+c.at[0], shift+c.at[len(c.at)-1]
			if old, ok := starts[label]; !ok || from < old {
				starts[label] = from
			}
			ends[label] = max(to, ends[label])
			first = min(first, from)
		}
	}
	latest, earliest := math.Inf(-1), math.Inf(1)
	for _, label := range labels {
		latest, earliest = max(latest, starts[label]), min(earliest, ends[label])
	}
	common := latest < earliest || len(labels) == 1
	for _, f := range fields {
		for label, c := range f.curves {
			if !f.time || len(c.at) == 0 {
				continue
			}
			zero := starts[label]
			if common {
				zero = first
			}
			if shift := float64(c.origin-base)/1e9 - zero; shift != 0 {
				for i := range c.at {
					c.at[i] = rounded(c.at[i]+shift, largest)
				}
			}
		}
		if f.time && common {
			b.note("%s: seconds since %s", f.axes[0], time.Unix(0, base+int64(math.Round(first*1e9))).UTC().Format("2006-01-02 15:04:05"))
		} else if f.time {
			b.note("%s: seconds since the start of each pair, as they were measured at different times", f.axes[0])
		}
	}
}

// rounded takes away what a difference of seconds as large as largest has too much or too little: equal
// times of day stay equal on any day.
func rounded(x, largest float64) float64 {
	parts := 1e9
	switch {
	case largest >= 1e8:
		parts = 1e3
	case largest >= 1e5:
		parts = 1e6
	}
	return math.Round(x*parts) / parts
}

// alike is how far positions may be apart, over the largest of them, that are one up to
// rounding.
const alike = 1e-12

// A union is the positions of all pairs.
type union struct {
	dim   int
	at    []float64      // in order, one after the other
	index map[string]int // of positions with several coordinates
}

// together collects the positions of all curves of a field.
func (b *builder) together(f *field, labels []string) (*union, error) {
	u := &union{dim: f.dim()}
	total := 0
	same := true
	var first *curve
	for _, label := range labels {
		c := f.curves[label]
		if c == nil {
			continue
		}
		if first == nil {
			first = c
		}
		total += len(c.at)
		same = same && slices.Equal(c.at, first.at)
	}
	if same && first != nil {
		u.at = first.at
	} else {
		if err := dense.CheckSize(f.title(), float64(total)); err != nil {
			return nil, err
		}
		all := make([]float64, 0, total)
		for _, label := range labels {
			if c := f.curves[label]; c != nil {
				all = append(all, c.at...)
			}
		}
		if err := b.stopped(); err != nil {
			return nil, err
		}
		u.merge(all)
	}
	if u.dim > 1 {
		u.index = make(map[string]int)
		for k := range u.size() {
			u.index[key(u.at[k*u.dim:(k+1)*u.dim])] = k
		}
	}
	return u, nil
}

func (u *union) size() int { return len(u.at) / u.dim }

// merge sorts positions and leaves out those that are there already.
func (u *union) merge(all []float64) {
	if u.dim == 1 {
		slices.Sort(all)
		within := alike * max(math.Abs(all[0]), math.Abs(all[len(all)-1]))
		for _, x := range all {
			if n := len(u.at); n == 0 || x-u.at[n-1] > within {
				u.at = append(u.at, x)
			}
		}
		return
	}
	points := make([][]float64, len(all)/u.dim)
	for k := range points {
		points[k] = all[k*u.dim : (k+1)*u.dim]
	}
	slices.SortFunc(points, slices.Compare)
	for k, p := range points {
		if k == 0 || !slices.Equal(p, points[k-1]) {
			u.at = append(u.at, p...)
		}
	}
}

func key(p []float64) string {
	var b []byte
	for _, x := range p {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x+0)) // 0 and -0 are one
	}
	return string(b)
}

// find is the place of a position, or of the one just below that it was merged with.
func (u *union) find(p []float64) int {
	if u.dim > 1 {
		return u.index[key(p)]
	}
	k, exact := slices.BinarySearch(u.at, p[0])
	if !exact {
		k--
	}
	return k
}

// mesh is the positions with weights: of an interval by the trapezoid rule, of a grid by that of
// its axes, of others the box over their number.
func (u *union) mesh(names []string) (mesh.Mesh, error) {
	if u.dim == 1 {
		return u.interval(names[0])
	}
	axes := make([][]float64, u.dim)
	count := 1
	for d := range axes {
		for k := d; k < len(u.at); k += u.dim {
			axes[d] = append(axes[d], u.at[k])
		}
		slices.Sort(axes[d])
		axes[d] = slices.Compact(axes[d])
		count *= len(axes[d])
	}
	if count != u.size() || slices.ContainsFunc(axes, func(x []float64) bool { return len(x) < 2 }) {
		return one(mesh.Scattered(u.at, u.dim, nil, names...))
	}
	product, err := one(mesh.Trapezoid(axes[0], names[0]))
	for d := 1; d < u.dim && err == nil; d++ {
		var next mesh.Mesh
		if next, err = one(mesh.Trapezoid(axes[d], names[d])); err == nil {
			product, err = mesh.Product(product, next)
		}
	}
	return product, err
}

func (u *union) interval(name string) (mesh.Mesh, error) {
	if len(u.at) == 1 {
		return one(mesh.Scattered(u.at, 1, []float64{1}, name))
	}
	return one(mesh.Trapezoid(u.at, name))
}

func one(a mesh.Axis, err error) (mesh.Mesh, error) {
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(a)
}

// matrix is the values of all pairs on the union, NaN where there are none, and how many are
// missing.
func (b *builder) matrix(f *field, labels []string, u *union) (*array.Array, int, error) {
	n, m := len(labels), u.size()
	if err := dense.CheckSize(fmt.Sprintf("%s: %d pairs on %d points", f.title(), n, m), float64(n)*float64(m)); err != nil {
		return nil, 0, err
	}
	a, err := arrays.Full(b.ctx, math.NaN(), n, m)
	if err != nil {
		return nil, 0, err
	}
	missing := n * m
	for i, label := range labels {
		if err := b.stopped(); err != nil {
			return nil, 0, err
		}
		c := f.curves[label]
		if c == nil {
			continue
		}
		for k, v := range c.values {
			to := &a.Data[i*m+u.find(c.at[k*u.dim:(k+1)*u.dim])]
			if !math.IsNaN(*to) {
				return nil, 0, fmt.Errorf("%s of pair %s: two positions differ by rounding only, on %s and before", f.title(), label, c.sheet.Where(c.rows[k]))
			}
			*to = v
			missing--
		}
	}
	return a, missing, nil
}
