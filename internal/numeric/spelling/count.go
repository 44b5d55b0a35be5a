package spelling

import (
	"fmt"
	"strings"
)

// Count is a number of things, "1 pair" or "2 pairs", by the word for one of them: "family" is "families" for several. Of
// several words the first is counted, as in "point on a line".
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	word, rest, more := strings.Cut(one, " ")
	if stem, ends := strings.CutSuffix(word, "y"); ends {
		word = stem + "ie"
	}
	if word += "s"; more {
		word += " " + rest
	}
	return fmt.Sprintf("%d %s", n, word)
}
