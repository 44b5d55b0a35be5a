package manual

import (
	"context"
	"fmt"
	"html"
	"strings"

	"github.com/greenbench/workbench/workbench/hypertext"
)

// guideText renders the blocks of a guide.
func (s *site) guideText(ctx context.Context, g *guide) (hypertext.HTML, error) {
	images, err := s.drawGuide(ctx, g)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, b := range g.blocks {
		if b.kind == figure {
			i := images[b.name]
			caption, err := s.inline(b.text)
			if err != nil {
				return "", fmt.Errorf("%s.md:%d: %w", g.name, b.line, err)
			}
			fmt.Fprintf(&out, "<figure><img src=\"%s\" width=\"%d\" height=\"%d\" alt=\"%s\"/><figcaption>%s</figcaption></figure>\n",
				i.URL, i.Width, i.Height, html.EscapeString(i.Caption), caption)
			continue
		}
		if err := s.block(&out, b); err != nil {
			return "", fmt.Errorf("%s.md:%d: %w", g.name, b.line, err)
		}
	}
	return hypertext.HTML(out.String()), nil
}

// block renders a block that is no picture.
func (s *site) block(out *strings.Builder, b block) error {
	var err error
	inline := func(text string) hypertext.HTML {
		h, e := s.inline(text)
		if err == nil {
			err = e
		}
		return h
	}
	switch b.kind {
	case heading:
		id := slug(b.text)
		fmt.Fprintf(out, "<h%d id=\"%s\"><a class=\"self\" href=\"#%s\">%s</a></h%d>\n", b.level, id, id, inline(b.text), b.level)
	case bullets, numbers:
		tag := "ul"
		if b.kind == numbers {
			tag = "ol"
		}
		fmt.Fprintf(out, "<%s>\n", tag)
		for _, item := range b.items {
			fmt.Fprintf(out, "<li>%s</li>\n", inline(item))
		}
		fmt.Fprintf(out, "</%s>\n", tag)
	case table:
		out.WriteString("<div class=\"wide\"><table>\n")
		for i, row := range b.rows {
			tag, open, end := "td", "", ""
			switch i {
			case 0:
				tag, open, end = `th scope="col"`, "<thead>", "</thead>\n<tbody>"
			case len(b.rows) - 1:
				end = "</tbody>"
			}
			out.WriteString(open + "<tr>")
			for _, cell := range row {
				fmt.Fprintf(out, "<%s>%s</%s>", tag, inline(cell), tag[:2])
			}
			out.WriteString("</tr>" + end + "\n")
		}
		out.WriteString("</table></div>\n")
	case code:
		if b.lang == "math" {
			return writeFormula(out, b.text)
		}
		text, runs := hypertext.HTML(html.EscapeString(b.text)), ""
		if strings.HasPrefix(b.lang, "lua") {
			text = highlight(b.text, s.dotted)
		}
		if b.lang == "lua" {
			runs = ` data-lua="guide"`
		}
		fmt.Fprintf(out, "<pre class=\"code\"%s><code>%s</code></pre>\n", runs, text)
	default:
		fmt.Fprintf(out, "<p>%s</p>\n", inline(b.text))
	}
	return err
}

// writeFormula typesets a formula on lines of its own.
func writeFormula(out *strings.Builder, text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		mathml, err := formula(line, true)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "<div class=\"formula\">%s</div>\n", mathml)
	}
	return nil
}

// inline renders the text of a guide; code that is the name of something links
// to it, and the name of a guide becomes its title.
func (s *site) inline(text string) (hypertext.HTML, error) {
	var out strings.Builder
	for _, p := range spans(text) {
		escaped := html.EscapeString(p.text)
		switch p.kind {
		case mono:
			escaped = "<code>" + escaped + "</code>"
			if g := s.guideNamed(p.text); g != nil {
				escaped = html.EscapeString(g.title)
			}
			if url, ok := s.url(p.text); ok {
				escaped = `<a href="` + html.EscapeString(url) + `">` + escaped + "</a>"
			}
		case typeset:
			mathml, err := formula(p.text, false)
			if err != nil {
				return "", err
			}
			escaped = string(mathml)
		case emphasis:
			escaped = "<em>" + escaped + "</em>"
		case strong:
			escaped = "<strong>" + escaped + "</strong>"
		case link:
			url, ok := s.url(p.target)
			if !ok && strings.HasPrefix(p.target, "https://") {
				url, ok = p.target, true
			}
			if !ok {
				return "", fmt.Errorf("a link to %q: nothing has that name", p.target)
			}
			escaped = `<a href="` + html.EscapeString(url) + `">` + escaped + "</a>"
		}
		out.WriteString(escaped)
	}
	return hypertext.HTML(out.String()), nil
}

// prose renders the description of a declaration: paragraphs of plain text, in
// which names of other things link to them.
func (s *site) prose(text string) hypertext.HTML {
	var out strings.Builder
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		out.WriteString("<p>" + string(s.line(p)) + "</p>\n")
	}
	return hypertext.HTML(out.String())
}

func (s *site) line(text string) hypertext.HTML {
	var out strings.Builder
	known := func(name string) bool { _, ok := s.url(name); return ok }
	for _, p := range names(text, known) {
		escaped := html.EscapeString(p.text)
		if p.kind == link {
			url, _ := s.url(p.target)
			escaped = `<a class="name" href="` + html.EscapeString(url) + `">` + escaped + `</a>`
		}
		out.WriteString(escaped)
	}
	return hypertext.HTML(out.String())
}
