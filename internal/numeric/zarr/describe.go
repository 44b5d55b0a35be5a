package zarr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mostText bounds a description; those of arrays have some hundred bytes.
const mostText = 1 << 22

// notNumbers are what Python writes into JSON for numbers that JSON has not.
var notNumbers = regexp.MustCompile(`([:\[,]\s*)(-?Infinity|NaN)\b`)

// json reads a file of JSON, and says whether there is one.
func (s *Store) json(name string, into any) (ok bool, err error) {
	if !isFile(s.files, name) {
		return false, nil
	}
	f, err := s.files.Open(name)
	if err != nil {
		return true, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostText))
	if err != nil {
		return true, err
	}
	if !json.Valid(text) {
		text = notNumbers.ReplaceAll(text, []byte(`$1"$2"`))
	}
	if err := json.Unmarshal(bytes.TrimSpace(text), into); err != nil {
		return true, corrupt("%s: %v", path.Base(name), err)
	}
	return true, nil
}

// number is a value of JSON as a number: "NaN", "Infinity" and "-Infinity" are too.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		switch v {
		case "NaN", "Infinity", "-Infinity":
			x, err := strconv.ParseFloat(v, 64)
			return x, err == nil
		}
	}
	return math.NaN(), false
}

// A part is a filter, a compressor or a codec: what it is called, and what it was told.
type part struct {
	ID, Name      string
	Configuration json.RawMessage
	settings
}

// settings of parts; those of version 3 are in the configuration.
type settings struct {
	ElementSize int             `json:"elementsize"`
	Endian      string          `json:"endian"`
	Order       json.RawMessage `json:"order"`
}

// version2 reads a description of version 2.
func (a *Array) version2() error {
	var d struct {
		Shape, Chunks []int
		Dtype         any
		Compressor    *part
		Filters       []part
		Fill          any    `json:"fill_value"`
		Order         string `json:"order"`
		Separator     string `json:"dimension_separator"`
	}
	if _, err := a.store.json(path.Join(a.folder, array2), &d); err != nil {
		return err
	}
	if _, err := a.store.json(path.Join(a.folder, attrs2), &a.attributes); err != nil {
		return err
	}
	dtype, ok := d.Dtype.(string)
	if !ok {
		return unsupported("records: want an array of real numbers; in Python: numpy.savez(\"x.npz\", f=z[\"f\"][\"member\"])")
	}
	a.Shape, a.Dimensions = d.Shape, namesOf(a.attributes["_ARRAY_DIMENSIONS"])
	a.layout = layout{chunk: d.Chunks, order: forward(len(d.Shape)), separate: d.Separator}
	if d.Order == "F" {
		slices.Reverse(a.order)
	}
	if d.Separator == "" {
		a.separate = "."
	}
	var err error
	if a.of, err = kindOf2(dtype); err != nil {
		return err
	}
	if a.fill, a.filled = number(d.Fill); d.Fill != nil && !a.filled {
		return corrupt("fill value %v", d.Fill)
	}
	for _, f := range d.Filters {
		if err := a.step(f.ID, f.settings); err != nil {
			return err
		}
	}
	if d.Compressor != nil {
		return a.step(d.Compressor.ID, d.Compressor.settings)
	}
	return nil
}

// version3 reads a description of version 3.
func (a *Array) version3() error {
	var d struct {
		Shape      []int
		Type       any  `json:"data_type"`
		Grid       grid `json:"chunk_grid"`
		Keys       grid `json:"chunk_key_encoding"`
		Fill       any  `json:"fill_value"`
		Codecs     []part
		Attributes map[string]any
		Names      any `json:"dimension_names"`
	}
	if _, err := a.store.json(path.Join(a.folder, node3), &d); err != nil {
		return err
	}
	if d.Grid.Name != "regular" {
		return unsupported("chunks on a grid that is %s", d.Grid.Name)
	}
	a.Shape, a.Dimensions, a.attributes = d.Shape, namesOf(d.Names), d.Attributes
	a.layout = layout{chunk: d.Grid.Configuration.Chunks, order: forward(len(d.Shape)), separate: d.Keys.Configuration.Separator}
	switch {
	case d.Keys.Name == "v2" && a.separate == "":
		a.separate = "."
	case d.Keys.Name != "v2" && a.separate == "":
		a.separate = "/"
	}
	if d.Keys.Name != "v2" {
		a.begin = "c"
	}
	name, _ := d.Type.(string)
	var err error
	if a.of, err = kindOf3(name, d.Type); err != nil {
		return err
	}
	if a.fill, a.filled = number(d.Fill); !a.filled {
		return unsupported("the fill value %v", d.Fill)
	}
	for _, c := range d.Codecs {
		if len(c.Configuration) > 0 {
			if err := json.Unmarshal(c.Configuration, &c.settings); err != nil {
				return corrupt("the codec %s: %v", c.Name, err)
			}
		}
		if err := a.codec(c.Name, c.settings); err != nil {
			return err
		}
	}
	return nil
}

// A grid is how chunks lie, or what they are called.
type grid struct {
	Name          string
	Configuration struct {
		Chunks    []int `json:"chunk_shape"`
		Separator string
	}
}

// codec adds a codec of version 3: those of whole arrays come first.
func (a *Array) codec(name string, s settings) error {
	switch name {
	case "bytes", "endian":
		a.of.big = s.Endian == "big"
		return nil
	case "transpose":
		order := a.order
		if string(s.Order) == `"C"` {
			return nil
		}
		if string(s.Order) == `"F"` {
			slices.Reverse(order)
			return nil
		}
		var by []int
		if err := json.Unmarshal(s.Order, &by); err != nil || len(by) != len(order) {
			return corrupt("the order %s of a transposition", s.Order)
		}
		after := make([]int, len(by))
		for k, axis := range by {
			if axis < 0 || axis >= len(order) {
				return corrupt("the order %s of a transposition", s.Order)
			}
			after[k] = order[axis]
		}
		a.order = after
		return nil
	case "sharding_indexed":
		return unsupported("chunks in shards: %s", toNPZ)
	}
	return a.step(name, s)
}

func forward(n int) []int {
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	return order
}

// namesOf are the names of dimensions; nil if there are none.
func namesOf(v any) (names []string) {
	list, _ := v.([]any)
	for _, name := range list {
		text, _ := name.(string)
		names = append(names, text)
	}
	return names
}

// where is the name of the file of a chunk.
func (a *Array) where(at []int) string {
	parts := make([]string, 0, len(at)+1)
	if a.begin != "" {
		parts = append(parts, a.begin)
	}
	for _, k := range at {
		parts = append(parts, strconv.Itoa(k))
	}
	if len(parts) == 0 {
		parts = append(parts, "0")
	}
	return path.Join(a.folder, strings.Join(parts, a.separate))
}

// stored reads the file of a chunk; nil if it was never written. No more than limit bytes can be it.
func (a *Array) stored(name string, limit int) ([]byte, error) {
	info, err := fs.Stat(a.store.files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > int64(limit) {
		return nil, fmt.Errorf("%s: %d bytes: want a chunk of the shape %v", name, info.Size(), a.chunk)
	}
	return fs.ReadFile(a.store.files, name)
}
