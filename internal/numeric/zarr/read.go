package zarr

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// A cell is a chunk that has rows asked for, and is stored.
type cell struct {
	at   []int // its place on the grid of chunks
	name string
}

// most that a store of few chunks may leave unwritten, in bytes, and chunks that are looked for in
// vain; of others three quarters may be.
const (
	unwritten = 1 << 20
	vain      = 1 << 10
	quarter   = 4
)

// Read reads the rows lo to hi−1, from 0, as float64: integers beyond 2⁵³ are rounded. Chunks that
// were never written are the fill value; of an array without one every chunk is written, and one that
// is not there was lost: an error. The cause of ctx is the error when it has ended.
func (a *Array) Read(ctx context.Context, lo, hi int) ([]float64, error) {
	if lo < 0 || hi < lo || hi > a.Rows() {
		return nil, fmt.Errorf("rows %d to %d of %d", lo, hi, a.Rows())
	}
	n, chunk := hi-lo, a.of.size
	for k := range a.Shape {
		if k > 0 {
			n *= a.Shape[k]
		}
		chunk *= a.chunk[k]
	}
	if n == 0 {
		return []float64{}, nil
	}
	cells, err := a.cells(ctx, lo, hi, n, chunk)
	if err != nil {
		return nil, err
	}
	if len(cells) > 0 { // before there is room for what chunks are said to be, one shows that it is
		if _, err := a.chunkOf(ctx, cells[0], chunk); err != nil {
			return nil, err
		}
	}
	out := make([]float64, n)
	if a.fill != 0 && a.filled {
		for i := range out {
			out[i] = a.fill
		}
	}
	return out, a.readCells(ctx, cells, out, lo, hi, chunk)
}

// readCells reads chunks of some bytes each, on all processors.
func (a *Array) readCells(ctx context.Context, cells []cell, out []float64, lo, hi, chunk int) error {
	var first error
	var lock sync.Mutex
	parallel.Range(len(cells), float64(chunk)+5000, func(from, to int) {
		for _, c := range cells[from:to] {
			err := context.Cause(ctx)
			if err == nil {
				err = a.readCell(ctx, c, out, lo, hi, chunk)
			}
			if err != nil {
				lock.Lock()
				first = err
				lock.Unlock()
				return
			}
		}
	})
	return first
}

func (a *Array) readCell(ctx context.Context, c cell, out []float64, lo, hi, chunk int) error {
	data, err := a.chunkOf(ctx, c, chunk)
	if err == nil && data != nil {
		a.place(data, c.at, out, lo, hi)
	}
	return err
}

// lost says what a chunk that is not there means where there is no fill value.
func (a *Array) lost(chunk string) error {
	return fmt.Errorf("the chunk %s is missing, and no fill value says what stands there: it was lost or never written; "+
		"copy the store again, with all its files, or write it again; if zeros are meant, "+
		"write \"fill_value\": 0 for null in %s", chunk, path.Join(a.folder, array2))
}

// chunkOf is a chunk of some bytes; nil if it has gone.
func (a *Array) chunkOf(ctx context.Context, c cell, chunk int) ([]byte, error) {
	data, err := a.stored(c.name, 2*chunk+1<<16)
	if err == nil && data == nil && !a.filled {
		err = a.lost(c.name)
	}
	if err != nil || data == nil {
		return nil, err
	}
	if data, err = a.undo(ctx, data, chunk); err != nil {
		return nil, fmt.Errorf("chunk %s: %w", c.name, err)
	}
	return data, nil
}

// cells lists the chunks with rows asked for that are stored. That n elements are believable is
// seen from how large they are.
func (a *Array) cells(ctx context.Context, lo, hi, n, chunk int) (found []cell, err error) {
	from, to := make([]int, len(a.Shape)), make([]int, len(a.Shape)) // on the grid
	for k, d := range a.Shape {
		to[k] = (d-1)/a.chunk[k] + 1
	}
	if len(a.Shape) > 0 {
		from[0], to[0] = lo/a.chunk[0], (hi-1)/a.chunk[0]+1
	}
	missing, held := 0, 0
	for at := slices.Clone(from); ; {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		name := a.where(at)
		if info, err := fs.Stat(a.store.files, name); err == nil {
			found = append(found, cell{slices.Clone(at), name})
			held = min(held+min(chunk, a.expansion(int(min(info.Size(), most)))), most/64)
		} else if !a.filled {
			return nil, a.lost(name)
		} else if missing++; missing > vain+quarter*len(found) {
			break
		}
		k := len(at) - 1
		for ; k >= 0; k-- {
			if at[k]++; at[k] < to[k] {
				break
			}
			at[k] = from[k]
		}
		if k < 0 {
			break
		}
	}
	// A chunk may reach beyond the array, and what is asked for may be few of its rows.
	if missing > vain+quarter*len(found) || n > (unwritten+quarter*held)/a.of.size {
		return nil, fmt.Errorf("of the shape %v almost nothing is stored: %d of its chunks of %v are there", a.Shape, len(found), a.chunk)
	}
	return found, nil
}

// place puts the elements of the chunk at a place on the grid where they belong.
func (a *Array) place(data []byte, at []int, out []float64, lo, hi int) {
	rank := len(a.Shape)
	if rank == 0 {
		out[0] = a.of.value(data)
		return
	}
	step, size := make([]int, rank), a.of.size // bytes from one element of the chunk to the next along each axis
	for k := rank - 1; k >= 0; k-- {
		step[a.order[k]] = size
		size *= a.chunk[a.order[k]]
	}
	first, count := make([]int, rank), make([]int, rank) // within the chunk
	src, dst, apart := 0, 0, 1
	strides := make([]int, rank) // of the result
	for k := rank - 1; k >= 0; k-- {
		begin, end, origin, length := at[k]*a.chunk[k], min((at[k]+1)*a.chunk[k], a.Shape[k]), 0, a.Shape[k]
		if k == 0 {
			origin, length, end = lo, hi-lo, min(end, hi)
			first[k] = max(0, lo-begin)
		}
		count[k], strides[k] = end-begin-first[k], apart
		src, dst = src+first[k]*step[k], dst+(begin+first[k]-origin)*apart
		apart *= length
	}
	a.copy(data, out, src, dst, count, step, strides)
}

// copy takes elements of a box of count along each axis, with steps in bytes there and strides here.
func (a *Array) copy(data []byte, out []float64, src, dst int, count, step, strides []int) {
	if len(count) == 1 {
		for i := range count[0] {
			out[dst+i*strides[0]] = a.of.value(data[src+i*step[0]:])
		}
		return
	}
	for i := range count[0] {
		a.copy(data, out, src+i*step[0], dst+i*strides[0], count[1:], step[1:], strides[1:])
	}
}
