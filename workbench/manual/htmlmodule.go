package manual

import (
	"context"
	"html"
	"regexp"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/hypertext"
)

// The views are what the pages show, in HTML where there are links.

type moduleView struct {
	Name      string
	Doc       hypertext.HTML
	Functions []functionView
	Values    []valueView
	Types     []typeView
}

type typeView struct {
	Anchor, Name string
	Doc, Accepts hypertext.HTML
	Properties   []valueView
	Methods      []functionView
	Calls        []functionView // operators that are calls
	Operators    []functionView
}

type valueView struct {
	Anchor, Name string
	Type, Doc    hypertext.HTML
}

type functionView struct {
	Anchor, Name, Short string
	Signature           hypertext.HTML
	Summary, Text       hypertext.HTML
	Params              []paramView
	Returns             []returnView
	Errors              []hypertext.HTML
	Examples            []exampleView
	See                 []pageLink
}

type paramView struct {
	Name    string
	Type    hypertext.HTML
	Allowed string // "> 0"
	Default string // in Lua
	State   string // instead of a default: "required"
	Doc     hypertext.HTML
	Depth   int // > 0 for fields of a table above
}

type returnView struct {
	Type, Doc hypertext.HTML
	Fields    []valueView
}

type exampleView struct {
	Code     hypertext.HTML
	Pictures []image
}

func (s *site) modulePage(ctx context.Context, m *bind.ModuleDoc) error {
	v := moduleView{Name: m.Name, Doc: s.prose(m.Doc)}
	p := page{Title: m.Name + " · workbench", Name: m.Name + ".html"}
	here := func(anchor, text string, deep bool) {
		p.Here = append(p.Here, hereLink{pageLink{"#" + anchor, text}, deep})
	}
	functions := func(fs []bind.FuncDoc, deep bool) (views []functionView, err error) {
		for _, f := range fs {
			view, err := s.function(ctx, f)
			if err != nil {
				return nil, err
			}
			views = append(views, view)
			if f.Kind != "operator" {
				here(view.Anchor, view.Short, deep)
			}
		}
		return views, nil
	}
	var err error
	if v.Functions, err = functions(callables(m), false); err != nil {
		return err
	}
	for _, x := range m.Values {
		v.Values = append(v.Values, valueView{x.Name, valueName(m, x), s.kind(x.Type), s.line(x.Doc)})
	}
	for _, t := range m.Types {
		here(typeAnchor(t.Name), "type "+t.Name, false)
		view, err := s.typeView(t, functions)
		if err != nil {
			return err
		}
		v.Types = append(v.Types, view)
	}
	return s.page(p, v.html())
}

func (s *site) typeView(t bind.TypeDoc, functions func([]bind.FuncDoc, bool) ([]functionView, error)) (typeView, error) {
	v := typeView{Anchor: typeAnchor(t.Name), Name: t.Name, Doc: s.prose(t.Doc)}
	if len(t.Accepts) > 0 {
		v.Accepts = "Where " + hypertext.HTML(article(t.Name)+t.Name) + ` is wanted, <span class="type">` + s.kind(strings.Join(t.Accepts, "|")) + "</span> will do."
	}
	for _, x := range t.Properties {
		v.Properties = append(v.Properties, valueView{t.Name + "." + x.Name, "." + x.Name, s.kind(x.Type), s.line(x.Doc)})
	}
	var err error
	if v.Methods, err = functions(t.Methods, true); err != nil {
		return v, err
	}
	for _, f := range t.Operators {
		views, err := functions([]bind.FuncDoc{f}, true)
		if err != nil {
			return v, err
		}
		if f.Name == "__call" {
			v.Calls = append(v.Calls, views...)
		} else {
			v.Operators = append(v.Operators, views...)
		}
	}
	return v, nil
}

