package simd

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// Matrix is a view of float64s: element (i, j) is Data[i*RowStride+j*ColStride]. Row-major matrices have ColStride 1;
// exchanging sizes and strides transposes.
type Matrix struct {
	Rows, Cols           int
	RowStride, ColStride int
	Data                 []float64
}

// Dense is a row-major matrix whose rows follow each other.
func Dense(rows, cols int, data []float64) Matrix { return Matrix{rows, cols, cols, 1, data} }

// T returns the transpose of m, sharing its elements.
func (m Matrix) T() Matrix { return Matrix{m.Cols, m.Rows, m.ColStride, m.RowStride, m.Data} }

// slice returns rows i and columns j onwards.
func (m Matrix) slice(i, rows, j, cols int) Matrix {
	if rows == 0 || cols == 0 {
		return Matrix{rows, cols, m.RowStride, m.ColStride, nil}
	}
	return Matrix{rows, cols, m.RowStride, m.ColStride, m.Data[i*m.RowStride+j*m.ColStride:]}
}

// check panics if m refers to elements it does not have.
func (m Matrix) check(name string) {
	if m.Rows < 0 || m.Cols < 0 || m.RowStride < 0 || m.ColStride < 0 ||
		m.Rows > 0 && m.Cols > 0 && (m.Rows-1)*m.RowStride+(m.Cols-1)*m.ColStride >= len(m.Data) {
		panic(fmt.Sprintf("simd: matrix %s: %d x %d with strides %d, %d has %d elements", name, m.Rows, m.Cols, m.RowStride, m.ColStride, len(m.Data)))
	}
}

// tile is the micro-kernels of a level, for up to rows x cols elements of c in vectors of so many lanes:
//
//	c[i*ldc+j] = Σ_p a[i*rs+p*cs] b[p*ldb+j]      p < k, or += where add is set
//
// Those in plain Go want whole tiles of packed factors.
type tile struct {
	rows, cols, lanes int
	strided           bool // it takes factors where they are, and fewer rows
	run               func(rows, vectors, k int, a []float64, rs, cs int, b []float64, ldb int, c []float64, ldc int, add bool)
}

// panels is a factor as tiles read it: element p of line i of the panel that begins at line n is
// data[n*step+i*across+p*along].
type panels struct {
	data                []float64
	step, across, along int
}

// Sizes of the packed blocks, after Goto and van de Geijn (ACM TOMS 34, 2008): depth x tile.cols of b stay in the
// first-level cache, blockRows x depth of a in the second, depth x blockCols of b in the third. All are multiples of
// the sizes of every tile.
const (
	depth     = 256
	blockRows = 96
	blockCols = 24 * 80
)

// Gemm sets c = alpha·a·b + beta·c; c must have ColStride 1 and share no memory with a or b. As in BLAS c is not read
// if beta is 0. Every element is summed in the same order wherever it is in c. About 80 (AVX-512), 45 (AVX2) or 10
// (plain Go) thousand million operations a second, of 2·Rows·Cols·a.Cols.
func (k Kernels) Gemm(alpha float64, a, b Matrix, beta float64, c Matrix) {
	k.multiply(1, alpha, a, b, beta, c)
}

func (k Kernels) multiply(workers int, alpha float64, a, b Matrix, beta float64, c Matrix) {
	checkProduct(a, b, c)
	vector := k.mulVector != nil && alpha == 1 && (c.Cols == 1 || c.Rows == 1)
	none := alpha == 0 || c.Rows == 0 || c.Cols == 0 || a.Cols == 0
	if beta != 0 || none || vector {
		scaleRows(c, beta)
	}
	switch {
	case none:
	case vector:
		k.gemv(a, b, c)
	default:
		k.addProduct(workers, alpha, a, b, c, beta != 0)
	}
}

// checkProduct panics unless a·b is of the shape of c.
func checkProduct(a, b, c Matrix) {
	a.check("a")
	b.check("b")
	c.check("c")
	if a.Rows != c.Rows || b.Cols != c.Cols || a.Cols != b.Rows || c.ColStride != 1 {
		panic(fmt.Sprintf("simd: product of %d x %d and %d x %d into %d x %d with column stride %d",
			a.Rows, a.Cols, b.Rows, b.Cols, c.Rows, c.Cols, c.ColStride))
	}
}

// Copying a factor into panels is worth it where so many tiles read each of them; less often, they
// are read where they are.
const (
	readRows    = 16 // tiles along the rows of c, which read b
	readColumns = 8  // tiles along its columns, which read a
)

