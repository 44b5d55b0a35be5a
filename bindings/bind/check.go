package bind

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Check lists what the declarations of a registry lack: texts, examples,
// declared types, targets of See. A test over all modules wants it empty.
func (r *Registry) Check() (complaints []error) {
	complain := func(format string, args ...any) {
		complaints = append(complaints, fmt.Errorf(format, args...))
	}
	seen := map[string]bool{}
	for _, m := range r.modules {
		if m.Doc == "" {
			complain("module %s: no description", m.Name)
		}
		if seen["module "+m.Name] {
			complain("module %s: declared twice", m.Name)
		}
		seen["module "+m.Name] = true
		for _, t := range m.Types {
			if t.doc == "" {
				complain("type %s: no description", t.name)
			}
			if seen["type "+t.name] {
				complain("type %s: declared twice", t.name)
			}
			seen["type "+t.name] = true
			for _, p := range t.properties {
				if p.doc == "" {
					complain("%s.%s: no description", t.name, p.name)
				}
				r.checkResult(complain, t.name+"."+p.name, p.result)
			}
			for _, f := range append(append([]Func{}, t.methods...), t.operators...) {
				r.checkTypes(complain, t.name+":"+f.name, f)
			}
		}
		for _, f := range m.Funcs {
			r.checkTypes(complain, m.fullName(f.name), f)
		}
	}
	for _, p := range r.pages {
		if seen[p.FullName] {
			complain("%s: declared twice", p.FullName)
		}
		seen[p.FullName] = true
	}
	for _, p := range r.pages {
		r.checkPage(complain, p)
	}
	return complaints
}

func (r *Registry) checkPage(complain func(string, ...any), p FuncDoc) {
	if p.Doc == "" {
		complain("%s: no description", p.FullName)
	}
	if p.Kind != kindOperator {
		if len(p.Examples) == 0 {
			complain("%s: no example", p.FullName)
		}
		for _, q := range p.Params {
			if q.Doc == "" {
				complain("%s: argument %s has no description", p.FullName, q.Name)
			}
		}
	}
	for _, e := range p.Examples {
		if !strings.Contains(e, "-->") && !strings.Contains(e, "--!") {
			complain("%s: the example expects nothing: %s", p.FullName, e)
		}
	}
	for _, name := range p.See {
		_, ok := r.Page(name, 80)
		called := func(name string) bool {
			return slices.ContainsFunc(r.pages, func(q FuncDoc) bool { return q.FullName == name })
		}
		method := strings.Replace(name, ".", ":", 1)
		switch {
		case !ok:
			complain("%s: See names %q, which has no help", p.FullName, name)
		case !called(name) && called(method):
			complain("%s: See names %q, a method: write %s", p.FullName, name, method)
		}
	}
}

// checkTypes complains about types that no module declares.
func (r *Registry) checkTypes(complain func(string, ...any), full string, f Func) {
	params := f.sig.params
	if f.sig.self != nil {
		params = append([]*param{f.sig.self}, params...)
	}
	for _, p := range params {
		if n := r.undeclared(p.codec); n != nil {
			complain("%s: argument %s: no module declares the type %s", full, p.name, n)
		}
	}
	r.checkResult(complain, full, f.result)
}

func (r *Registry) checkResult(complain func(string, ...any), full string, t reflect.Type) {
	if t == reflect.TypeFor[None]() || t == reflect.TypeFor[Results]() || t == reflect.TypeFor[any]() {
		return
	}
	c, err := newCodec(t, allowed{})
	if err == nil {
		if n := r.undeclared(c); n != nil {
			err = fmt.Errorf("no module declares the type %s", n)
		}
	}
	if err != nil {
		complain("%s: result: %w", full, err)
	}
}

// undeclared returns the type inside a codec that is neither registered,
// adapted, nor readable by its structure; nil if there is none.
func (r *Registry) undeclared(c codec) reflect.Type {
	switch c := c.(type) {
	case namedCodec:
		if r.registered(c.typ) == nil && r.adapter(c.typ) == nil {
			if c.base == nil {
				return c.typ
			}
			return r.undeclared(c.base)
		}
	case listCodec:
		return r.undeclared(c.elem)
	case mapCodec:
		return r.undeclared(c.elem)
	case pointerCodec:
		return r.undeclared(c.elem)
	case unionCodec:
		if t := r.undeclared(c.firstCodec); t != nil || c.secondCodec == nil {
			return t
		}
		return r.undeclared(c.secondCodec)
	case structCodec:
		for _, p := range c.sig.params {
			if t := r.undeclared(p.codec); t != nil {
				return t
			}
		}
	}
	return nil
}
