package bind

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Help returns the help page of a name at 80 columns; see [Registry.Page].
func (r *Registry) Help(name string) (string, bool) { return r.Page(name, 80) }

// Page returns the help page of a name as plain text of at most width columns
// where words allow: a module ("kernel"), a function ("kernel.matern"), a type
// or a method ("array:sum", "array.sum"), a property ("mesh.size"), or the bare
// name of a function if only one has it. The empty name is the list of modules.
func (r *Registry) Page(name string, width int) (string, bool) {
	w := &page{width: max(width, 24)}
	switch {
	case name == "":
		w.overview(r)
	case r.writeModule(w, name) || r.writeType(w, name) || r.writeFunction(w, name) || r.writeProperty(w, name):
	default:
		return "", false
	}
	return w.String(), true
}

func (w *page) overview(r *Registry) {
	var rows [][2]string
	for _, m := range r.modules {
		rows = append(rows, [2]string{m.Name, summary(m.Doc)})
	}
	w.table(rows)
}

func (r *Registry) writeModule(w *page, name string) bool {
	for _, m := range r.modules {
		if m.Name != name {
			continue
		}
		d := r.describeModule(m)
		w.paragraph(0, name+": "+d.Doc)
		if d.Call != nil {
			w.section("Call")
			w.table([][2]string{{d.Call.Signature, d.Call.Summary}})
		}
		w.list("Functions", d.Functions, func(f FuncDoc) [2]string { return [2]string{f.Name, f.Summary} })
		w.values("Values", d.Values)
		for _, t := range d.Types {
			w.line("")
			w.paragraph(0, "Type "+t.Name+": "+t.Doc)
			w.typeMembers(t)
		}
		return true
	}
	return false
}

func (r *Registry) writeType(w *page, name string) bool {
	for _, m := range r.modules {
		for i := range m.Types {
			if m.Types[i].name == name {
				t := r.describeType(m.Name, &m.Types[i])
				w.paragraph(0, name+": "+t.Doc)
				w.typeMembers(t)
				return true
			}
		}
	}
	return false
}

func (w *page) typeMembers(t TypeDoc) {
	if len(t.Accepts) > 0 {
		w.line("")
		w.paragraph(0, "Where "+article(t.Name)+" is wanted, "+phrase(joinKinds(t.Accepts...))+" will do.")
	}
	w.values("Fields", t.Properties)
	w.list("Methods", t.Methods, func(f FuncDoc) [2]string { return [2]string{":" + f.Name, f.Summary} })
	w.list("Operators", t.Operators, func(f FuncDoc) [2]string { return [2]string{f.Signature, f.Summary} })
}

