package hdf5

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
)

// A Dataset is an array of the file, of which only the description has been read.
type Dataset struct {
	// Path is where it is, without a slash at the beginning.
	Path string
	// Shape is the length of every axis, in the order in which the file has them, rows first; empty for one number.
	Shape []int
	// ColumnMajor says that MATLAB or Octave wrote the array, which they show with the axes in the opposite order: of
	// shape 3 × 2 where Shape is 2 × 3.
	ColumnMajor bool
	// Class is MATLAB's name of the kind of array ("double", "char", …), empty for files by others.
	Class string

	m      *image
	file   *File
	attrs  []attribute
	space  []int // Shape without the axes of an element that is an array itself
	most   []int
	null   bool
	stored *datatype // of an element in the file
	of     *datatype // of what is read of it: all, or a member of a compound
	at     int       // where in the element that is
	layout *layout
	filter []filter
	fill   []byte
	long   bool // Shape is longer than space: see Extend
}

// Dataset finds a dataset by its path, soft links included. "s.f" is "s/f" where there is no "s.f", and the member f
// of a dataset s of records. The error is fs.ErrNotExist if there is none, [Unsupported] if it is of a kind that
// cannot be read at all.
func (f *File) Dataset(path string) (*Dataset, error) {
	path = strings.Trim(path, "/")
	d, err := f.dataset(path)
	if errors.Is(err, fs.ErrNotExist) && strings.Contains(path, ".") {
		if d, err = f.dataset(strings.ReplaceAll(path, ".", "/")); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return d, err
		}
		dot := strings.LastIndexByte(path, '.')
		if d, err = f.Dataset(path[:dot]); err == nil {
			return d, d.member(path[dot+1:])
		}
	}
	return d, err
}

// member narrows a dataset of records to one of their members.
func (d *Dataset) member(name string) error {
	i := slices.IndexFunc(d.of.members, func(m member) bool { return m.name == name })
	if i < 0 || d.of.class != classCompound {
		return fs.ErrNotExist
	}
	d.at += d.of.members[i].offset
	d.of = d.of.members[i].of
	d.Path += "." + name
	d.fullShape()
	return nil
}

