package written

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// form is a constraint as JSON: the name of its kind and its parameters, or the
// parts of a list.
type form struct {
	Kind   string            `json:"constraint"`
	Fields json.RawMessage   `json:"fields,omitempty"`
	Parts  []json.RawMessage `json:"parts,omitempty"`
}

// The kinds that are not of the catalog.
const (
	listKind    = "list"
	definedKind = "define"
)

// Marshal writes a constraint of the catalog, one that is [Defined], or a list of such, as JSON. A function in Go has
// no text, and a constraint of such is refused.
func Marshal(c constraint.Constraint) ([]byte, error) {
	if l, ok := c.(constraint.List); ok {
		f := form{Kind: listKind}
		for _, part := range l {
			b, err := Marshal(part)
			if err != nil {
				return nil, err
			}
			f.Parts = append(f.Parts, b)
		}
		return json.Marshal(f)
	}
	for name, example := range kinds() {
		if reflect.TypeOf(example) == reflect.TypeOf(c) {
			fields, err := json.Marshal(c)
			if err != nil {
				return nil, err
			}
			return json.Marshal(form{Kind: name, Fields: fields})
		}
	}
	return nil, remedy.SaveValues.For(fmt.Errorf("constraint %s: cannot be written to a file", c))
}

// Unmarshal reads what Marshal wrote.
func Unmarshal(b []byte) (constraint.Constraint, error) {
	var f form
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("constraint: %w", err)
	}
	if f.Kind == listKind {
		var l constraint.List
		for _, p := range f.Parts {
			c, err := Unmarshal(p)
			if err != nil {
				return nil, err
			}
			l = append(l, c)
		}
		return l, nil
	}
	example, ok := kinds()[f.Kind]
	if !ok {
		return nil, fmt.Errorf("constraint %q: not known to this version", f.Kind)
	}
	v := reflect.New(reflect.TypeOf(example))
	if err := json.Unmarshal(f.Fields, v.Interface()); err != nil {
		return nil, fmt.Errorf("constraint %q: %w", f.Kind, err)
	}
	c := v.Elem().Interface().(constraint.Constraint)
	if d, ok := c.(Defined); ok {
		if err := d.Check(); err != nil {
			return nil, fmt.Errorf("constraint %q: %w", f.Kind, err)
		}
	}
	return c, nil
}

// kinds are examples of all that can be written, by their names in files.
func kinds() map[string]constraint.Constraint {
	all := map[string]constraint.Constraint{definedKind: Defined{}}
	for _, e := range Catalog() {
		all[e.Name] = e.Example
	}
	return all
}

// MarshalKernel writes a kernel as JSON, also one that is constrained or made of constrained kernels.
func MarshalKernel(k kernel.Kernel) ([]byte, error) { return kernels.Marshal(k, constrained()) }

// UnmarshalKernel reads what MarshalKernel wrote.
func UnmarshalKernel(b []byte) (kernel.Kernel, error) { return kernels.Unmarshal(b, constrained()) }

// constrained writes and reads constrained kernels.
func constrained() kernels.Other {
	type parts struct {
		Kernel     json.RawMessage `json:"kernel"`
		Constraint json.RawMessage `json:"constraint"`
	}
	return kernels.Other{
		Kind: "constrained",
		Is: func(k kernel.Kernel) bool {
			_, _, ok := constraint.Applied(k)
			return ok
		},
		Write: func(k kernel.Kernel) (json.RawMessage, error) {
			inner, c, _ := constraint.Applied(k)
			var p parts
			var err error
			if p.Kernel, err = MarshalKernel(inner); err != nil {
				return nil, err
			}
			if p.Constraint, err = Marshal(c); err != nil {
				return nil, err
			}
			return json.Marshal(p)
		},
		Read: func(b json.RawMessage) (kernel.Kernel, error) {
			var p parts
			if err := json.Unmarshal(b, &p); err != nil {
				return nil, fmt.Errorf("constrained kernel: %w", err)
			}
			k, err := UnmarshalKernel(p.Kernel)
			if err != nil {
				return nil, err
			}
			c, err := Unmarshal(p.Constraint)
			if err != nil {
				return nil, err
			}
			return constraint.Apply(c, k), nil
		},
	}
}
