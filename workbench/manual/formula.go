package manual

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode"

	"github.com/greenbench/workbench/workbench/hypertext"
)

// Formulas of guides are plain Unicode, as a scientist types them into an e-mail, so that the
// terminal shows them as they stand: u(y) = β(y) + ∫ G(x, y) f(x) dx. Here they become MathML,
// which browsers typeset:
//
//	uᵢ x² u_{i+1} e^{−t}   indices and powers, small characters or groups
//	(a + b)/(2c) 1/n       fractions, the parentheses of whole parts left out
//	√(x)                   roots
//	û ū f̂                  accents
//	Σᵢ₌₁ⁿ ∫₀¹ min_{G}      limits
//	min log cov dx         two letters and more are a word, but for the d of an integral
//
// The notation is a small part of the linear format of Unicode Technical Note 28.

// formula typesets a formula, on a line of its own if display, else within a line of text.
func formula(src string, display bool) (hypertext.HTML, error) {
	p := &formulaParser{src: []rune(strings.TrimSpace(src))}
	body := p.row(0)
	if p.at < len(p.src) && p.err == nil {
		p.fail("%q closes nothing", p.src[p.at])
	}
	if p.err != nil {
		return "", p.err
	}
	mode := ""
	if display {
		mode = ` display="block"`
	}
	return hypertext.HTML("<math" + mode + ">" + body + "</math>"), nil
}

type formulaParser struct {
	src []rune
	at  int
	err error
}

func (p *formulaParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("formula %q: "+format, append([]any{string(p.src)}, args...)...)
	}
}

