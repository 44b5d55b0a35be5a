package manual

import (
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
)

// A book is the manual of a registry: the guides, the modules, and the address
// of everything that has a name.
type book struct {
	reg     *bind.Registry
	front   *guide
	guides  []*guide
	modules []bind.ModuleDoc
	entries []entry
	urls    map[string]string // by name: "kernel.matern" → "kernel.html#matern"
}

// An entry is something that can be looked up.
type entry struct {
	name, kind, url, summary string
	keywords                 []string
	text                     string // searched last
}

func newBook(reg *bind.Registry) (*book, error) {
	b := &book{reg: reg, modules: reg.Manual().Modules, urls: map[string]string{}}
	var err error
	if b.front, err = readGuide("index"); err != nil {
		return nil, err
	}
	for _, name := range guideNames() {
		g, err := readGuide(name)
		if err != nil {
			return nil, err
		}
		b.guides = append(b.guides, g)
	}
	for i := range b.modules {
		b.addModule(&b.modules[i])
	}
	for _, g := range b.guides {
		b.addGuide(g)
	}
	return b, nil
}

// add gives an address to a name. The first thing of a name keeps it.
func (b *book) add(e entry, aliases ...string) {
	b.entries = append(b.entries, e)
	for _, name := range append(aliases, e.name) {
		if _, taken := b.urls[name]; !taken {
			b.urls[name] = e.url
		}
	}
}

func (b *book) addModule(m *bind.ModuleDoc) {
	page := m.Name + ".html"
	b.add(entry{name: m.Name, kind: "module", url: page, summary: m.Summary, text: m.Doc})
	for _, f := range callables(m) {
		b.addFunction(page, f)
	}
	for _, v := range m.Values {
		b.add(entry{name: valueName(m, v), kind: "value", url: page + "#" + v.Name, summary: v.Doc})
	}
	for _, t := range m.Types {
		b.add(entry{name: t.Name, kind: "type", url: page + "#" + typeAnchor(t.Name), summary: t.Summary, text: t.Doc})
		for _, p := range t.Properties {
			name := t.Name + "." + p.Name
			b.add(entry{name: name, kind: "field", url: page + "#" + name, summary: p.Doc})
		}
		for _, f := range t.Methods {
			b.addFunction(page, f)
		}
		for _, f := range t.Operators {
			b.addFunction(page, f)
		}
	}
}

func (b *book) addFunction(page string, f bind.FuncDoc) {
	name := f.FullName
	if f.Kind == "operator" {
		name = f.Signature
	}
	text := f.Doc
	for _, p := range f.Params {
		text += " " + p.Name + " " + p.Doc
	}
	e := entry{name: name, kind: f.Kind, url: page + "#" + functionAnchor(f), summary: f.Summary, keywords: f.Keywords, text: text}
	if f.Type != "" {
		b.add(e, f.FullName, f.Type+"."+f.Name)
		return
	}
	b.add(e)
}

func (b *book) addGuide(g *guide) {
	page := g.name + ".html"
	b.add(entry{name: g.title, kind: "guide", url: page, summary: g.summary}, g.name)
	for _, s := range g.sections() {
		b.add(entry{name: s.title, kind: "guide", url: page + "#" + slug(s.title), summary: g.title, text: s.text}, g.name+"#"+slug(s.title))
	}
}

func (b *book) guideNamed(name string) *guide {
	for _, g := range b.guides {
		if g.name == name {
			return g
		}
	}
	return nil
}

// A section is what a guide says below one heading.
type section struct{ title, text string }

func (g *guide) sections() (all []section) {
	var words []string
	flush := func() {
		if len(all) > 0 {
			all[len(all)-1].text = strings.Join(words, " ")
		}
		words = nil
	}
	for _, b := range g.blocks {
		if b.kind == heading {
			flush()
			all = append(all, section{title: plainText(b.text)})
			continue
		}
		words = append(words, b.words()...)
	}
	flush()
	return all
}

// words are the texts of a block that search looks at.
func (b block) words() (words []string) {
	switch b.kind {
	case code:
		return []string{strings.Join(strings.Fields(b.text), " ")}
	case bullets, numbers:
		for _, item := range b.items {
			words = append(words, plainText(item))
		}
	case table:
		for _, row := range b.rows {
			for _, cell := range row {
				words = append(words, plainText(cell))
			}
		}
	default:
		words = append(words, plainText(b.text))
	}
	return words
}

// callables are the functions of a module, itself first if it is one.
func callables(m *bind.ModuleDoc) []bind.FuncDoc {
	if m.Call == nil {
		return m.Functions
	}
	return append([]bind.FuncDoc{*m.Call}, m.Functions...)
}

func valueName(m *bind.ModuleDoc, v bind.ValueDoc) string {
	if m.Global {
		return v.Name
	}
	return m.Name + "." + v.Name
}

func typeAnchor(name string) string { return "type-" + name }

// functionAnchor is stable, and unique on the page: #matern for kernel.matern,
// #kernel:gram for a method, #kernel:__add for an operator.
func functionAnchor(f bind.FuncDoc) string {
	if f.Type != "" {
		return f.Type + ":" + f.Name
	}
	return f.Name
}

// url is the address of a name, or of page#anchor.
func (b *book) url(name string) (string, bool) {
	url, ok := b.urls[strings.TrimSuffix(name, "()")]
	return url, ok
}
