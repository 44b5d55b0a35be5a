package bind

import (
	"slices"
	"strconv"
	"strings"
)

// Completions answers what can stand at the cursor.
type Completions struct {
	Word      string // the end of the text that the items replace
	Items     []Completion
	Signature string // of the call around the cursor; "" outside calls
}

// A Completion is one possible continuation. Text begins with the Word; that of
// an option ends in "=".
type Completion struct {
	Text      string
	Kind      string // "module", "function", "method", "field", "value", "option", "literal"
	Signature string
	Summary   string
}

// Complete completes Lua source at its end: modules, functions, constants,
// names of options inside kernel.matern{, and words an option allows. See
// [Registry.CompleteIn] for the fields and methods of variables.
func (r *Registry) Complete(text string) Completions { return r.CompleteIn(text, nil) }

// CompleteIn is Complete where typeOf gives the type name of what a variable
// path ("k", "problem.input_mesh") holds, "" if that is no value of ours.
func (r *Registry) CompleteIn(text string, typeOf func(path string) string) Completions {
	s := &scanner{registry: r, typeOf: typeOf}
	s.scan(text)
	out := Completions{Word: s.word()}
	if call := s.enclosingCall(); call != nil {
		out.Signature = call.Signature
	}
	if s.quoted || s.afterEquals {
		out.Items = s.literals()
		if s.quoted {
			return out
		}
	}
	if s.fieldStart && !strings.ContainsAny(out.Word, ".:") {
		out.Items = append(out.Items, s.options(out.Word)...)
		if len(out.Items) > 0 {
			return out
		}
	}
	if out.Word != "" || len(s.frames) == 0 {
		out.Items = append(out.Items, s.members(out.Word)...)
	}
	return out
}

// options are the names of the innermost table that are not used yet.
func (s *scanner) options(word string) (items []Completion) {
	used := s.frames[len(s.frames)-1].used
	for _, p := range s.fields() {
		if !p.List && !p.Variadic && strings.HasPrefix(p.Name, word) && !slices.Contains(used, p.Name) {
			items = append(items, Completion{p.Name + "=", "option", p.Name + ": " + p.Type, p.Doc})
		}
	}
	return items
}

// literals are the words that the option before the cursor allows.
func (s *scanner) literals() (items []Completion) {
	for _, p := range s.fields() {
		if p.Name != s.key {
			continue
		}
		for _, w := range literalsOf(p.Type) {
			switch {
			case s.quoted && strings.HasPrefix(w, s.path):
				items = append(items, Completion{w, "literal", "", p.Doc})
			case !s.quoted && s.path == "":
				items = append(items, Completion{strconv.Quote(w), "literal", "", p.Doc})
			}
		}
	}
	return items
}

// members completes a path: the part after its last dot or colon.
func (s *scanner) members(word string) (items []Completion) {
	r := s.registry
	cut := strings.LastIndexAny(s.path, ".:")
	if cut < 0 {
		for _, m := range r.modules {
			if !m.Global && strings.HasPrefix(m.Name, word) {
				items = append(items, Completion{m.Name, "module", "", summary(m.Doc)})
			}
		}
		for _, p := range r.pages {
			if p.FullName == p.Name && p.Kind == kindFunction && strings.HasPrefix(p.Name, word) {
				items = append(items, Completion{p.Name, kindFunction, p.Signature, p.Summary})
			}
		}
		return items
	}
	head, last := s.path[:cut], s.path[cut+1:]
	shown := strings.TrimSuffix(word, last)
	add := func(name, kind, signature, text string) {
		if strings.HasPrefix(name, last) && !strings.HasPrefix(name, "__") {
			items = append(items, Completion{shown + name, kind, signature, text})
		}
	}
	if s.path[cut] == '.' {
		for _, m := range r.modules {
			if m.Name != head || m.Global {
				continue
			}
			for _, p := range r.pages {
				if p.Module == m.Name && p.Kind == kindFunction {
					add(p.Name, kindFunction, p.Signature, p.Summary)
				}
			}
			for _, v := range m.Values {
				add(v.Name, "value", "", v.Doc)
			}
			return items
		}
	}
	t := r.typeNamed(s.resolve(head))
	if t == nil {
		return nil
	}
	if s.path[cut] == '.' {
		for _, p := range t.properties {
			add(p.name, "field", r.resultKind(p.result), p.doc)
		}
		return items
	}
	for _, p := range r.pages {
		if p.Type == t.name && p.Kind == kindMethod {
			add(p.Name, kindMethod, p.Signature, p.Summary)
		}
	}
	return items
}

// fields are the names that the innermost table can hold.
func (s *scanner) fields() (fields []ParamDoc) {
	for i, f := range s.frames {
		var outer []ParamDoc
		outer, fields = fields, nil
		switch {
		case f.open == '(' || f.open == '[':
		case f.callee != "":
			if page := s.page(f.callee); page != nil {
				fields = page.Params
			}
		case f.key != "":
			for _, p := range outer {
				if p.Name == f.key {
					fields = p.Fields
				}
			}
		case i > 0 && s.frames[i-1].open == '(':
			fields = s.argumentFields(s.frames[i-1])
		default: // an entry of a list
			for _, p := range outer {
				if p.List {
					fields = p.Fields
				}
			}
		}
	}
	return fields
}

// argumentFields are the names in a table that stands between parentheses:
// those of the argument at this position if it is a table, else the options.
func (s *scanner) argumentFields(call frame) (fields []ParamDoc) {
	page := s.page(call.callee)
	if page == nil {
		return nil
	}
	for _, p := range page.Params {
		if p.Position == call.commas+1 && len(p.Fields) > 0 {
			return p.Fields
		}
		if p.Position == 0 || p.Position > call.commas {
			fields = append(fields, p)
		}
	}
	return fields
}

func (s *scanner) enclosingCall() *FuncDoc {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if page := s.page(s.frames[i].callee); page != nil {
			return page
		}
	}
	return nil
}

// page returns what is called by a path: kernel.matern, k:gram, array.
func (s *scanner) page(path string) *FuncDoc {
	if path == "" {
		return nil
	}
	if head, method, ok := strings.Cut(path, ":"); ok {
		path = s.resolve(head) + ":" + method
	} else if t := s.resolve(path); t != "" {
		path = t + ":__call"
	}
	for i := range s.registry.pages {
		if s.registry.pages[i].FullName == path {
			return &s.registry.pages[i]
		}
	}
	return nil
}

// resolve returns the type name of a path; the result of a call that the text
// holds is known without asking.
func (s *scanner) resolve(path string) string {
	if t, ok := strings.CutPrefix(path, resultMark); ok {
		return t
	}
	if s.typeOf == nil || path == "" {
		return ""
	}
	return s.typeOf(path)
}
