package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Latex writes the formula for LaTeX's mathematics, with the names that a function gives to
// variables. Numbers are written as people write them, 1/3, π/2, √5, where that is the number to
// the last digits. The argument of each Matérn function has a letter, s, which is explained
// behind the formula; ok is false for what is too long to be read, or has an infinite number.
func (n *Node) Latex(name func(v *Node) string) (text string, ok bool) {
	w := latexWriter{name: name}
	text = w.node(n, 0)
	for i := 0; i < len(w.radii); i++ { // an argument may have such a function in it
		r := w.radii[i]
		root, below := readable(math.Sqrt(2 * r.value))
		if below != "" {
			root = `\frac{` + root + "}{" + below + "}"
		}
		if root != "1" {
			root += `\, `
		} else {
			root = ""
		}
		text += `,\quad ` + w.letter(i) + " = " + root + w.node(Abs(r.args[0]), precedenceProduct)
	}
	return text, !w.unknown
}

// mostLatex bounds how long a formula in LaTeX is: beyond, nobody reads it.
const mostLatex = 1200 // bytes

type latexWriter struct {
	name    func(v *Node) string
	radii   []*Node // Matérn functions whose arguments have letters
	length  int
	unknown bool
}

// letter is that of an argument of a Matérn function.
func (w *latexWriter) letter(i int) string {
	if i == 0 {
		return "s"
	}
	return fmt.Sprintf("s_{%d}", i+1)
}

// node is the text of n, in parentheses if it binds weaker than the context needs.
func (w *latexWriter) node(n *Node, need int) string {
	if w.length > mostLatex {
		w.unknown = true
		return ""
	}
	text, own := w.bare(n)
	w.length += len(text) / 8 // of what was written inside, too, a part
	if own < need {
		return parens(text)
	}
	return text
}

func parens(text string) string { return `\left(` + text + `\right)` }

// bare is the text of n and how strongly it binds.
func (w *latexWriter) bare(n *Node) (text string, own int) {
	if a, b, ok := n.difference(); ok {
		return w.node(a, precedenceSum) + " - " + w.node(b, precedenceProduct), precedenceSum
	}
	switch n.op {
	case OpConst:
		return w.product([]*Node{n}, nil)
	case OpVar:
		return w.name(n), precedenceAtom
	case OpAdd:
		a, b := w.node(n.args[0], precedenceSum), w.node(n.args[1], precedenceSum)
		if strings.HasPrefix(b, "-") {
			return a + " - " + b[1:], precedenceSum
		}
		return a + " + " + b, precedenceSum
	case OpMul, OpDiv, OpNeg:
		above, below := factors(n, nil, nil)
		return w.product(above, below)
	case OpPow:
		return w.power(n.args[0], n.args[1])
	}
	return w.call(n)
}

// factors collects what is above and below the line of a fraction; -1 stands for a sign.
func factors(n *Node, above, below []*Node) (a, b []*Node) {
	switch n.op {
	case OpMul:
		above, below = factors(n.args[0], above, below)
		return factors(n.args[1], above, below)
	case OpDiv:
		above, below = factors(n.args[0], above, below)
		below, above = factors(n.args[1], below, above)
		return above, below
	case OpNeg:
		return factors(n.args[0], append(above, Const(-1)), below)
	}
	return append(above, n), below
}

// product writes a fraction, or a product where nothing is below. The numbers among the factors
// become one.
func (w *latexWriter) product(above, below []*Node) (text string, own int) {
	number, above := take(above)
	divisor, below := take(below)
	number /= divisor
	if math.IsInf(number, 0) || math.IsNaN(number) {
		w.unknown = true
		return "", precedenceAtom
	}
	sign := ""
	if math.Signbit(number) {
		sign, number = "-", -number
	}
	top, bottom := readable(number)
	if len(above) == 1 && isStep(above[0]) && bottom == "" && short(1/number) && number != 1 {
		top, bottom = "1", decimal(1/number) // distances are measured in lengths
	}
	loose := bottom != "" || len(below) > 0 // the line holds together what is above it
	over := w.times(above, loose && top == "1")
	under := w.times(below, bottom == "")
	switch {
	case bottom != "" && under == "" && strings.Contains(over, `\frac`): // no fractions on fractions
		over = w.times(above, false)
		over = `\tfrac{` + top + "}{" + bottom + `}\, ` + over
		bottom = ""
	case over == "":
		over = top
	case top != "1":
		over = top + `\, ` + over
	}
	if bottom != "" && under != "" {
		under = bottom + `\, ` + under
	} else {
		under += bottom
	}
	if under != "" {
		return sign + `\frac{` + over + "}{" + under + "}", precedenceProduct
	}
	if own = precedenceProduct; sign == "" && len(above) == 0 && bottom == "" && isDigits(over) {
		own = precedenceAtom
	}
	return sign + over, own
}

