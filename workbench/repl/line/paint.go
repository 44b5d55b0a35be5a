package line

import "slices"

// ghost is the suggestion that stands after the text.
func (e *Editor) ghost(t text) string {
	if e.opts.Dim == nil || e.search != nil || t.pos != len(t.runes) || t.several() {
		return ""
	}
	return e.recall.suggestion(t.String())
}

// picture is what the view shows of a text.
func (e *Editor) picture(t text, editing bool) picture {
	p := picture{first: e.prompt, next: e.opts.Continue, plain: t.runes, pos: t.pos}
	cursor := -1
	if editing {
		cursor = t.pos
		if s := e.ghost(t); s != "" {
			p.after = e.opts.Dim(s)
		}
		if e.search != nil {
			p.first = "search '" + e.search.query + "': "
		}
	}
	p.styled = e.opts.Highlight(t.String(), cursor)
	return p
}

// painter draws the text where readline would print its line. A private character is in it for the moment between two
// refreshes, of which the first is passed over.
type painter struct{ e *Editor }

func (p painter) Paint(runes []rune, pos int) []rune {
	e := p.e
	e.mu.Lock()
	defer e.mu.Unlock()
	private := slices.ContainsFunc(runes, func(r rune) bool { return r >= firstPrivate && r <= lastPrivate })
	if e.over || private || !e.reading {
		return nil
	}
	e.view.draw(e.picture(text{slices.Clone(runes), pos}, true))
	return nil
}
