package bind

import (
	"cmp"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/sorting"
)

// A Match is one result of a search.
type Match struct {
	Name    string // what Help takes
	Kind    string // "module", "type", "function", "method", "operator", "call", "field", "value"
	Summary string
}

// No description holds all of more words than these, or a longer one.
const (
	maxWords = 100
	maxWord  = 200
)

// Search finds everything whose name, keywords or description hold all the
// words of text, in any case; the best matches first. If nothing does, names
// that look like text are returned.
func (r *Registry) Search(text string) []Match {
	var words []string
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if slices.Contains(words, word) {
			continue
		}
		if words = append(words, word); len(words) > maxWords || len(word) > maxWord {
			return nil
		}
	}
	if len(words) == 0 {
		return nil
	}
	type scored struct {
		Match
		score int
	}
	var found []scored
	for _, t := range r.topics() {
		total := 0
		for _, w := range words {
			s := t.score(w)
			if s == 0 {
				total = 0
				break
			}
			total += s
		}
		if total > 0 {
			found = append(found, scored{t.Match, total})
		}
	}
	if len(found) == 0 {
		return r.lookAlikes(words[0])
	}
	sorting.By(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	matches := make([]Match, len(found))
	for i, f := range found {
		matches[i] = f.Match
	}
	return matches
}

func (r *Registry) lookAlikes(word string) (matches []Match) {
	word = plain(word)
	for _, t := range r.topics() {
		if typoCost(word, plain(t.short)) < 3 {
			matches = append(matches, t.Match)
		}
	}
	return matches
}

// A topic is something that can be searched for.
type topic struct {
	Match
	short    string // the last part of the name
	keywords []string
	doc      string
}

func (t topic) score(word string) int {
	short, name := strings.ToLower(t.short), strings.ToLower(t.Name)
	switch {
	case short == word || name == word:
		return 100
	case slices.ContainsFunc(t.keywords, func(k string) bool { return strings.ToLower(k) == word }):
		return 80
	case strings.HasPrefix(short, word):
		return 60
	case strings.Contains(name, word):
		return 40
	case slices.ContainsFunc(t.keywords, func(k string) bool { return strings.Contains(strings.ToLower(k), word) }):
		return 30
	case strings.Contains(strings.ToLower(t.Summary), word):
		return 20
	case strings.Contains(strings.ToLower(t.doc), word):
		return 10
	}
	return 0
}

func (r *Registry) topics() (topics []topic) {
	for _, m := range r.modules {
		topics = append(topics, topic{Match{m.Name, "module", summary(m.Doc)}, m.Name, nil, m.Doc})
		for _, v := range m.Values {
			topics = append(topics, topic{Match{m.Name + "." + v.Name, "value", v.Doc}, v.Name, nil, v.Doc})
		}
		for _, t := range m.Types {
			if t.name != m.Name {
				topics = append(topics, topic{Match{t.name, "type", summary(t.doc)}, t.name, nil, t.doc})
			}
			for _, p := range t.properties {
				topics = append(topics, topic{Match{t.name + "." + p.name, "field", p.doc}, p.name, nil, p.doc})
			}
		}
	}
	for _, p := range r.pages {
		doc := p.Doc
		for _, q := range p.Params {
			doc += " " + q.Name + " " + q.Doc
		}
		topics = append(topics, topic{Match{p.FullName, p.Kind, p.Summary}, p.Name, p.Keywords, doc})
	}
	return topics
}