// isStep says whether a formula is a difference, or the size of one.
func isStep(n *Node) bool {
	if n.op == OpAbs {
		n = n.args[0]
	}
	_, _, ok := n.difference()
	return ok
}

// take multiplies the numbers among factors, and returns the others.
func take(list []*Node) (number float64, rest []*Node) {
	number = 1
	for _, n := range list {
		if n.IsConst() {
			number *= n.value
		} else {
			rest = append(rest, n)
		}
	}
	return number, rest
}

// times is factors side by side; a sum that is alone needs no parentheses.
func (w *latexWriter) times(list []*Node, alone bool) string {
	if alone && len(list) == 1 {
		return w.node(list[0], 0)
	}
	var text []string
	for _, n := range list {
		text = append(text, w.node(n, precedenceUnary))
	}
	return strings.Join(text, `\, `)
}

// power writes roots and fractions for halves and negative exponents.
func (w *latexWriter) power(a, b *Node) (text string, own int) {
	if !b.IsConst() {
		return w.node(a, precedenceAtom) + "^{" + w.node(b, 0) + "}", precedencePower
	}
	if b.value < 0 {
		text, _ := w.power(a, Const(-b.value))
		return `\frac{1}{` + text + "}", precedenceProduct
	}
	switch b.value {
	case 0.5:
		return `\sqrt{` + w.node(a, 0) + "}", precedenceAtom
	case 1:
		return w.node(a, precedenceAtom), precedenceAtom
	}
	exponent, bottom := readable(b.value)
	switch {
	case isWhole(2*b.value) && !isWhole(b.value):
		exponent = decimal(2*b.value) + "/2"
	case bottom != "":
		exponent += "/" + bottom
	}
	return w.node(a, precedenceAtom) + "^{" + exponent + "}", precedencePower
}

// Functions of LaTeX that are called as here.
var latexNames = map[Op]string{
	OpExp: `\exp`, OpLog: `\log`, OpSin: `\sin`, OpCos: `\cos`, OpTan: `\tan`, OpAsin: `\arcsin`, OpAcos: `\arccos`,
	OpAtan: `\arctan`, OpSinh: `\sinh`, OpCosh: `\cosh`, OpTanh: `\tanh`, OpMin: `\min`, OpMax: `\max`,
	OpSign: `\operatorname{sign}`, OpAtan2: `\operatorname{atan2}`, OpMod: `\operatorname{mod}`,
}

// call writes a function.
func (w *latexWriter) call(n *Node) (text string, own int) {
	own = precedenceUnary // sin(x)², with parentheses
	switch n.op {
	case OpSqrt:
		return `\sqrt{` + w.node(n.args[0], 0) + "}", precedenceAtom
	case OpAbs:
		return `\left|` + w.node(n.args[0], 0) + `\right|`, precedenceAtom
	case OpFloor:
		return `\left\lfloor ` + w.node(n.args[0], 0) + `\right\rfloor`, precedenceAtom
	case OpCeil:
		return `\left\lceil ` + w.node(n.args[0], 0) + `\right\rceil`, precedenceAtom
	case OpLT, OpLE:
		return `\mathbf{1}\left[` + w.comparison(n) + `\right]`, own
	case OpWhere:
		condition := w.condition(n.args[0])
		return `\begin{cases}` + w.node(n.args[1], 0) + `&\text{if }` + condition + `\\` + w.node(n.args[2], 0) + `&\text{otherwise}\end{cases}`, own
	case OpMatern:
		return w.matern(n)
	case OpBesselK:
		return fmt.Sprintf("K_{%s}", formatConst(n.value)) + parens(`\left|`+w.node(n.args[0], 0)+`\right|`), own
	}
	var args []string
	for _, a := range n.Args() {
		args = append(args, w.node(a, 0))
	}
	return latexNames[n.op] + parens(strings.Join(args, ", ")), own
}

