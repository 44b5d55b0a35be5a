package manual

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/hypertext"
)

//go:embed theme
var themeFiles embed.FS

// WriteHTML writes the manual as pages into a directory, which is made when it
// is missing: index.html, one page for each guide and module, manual.css,
// manual.js and pictures. They refer to nothing outside the directory. Pages are
// the same every time; each file is replaced as a whole. It takes a few seconds,
// most of them for the pictures. With live, its code runs in the browser.
func WriteHTML(ctx context.Context, reg *bind.Registry, dir string, live *Live) error {
	b, err := newBook(reg)
	if err != nil {
		return fmt.Errorf("manual: %w", err)
	}
	s := &site{book: b, dir: dir, live: live}
	if err := s.write(ctx); err != nil {
		return fmt.Errorf("manual: %w", err)
	}
	return nil
}

// Live is what a manual needs whose code runs in the browser. Every block that can run is a pre
// with the attribute data-lua: "guide" where it may need the blocks above it, "example" where not.
type Live struct {
	Head  hypertext.HTML // of every page: styles and scripts
	Front hypertext.HTML // on the front page, below its text
	Page  Page           // one page more, which stands first among the guides
}

// A Page is one that somebody else has written.
type Page struct {
	Name, Title string         // "playground.html", "Playground"
	Head, Body  hypertext.HTML // Head beside that of every page
}

// A site is a manual on its way into a directory.
type site struct {
	*book
	dir  string
	live *Live // nil: nothing runs
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
	if s.live != nil {
		extra := s.live.Page
		body := hypertext.Format("<h1>%s</h1>\n%s", extra.Title, extra.Body)
		if err := s.page(page{Title: extra.Title + " · workbench", Name: extra.Name, Head: extra.Head}, body); err != nil {
			return err
		}
	}
	return s.frontPage(ctx)
}

func (s *site) file(name string, content []byte) error {
	return writeFile(filepath.Join(s.dir, filepath.FromSlash(name)), content)
}

// page writes a page.
func (s *site) page(p page, body hypertext.HTML) error {
	if s.live != nil {
		p.Head = s.live.Head + p.Head
	}
	return s.file(p.Name, []byte(p.html(body, s.contents())))
}

// contents are the links beside every page.
func (s *site) contents() []linkGroup {
	var groups []linkGroup
	for i, group := range guideGroups() {
		links := linkGroup{Title: group.title}
		if i == 0 && s.live != nil {
			links.Links = append(links.Links, pageLink{s.live.Page.Name, s.live.Page.Title})
		}
		for _, name := range group.names {
			links.Links = append(links.Links, guideLink(s.guideNamed(name)))
		}
		groups = append(groups, links)
	}
	modules := linkGroup{Title: "Modules"}
	for _, m := range s.modules {
		modules.Links = append(modules.Links, pageLink{m.Name + ".html", m.Name})
	}
	return append(groups, modules)
}

func guideLink(g *guide) pageLink { return pageLink{g.name + ".html", g.title} }

func (s *site) guidePage(ctx context.Context, i int, g *guide) error {
	p := page{Title: g.title + " · workbench", Name: g.name + ".html"}
	for _, b := range g.blocks {
		if b.kind == heading {
			l := pageLink{"#" + slug(b.text), plainText(b.text)}
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
	return s.page(p, hypertext.Format("<h1>%s</h1>\n%s", g.title, text))
}

func (s *site) frontPage(ctx context.Context) error {
	text, err := s.guideText(ctx, s.front)
	if err != nil {
		return err
	}
	if s.live != nil {
		text += s.live.Front
	}
	var guides, modules []listed
	for _, g := range s.guides {
		guides = append(guides, listed{pageLink: guideLink(g), Summary: g.summary})
	}
	for i := range s.modules {
		m := &s.modules[i]
		r := listed{pageLink: pageLink{m.Name + ".html", m.Name}, Summary: m.Summary}
		for _, f := range m.Functions {
			r.Names = append(r.Names, pageLink{m.Name + ".html#" + functionAnchor(f), f.Name})
		}
		modules = append(modules, r)
	}
	p := page{Title: s.front.title, Name: "index.html"}
	return s.page(p, frontHTML(s.front.title, text, guides, modules))
}