func (f *File) dataset(path string) (*Dataset, error) {
	h, err := f.find(path)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Path: path, m: f.m, file: f}
	if h.isGroup() {
		return nil, fs.ErrNotExist
	}
	for _, part := range []struct {
		kind int
		read func(*cursor) error
	}{
		{msgDataspace, d.readSpace},
		{msgDatatype, d.readType},
		{msgLayout, func(c *cursor) (err error) { d.layout, err = c.layout(); return err }},
	} {
		c, err := h.find(part.kind)
		if err == nil && c == nil {
			err = fs.ErrNotExist
		}
		if err == nil {
			err = part.read(c)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := d.readOptional(h); err != nil {
		return nil, err
	}
	if l := d.layout; l.kind == layoutChunked && (len(l.chunk) != len(d.space) || l.element != d.stored.size) {
		return nil, corrupt("chunks of %v elements of %d bytes of an array of shape %v with elements of %d", l.chunk, l.element, d.space, d.stored.size)
	}
	d.fullShape()
	return d, d.knowMATLAB(f, path)
}

func (d *Dataset) readSpace(c *cursor) error {
	s, err := c.space()
	if err != nil {
		return err
	}
	d.space, d.most, d.null = s.shape, s.most, s.null
	if s.null {
		d.space, d.most = []int{0}, []int{0}
	}
	return nil
}

func (d *Dataset) readType(c *cursor) (err error) {
	d.stored, err = c.datatype(0)
	d.of = d.stored
	return err
}

// readOptional reads what a dataset may have besides.
func (d *Dataset) readOptional(h *header) error {
	if c, err := h.find(msgExternal); c != nil || err != nil {
		return errors.Join(err, unsupported("the numbers are in another file: h5repack in.h5 out.h5 copies them into one"))
	}
	c, err := h.find(msgFilters)
	if c != nil && err == nil {
		d.filter, err = c.filters()
	}
	if err != nil {
		return err
	}
	if c, err = h.find(msgFill); c != nil && err == nil {
		d.fill, err = c.fill()
	} else if c, err = h.find(msgOldFill); c != nil && err == nil {
		d.fill, err = c.oldFill()
	}
	if err != nil {
		return err
	}
	d.attrs, err = h.attributes()
	return err
}

// fullShape appends the axes of elements that are arrays to those of the dataset.
func (d *Dataset) fullShape() {
	d.Shape = slices.Clone(d.space)
	for d.of.class == classArray {
		d.Shape = append(d.Shape, d.of.dims...)
		d.of = d.of.base
	}
}

// knowMATLAB finds out whether MATLAB or Octave wrote the dataset.
func (d *Dataset) knowMATLAB(f *File, path string) error {
	if a := find(d.attrs, "MATLAB_class"); a != nil {
		v, err := a.public(d.m)
		if err != nil {
			return err
		}
		d.ColumnMajor = true
		if d.Class = "unknown"; len(v.Strings) > 0 {
			d.Class = v.Strings[0]
		}
		if empty := find(d.attrs, "MATLAB_empty"); empty != nil {
			d.ColumnMajor, d.null, d.space, d.most = false, true, []int{0}, []int{0}
			d.fullShape()
		}
		return nil
	}
	group, _, _ := cutLast(path)
	h, err := f.find(group)
	if err != nil {
		return nil // the path has no group of its own: it went through a link
	}
	all, err := h.attributes()
	d.ColumnMajor = err == nil && find(all, "OCTAVE_NEW_FORMAT") != nil
	return nil
}

// cutLast cuts a path at its last slash.
func cutLast(path string) (group, name string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

// Rows is how many rows there are: the length of the first axis, 1 for one number.
func (d *Dataset) Rows() int {
	if len(d.Shape) == 0 {
		return 1
	}
	return d.Shape[0]
}

// Kind says what the elements are: "float64", "int16 (big-endian)", "complex float64", "bool", "text", "records with
// the members x, y" and so on.
func (d *Dataset) Kind() string { return d.of.String() }

// IsComplex says that elements are complex numbers, for [Dataset.ReadComplex].
func (d *Dataset) IsComplex() bool { _, n := d.of.real(); return n == 2 }

// IsText says that elements are strings, for [Dataset.Strings].
func (d *Dataset) IsText() bool {
	return d.of.class == classString || d.of.class == classVariable && d.of.text
}

// Members names the parts of records, which are datasets "records.part" themselves; nil for other elements.
func (d *Dataset) Members() (names []string) {
	if d.of.class == classCompound {
		for _, m := range d.of.members {
			names = append(names, m.name)
		}
	}
	return names
}

// Attribute returns an attribute of the dataset, and whether there is one of that name.
func (d *Dataset) Attribute(name string) (a Attribute, ok bool, err error) {
	found := find(d.attrs, name)
	if found == nil {
		return a, false, nil
	}
	d.m.fresh()
	a, err = found.public(d.m)
	return a, err == nil, err
}

// Attribute returns an attribute of the file itself, which is that of its root group.
func (f *File) Attribute(name string) (a Attribute, ok bool, err error) {
	h, err := f.find("")
	if err != nil {
		return a, false, err
	}
	all, err := h.attributes()
	found := find(all, name)
	if err != nil || found == nil {
		return a, false, err
	}
	a, err = found.public(f.m)
	return a, err == nil, err
}

// A Dimension is one axis of a dataset as dimension scales describe it (NetCDF: the dimensions of a variable).
type Dimension struct {
	Name  string // empty: it has none
	Scale string // path of the dataset with the coordinates along it, empty if there is none
}

// Dimensions describes the axes of Shape.
func (d *Dataset) Dimensions() ([]Dimension, error) {
	dims := make([]Dimension, len(d.Shape))
	d.m.fresh()
	if class := find(d.attrs, "CLASS"); class.text() == "DIMENSION_SCALE" && len(d.space) == 1 {
		_, name, _ := cutLast(d.Path)
		dims[0] = Dimension{name, d.Path}
		return dims, nil
	}
	scales, err := d.scales()
	for k, at := range scales {
		if at == undefined || err != nil {
			continue
		}
		dims[k], err = d.file.scale(at)
	}
	if err != nil {
		return nil, err
	}
	return dims, nil
}

// scales are the addresses of the dimension scales of the first axes of Shape, undefined where an axis has none.
func (d *Dataset) scales() ([]uint64, error) {
	list := find(d.attrs, "DIMENSION_LIST")
	if list == nil || list.of.class != classVariable || list.of.base.class != classReference || list.of.base.size != d.m.offsets {
		return nil, nil
	}
	all := slices.Repeat([]uint64{undefined}, min(len(d.Shape), len(list.data)/list.of.size))
	for k := range all {
		refs, err := d.m.variable(list.data[k*list.of.size:(k+1)*list.of.size], d.m.offsets)
		if err != nil {
			return nil, err
		}
		if len(refs) > 0 {
			all[k] = d.m.cursor(refs).address()
		}
	}
	return all, nil
}

// scale describes the dimension scale whose header is at an address.
func (f *File) scale(at uint64) (Dimension, error) {
	if path, ok := f.paths[at]; ok {
		_, name, _ := cutLast(path)
		return Dimension{name, path}, nil
	}
	for _, links := range f.groups { // a dimension without coordinates
		for _, l := range links {
			if l.kind == linkHard && l.at == at {
				return Dimension{Name: l.name}, nil
			}
		}
	}
	return Dimension{}, nil
}

// elements is how many elements rows lo to hi−1 have, before arrays within elements are counted.
func (d *Dataset) elements(lo, hi int) (int, error) {
	n, ok := hi-lo, true
	if len(d.space) > 0 {
		n, ok = product(n, d.space[1:])
	}
	if total, small := product(max(d.stored.size, 8*d.numbers()), d.space); !ok || !small || total > math.MaxInt64/4 {
		return 0, corrupt("an array of shape %v", d.space)
	}
	return n, nil
}

// numbers is how many real numbers an element has.
func (d *Dataset) numbers() int {
	_, count := d.of.real()
	inner, _ := product(1, d.Shape[len(d.space):])
	return inner * count
}
