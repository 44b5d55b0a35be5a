package constraint

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// form is a constraint as JSON: the name of its kind and its parameters, or the
// parts of a list.
type form struct {
	Kind   string            `json:"constraint"`
	Fields json.RawMessage   `json:"fields,omitempty"`
	Parts  []json.RawMessage `json:"parts,omitempty"`
}

const listKind = "list"

// Marshal writes a constraint of the catalog, or a list of such, as JSON.
func Marshal(c Constraint) ([]byte, error) {
	if l, ok := c.(List); ok {
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
	for _, e := range Catalog() {
		if reflect.TypeOf(e.Example) == reflect.TypeOf(c) {
			fields, err := json.Marshal(c)
			if err != nil {
				return nil, err
			}
			return json.Marshal(form{Kind: e.Name, Fields: fields})
		}
	}
	return nil, fmt.Errorf("constraint %s: cannot be written to a file", c)
}

// Unmarshal reads what Marshal wrote.
func Unmarshal(b []byte) (Constraint, error) {
	var f form
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("constraint: %w", err)
	}
	if f.Kind == listKind {
		var l List
		for _, p := range f.Parts {
			c, err := Unmarshal(p)
			if err != nil {
				return nil, err
			}
			l = append(l, c)
		}
		return l, nil
	}
	for _, e := range Catalog() {
		if e.Name != f.Kind {
			continue
		}
		v := reflect.New(reflect.TypeOf(e.Example))
		if err := json.Unmarshal(f.Fields, v.Interface()); err != nil {
			return nil, fmt.Errorf("constraint %q: %w", f.Kind, err)
		}
		return v.Elem().Interface().(Constraint), nil
	}
	return nil, fmt.Errorf("constraint %q: not known to this version", f.Kind)
}