// condition is what a choice asks.
func (w *latexWriter) condition(n *Node) string {
	if n.op == OpLT || n.op == OpLE {
		return w.comparison(n)
	}
	return w.node(n, precedenceSum) + ` \ne 0`
}

func (w *latexWriter) comparison(n *Node) string {
	sign := ` \le `
	if n.op == OpLT {
		sign = " < "
	}
	return w.node(n.args[0], precedenceSum) + sign + w.node(n.args[1], precedenceSum)
}

// matern writes the Matérn function of order ν of a distance d with the letter of s = √(2ν) d.
func (w *latexWriter) matern(n *Node) (text string, own int) {
	at := 0
	for at < len(w.radii) && !(w.radii[at].value == n.value && Equal(w.radii[at].args[0], n.args[0])) {
		at++
	}
	if at == len(w.radii) {
		w.radii = append(w.radii, n)
	}
	s := w.letter(at)
	decay := `\exp` + parens("-"+s)
	switch n.value {
	case 0.5:
		return decay, precedenceUnary
	case 1.5:
		return parens("1 + "+s) + `\, ` + decay, precedenceUnary
	case 2.5:
		return parens("1 + "+s+` + \frac{`+s+"^{2}}{3}") + `\, ` + decay, precedenceUnary
	}
	order := formatConst(n.value)
	return `\frac{2^{1 - ` + order + `}}{\Gamma` + parens(order) + `}\, ` + s + "^{" + order + `}\, K_{` + order + "}" + parens(s), precedenceUnary
}

// readable is a positive number as what stands above and below a line, the latter "" for 1.
func readable(v float64) (above, below string) {
	if v == 0 {
		return "0", ""
	}
	if above, below, ok := ratio(v); ok {
		return above, below
	}
	if above, below, ok := ratio(v / math.Pi); ok {
		if above == "1" {
			return `\pi`, below
		}
		return above + `\pi`, below
	}
	if root, ok := root(v); ok {
		return root, ""
	}
	return decimal(v), ""
}

// root writes √a, or b√a, for a number whose square has few digits.
func root(v float64) (text string, ok bool) {
	above, below, ok := ratio(v * v)
	if !ok || below != "" {
		return "", false
	}
	square := v * v
	for b := math.Floor(math.Min(v, 100)); b > 1; b-- {
		if a := math.Round(square) / (b * b); isWhole(a) && short(math.Round(square)) && math.Abs(a*b*b-square) < 1e-9*square {
			return decimal(b) + `\sqrt{` + decimal(a) + "}", true
		}
	}
	return `\sqrt{` + above + "}", true
}

// ratio is a short number, or one over one, or a fraction of small numbers.
func ratio(v float64) (above, below string, ok bool) {
	near := func(w float64) float64 { // to a number with few digits
		r, _ := strconv.ParseFloat(strconv.FormatFloat(w, 'g', 6, 64), 64)
		return r
	}
	if v == 0.5 {
		return "1", "2", true
	}
	const rounding = 4 * 0x1p-53
	if r := near(v); math.Abs(r-v) <= rounding*v && short(r) {
		return decimal(r), "", true
	}
	if r := near(1 / v); math.Abs(r*v-1) <= rounding && short(r) {
		return "1", decimal(r), true
	}
	for b := 2.0; b <= 12; b++ {
		if a := math.Round(v * b); a > 0 && a < 1000 && math.Abs(a-v*b) <= rounding*a {
			return decimal(a), decimal(b), true
		}
	}
	return "", "", false
}

// short says whether a number has few digits.
func short(v float64) bool {
	digits, _, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	return len(digits) <= 6
}

// decimal is a number with all its digits, large and small ones with a power of ten.
func decimal(v float64) string {
	if v == 0 || v >= 1e-3 && v < 1e6 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	if digits == "1" {
		return fmt.Sprintf("10^{%d}", e)
	}
	return fmt.Sprintf(`%s \cdot 10^{%d}`, digits, e)
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789.") == "" }
