package sheet

import (
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/decimal"
)

// blanks knows which fields stand for no value.
type blanks struct {
	words   map[string]bool // in lower case
	longest int
	numbers []float64
}

func newBlanks(more []string, sign byte) blanks {
	b := blanks{words: make(map[string]bool)}
	for _, w := range slices.Concat(decimal.Missing(), more) {
		if x, ok := parseNumber([]byte(w), sign); ok {
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
