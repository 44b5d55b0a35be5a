package manual

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Plain questions, "how many pairs do I need", are answered by the entries that hold most of
// their words, rare words and words in titles counting more. theme/manual.js does the same in
// the browser; a test asks both.

// fillers say nothing about what a question is about.
var fillers = strings.Fields("a about am an and any are at be by can do does for from get have how i if in is it me my of on or should so that the their there this to use using want was we what when where which who why will with would you your")

// isQuestion reports whether a text has words that only sentences have.
func isQuestion(text string) bool {
	return slices.ContainsFunc(questionWords(text), func(w string) bool { return slices.Contains(fillers, w) })
}

func questionWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' && r != '-'
	})
}

// stem is what words of one family begin with: pairs and pair, converge and converged.
func stem(word string) string {
	for _, ending := range []string{"ing", "ed", "s", "e"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= min(4, 6-len(ending)) {
			return rest
		}
	}
	return word
}

// What a word counts where it stands.
const (
	inName    = 8
	inSummary = 3
	inText    = 1
	guideGain = 1.5 // a question asks how, which guides answer
)

// weightOf is how much an entry has to do with words that begin with the stem; 0: nothing.
func (e *entry) weightOf(stem string) float64 {
	begins := func(text string) bool { return strings.Contains(spaced(text), " "+stem) }
	switch {
	case begins(e.name) || slices.ContainsFunc(e.keywords, begins):
		return inName
	case begins(e.summary):
		return inSummary
	case begins(e.text):
		return inText
	}
	return 0
}

// spaced has a space before every word, where the stem of a word may be looked for.
func spaced(text string) string { return " " + strings.Join(questionWords(text), " ") }

// answers are the entries that answer a question, the best first.
func (b *book) answers(question string) []entry {
	var stems []string
	for _, w := range questionWords(question) {
		if s := stem(w); !slices.Contains(fillers, w) && !slices.Contains(stems, s) {
			stems = append(stems, s)
		}
	}
	score := make([]float64, len(b.entries))
	for _, s := range stems {
		found := make([]float64, len(b.entries))
		holds := 0.
		for i := range b.entries {
			if found[i] = b.entries[i].weightOf(s); found[i] > 0 {
				holds++
			}
		}
		rare := math.Log(1 + float64(len(b.entries))/(1+holds))
		for i, w := range found {
			score[i] += rare * w
		}
	}
	var order []int
	for i := range score {
		if b.entries[i].kind == "guide" {
			score[i] *= guideGain
		}
		if score[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(score[j], score[i]) })
	best := make([]entry, len(order))
	for k, i := range order {
		best[k] = b.entries[i]
	}
	return best
}
