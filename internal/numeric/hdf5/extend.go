package hdf5

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Extend makes axes along an unlimited dimension of NetCDF as long as the longest array along it, as NetCDF shows
// them: a file holds no more of an array than was written. [Dataset.Read] gives what is beyond as the fill value,
// and as NaN where there is none. It is for files of NetCDF, and leaves what is not real numbers as it is.
func (d *Dataset) Extend() error {
	if _, n := d.of.real(); n != 1 || len(d.Shape) != len(d.space) || d.ColumnMajor || !slices.Contains(d.most, math.MaxInt) {
		return nil
	}
	d.m.fresh()
	scales, err := d.scales()
	if err != nil {
		return err
	}
	lengths := d.file.unlimited()
	shape := slices.Clone(d.space)
	for k, at := range scales {
		if k < len(d.most) && d.most[k] == math.MaxInt && at != undefined {
			shape[k] = max(shape[k], lengths[at])
		}
	}
	if slices.Equal(shape, d.space) {
		return nil
	}
	size := max(d.stored.size, 8)
	if total, ok := product(size, shape); !ok || total > math.MaxInt64/4 {
		return corrupt("an array of shape %v", shape)
	}
	held, _ := product(1, d.space)
	n, _ := product(1, shape)
	if err := d.unwritten(n, held); err != nil {
		return err
	}
	d.Shape, d.long = shape, true
	return nil
}

// unlimited finds how long the arrays along each unlimited dimension are at most, by the address of its scale. What
// cannot be read is passed over.
func (f *File) unlimited() map[uint64]int {
	if f.lengths != nil {
		return f.lengths
	}
	f.lengths = map[uint64]int{}
	for _, name := range f.names {
		d, err := f.Dataset(name)
		if err != nil || !slices.Contains(d.most, math.MaxInt) {
			continue
		}
		d.m.fresh()
		scales, err := d.scales()
		if err != nil {
			continue
		}
		for k, at := range scales[:min(len(scales), len(d.space), len(d.most))] {
			if d.most[k] == math.MaxInt {
				f.lengths[at] = max(f.lengths[at], d.space[k])
			}
		}
	}
	return f.lengths
}

// readLong reads rows of an array that Extend made longer.
func (d *Dataset) readLong(ctx context.Context, lo, hi int) ([]float64, error) {
	if lo < 0 || hi < lo || hi > d.Rows() {
		return nil, fmt.Errorf("rows %d to %d of %d", lo, hi, d.Rows())
	}
	fill := []float64{math.NaN()}
	if len(d.fill) >= d.stored.size {
		of, _ := d.of.real()
		if err := of.decode(fill, d.fill[d.at:], d.stored.size, 1); err != nil {
			return nil, err
		}
	}
	part := *d
	part.Shape, part.long = d.space, false
	last := min(hi, d.space[0])
	held, err := part.Read(ctx, min(lo, last), last)
	if err != nil {
		return nil, err
	}
	n, _ := product(hi-lo, d.Shape[1:])
	out := slices.Repeat(fill, n)
	if len(held) == 0 {
		return out, nil
	}
	row := d.space[len(d.space)-1]
	if len(d.space) == 1 {
		copy(out, held)
		return out, nil
	}
	for i := 0; i*row < len(held); i++ { // the place of each row of the last axis
		to, apart := 0, d.Shape[len(d.space)-1]
		for k, at := len(d.space)-2, i; k >= 0; k-- {
			length := d.space[k]
			if k == 0 {
				length = at + 1
			}
			to += at % length * apart
			at /= length
			apart *= d.Shape[k]
		}
		copy(out[to:], held[i*row:(i+1)*row])
	}
	return out, nil
}