func (p *formulaParser) next() rune {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// row reads up to the closing character, which stays; 0 reads to the end.
func (p *formulaParser) row(closing rune) string {
	var out strings.Builder
	for p.err == nil && p.at < len(p.src) {
		r := p.next()
		if r == closing || strings.ContainsRune(")}]", r) {
			break
		}
		if r == ' ' {
			p.at++
			if p.next() == ' ' { // two spaces stand apart, as before a condition
				out.WriteString(`<mspace width="1.2em"/>`)
			}
			continue
		}
		out.WriteString(p.fraction())
	}
	return "<mrow>" + out.String() + "</mrow>"
}

// part is something that can have indices, or be above or below a bar.
type part struct {
	markup string
	inside string // of (…): what stands between the parentheses
	limits bool   // indices go above and below, as of a sum
	space  bool   // a letter follows at a distance, as after a function's name
}

// fraction reads a part, and what follows a slash.
func (p *formulaParser) fraction() string {
	above := p.scripted()
	if p.next() != '/' || above.markup == "" {
		return above.markup
	}
	p.at++
	below := p.scripted()
	if below.markup == "" {
		p.fail("nothing below the bar")
	}
	return "<mfrac>" + above.bare() + below.bare() + "</mfrac>"
}

func (t part) bare() string {
	if t.inside != "" {
		return t.inside
	}
	return t.markup
}

// scripted reads a part with its indices, powers and primes.
func (p *formulaParser) scripted() part {
	base := p.part()
	below, above := "", ""
	for p.err == nil {
		sub, isSub := p.script('_', subscriptRunes)
		sup, isSup := p.script('^', superscriptRunes)
		if !isSub && !isSup {
			break
		}
		below, above = below+sub, above+sup
	}
	if below+above != "" {
		base.markup, base.inside = attach(base, below, above), ""
	}
	if base.space {
		base.markup += thinSpace
	}
	return base
}

const thinSpace = `<mspace width="0.17em"/>`

// attach puts indices and powers, "" for none, to a part, or below and above it.
func attach(base part, below, above string) string {
	tags := [3]string{"msub", "msup", "msubsup"}
	if base.limits {
		tags = [3]string{"munder", "mover", "munderover"}
	}
	switch {
	case above == "":
		return wrap(tags[0], base.markup+below)
	case below == "":
		return wrap(tags[1], base.markup+above)
	}
	return wrap(tags[2], base.markup+below+above)
}

func wrap(tag, content string) string { return "<" + tag + ">" + content + "</" + tag + ">" }

// Small characters, each pair the small and the full one.
const (
	subscriptRunes   = "₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9₊+₋−₌=ₐaₑeₕhᵢiⱼjₖkₗlₘmₙnₒoₚpᵣrₛsₜtᵤuᵥvₓxᵧγᵦβ"
	superscriptRunes = "⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9⁺+⁻−⁼=ᵀTⁿn′′″″ᵐmᵏkᵗt*∗"
)

// script reads small characters, or a sign and what follows it.
func (p *formulaParser) script(sign rune, small string) (string, bool) {
	if p.next() == sign {
		p.at++
		t := p.part()
		if t.markup == "" {
			p.fail("nothing after %c", sign)
		}
		return t.bare(), true
	}
	pairs := []rune(small)
	full := []rune{}
	for ; p.at < len(p.src); p.at++ {
		i := 0
		for i < len(pairs) && pairs[i] != p.src[p.at] {
			i += 2
		}
		if i >= len(pairs) {
			break
		}
		full = append(full, pairs[i+1])
	}
	if len(full) == 0 {
		return "", false
	}
	inner := &formulaParser{src: full}
	return inner.row(0), true
}

// functionNames have their limits below.
var functionNames = []string{"min", "max", "sup", "inf", "argmin", "lim"}

// part reads one letter, word, number, group or sign.
func (p *formulaParser) part() part {
	r := p.next()
	switch {
	case r == 0:
		return part{}
	case r == '(' || r == '{' || r == '[':
		return p.group(r)
	case r == '√':
		p.at++
		return part{markup: wrap("msqrt", p.part().bare())}
	case unicode.IsDigit(r) && r < 128:
		return part{markup: wrap("mn", p.run(func(r rune) bool { return r >= '0' && r <= '9' || r == '.' || r == ',' && p.digitAfter() }))}
	case isLatin(r):
		return p.word()
	case strings.ContainsRune("Σ∑∏", r):
		p.at++
		return part{markup: wrap("mo", strings.Replace(string(r), "Σ", "∑", 1)), limits: true}
	case unicode.IsLetter(r):
		p.at++
		return p.accented(string(r))
	}
	p.at++
	return part{markup: wrap("mo", html.EscapeString(string(r)))}
}

func (p *formulaParser) digitAfter() bool {
	return p.at+1 < len(p.src) && unicode.IsDigit(p.src[p.at+1])
}

func isLatin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func (p *formulaParser) run(belongs func(rune) bool) string {
	from := p.at
	for p.at < len(p.src) && belongs(p.src[p.at]) {
		p.at++
	}
	return string(p.src[from:p.at])
}

// word reads a letter, or several that are a word.
func (p *formulaParser) word() part {
	text := p.run(isLatin)
	switch {
	case len(text) == 1:
		return p.accented(text)
	case len(text) == 2 && text[0] == 'd': // the end of an integral
		return part{markup: wrap("mrow", thinSpace+`<mi mathvariant="normal">d</mi>`+wrap("mi", text[1:]))}
	}
	return part{markup: wrap("mi", text), limits: slices.Contains(functionNames, text), space: true}
}

// accents stand over the letter that they follow.
var accents = map[rune]string{'\u0302': "^", '\u0304': "¯", '\u0303': "~", '\u0307': "˙"}

// composed are letters that hold their accent.
var composed = map[string][2]string{"Ĝ": {"G", "^"}, "û": {"u", "^"}, "ĝ": {"g", "^"}, "ĥ": {"h", "^"}, "ŷ": {"y", "^"}, "ê": {"e", "^"}, "ū": {"u", "¯"}, "ȳ": {"y", "¯"}, "ã": {"a", "~"}}

func (p *formulaParser) accented(letter string) part {
	mark, ok := accents[p.next()]
	if ok {
		p.at++
	} else if c, holds := composed[letter]; holds {
		letter, mark = c[0], c[1]
	}
	if mark == "" {
		return part{markup: wrap("mi", letter)}
	}
	return part{markup: `<mover accent="true"><mi>` + letter + "</mi><mo>" + mark + "</mo></mover>"}
}

// group reads (…), […], or {…}, whose braces only hold together.
func (p *formulaParser) group(open rune) part {
	p.at++
	closing := map[rune]rune{'(': ')', '{': '}', '[': ']'}[open]
	inside := p.row(closing)
	if p.next() != closing {
		p.fail("%c is not closed", open)
	}
	p.at++
	if open == '{' {
		return part{markup: inside, inside: inside}
	}
	t := part{markup: wrap("mrow", wrap("mo", string(open))+inside+wrap("mo", string(closing)))}
	if open == '(' {
		t.inside = inside
	}
	return t
}
