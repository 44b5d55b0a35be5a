package netcdf

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// A File is an open file, of which the header was read.
type File struct {
	r          io.ReaderAt
	size       int64
	records    int64
	recordSize int64
	variables  []*Variable
	attributes []Attribute
}

// An Attribute is text or numbers that belong to a variable or to the file.
type Attribute struct {
	Name    string
	Text    string
	Numbers []float64 // none for text
	Kind    string    // of the numbers, such as "float64", or "text"
}

// A Variable is an array of the file.
type Variable struct {
	Name       string
	Shape      []int    // empty for one number
	Dimensions []string // names of the axes

	file       *File
	kind       kind
	record     bool // the first axis is unlimited: its rows lie between those of other variables
	begin      int64
	attributes []Attribute
}

// Open reads the header of a file of the given size. Errors say whether it is of another kind, truncated or damaged.
func Open(r io.ReaderAt, size int64) (*File, error) {
	if !Is(r) {
		return nil, errors.New("not a NetCDF classic file")
	}
	h := &header{r: bufio.NewReader(io.NewSectionReader(r, 0, size)), left: size, begin: 8}
	version := h.bytes(4)
	if version == nil {
		return nil, h.err
	}
	h.wide = version[3] == 5
	if version[3] == 1 {
		h.begin = 4
	}
	f := &File{r: r, size: size}
	width := 4
	if h.wide {
		width = 8
	}
	records := h.uint(width)
	unknown := records == 1<<(8*width)-1 // while the file was written
	dims := h.dimensions()
	f.attributes = h.attributes()
	h.variables(f, dims)
	if h.err != nil {
		return nil, h.err
	}
	return f, f.place(records, unknown)
}

// place finds how large records are, how many there are, and whether all variables are in the file.
func (f *File) place(records uint64, unknown bool) error {
	count, last := 0, int64(math.MaxInt64)
	for _, v := range f.variables {
		if v.record {
			n, ok := v.rowBytes()
			if !ok {
				return fmt.Errorf("corrupt: variable %q of shape %v", v.Name, v.Shape)
			}
			f.recordSize += (n + 3) / 4 * 4
			last = min(last, v.begin)
			if count++; f.recordSize > f.size+3 {
				return fmt.Errorf("truncated: a record of %q is larger than the file", v.Name)
			}
		}
	}
	if count == 1 { // the only one is not padded
		for _, v := range f.variables {
			if v.record {
				f.recordSize, _ = v.rowBytes()
			}
		}
	}
	f.records = int64(min(records, 1<<48))
	if unknown {
		f.records = 0
		if f.recordSize > 0 && last <= f.size {
			f.records = (f.size - last) / f.recordSize
		}
	}
	for _, v := range f.variables {
		if v.record {
			v.Shape[0] = int(f.records)
		}
	}
	return nil
}

// rowBytes is the size of one record, or of all of a variable without records; ok is false if it cannot be.
func (v *Variable) rowBytes() (bytes int64, ok bool) {
	n := int64(v.kind.size)
	shape := v.Shape
	if v.record {
		shape = shape[1:]
	}
	for _, d := range shape {
		if d != 0 && n > (1<<56)/int64(d) {
			return 0, false
		}
		n *= int64(d)
	}
	return n, true
}

// Names lists the variables in the order of the file.
func (f *File) Names() (names []string) {
	for _, v := range f.variables {
		names = append(names, v.Name)
	}
	return names
}

// Variable finds a variable; the error is fs.ErrNotExist if there is none.
func (f *File) Variable(name string) (*Variable, error) {
	i := slices.IndexFunc(f.variables, func(v *Variable) bool { return v.Name == name })
	if i < 0 {
		return nil, fs.ErrNotExist
	}
	return f.variables[i], nil
}

// Attribute returns an attribute of the file, and whether there is one of that name.
func (f *File) Attribute(name string) (Attribute, bool) { return find(f.attributes, name) }

// Attribute returns an attribute of the variable, and whether there is one of that name.
func (v *Variable) Attribute(name string) (Attribute, bool) { return find(v.attributes, name) }

func find(all []Attribute, name string) (Attribute, bool) {
	i := slices.IndexFunc(all, func(a Attribute) bool { return a.Name == name })
	if i < 0 {
		return Attribute{}, false
	}
	return all[i], true
}

// Kind says what the elements are: "float64", "int16", "text" and so on.
func (v *Variable) Kind() string { return v.kind.name }

// Rows is the length of the first axis, 1 for one number.
func (v *Variable) Rows() int {
	if len(v.Shape) == 0 {
		return 1
	}
	return v.Shape[0]
}

// Read reads the numbers of rows lo to hi−1, from 0, as float64: integers beyond 2⁵³ are rounded. It fails for text,
// for what is beyond the end of the file, and with the cause of ctx when it has ended.
func (v *Variable) Read(ctx context.Context, lo, hi int) ([]float64, error) {
	if lo < 0 || hi < lo || hi > v.Rows() {
		return nil, fmt.Errorf("rows %d to %d of %d", lo, hi, v.Rows())
	}
	if v.kind.name == "text" {
		return nil, errors.New("text: want numbers")
	}
	row, ok := v.rowBytes()
	stride := v.file.recordSize
	if !v.record && len(v.Shape) > 0 {
		row /= int64(max(1, v.Shape[0]))
		stride = row
	}
	if !ok || stride > 0 && int64(hi) > (1<<60)/stride {
		return nil, fmt.Errorf("corrupt: shape %v", v.Shape)
	}
	if hi == lo || row == 0 {
		return []float64{}, nil
	}
	first := v.begin + int64(lo)*stride
	if end := first + int64(hi-lo-1)*stride + row; v.begin < 0 || v.begin > v.file.size || end > v.file.size {
		return nil, fmt.Errorf("truncated: shape %v, which would end at byte %d of %d", v.Shape, end, v.file.size)
	}
	return v.rows(ctx, first, int64(hi-lo), row, stride)
}

// rows reads n rows that are stride bytes apart, several at a time where they are short.
func (v *Variable) rows(ctx context.Context, at, n, row, stride int64) ([]float64, error) {
	if stride == row { // nothing is between them
		row, stride, n = row*n, row*n, 1
	}
	size := int64(v.kind.size)
	per := row / size
	out := make([]float64, n*per)
	const piece = 1 << 18
	across := (row-1)/piece + 1 // pieces of a row
	var first error
	var lock sync.Mutex
	do := func(k int64) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		from := k % across * piece
		src := make([]byte, min(piece, row-from))
		if got, err := v.file.r.ReadAt(src, at+k/across*stride+from); got < len(src) {
			return err
		}
		begin := k/across*per + from/size
		v.kind.decode(out[begin:begin+int64(len(src))/size], src)
		return nil
	}
	parallel.Range(int(n*across), float64(min(piece, row))*0.5+500, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			if err := do(int64(k)); err != nil {
				lock.Lock()
				first = err
				lock.Unlock()
				return
			}
		}
	})
	if first != nil {
		return nil, first
	}
	return out, nil
}

func (k kind) value4(bits uint32) float64 {
	switch {
	case k.float:
		return float64(math.Float32frombits(bits))
	case k.signed:
		return float64(int32(bits))
	}
	return float64(bits)
}

func (k kind) value8(bits uint64) float64 {
	switch {
	case k.float:
		return math.Float64frombits(bits)
	case k.signed:
		return float64(int64(bits))
	}
	return float64(bits)
}
