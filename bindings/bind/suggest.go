package bind

import (
	"slices"
	"strings"
)

// Suggest returns the candidate a person most likely meant by word, or "". It
// knows swapped, missing, extra and wrong letters (one, or two in a long word),
// different case or underscores, and beginnings of a name, misspelt or not.
// Ties go to the candidate listed first.
func Suggest(word string, candidates []string) string {
	best, bestCost := "", 3.0
	w := plain(word)
	if w == "" {
		return ""
	}
	for _, c := range candidates {
		if cost := typoCost(w, plain(c)); cost < bestCost && c != word {
			best, bestCost = c, cost
		}
	}
	return best
}

// DidYouMean is Suggest as the end of an error text: "; did you mean 'matern'?", or "".
func DidYouMean(word string, candidates []string) string { return didYouMean(word, candidates, "'") }

func didYouMean(word string, candidates []string, mark string) string {
	if s := Suggest(word, candidates); s != "" {
		return "; did you mean " + mark + s + mark + "?"
	}
	return ""
}

func plain(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "") }

// typoCost is the number of slips between two plain words; 3 or more means
// another word. Short words allow fewer slips: x is not a misspelt y.
func typoCost(w, c string) float64 {
	allowed := 2.0
	switch n := min(len(w), len(c)); {
	case max(len(w), len(c)) <= 2:
		allowed = 0
	case n <= 5: // shape is not save, ttest not kstest
		allowed = 1
	}
	if len(w) > len(c)+2 { // a long text is not compared letter by letter
		return 3
	}
	if d := float64(editDistance(w, c)); d <= allowed {
		return d
	}
	if len(w) >= 3 && len(w) < len(c) {
		slips := 0
		if len(w) >= 5 {
			slips = 1
		}
		// The beginning of c may be one letter shorter or longer than w.
		for n := len(w) - 1; n <= len(w)+1 && n <= len(c); n++ {
			if d := editDistance(w, c[:n]); d <= slips {
				return float64(d) + 1.5
			}
		}
	}
	return 3
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbouring letters that turn a into b (optimal string alignment).
func editDistance(a, b string) int {
	rows := make([]int, 3*(len(b)+1))
	older, previous, current := rows[:len(b)+1], rows[len(b)+1:2*(len(b)+1)], rows[2*(len(b)+1):]
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			d := previous[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, previous[j]+1, current[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, older[j-2]+1)
			}
			current[j] = d
		}
		older, previous, current = previous, current, older
	}
	return previous[len(b)]
}

// takenBy says which function of the see-also list takes an argument that this one, of the
// given full name, does not: people look for it under a name that means something else.
func (c *Call) takenBy(argument, full string) string {
	if full == "" || c.fn == nil {
		return ""
	}
	for _, name := range c.fn.see {
		for m := range c.state.reg.Modules() {
			for _, f := range m.Funcs {
				if m.fullName(f.name) == name && slices.Contains(f.sig.names(), argument) {
					return "; " + name + " has one"
				}
			}
		}
	}
	return ""
}
