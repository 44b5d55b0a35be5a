package hdf5

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// Read reads the real numbers of the rows lo to hi−1, from 0, in the order in which the file has them, as float64:
// integers beyond 2⁵³ are rounded. Only chunks with such rows are read, on all processors. The error is [Unsupported]
// for what is not real numbers, and the cause of ctx when it has ended.
func (d *Dataset) Read(ctx context.Context, lo, hi int) ([]float64, error) {
	if _, n := d.of.real(); n != 1 {
		return nil, d.notNumbers("real numbers")
	}
	if d.long {
		return d.readLong(ctx, lo, hi)
	}
	return d.read(ctx, lo, hi)
}

// ReadComplex is [Dataset.Read] for complex numbers.
func (d *Dataset) ReadComplex(ctx context.Context, lo, hi int) ([]complex128, error) {
	if !d.IsComplex() {
		return nil, d.notNumbers("complex numbers")
	}
	parts, err := d.read(ctx, lo, hi)
	z := make([]complex128, len(parts)/2)
	for i := range z {
		z[i] = complex(parts[2*i], parts[2*i+1])
	}
	return z, err
}

// notNumbers refuses elements that are of another kind.
func (d *Dataset) notNumbers(want string) error {
	if d.of.class == classCompound && len(d.of.members) > 0 && !d.IsComplex() {
		_, name, _ := cutLast(d.Path)
		return unsupported("%s: name one of them, such as %q", d.of, name+"."+d.of.members[0].name)
	}
	return unsupported("%s: want %s", d.of, want)
}

