package bind

import (
	"strings"
	"unicode/utf8"
)

// usageWidth is about where the usage line of an error stops listing options.
const usageWidth = 76

// signature writes how the function is called: kernel.matern{nu=2.5, lengthscale},
// mesh.uniform(a, b, n [, name]), array:sum([axis]), number|array + array. If
// width > 0, optional named arguments beyond it are left out as "…".
func (b *bound) signature(r *Registry, width int) string {
	s := b.sig
	switch {
	case b.kind == kindOperator && b.event != "__call":
		return b.operation(r)
	case b.kind == kindOperator:
		return b.owner + s.parentheses(width-len(b.owner))
	case s.byPosition():
		return b.full + s.parentheses(width-len(b.full))
	}
	return b.full + s.braces(width-len(b.full))
}

// usage is what errors about arguments end with.
func (b *bound) usage(r *Registry) string {
	if b.sig == nil || b.kind == kindOperator && b.event != "__call" {
		return ""
	}
	return b.signature(r, usageWidth)
}

func (b *bound) operation(r *Registry) string {
	kinds := make([]string, len(b.sig.positional))
	for i, p := range b.sig.positional {
		kinds[i] = p.kind(r)
		if len(splitKind(kinds[i])) > 1 {
			kinds[i] = "(" + kinds[i] + ")"
		}
	}
	switch b.event {
	case "__index":
		if _, named := b.sig.positional[0].codec.(stringCodec); named {
			return b.owner + "." + b.sig.positional[0].name
		}
		return b.owner + "[" + b.sig.positional[0].name + "]"
	case "__newindex":
		return b.owner + "[" + b.sig.positional[0].name + "] = " + b.sig.positional[1].name
	case "__len":
		return "#" + b.owner
	}
	if len(kinds) == 1 {
		return symbol(b.event) + kinds[0]
	}
	return kinds[0] + " " + symbol(b.event) + " " + kinds[1]
}

// parentheses writes positional arguments and the table after them.
func (s *signature) parentheses(width int) string {
	var b strings.Builder
	b.WriteByte('(')
	optional := 0
	for i, p := range s.positional {
		comma := ", "
		if i == 0 {
			comma = ""
		}
		if p.required {
			b.WriteString(comma + p.name)
			continue
		}
		optional++
		if comma != "" {
			b.WriteString(" [")
		} else {
			b.WriteByte('[')
		}
		b.WriteString(comma + p.name)
	}
	b.WriteString(strings.Repeat("]", optional))
	if s.variadic != nil {
		if len(s.positional) > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.variadic.name + ", …")
	}
	if len(s.named) > 0 {
		table := s.braces(width - b.Len())
		comma := ", "
		if b.Len() == 1 {
			comma = ""
		}
		if s.anyRequired() {
			b.WriteString(comma + table)
		} else {
			b.WriteString(" [" + comma + table + "]")
		}
	}
	b.WriteByte(')')
	return b.String()
}

func (s *signature) anyRequired() bool {
	for _, p := range s.named {
		if p.required {
			return true
		}
	}
	return false
}

// braces writes the table of named arguments. If it would be wider than width,
// the required ones come first and the optional ones end in "…".
func (s *signature) braces(width int) string {
	var all, required, optional []string
	for _, p := range s.named {
		if p.required {
			all, required = append(all, p.name), append(required, p.name)
			continue
		}
		text := p.name + "=" + p.defaultText()
		all, optional = append(all, text), append(optional, text)
	}
	if s.list != nil {
		all = append([]string{s.list.name, "…"}, all...)
		required = append([]string{s.list.name, "…"}, required...)
	}
	text := strings.Join(all, ", ")
	if width <= 0 || utf8.RuneCountInString(text)+2 <= width {
		return "{" + text + "}"
	}
	text = strings.Join(required, ", ")
	for _, o := range optional {
		if text != "" {
			text += ", "
		}
		if utf8.RuneCountInString(text)+utf8.RuneCountInString(o)+5 > width {
			text += "…"
			break
		}
		text += o
	}
	return "{" + text + "}"
}
