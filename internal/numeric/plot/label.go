package plot

import "strings"

// A span is a piece of a label set in one style.
type span struct {
	text   string
	italic bool
	scale  float64 // size, as a fraction of the label's font size
	rise   float64 // shift of the baseline in label font sizes, positive up
}

const (
	scriptScale = 0.70
	superRise   = 0.38
	subRise     = -0.17
	hat         = '\u0302' // combining circumflex: stands over the letter before it
	minus       = '−'
	thinSpace   = '\u2009'
)

// parseLabel splits a label into spans. Text between two dollar signs is
// mathematics: letters are italic, `^` and `_` raise and lower the next
// character or {group}, and \name gives a Greek letter, a symbol or a
// function name; \hat{G} puts a circumflex on G. A single dollar sign stands
// for itself, and so does everything outside: file_names keep their
// underscores. Unicode superscripts (10⁻⁴) work everywhere.
func parseLabel(label string) []span {
	parts := strings.Split(label, "$")
	if len(parts)%2 == 0 { // an unpaired dollar sign at the end is text
		n := len(parts)
		parts[n-2] += "$" + parts[n-1]
		parts = parts[:n-1]
	}
	m := &mathParser{}
	for i, part := range parts {
		m.src, m.at, m.math, m.depth = []rune(part), 0, i%2 == 1, 0
		m.sequence(1, 0)
	}
	return m.out
}

// mathParser is a recursive-descent parser over one part of a label. It never
// fails: what it does not know it shows as it was written, because a label is
// no reason to lose the picture at the end of a long run.
type mathParser struct {
	src   []rune
	at    int
	math  bool
	depth int // of groups
	out   []span
}

func (m *mathParser) emit(r rune, italic bool, scale, rise float64) {
	if n := len(m.out); n > 0 {
		last := &m.out[n-1]
		if last.italic == italic && last.scale == scale && last.rise == rise || r == hat {
			last.text += string(r)
			return
		}
	}
	m.out = append(m.out, span{string(r), italic, scale, rise})
}

// sequence reads up to the end of the part or of the current group.
func (m *mathParser) sequence(scale, rise float64) {
	for m.at < len(m.src) {
		if m.depth > 0 && m.src[m.at] == '}' {
			return
		}
		m.item(scale, rise)
	}
}

func (m *mathParser) item(scale, rise float64) {
	r := m.src[m.at]
	m.at++
	if base, up := superscripts.letter(r); up {
		m.emit(mathMinus(base), false, scale*scriptScale, rise+superRise*scale)
		return
	}
	if !m.math {
		m.emit(r, false, scale, rise)
		return
	}
	switch {
	case r == '^' && m.at < len(m.src):
		m.argument(scale*scriptScale, rise+superRise*scale)
	case r == '_' && m.at < len(m.src):
		m.argument(scale*scriptScale, rise+subRise*scale)
	case r == '{':
		m.depth++
		m.sequence(scale, rise)
		m.depth--
		m.at++ // the closing brace, or one past the end
	case r == '\\' && m.at < len(m.src):
		m.command(scale, rise)
	case r == ',' && m.at < len(m.src) && m.src[m.at] != ' ':
		m.emit(r, false, scale, rise)
		m.emit(thinSpace, false, scale, rise)
	default:
		m.emit(mathMinus(r), italicLetter(r), scale, rise)
	}
}

// argument reads one item: a {group}, a \name or a character.
func (m *mathParser) argument(scale, rise float64) {
	if m.at < len(m.src) {
		m.item(scale, rise)
	}
}

func (m *mathParser) command(scale, rise float64) {
	start := m.at
	for m.at < len(m.src) && isASCIILetter(m.src[m.at]) {
		m.at++
	}
	name := string(m.src[start:m.at])
	switch {
	case name == "": // \, \; \{ and so on: a thin space, or the character itself
		if r := m.src[m.at]; r == ',' || r == ';' || r == ' ' {
			m.emit(thinSpace, false, scale, rise)
		} else {
			m.emit(r, false, scale, rise)
		}
		m.at++
	case name == "hat":
		m.argument(scale, rise)
		m.emit(hat, false, scale, rise)
	case symbol(name) != "":
		for _, r := range symbol(name) {
			m.emit(r, italicLetter(r), scale, rise)
		}
	default: // \log, \exp, and whatever we have not heard of
		for _, r := range name {
			m.emit(r, false, scale, rise)
		}
	}
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// italicLetter follows mathematical custom: Latin letters and small Greek ones
// slant, capitals of Greek, digits and signs stand.
func italicLetter(r rune) bool {
	return isASCIILetter(r) || r >= 'α' && r <= 'ω' || r == 'ϕ' || r == 'ϵ'
}

func mathMinus(r rune) rune {
	if r == '-' {
		return minus
	}
	return r
}

// scripts pairs letters with their small forms.
type scripts struct{ full, shrunk string }

var (
	superscripts = scripts{"0123456789-+n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ"}
	subscripts   = scripts{"0123456789-+aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₋₊ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"}
)

func (s scripts) small(r rune) (rune, bool) {
	if r == minus {
		r = '-'
	}
	return pick([]rune(s.full), []rune(s.shrunk), r)
}

func (s scripts) letter(r rune) (rune, bool) { return pick([]rune(s.shrunk), []rune(s.full), r) }

func pick(from, to []rune, r rune) (rune, bool) {
	for i, f := range from {
		if f == r {
			return to[i], true
		}
	}
	return 0, false
}

// symbols are the \names known inside $…$, each before its character.
const symbols = `alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ
	nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω
	Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω
	partial ∂ nabla ∇ infty ∞ ell ℓ int ∫ sum ∑ le ≤ ge ≥ approx ≈ pm ± times × cdot ·
	to → sqrt √ prime ′ degree ° ldots …`

// symbol returns the character of a name, or "".
func symbol(name string) string {
	words := strings.Fields(symbols)
	for i := 0; i < len(words); i += 2 {
		if words[i] == name {
			return words[i+1]
		}
	}
	return ""
}

// symbolName returns the name of a character, or "".
func symbolName(r rune) string {
	words := strings.Fields(symbols)
	for i := 0; i < len(words); i += 2 {
		if words[i+1] == string(r) {
			return words[i]
		}
	}
	return ""
}