// addProduct adds alpha·a·b to c, or sets c to it. Several workers share the rows of each packed block of b.
func (k Kernels) addProduct(workers int, alpha float64, a, b, c Matrix, add bool) {
	buf := k.scratch.Get().(*buffers)
	defer k.scratch.Put(buf)
	t := k.tile
	direct := t.strided && b.ColStride == 1 && c.Rows <= readRows*t.rows
	for j, cols := 0, 0; j < c.Cols; j += cols {
		cols = min(blockCols, c.Cols-j)
		if direct && cols > t.lanes {
			cols -= cols % t.lanes // what is no whole vector is copied
		}
		for p := 0; p < a.Cols; p += depth {
			inner := min(depth, a.Cols-p)
			pb := k.panels(&buf.b, b.slice(p, inner, j, cols).T(), t.cols, 1, !direct || cols < t.lanes)
			left, out, more := a.slice(0, a.Rows, p, inner), c.slice(0, c.Rows, j, cols), add || p > 0
			if workers < 2 {
				k.addRows(buf, alpha, left, pb, out, more)
				continue
			}
			strips := min(4*workers, (c.Rows+t.rows-1)/t.rows)
			parallel.Pieces(workers, strips, func(w int) {
				buf := k.scratch.Get().(*buffers)
				defer k.scratch.Put(buf)
				lo, hi := strip(w, strips, c.Rows, t.rows)
				k.addRows(buf, alpha, left.slice(lo, hi-lo, 0, inner), pb, out.slice(lo, hi-lo, 0, cols), more)
			})
		}
	}
}

// addRows adds alpha·a·b to c, or sets c to it, for panels of b.
func (k Kernels) addRows(buf *buffers, alpha float64, a Matrix, b panels, c Matrix, add bool) {
	t := k.tile
	copied := !t.strided || alpha != 1 || c.Cols > readColumns*t.cols
	for i := 0; i < c.Rows; i += blockRows {
		rows := min(blockRows, c.Rows-i)
		pa := k.panels(&buf.a, a.slice(i, rows, 0, a.Cols), t.rows, alpha, copied)
		t.block(a.Cols, pa, b, c.slice(i, rows, 0, c.Cols), grow(&buf.edge, maxTile), add)
	}
}

// panels is m times alpha in panels of height rows, copied or where it is.
func (k Kernels) panels(buf *[]float64, m Matrix, height int, alpha float64, copied bool) panels {
	if !copied {
		return panels{m.Data, m.RowStride, m.RowStride, m.ColStride}
	}
	to := grow(buf, roundUp(m.Rows, height)*m.Cols)
	k.pack(to, m, height, alpha)
	return panels{to, m.Cols, 1, height}
}

// gemv adds a·b to a row or a column of c, in the order of the tiles: sums over depth numbers, one after the other.
func (k Kernels) gemv(a, b, c Matrix) {
	if c.Rows == 1 {
		a, b, c = b.T(), a.T(), c.T()
	}
	buf := k.scratch.Get().(*buffers)
	defer k.scratch.Put(buf)
	v, sums := grow(&buf.a, min(depth, a.Cols)), grow(&buf.b, a.Rows)
	for p := 0; p < a.Cols; p += depth {
		inner := min(depth, a.Cols-p)
		for q := range inner {
			v[q] = b.Data[(p+q)*b.RowStride]
		}
		k.mulVector(sums, a.slice(0, a.Rows, p, inner), v[:inner])
		for i, s := range sums {
			c.Data[i*c.RowStride] += s
		}
	}
}

// GemmParallel computes c = alpha a b + beta c on all processors if that pays; the result does not depend on their number.
func (k Kernels) GemmParallel(alpha float64, a, b Matrix, beta float64, c Matrix) {
	k.gemmShared(parallel.Workers(k.ProductTime(c.Rows, a.Cols, c.Cols)), alpha, a, b, beta, c)
}

// ProductTime is about what the product of m x inner and inner x n takes on one processor, in nanoseconds: packing, and
// multiplication in whole tiles.
func (k Kernels) ProductTime(m, inner, n int) float64 {
	const packing = 0.5
	whole := float64(roundUp(m, k.tile.rows)) * float64(roundUp(n, k.tile.cols))
	return float64(inner) * (2*whole/k.flops + packing*float64(m+n))
}

