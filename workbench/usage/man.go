package usage

import (
	"fmt"
	"strings"
)

// Man is the manual page of section 1, in the macros of man(7).
func (p Program) Man(version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s\" \"User commands\"\n", strings.ToUpper(p.Name), roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(p.Name), roff(p.About))
	for i, f := range p.Forms {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, ".B %s\n", roff(strings.TrimSpace(p.Name+" "+f.Word)))
		if f.Synopsis != "" {
			b.WriteString(roff(f.Synopsis) + "\n")
		}
	}
	b.WriteString(".SH DESCRIPTION\n")
	for _, f := range p.Forms {
		if f.Doc != "" {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(p.call(f)), roff(sentence(f.Doc)))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	manOptions(&b, p.Options)
	for _, f := range p.Commands() {
		if len(f.Options) > 0 {
			fmt.Fprintf(&b, ".SS Options of %s\n", roff(p.Name+" "+f.Word))
			manOptions(&b, f.Options)
		}
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, s := range p.Statuses {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", s.Code, roff(sentence(s.Doc)))
	}
	for _, s := range p.Paragraphs {
		fmt.Fprintf(&b, ".SH %s\n%s\n", roff(strings.ToUpper(s.Title)), roff(s.Text))
	}
	return b.String()
}

func manOptions(b *strings.Builder, options []Option) {
	for _, o := range options {
		doc := sentence(o.Doc)
		if o.Values != nil {
			doc += " One of " + strings.Join(o.Values, ", ") + "."
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(o.head()), roff(doc))
	}
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(s string) string {
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

// roff writes text so that nothing of it is a macro, and hyphens can be copied.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
