package sheet

import (
	"slices"
	"strings"
)

// usualMissing are the words for a missing value in most files, in lower case.
func usualMissing() []string {
	return []string{
		"", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "1.#qnan", "-1.#ind", "null", "none", "missing", "-", "--", "---", ".", "?",
	}
}

// blanks knows which fields stand for no value.
type blanks struct {
	words   map[string]bool // in lower case
	longest int
	numbers []float64
}

func newBlanks(more []string, decimal byte) blanks {
	b := blanks{words: make(map[string]bool)}
	for _, w := range slices.Concat(usualMissing(), more) {
		if x, ok := parseNumber([]byte(w), decimal); ok {
			b.numbers = append(b.numbers, x)
		} else if x, ok := parseNumber([]byte(w), '.'); ok {
			b.numbers = append(b.numbers, x)
		}
		b.words[strings.ToLower(w)] = true
		b.longest = max(b.longest, len(w))
	}
	return b
}

// word reports whether a field that is no number stands for a missing value.
func (b blanks) word(field []byte) bool {
	return len(field) == 0 || len(field) <= b.longest && b.words[strings.ToLower(string(field))]
}

// A class is what a field is in a column of numbers.
type class byte

const (
	isNumber class = iota
	isMissing
	isBad
)

func (b blanks) number(field []byte, decimal byte) (float64, class) {
	field = bare(field)
	if x, ok := parseNumber(field, decimal); ok {
		if len(b.numbers) > 0 && slices.Contains(b.numbers, x) {
			return 0, isMissing
		}
		return x, isNumber
	}
	if b.word(field) {
		return 0, isMissing
	}
	return 0, isBad
}
