package manual

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"

	"github.com/greenbench/workbench/bindings/bind"
)

//go:embed theme
var themeFiles embed.FS

// WriteHTML writes the manual as pages into a directory, which is made when it
// is missing: index.html, one page for each guide and module, manual.css,
// manual.js and pictures. They refer to nothing outside the directory. Pages are
// the same every time; each file is replaced as a whole. It takes a few seconds,
// most of them for the pictures.
func WriteHTML(ctx context.Context, reg *bind.Registry, dir string) error {
	b, err := newBook(reg)
	if err != nil {
		return fmt.Errorf("manual: %w", err)
	}
	theme, err := template.ParseFS(themeFiles, "theme/*.html")
	if err != nil {
		return fmt.Errorf("manual: %w", err)
	}
	s := &site{book: b, dir: dir, theme: theme}
	if err := s.write(ctx); err != nil {
		return fmt.Errorf("manual: %w", err)
	}
	return nil
}

// A site is a manual on its way into a directory.
type site struct {
	*book
	dir   string
	theme *template.Template
}

func (s *site) write(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Join(s.dir, "pictures"), 0o777); err != nil {
		return err
	}
	css, err := themeFiles.ReadFile("theme/manual.css")
	if err != nil {
		return err
	}
	script, err := s.searchScript()
	if err != nil {
		return err
	}
	if err := s.file("manual.css", css); err != nil {
		return err
	}
	if err := s.file("manual.js", script); err != nil {
		return err
	}
	for i, g := range s.guides {
		if err := s.guidePage(ctx, i, g); err != nil {
			return err
		}
	}
	for i := range s.modules {
		if err := s.modulePage(ctx, &s.modules[i]); err != nil {
			return err
		}
	}
	return s.frontPage(ctx)
}

func (s *site) file(name string, content []byte) error {
	return writeFile(filepath.Join(s.dir, filepath.FromSlash(name)), content)
}

// A page is what the template of all pages shows.
type page struct {
	Title, Name    string
	Body           template.HTML
	Here           []hereLink // on this page
	Contents       []linkGroup
	Previous, Next *pageLink
}

// A pageLink is a link with its text; URLs are our own, and a colon in them is
// no scheme.
type pageLink struct {
	URL  template.URL
	Text string
}

type hereLink struct {
	pageLink
	Deep bool
}

type linkGroup struct {
	Title string
	Links []pageLink
}

// page writes a page whose body a template makes.
func (s *site) page(p page, part string, data any) error {
	var body, out bytes.Buffer
	if err := s.theme.ExecuteTemplate(&body, part, data); err != nil {
		return err
	}
	p.Body = template.HTML(body.String())
	p.Contents = s.contents()
	if err := s.theme.ExecuteTemplate(&out, "page", p); err != nil {
		return err
	}
	return s.file(p.Name, out.Bytes())
}

// contents are the links beside every page.
func (s *site) contents() []linkGroup {
	guides, modules := linkGroup{Title: "Guides"}, linkGroup{Title: "Modules"}
	for _, g := range s.guides {
		guides.Links = append(guides.Links, guideLink(g))
	}
	for _, m := range s.modules {
		modules.Links = append(modules.Links, pageLink{template.URL(m.Name + ".html"), m.Name})
	}
	return []linkGroup{guides, modules}
}

func guideLink(g *guide) pageLink { return pageLink{template.URL(g.name + ".html"), g.title} }

func (s *site) guidePage(ctx context.Context, i int, g *guide) error {
	p := page{Title: g.title + " · workbench", Name: g.name + ".html"}
	for _, b := range g.blocks {
		if b.kind == heading {
			l := pageLink{template.URL("#" + slug(b.text)), plainText(b.text)}
			p.Here = append(p.Here, hereLink{l, b.level > 2})
		}
	}
	if i > 0 {
		l := guideLink(s.guides[i-1])
		p.Previous = &l
	}
	if i+1 < len(s.guides) {
		l := guideLink(s.guides[i+1])
		p.Next = &l
	}
	text, err := s.guideText(ctx, g)
	if err != nil {
		return err
	}
	return s.page(p, "guide", map[string]any{"Title": g.title, "Text": text})
}

func (s *site) frontPage(ctx context.Context) error {
	type row struct {
		pageLink
		Summary string
		Names   []pageLink
	}
	text, err := s.guideText(ctx, s.front)
	if err != nil {
		return err
	}
	var guides, modules []row
	for _, g := range s.guides {
		guides = append(guides, row{pageLink: guideLink(g), Summary: g.summary})
	}
	for i := range s.modules {
		m := &s.modules[i]
		r := row{pageLink: pageLink{template.URL(m.Name + ".html"), m.Name}, Summary: m.Summary}
		for _, f := range m.Functions {
			r.Names = append(r.Names, pageLink{template.URL(m.Name + ".html#" + functionAnchor(f)), f.Name})
		}
		modules = append(modules, r)
	}
	p := page{Title: s.front.title, Name: "index.html"}
	return s.page(p, "front", map[string]any{"Title": s.front.title, "Text": text, "Guides": guides, "Modules": modules})
}
