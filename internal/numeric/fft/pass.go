package fft

import (
	"context"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// scratch is what one goroutine needs: two complex buffers for a block of lines.
type scratch struct{ a, b simd.Complex }

// engine hands out scratch buffers and runs passes; every plan has one. It is safe for concurrent use.
type engine struct {
	ctx     context.Context // nil: it does not end
	workers int             // 0: as many as the passes are worth
	pool    *sync.Pool      // of *scratch
	arrays  *spares         // the intermediate arrays of one call
	slabs   *spares         // and parts of them
}

// newEngine makes an engine whose scratch buffers hold space numbers each.
func newEngine(space int) engine {
	newScratch := func() any {
		all := make([]float64, 4*space)
		cut := func(i int) []float64 { return all[i*space : (i+1)*space : (i+1)*space] }
		return &scratch{simd.Complex{Re: cut(0), Im: cut(1)}, simd.Complex{Re: cut(2), Im: cut(3)}}
	}
	return engine{
		pool:   &sync.Pool{New: newScratch},
		arrays: new(spares),
		slabs:  new(spares),
	}
}

// passTime is what one pass takes for a number of the padded array, in nanoseconds; half of it in cache, twice as much
// in plain Go.
const passTime = 2

// forSize returns e for an array of the given size, padding included.
func (e engine) forSize(size int) *engine {
	if e.workers == 0 {
		e.workers = parallel.Workers(passTime * float64(size))
	}
	return &e
}

// each runs fn on 0 … items−1, a few contiguous ranges for each worker.
func (e *engine) each(items int, fn func(item int, w *scratch)) {
	pieces := 1
	if e.workers > 1 {
		pieces = min(items, 4*e.workers)
	}
	parallel.Pieces(e.workers, pieces, func(k int) {
		w := e.pool.Get().(*scratch)
		for i := k * items / pieces; i < (k+1)*items/pieces && !e.stopped(); i++ {
			fn(i, w)
		}
		e.pool.Put(w)
	})
}

// stopped reports whether nobody waits for the results any more.
func (e *engine) stopped() bool { return e.ctx != nil && e.ctx.Err() != nil }

// slabwise runs fn on 0 … n−1, each on one processor where there are enough of them for all.
func (e *engine) slabwise(n int, fn func(e *engine, i int)) {
	if n < 2*e.workers {
		for i := 0; i < n && !e.stopped(); i++ {
			fn(e, i)
		}
		return
	}
	alone := *e
	alone.workers = 1
	e.each(n, func(i int, _ *scratch) { fn(&alone, i) })
}

// cacheBytes is what a block of lines may take, four buffers together; a quarter of a common second-level cache.
const cacheBytes = 256 << 10

// blockWidth is how many lines with space numbers per buffer are transformed together.
func blockWidth(space int) int {
	width := 8
	for width < 64 && 4*8*space*2*width <= cacheBytes {
		width *= 2
	}
	return width
}

// rowWidth is blockWidth for a pass over count rows. Few of them are done one at a time: see factored.
func rowWidth(space, count int) int {
	if count < 8 {
		return 1
	}
	return blockWidth(space)
}

// columns is a pass along an axis which is not the last: from [outer][in][inner] to [outer][out][inner], the lines
// padded with zeros to the length of the transform and truncated after it.
type columns struct {
	line         *line
	outer, inner int
	in, out      int
	inverse      bool
	width        int
	between      func(block, width int, z, spare simd.Complex) // if not nil: called on the spectrum, then transformed back
}

func (p *columns) blocks() int { return (p.inner + p.width - 1) / p.width }

// run transforms from to; they may be the same array when in == out, or when outer is 1.
func (p *columns) run(e *engine, to, from simd.Complex) {
	blocks := p.blocks()
	e.each(p.outer*blocks, func(item int, w *scratch) { p.block(w, to, from, item/blocks, item%blocks) })
}

func (p *columns) block(w *scratch, to, from simd.Complex, o, block int) {
	first := block * p.width
	width := min(p.width, p.inner-first)
	at := o*p.in*p.inner + first
	for j := range p.in {
		copy(w.a.Re[j*width:(j+1)*width], from.Re[at:at+width])
		copy(w.a.Im[j*width:(j+1)*width], from.Im[at:at+width])
		at += p.inner
	}
	n := p.line.n * width
	clear(w.a.Re[p.in*width : n])
	clear(w.a.Im[p.in*width : n])
	var z, spare simd.Complex
	if p.inverse {
		z, _ = p.line.inverse(width, w.a, w.b)
	} else {
		z, spare = p.line.forward(width, w.a, w.b)
	}
	if p.between != nil {
		p.between(block, width, z, spare)
		z, _ = p.line.inverse(width, z, spare)
	}
	at = o*p.out*p.inner + first
	for j := range p.out {
		copy(to.Re[at:at+width], z.Re[j*width:(j+1)*width])
		copy(to.Im[at:at+width], z.Im[j*width:(j+1)*width])
		at += p.inner
	}
}

// rows is a pass of real transforms along the last axis, count lines of in numbers forward or out numbers back.
type rows struct {
	line           *realLine
	count, in, out int
	width          int
}

func (p *rows) blocks() int { return (p.count + p.width - 1) / p.width }

func (p *rows) forward(e *engine, to simd.Complex, src []float64) {
	e.each(p.blocks(), func(item int, w *scratch) { p.forwardBlock(w, to, src, item) })
}

func (p *rows) forwardBlock(w *scratch, to simd.Complex, src []float64, block int) {
	first, half := block*p.width, p.line.half
	batch := min(p.width, p.count-first)
	z, _ := p.line.forward(batch, src[first*p.in:], p.in, p.in, w)
	k := p.line.complex.kernels
	k.Transpose(to.Re[first*half:], half, z.Re, batch, half, batch)
	k.Transpose(to.Im[first*half:], half, z.Im, batch, half, batch)
}

func (p *rows) inverse(e *engine, dst []float64, from simd.Complex, scale float64) {
	e.each(p.blocks(), func(item int, w *scratch) { p.inverseBlock(w, dst, from, scale, item) })
}

func (p *rows) inverseBlock(w *scratch, dst []float64, from simd.Complex, scale float64, block int) {
	first, half := block*p.width, p.line.half
	batch := min(p.width, p.count-first)
	k := p.line.complex.kernels
	k.Transpose(w.a.Re, batch, from.Re[first*half:], half, batch, half)
	k.Transpose(w.a.Im, batch, from.Im[first*half:], half, batch, half)
	p.line.inverse(batch, w.a, w.b, dst[first*p.out:], p.out, p.out, scale)
}

// planes is the passes along the last two axes of count planes, both of them plane by plane, while it is in the cache.
type planes struct {
	count   int
	rows    rows    // of one plane
	columns columns // of one plane
}

// forward goes from planes of rows.count x rows.in numbers to spectra of columns.out rows.
func (p *planes) forward(e *engine, to simd.Complex, src []float64) {
	e.each(p.count, func(i int, w *scratch) {
		plane := to.From(i * p.columns.out * p.columns.inner)
		for block := 0; block < p.rows.blocks() && !e.stopped(); block++ {
			p.rows.forwardBlock(w, plane, src[i*p.rows.count*p.rows.in:], block)
		}
		for block := 0; block < p.columns.blocks() && !e.stopped(); block++ {
			p.columns.block(w, plane, plane, 0, block)
		}
	})
}

// inverse goes back to planes of rows.count x rows.out numbers; from is overwritten.
func (p *planes) inverse(e *engine, dst []float64, from simd.Complex, scale float64) {
	e.each(p.count, func(i int, w *scratch) {
		plane := from.From(i * p.columns.in * p.columns.inner)
		for block := 0; block < p.columns.blocks() && !e.stopped(); block++ {
			p.columns.block(w, plane, plane, 0, block)
		}
		for block := 0; block < p.rows.blocks() && !e.stopped(); block++ {
			p.rows.inverseBlock(w, dst[i*p.rows.count*p.rows.out:], plane, scale, block)
		}
	})
}