// gemmShared multiplies with several workers, who share the rows of c, and each packed block of b. Where there are few rows
// they share the columns: each packs its own part of b, and all of a, which is small.
func (k Kernels) gemmShared(workers int, alpha float64, a, b Matrix, beta float64, c Matrix) {
	const wide = 16
	switch {
	case workers < 2 || alpha == 0:
		k.Gemm(alpha, a, b, beta, c)
	case c.Cols == 1: // nothing to pack that is worth sharing
		strips := 4 * workers
		parallel.Pieces(workers, strips, func(w int) {
			lo, hi := strip(w, strips, c.Rows, k.tile.rows)
			k.Gemm(alpha, a.slice(lo, hi-lo, 0, a.Cols), b, beta, c.slice(lo, hi-lo, 0, 1))
		})
	case c.Cols >= wide*c.Rows:
		parallel.Pieces(workers, workers, func(w int) {
			lo, hi := strip(w, workers, c.Cols, k.tile.cols)
			k.Gemm(alpha, a, b.slice(0, b.Rows, lo, hi-lo), beta, c.slice(0, c.Rows, lo, hi-lo))
		})
	default:
		k.multiply(workers, alpha, a, b, beta, c)
	}
}

// strip is number w of some strips of n rows, in whole tiles.
func strip(w, strips, n, tile int) (lo, hi int) {
	tiles := (n + tile - 1) / tile
	return min(n, w*tiles/strips*tile), min(n, (w+1)*tiles/strips*tile)
}

func roundUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }

func scaleRows(c Matrix, beta float64) {
	if beta == 1 {
		return
	}
	for i := range c.Rows {
		if c.Cols == 0 {
			return
		}
		row := c.Data[i*c.RowStride:][:c.Cols]
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

// block adds the product of panels to c, or sets c to it; edge is scratch memory for a tile that c has only a part of.
func (t tile) block(k int, a, b panels, c Matrix, edge []float64, add bool) {
	edge = edge[:t.rows*t.cols]
	for j := 0; j < c.Cols; j += t.cols {
		cols := min(t.cols, c.Cols-j)
		vectors := (cols + t.lanes - 1) / t.lanes
		pb := b.data[j*b.step:]
		for i := 0; i < c.Rows; i += t.rows {
			rows := min(t.rows, c.Rows-i)
			pa := a.data[i*a.step:]
			if cols == vectors*t.lanes && (t.strided || rows == t.rows) {
				t.run(rows, vectors, k, pa, a.across, a.along, pb, b.along, c.Data[i*c.RowStride+j:], c.RowStride, add)
				continue
			}
			t.run(rows, vectors, k, pa, a.across, a.along, pb, b.along, edge, t.cols, false)
			for r := range rows {
				to, from := c.Data[(i+r)*c.RowStride+j:][:cols], edge[r*t.cols:][:cols]
				if !add {
					copy(to, from)
					continue
				}
				for q, v := range from {
					to[q] += v
				}
			}
		}
	}
}

// maxTile is the greatest number of elements of a tile.
const maxTile = 8 * 24

// pack copies m times alpha into panels of height rows, column by column, the last one filled up with zeros.
func (k Kernels) pack(dst []float64, m Matrix, height int, alpha float64) {
	for i := 0; i < m.Rows; i += height {
		panel := dst[i*m.Cols:][:height*m.Cols]
		rows := min(height, m.Rows-i)
		if rows < height {
			clear(panel)
		}
		from := m.Data[i*m.RowStride:]
		switch {
		case m.ColStride == 1 && rows == 2 && height == 2:
			interleave(panel, from[:m.Cols], from[m.RowStride:][:m.Cols])
		case m.ColStride == 1:
			k.Transpose(panel, height, from, m.RowStride, rows, m.Cols)
		case m.RowStride == 1 && rows == 2 && height == 2:
			for p := range m.Cols {
				*(*[2]float64)(panel[2*p:]) = [2]float64(from[p*m.ColStride:])
			}
		case m.RowStride == 1 && rows == 4 && height == 4:
			for p := range m.Cols {
				*(*[4]float64)(panel[4*p:]) = [4]float64(from[p*m.ColStride:])
			}
		case m.RowStride == 1:
			for p := range m.Cols {
				copy(panel[p*height:][:rows], from[p*m.ColStride:])
			}
		default:
			for p := range m.Cols {
				for r := range rows {
					panel[p*height+r] = from[r*m.RowStride+p*m.ColStride]
				}
			}
		}
		if alpha != 1 {
			for q := range panel {
				panel[q] *= alpha
			}
		}
	}
}