// Strings reads the strings of all rows.
func (d *Dataset) Strings(ctx context.Context) ([]string, error) {
	if !d.IsText() {
		return nil, unsupported("%s: want text", d.of)
	}
	size := d.of.size
	var all []byte
	err := d.each(ctx, 0, d.Rows(), func(n int) { all = make([]byte, n*size) }, func(first, n int, src []byte) error {
		for i := range n {
			copy(all[(first+i)*size:(first+i+1)*size], src[i*d.stored.size+d.at:])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.m.fresh()
	d.m.budget += int64(len(all))
	texts := make([]string, len(all)/size)
	for i := range texts {
		if texts[i], err = d.of.oneText(d.m, all[i*size:(i+1)*size]); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// read reads the parts of numbers.
func (d *Dataset) read(ctx context.Context, lo, hi int) ([]float64, error) {
	of, _ := d.of.real()
	per := d.numbers()
	var dst []float64
	decode := func(first, n int, src []byte) error {
		return of.decode(dst[first*per:(first+n)*per], src[d.at:], d.stored.size, per)
	}
	err := d.each(ctx, lo, hi, func(n int) { dst = make([]float64, n*per) }, decode)
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// A sink takes n elements that follow one another, of which the first has the given number among those asked for.
type sink func(first, n int, src []byte) error

// each gives the elements of rows to a sink, several at a time, after it has said how many there will be.
func (d *Dataset) each(ctx context.Context, lo, hi int, begin func(n int), to sink) error {
	d.m.fresh()
	if lo < 0 || hi < lo || hi > d.Rows() {
		return fmt.Errorf("rows %d to %d of %d", lo, hi, d.Rows())
	}
	n, err := d.elements(lo, hi)
	if err != nil {
		return err
	}
	if d.null || n == 0 {
		begin(0)
		return nil
	}
	if d.layout.kind == layoutChunked {
		return d.chunked(ctx, lo, hi, n, begin, to)
	}
	return d.contiguous(ctx, lo, n, begin, to)
}

// mostUnwritten is how many bytes of a small file's elements may be unwritten.
const mostUnwritten = 1 << 20

// unwritten says whether an array of n elements, of which so many are in the file, is believable.
func (d *Dataset) unwritten(n, held int) error {
	size := max(d.stored.size, 8*d.numbers())
	if missing := n - held; missing > 0 && missing > max(mostUnwritten, 4*int(min(d.m.size, math.MaxInt/8)))/size+3*held {
		return fmt.Errorf("the file holds %d of %d elements of an array of shape %v: most were never written", held, n, d.space)
	}
	return nil
}

// filled gives n elements their fill value.
func (d *Dataset) filled(n int, to sink) error {
	if !slices.ContainsFunc(d.fill, func(b byte) bool { return b != 0 }) {
		return nil
	}
	size := d.stored.size
	if len(d.fill) != size {
		return corrupt("a fill value of %d bytes for elements of %d", len(d.fill), size)
	}
	many := slices.Repeat(d.fill, min(n, 1+4096/size))
	for first := 0; first < n; {
		k := min(n-first, len(many)/size)
		if err := to(first, k, many[:k*size]); err != nil {
			return err
		}
		first += k
	}
	return nil
}

// contiguous reads elements that follow one another.
func (d *Dataset) contiguous(ctx context.Context, lo, n int, begin func(int), to sink) error {
	l, size := d.layout, d.stored.size
	first := lo
	if len(d.space) > 0 {
		first, _ = product(lo, d.space[1:])
	}
	if l.kind == layoutCompact {
		if (first+n)*size > len(l.data) {
			return corrupt("%d bytes for an array of shape %v", len(l.data), d.space)
		}
		begin(n)
		return to(0, n, l.data[first*size:])
	}
	if l.at == undefined {
		if err := d.unwritten(n, 0); err != nil {
			return err
		}
		begin(n)
		return d.filled(n, to)
	}
	if l.size != undefined && uint64((first+n)*size) > l.size {
		return corrupt("%d bytes for an array of shape %v", l.size, d.space)
	}
	at := l.at + uint64(first*size)
	if err := d.m.within(at, uint64(n*size)); err != nil {
		return err
	}
	begin(n)
	each := max(1, 1<<18/size)
	pieces := (n-1)/each + 1
	return d.share(ctx, n*size, 1, pieces, func(p int, w *worker) error {
		from := p * each
		count := min(each, n-from)
		src := w.bytes(count * size)
		if err := d.m.raw(src, at+uint64(from*size)); err != nil {
			return err
		}
		return to(from, count, src)
	})
}

// chunked reads the chunks that have some of the rows.
func (d *Dataset) chunked(ctx context.Context, lo, hi, n int, begin func(int), to sink) error {
	if err := readable(d.filter); err != nil {
		return err
	}
	chunks, err := d.chunks(lo, hi)
	if err != nil {
		return err
	}
	held, stored, size := 0, uint64(0), d.chunkBytes()
	for i, k := range chunks {
		if d.layout.wholeEdges && d.overEdge(k.begin) {
			chunks[i].mask = math.MaxUint64
		}
		if err := d.m.within(k.at, k.size); err != nil {
			return err
		}
		if !believable(d.filter, chunks[i].mask, k.size, size) {
			return corrupt("a chunk of %d bytes that should become %d", k.size, size)
		}
		held += d.overlap(k.begin, lo, hi)
		stored += k.size
	}
	// Chunks may overlap in the file only if it is damaged: their sum is more than the file.
	if stored > uint64(d.m.size) {
		return corrupt("chunks of %d bytes in all in a file of %d", stored, d.m.size)
	}
	if err := d.unwritten(n, held); err != nil {
		return err
	}
	begin(n)
	if held < n {
		if err := d.filled(n, to); err != nil {
			return err
		}
	}
	return d.share(ctx, len(chunks)*int(size), 4, len(chunks), func(i int, w *worker) error {
		k := chunks[i]
		raw := w.bytes(int(k.size))
		if err := d.m.raw(raw, k.at); err != nil {
			return err
		}
		w.undoer.filters, w.undoer.element = d.filter, d.stored.size
		data, err := w.undoer.undo(ctx, raw, k.mask, int(size))
		if err != nil {
			return err
		}
		return d.scatter(k.begin, lo, hi, data, to)
	})
}

// A worker is the memory of one goroutine.
type worker struct {
	raw    []byte
	undoer undoer
}

func (w *worker) bytes(n int) []byte {
	if cap(w.raw) < n {
		w.raw = make([]byte, n)
	}
	return w.raw[:n]
}

// share does pieces of work on all processors, bytes in all that take so many nanoseconds each.
func (d *Dataset) share(ctx context.Context, bytes int, time float64, pieces int, do func(i int, w *worker) error) error {
	var first error
	var lock sync.Mutex
	pool := sync.Pool{New: func() any { return new(worker) }}
	parallel.Pieces(parallel.Workers(float64(bytes)*time), pieces, func(i int) {
		err := context.Cause(ctx)
		if err == nil {
			w := pool.Get().(*worker)
			err = do(i, w)
			pool.Put(w)
		}
		if err != nil {
			lock.Lock()
			if first == nil {
				first = err
			}
			lock.Unlock()
		}
	})
	return first
}

// overEdge says that a chunk reaches beyond the array.
func (d *Dataset) overEdge(begin []int) bool {
	for k, b := range begin {
		if b+d.layout.chunk[k] > d.space[k] {
			return true
		}
	}
	return false
}

// overlap is how many elements of rows lo to hi−1 a chunk has.
func (d *Dataset) overlap(begin []int, lo, hi int) int {
	n := 1
	for k, b := range begin {
		end := min(b+d.layout.chunk[k], d.space[k])
		if k == 0 {
			b, end = max(b, lo), min(end, hi)
		}
		n *= max(0, end-b)
	}
	return n
}

// scatter gives the elements of a chunk that belong to rows lo to hi−1 to a sink, in runs as long as they are both
// in the chunk and in the array.
func (d *Dataset) scatter(begin []int, lo, hi int, data []byte, to sink) error {
	rank, size := len(begin), d.stored.size
	if rank == 0 {
		return to(0, 1, data)
	}
	from, count := slices.Clone(begin), make([]int, rank)
	for k, b := range begin {
		count[k] = min(d.layout.chunk[k], d.space[k]-b)
	}
	from[0] = max(begin[0], lo)
	count[0] = min(begin[0]+count[0], hi) - from[0]
	// Axes from split on, which the chunk has whole, make one run with the one before them.
	split, run := rank-1, 1
	for split > 0 && d.layout.chunk[split] == d.space[split] {
		run *= d.space[split]
		split--
	}
	length := run * count[split]
	index := slices.Clone(from)
	for {
		in, out := 0, 0
		for k := range rank {
			in = in*d.layout.chunk[k] + index[k] - begin[k]
			o := index[k]
			if k == 0 {
				o -= lo
			}
			out = out*d.space[k] + o
		}
		if err := to(out, length, data[in*size:(in+length)*size]); err != nil {
			return err
		}
		k := split - 1
		for ; k >= 0; k-- {
			if index[k]++; index[k] < from[k]+count[k] {
				break
			}
			index[k] = from[k]
		}
		if k < 0 {
			return nil
		}
	}
}
