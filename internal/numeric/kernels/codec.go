package kernels

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/kernel"
)

// record is a kernel as JSON: the name of its kind and its fields.
type record struct {
	Kind   string                     `json:"kernel"`
	Fields map[string]json.RawMessage `json:"fields,omitempty"`
}

// kinds lists every kernel that can be written to a file, by name: the catalog
// and the combinators.
func kinds() map[string]kernel.Kernel {
	m := map[string]kernel.Kernel{
		"sum": kernel.Sum{}, "product": kernel.Product{}, "scaled": kernel.Scaled{}, "tensor": kernel.Tensor{}, "restricted": restricted{}, "averaged": averaged{}, "define": Defined{},
		"scaled_by": ScaledBy{}, "mercer": Mercer{}, "of_parameter": OfParameter{}, "on_coordinate": OnCoordinate{}, "coregional": Coregional{},
	}
	for _, e := range Catalog() {
		m[e.Name] = e.Example
	}
	return m
}

// Other is a kind of kernel from another package.
type Other struct {
	Kind  string
	Is    func(k kernel.Kernel) bool
	Write func(k kernel.Kernel) (json.RawMessage, error)
	Read  func(b json.RawMessage) (kernel.Kernel, error)
}

// otherField is the only field of such kernels.
const otherField = "of"

// Marshal writes a kernel as JSON, to be read by Unmarshal with the same others.
func Marshal(k kernel.Kernel, others ...Other) ([]byte, error) {
	for _, o := range others {
		if o.Is(k) {
			b, err := o.Write(k)
			if err != nil {
				return nil, err
			}
			return json.Marshal(record{Kind: o.Kind, Fields: map[string]json.RawMessage{otherField: b}})
		}
	}
	v := reflect.ValueOf(k)
	for kind, example := range kinds() {
		if reflect.TypeOf(example) != v.Type() {
			continue
		}
		f := record{Kind: kind, Fields: map[string]json.RawMessage{}}
		for i := range v.NumField() {
			if !isParameter(v.Type().Field(i)) {
				continue
			}
			b, err := marshalField(v.Field(i).Interface(), others)
			if err != nil {
				return nil, err
			}
			f.Fields[v.Type().Field(i).Name] = b
		}
		return json.Marshal(f)
	}
	return nil, remedy.SaveValues.For(fmt.Errorf("kernel %s: cannot be written to a file", k))
}

// isParameter reports whether a field of a kernel is one of its parameters; what only makes it a kernel has the tag -.
func isParameter(f reflect.StructField) bool { return f.IsExported() && f.Tag.Get("arg") != "-" }

func marshalField(v any, others []Other) (json.RawMessage, error) {
	switch v := v.(type) {
	case kernel.Kernel:
		return Marshal(v, others...)
	case []kernel.Kernel:
		list := make([]json.RawMessage, len(v))
		for i, k := range v {
			b, err := Marshal(k, others...)
			if err != nil {
				return nil, err
			}
			list[i] = b
		}
		return json.Marshal(list)
	}
	return json.Marshal(v)
}

// Unmarshal reads a kernel that Marshal wrote and checks its parameters.
func Unmarshal(b []byte, others ...Other) (kernel.Kernel, error) {
	var f record
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	for _, o := range others {
		if o.Kind == f.Kind {
			return o.Read(f.Fields[otherField])
		}
	}
	example, ok := kinds()[f.Kind]
	if !ok {
		return nil, fmt.Errorf("kernel %q: not known to this version", f.Kind)
	}
	v := reflect.New(reflect.TypeOf(example)).Elem()
	for i := range v.NumField() {
		if !isParameter(v.Type().Field(i)) {
			continue
		}
		name := v.Type().Field(i).Name
		raw, ok := f.Fields[name]
		if !ok {
			return nil, fmt.Errorf("kernel %q: field %s is missing", f.Kind, name)
		}
		if err := unmarshalField(v.Field(i).Addr().Interface(), raw, others); err != nil {
			return nil, fmt.Errorf("kernel %q: field %s: %w", f.Kind, name, err)
		}
	}
	k := v.Interface().(kernel.Kernel)
	if err := kernel.Check(k); err != nil {
		return nil, fmt.Errorf("kernel %q: %w", f.Kind, err)
	}
	return k, nil
}

func unmarshalField(dst any, raw json.RawMessage, others []Other) error {
	switch dst := dst.(type) {
	case *kernel.Kernel:
		k, err := Unmarshal(raw, others...)
		*dst = k
		return err
	case *[]kernel.Kernel:
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
		for _, r := range list {
			k, err := Unmarshal(r, others...)
			if err != nil {
				return err
			}
			*dst = append(*dst, k)
		}
		return nil
	}
	return json.Unmarshal(raw, dst)
}
