package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// utf8Text is text as it is, or as of Latin 1, which old programs write, if it is no UTF-8.
func utf8Text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

var (
	bracketed = regexp.MustCompile(`^(.*\S)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\)|<([^<>]*)>)$`)
	slashed   = regexp.MustCompile(`^([^/]*[^/\s])\s*/\s*(\S.*)$`)
	unitParts = regexp.MustCompile(`[\s·*./^()⁻⁰¹²³⁴-⁹0-9+-]+`)
	unitWord  = regexp.MustCompile(`^(?:[yzafpnuµμmcdhkMGTPEZY]|da)?(?:m|s|g|A|K|mol|cd|Hz|N|Pa|J|W|C|V|F|Ω|Ohm|ohm|S|Wb|T|H|lm|lx|Bq|Gy|Sv|l|L|bar|eV|cal|rad|B|VA|Wh)$|` +
		`^(?:%|‰|°|°C|°F|degC|deg|min|h|hr|hrs|d|day|days|a|yr|year|years|sec|secs|ms|ppm|ppb|ft|in|lb|lbs|psi|mmHg|rpm|kt|kn|M|pH|au|a\.u\.|arb|counts|px)$`)
)

// splitUnit takes a header apart: "depth [m]", "depth (m)" and "depth/m" are depth, in m. What
// follows a slash is a unit only if it is known as one.
func splitUnit(header string) (name, unit string) {
	if m := bracketed.FindStringSubmatch(header); m != nil {
		return strings.TrimRight(m[1], " ,;:/"), strings.TrimSpace(m[2] + m[3] + m[4])
	}
	if m := slashed.FindStringSubmatch(header); m != nil && isUnit(unbracket(m[2])) {
		return m[1], unbracket(m[2])
	}
	return header, ""
}

// isUnit reports whether text is made of units: m, kg/m^3, W m-2 K-1.
func isUnit(text string) bool {
	parts := unitParts.Split(text, -1)
	known := 0
	for _, p := range parts {
		switch {
		case p == "":
		case unitWord.MatchString(p):
			known++
		default:
			return false
		}
	}
	return known > 0
}

// unbracket is text without the brackets around it.
func unbracket(text string) string {
	for _, pair := range []string{"[]", "()", "<>"} {
		if len(text) >= 2 && text[0] == pair[0] && text[len(text)-1] == pair[1] {
			return strings.TrimSpace(text[1 : len(text)-1])
		}
	}
	return text
}

// named makes the columns of a header: names without units, unless that makes two alike.
func named(header, units []string, n int) []*Column {
	columns := make([]*Column, n)
	plain := make([]string, n)
	for i := range columns {
		h := ""
		if i < len(header) {
			h = strings.Join(strings.Fields(header[i]), " ")
		}
		c := &Column{Header: h}
		plain[i], c.Unit = splitUnit(h)
		if units != nil && c.Unit == "" && !slices.Contains([]string{"-", "--", "1"}, units[i]) {
			c.Unit = units[i]
		}
		columns[i] = c
	}
	taken := map[string]bool{}
	for i, c := range columns {
		c.Name = plain[i]
		alike := 0
		for k := range plain {
			if plain[k] == plain[i] {
				alike++
			}
		}
		if alike > 1 {
			c.Name = c.Header
		}
		if c.Name == "" {
			c.Name = nameless(i, n, header)
		}
		for base, k := c.Name, 2; taken[c.Name]; k++ {
			c.Name = fmt.Sprintf("%s_%d", base, k)
		}
		if c.Header == "" {
			c.Header = c.Name
		}
		taken[c.Name] = true
	}
	return columns
}

// nameless is what a column without a header is called: the first of a table that has others is the
// index that pandas writes, or the names of R's rows.
func nameless(i, n int, header []string) string {
	if i == 0 && n > 1 && slices.ContainsFunc(header, func(h string) bool { return strings.TrimSpace(h) != "" }) {
		return "index"
	}
	return fmt.Sprintf("c%d", i+1)
}

// listed names the first of many.
func listed(names []string) string {
	const enough = 12
	if len(names) > enough {
		return strings.Join(names[:enough], ", ") + fmt.Sprintf(" and %d more", len(names)-enough)
	}
	return strings.Join(names, ", ")
}

// shorten makes text fit into an error.
func shorten(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