// writeFunction also finds a bare name, if only one function has it.
func (r *Registry) writeFunction(w *page, name string) bool {
	var found []FuncDoc
	for _, p := range r.pages {
		if p.FullName == name || p.Type != "" && p.Type+"."+p.Name == name {
			w.function(p)
			return true
		}
		if p.Name == name {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return false
	}
	if len(found) == 1 {
		w.function(found[0])
		return true
	}
	w.list("Several things have the name "+name, found, func(f FuncDoc) [2]string { return [2]string{f.FullName, f.Summary} })
	return true
}

func (r *Registry) writeProperty(w *page, name string) bool {
	typeName, field, ok := strings.Cut(name, ".")
	t := r.typeNamed(typeName)
	if !ok || t == nil {
		return false
	}
	for _, p := range r.describeType("", t).Properties {
		if p.Name == field {
			w.paragraph(0, name+": "+p.Type)
			w.line("")
			w.paragraph(2, p.Doc)
			return true
		}
	}
	return false
}

func (w *page) function(f FuncDoc) {
	signature := f.Signature
	if len(f.Returns) > 0 {
		var kinds []string
		for _, r := range f.Returns {
			kinds = append(kinds, r.Type)
		}
		signature += " -> " + strings.Join(kinds, ", ")
	}
	w.wrap("", 4, signature)
	w.line("")
	for i, p := range strings.Split(f.Doc, "\n\n") {
		if i > 0 {
			w.line("")
		}
		w.paragraph(2, p)
	}
	if len(f.Params) > 0 && f.Style != "operator" {
		w.section("Arguments")
		w.params(2, f.Params)
	}
	w.returns(f.Returns)
	w.texts("Errors", f.Errors)
	if len(f.Examples) > 0 {
		w.section("Example")
		for _, e := range f.Examples {
			for line := range strings.Lines(strings.TrimRight(e, "\n")) {
				w.line("  " + strings.TrimRight(line, "\n"))
			}
		}
	}
	if len(f.See) > 0 {
		w.line("")
		w.paragraph(0, "See also: "+strings.Join(f.See, ", "))
	}
}

func (w *page) returns(returns []ReturnDoc) {
	var rows [][2]string
	for _, r := range returns {
		if r.Doc != "" {
			rows = append(rows, [2]string{r.Type, r.Doc})
		}
		for _, f := range r.Fields {
			rows = append(rows, [2]string{"." + f.Name, f.Doc})
		}
	}
	if len(rows) > 0 {
		w.section("Returns")
		w.table(rows)
	}
}

// params writes name, then type, default and what is allowed, then the text.
func (w *page) params(indent int, params []ParamDoc) {
	column := 0
	for _, p := range params {
		column = max(column, utf8.RuneCountInString(p.Name))
	}
	for _, p := range params {
		facts := []string{strings.ReplaceAll(p.Type, "|", " | ")}
		switch {
		case p.Variadic:
			facts = append(facts, "any number")
		case p.List:
			facts = append(facts, "each entry of the list")
		case p.Default != "":
			facts = append(facts, "default "+p.Default)
		case !p.Required:
			facts = append(facts, "optional")
		}
		if p.Allowed != "" {
			facts = append(facts, p.Allowed)
		}
		head := fmt.Sprintf("%s%-*s  ", strings.Repeat(" ", indent), column, p.Name)
		w.hanging(head, strings.Join(facts, ", "))
		if p.Doc != "" {
			w.paragraph(utf8.RuneCountInString(head), p.Doc)
		}
		if len(p.Fields) > 0 {
			w.params(min(utf8.RuneCountInString(head), w.width/2), p.Fields)
		}
	}
}

// A page is text being written at a width.
type page struct {
	strings.Builder
	width int
}

func (w *page) line(s string) { w.WriteString(strings.TrimRight(s, " ") + "\n") }

func (w *page) section(title string) { w.line("\n" + title) }

func (w *page) list(title string, fs []FuncDoc, row func(FuncDoc) [2]string) {
	if len(fs) == 0 {
		return
	}
	w.section(title)
	rows := make([][2]string, len(fs))
	for i, f := range fs {
		rows[i] = row(f)
	}
	w.table(rows)
}

func (w *page) values(title string, values []ValueDoc) {
	if len(values) == 0 {
		return
	}
	w.section(title)
	rows := make([][2]string, len(values))
	for i, v := range values {
		rows[i] = [2]string{"." + v.Name, v.Type + ": " + v.Doc}
	}
	w.table(rows)
}

func (w *page) texts(title string, texts []string) {
	if len(texts) == 0 {
		return
	}
	w.section(title)
	for _, t := range texts {
		w.hanging("  ", t)
	}
}

// table writes rows of a name and a text; a name too long for the column gets
// a line of its own.
func (w *page) table(rows [][2]string) {
	column := 0
	for _, r := range rows {
		if n := utf8.RuneCountInString(r[0]); n <= w.width/3 {
			column = max(column, n)
		}
	}
	for _, r := range rows {
		if utf8.RuneCountInString(r[0]) > column {
			w.paragraph(2, r[0])
			w.paragraph(4+column, r[1])
			continue
		}
		w.hanging(fmt.Sprintf("  %-*s  ", column, r[0]), r[1])
	}
}

// paragraph writes text in lines that start at a column.
func (w *page) paragraph(indent int, text string) { w.hanging(strings.Repeat(" ", indent), text) }

// hanging writes head and then text; further lines start below the text.
func (w *page) hanging(head, text string) { w.wrap(head, utf8.RuneCountInString(head), text) }

// wrap writes head and text; further lines are indented.
func (w *page) wrap(head string, indent int, text string) {
	line, used := head, utf8.RuneCountInString(head)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && used+1+n > w.width:
			w.line(line)
			line, used = strings.Repeat(" ", indent)+word, indent+n
		case i > 0:
			line, used = line+" "+word, used+1+n
		default:
			line, used = line+word, used+n
		}
	}
	w.line(line)
}