func (s *site) function(ctx context.Context, f bind.FuncDoc) (functionView, error) {
	v := functionView{
		Anchor: functionAnchor(f), Name: f.FullName, Short: f.Name,
		Summary: s.line(f.Summary), Text: s.prose(f.Doc),
	}
	signature := f.Signature
	switch {
	case f.Kind == "method":
		v.Short = ":" + f.Name
	case f.Kind == "call" || f.Name == "__call":
		v.Name, v.Short = f.Signature, f.Signature
	case f.Kind == "operator":
		v.Params = nil
	}
	var kinds []string
	for _, r := range f.Returns {
		kinds = append(kinds, r.Type)
		if says(r) {
			v.Returns = append(v.Returns, s.returnView(r))
		}
	}
	unlinked := func(string) (string, bool) { return "", false }
	v.Signature = highlight(signature, unlinked)
	if len(kinds) > 0 {
		v.Signature += ` <span class="c">→</span> ` + s.kind(strings.Join(kinds, ", "))
	}
	if f.Style != "operator" {
		v.Params = s.params(nil, f.Params, "", 0)
	}
	for _, e := range f.Errors {
		v.Errors = append(v.Errors, s.line(e))
	}
	for _, e := range f.Examples {
		pictures, err := s.drawExample(ctx, f.FullName, e)
		if err != nil {
			return v, err
		}
		v.Examples = append(v.Examples, exampleView{highlight(shown(e), s.linkFrom(f)), pictures})
	}
	for _, name := range f.See {
		if url, ok := s.url(name); ok {
			v.See = append(v.See, pageLink{url, name})
		}
	}
	return v, nil
}

// says reports whether a result is described by more than its type, which the
// signature shows.
func says(r bind.ReturnDoc) bool {
	return r.Doc != "" && r.Doc != article(r.Type)+r.Type || len(r.Fields) > 0
}

// article is what stands before a name in a sentence.
func article(name string) string {
	if strings.ContainsAny(name[:min(1, len(name))], "aeiou") {
		return "an "
	}
	return "a "
}

// shown is the text of an example. An expression that prints as itself is shown
// once.
func shown(example string) string {
	example = strings.TrimSpace(example)
	if code, result, ok := strings.Cut(example, "-->"); ok && strings.TrimSpace(code) == strings.TrimSpace(result) {
		return strings.TrimSpace(code)
	}
	return example
}

// dotted is url for names that stand in code, where a word alone is a variable.
func (s *site) dotted(name string) (string, bool) {
	if !strings.ContainsAny(name, ".:") {
		return "", false
	}
	return s.url(name)
}

// linkFrom is dotted, without links of a function to itself.
func (s *site) linkFrom(f bind.FuncDoc) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		if name == f.FullName {
			return "", false
		}
		return s.dotted(name)
	}
}

func (s *site) returnView(r bind.ReturnDoc) returnView {
	v := returnView{Type: s.kind(r.Type), Doc: s.line(r.Doc)}
	for _, x := range r.Fields {
		v.Fields = append(v.Fields, valueView{Name: x.Name, Type: s.kind(x.Type), Doc: s.line(x.Doc)})
	}
	return v
}

// tableFields are the fields of a table in the notation of a kind.
var tableFields = regexp.MustCompile(`\{[\w=, ]*=\}`)

// params lists arguments, the fields of a table below it with its name in front.
func (s *site) params(views []paramView, params []bind.ParamDoc, prefix string, depth int) []paramView {
	for _, p := range params {
		kind := p.Type
		if len(p.Fields) > 0 { // they follow
			kind = tableFields.ReplaceAllString(kind, "table")
		}
		v := paramView{
			Name: prefix + p.Name, Type: s.kind(kind), Allowed: p.Allowed, Default: p.Default, Doc: s.line(p.Doc), Depth: depth,
		}
		if v.Default == `""` { // stands for none
			v.Default = ""
		}
		switch {
		case p.Variadic:
			v.State = "any number"
		case p.List:
			v.State = "list"
		case p.Required:
			v.State = "required"
		case v.Default == "":
			v.State = "optional"
		}
		views = append(views, v)
		if len(p.Fields) > 0 {
			views = s.params(views, p.Fields, ".", depth+1)
		}
	}
	return views
}

// kind renders a Lua type; the types of the workbench link to their pages.
func (s *site) kind(kind string) hypertext.HTML {
	var out strings.Builder
	for _, t := range tokens(kind) {
		escaped := html.EscapeString(t.text)
		if url, ok := s.typeURL(t.text); t.class == "name" && ok {
			escaped = `<a href="` + html.EscapeString(url) + `">` + escaped + `</a>`
		}
		if t.class != "s" {
			escaped = strings.ReplaceAll(escaped, "|", " | ")
		}
		out.WriteString(escaped)
	}
	return hypertext.HTML(out.String())
}

func (s *site) typeURL(name string) (string, bool) {
	for _, m := range s.modules {
		for _, t := range m.Types {
			if t.Name == name {
				return m.Name + ".html#" + typeAnchor(name), true
			}
		}
	}
	return "", false
}
