package expr

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/bessel"
)

// What is written for LaTeX is read again, by a reader that shares nothing with the writer, and
// has the values of the formula.
func TestLatexHasTheValues(t *testing.T) {
	for seed := range uint64(2000) {
		g := newGenerator(seed, 3)
		n := g.node(1 + g.IntN(12))
		text, ok := n.Latex(func(v *Node) string { return string("xyz"[v.Slot()]) })
		if !ok {
			continue
		}
		for range 3 {
			p := []float64{g.NormFloat64(), g.NormFloat64(), g.NormFloat64()}
			got, err := readLatex(text, map[string]float64{"x": p[0], "y": p[1], "z": p[2]})
			if errors.Is(err, errLimit) {
				continue
			}
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, n, text)
			}
			// Numbers that are as good as equal may be written as one, and products are ordered
			// anew; where that is told by jumps and cancellations it tells nothing.
			near := false
			for _, shift := range []float64{0, 1e-9, -1e-9} {
				w := Eval(n, []float64{p[0] * (1 + shift), p[1] * (1 + shift), p[2] * (1 + shift)})
				near = near || math.Abs(got-w) <= 1e-7*math.Abs(w)+1e-9 || math.IsNaN(w) || math.IsInf(w, 0)
			}
			if !near {
				t.Fatalf("seed %d: %g, want %g\n%s\n%s\nat %v", seed, got, Eval(n, p), n, text, p)
			}
		}
	}
}

func TestLatexReads(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	for want, n := range map[string]*Node{
		`\exp\left(-\tfrac{1}{2}\, \left(\frac{x - y}{0.3}\right)^{2}\right)`: Exp(Mul(Const(-0.5), Pow(Mul(Const(1/0.3), Sub(x, y)), Const(2)))),
		`\sin\left(\frac{\pi\, x}{2}\right)`:                                  Sin(Mul(Const(math.Pi/2), x)),
		`\sqrt{5}\, x`:                                                        Mul(Const(math.Sqrt(5)), x),
		`\frac{x}{3}`:                                                         Mul(Const(1.0/3), x),
		`10^{-9} + x`:                                                         Add(x, Const(1e-9)),
		`x - \frac{1}{2}`:                                                     Add(x, Const(-0.5)),
		`\left(1 + s + \frac{s^{2}}{3}\right)\, \exp\left(-s\right),\quad s = \sqrt{5}\, \left|x - y\right|`: Matern(2.5, Sub(x, y)),
		`\begin{cases}x&\text{if }x < y\\y&\text{otherwise}\end{cases}`:                                      Where(LT(x, y), x, y),
	} {
		if got, ok := n.Latex(func(v *Node) string { return v.Name() }); got != want || !ok {
			t.Errorf("%s:\ngot  %s\nwant %s", n, got, want)
		}
	}
	if text, ok := Mul(x, Const(math.Inf(1))).Latex((*Node).Name); ok {
		t.Errorf("infinity is %s", text)
	}
}

// errLimit: s^ν K(s) at 0 is 0·∞, where the formula means the limit.
var errLimit = errors.New("a limit")

// A latexReader computes what a formula in LaTeX says.
type latexReader struct {
	text   string
	values map[string]float64
	err    error
}

// readLatex reads a formula and the letters that are explained behind it, the last first.
func readLatex(text string, values map[string]float64) (float64, error) {
	parts := strings.Split(text, `,\quad `)
	all := map[string]float64{}
	for k, v := range values {
		all[k] = v
	}
	for i := len(parts) - 1; i >= 0; i-- {
		name, body := "", parts[i]
		if i > 0 {
			name, body, _ = strings.Cut(parts[i], " = ")
		}
		r := &latexReader{text: body, values: all}
		v := r.sum()
		if r.err == nil && strings.TrimSpace(r.text) != "" {
			r.err = fmt.Errorf("left: %q", r.text)
		}
		if r.err != nil {
			return 0, r.err
		}
		if i == 0 {
			return v, nil
		}
		all[name] = v
	}
	return 0, nil
}

// takes reads a word, if it is next.
func (r *latexReader) takes(word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(r.text, " "), `\, `), " "), word)
	if ok {
		r.text = rest
	}
	return ok
}

func (r *latexReader) want(word string) {
	if !r.takes(word) && r.err == nil {
		r.err = fmt.Errorf("want %q at %q", word, r.text)
	}
}

func (r *latexReader) sum() (v float64) {
	switch {
	case r.takes("-"):
		v = -r.product()
	default:
		v = r.product()
	}
	for r.err == nil {
		switch {
		case r.takes("+"):
			v += r.product()
		case r.takes("-"):
			v -= r.product()
		default:
			return v
		}
	}
	return v
}

// product reads factors side by side.
func (r *latexReader) product() float64 {
	v := r.power()
	for r.err == nil {
		if r.takes(`\cdot`) {
			v *= r.power()
			continue
		}
		next := strings.TrimLeft(r.text, " ")
		if !strings.HasPrefix(next, `\, `) && !strings.HasPrefix(next, `\pi`) {
			return v
		}
		v *= r.power()
	}
	return v
}

func (r *latexReader) power() float64 {
	v := r.atom()
	if r.takes("^{") {
		e := r.sum()
		if r.takes("/") {
			e /= r.sum()
		}
		r.want("}")
		return pow(v, e)
	}
	return v
}

func (r *latexReader) between(open, closing string) float64 {
	r.want(open)
	v := r.sum()
	r.want(closing)
	return v
}

// comparison reads what a condition says.
func (r *latexReader) comparison() float64 {
	a := r.sum()
	switch {
	case r.takes("<"):
		return indicator(a < r.sum())
	case r.takes(`\le`):
		return indicator(a <= r.sum())
	}
	r.want(`\ne 0`)
	return indicator(a != 0)
}

func (r *latexReader) atom() float64 {
	for _, f := range []string{`\frac`, `\tfrac`} {
		if r.takes(f) {
			return r.between("{", "}") / r.between("{", "}")
		}
	}
	switch {
	case r.takes(`\sqrt`):
		return math.Sqrt(r.between("{", "}"))
	case r.takes(`\pi`):
		return math.Pi
	case r.takes(`\Gamma`):
		return math.Gamma(r.between(`\left(`, `\right)`))
	case r.takes("K_{"):
		nu := r.sum()
		r.want("}")
		v := r.between(`\left(`, `\right)`)
		if v == 0 && r.err == nil {
			r.err = errLimit
		}
		return bessel.K(nu, v)
	case r.takes(`\left\lfloor`):
		return math.Floor(r.between("", `\right\rfloor`))
	case r.takes(`\left\lceil`):
		return math.Ceil(r.between("", `\right\rceil`))
	case r.takes(`\left|`):
		return math.Abs(r.between("", `\right|`))
	case r.takes(`\mathbf{1}\left[`):
		v := r.comparison()
		r.want(`\right]`)
		return v
	case r.takes(`\begin{cases}`):
		a := r.sum()
		r.want(`&\text{if }`)
		c := r.comparison()
		r.want(`\\`)
		b := r.sum()
		r.want(`&\text{otherwise}\end{cases}`)
		return where(c, a, b)
	case r.takes(`\left(`):
		return r.between("", `\right)`)
	}
	for op, name := range latexNames {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(r.text, " "), `\, `), " "), name+`\left(`); ok {
			r.text = rest
			args := []float64{r.sum(), 0}
			if r.takes(",") {
				args[1] = r.sum()
			}
			r.want(`\right)`)
			return apply(op, 0, args[0], args[1], 0)
		}
	}
	return r.leaf()
}

// leaf reads a number or a name.
func (r *latexReader) leaf() float64 {
	r.takes("")
	r.text = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(r.text, " "), `\, `), " ")
	n := 0
	for n < len(r.text) && strings.ContainsRune("0123456789.", rune(r.text[n])) {
		n++
	}
	if n > 0 {
		v, err := strconv.ParseFloat(r.text[:n], 64)
		if r.err == nil {
			r.err = err
		}
		r.text = r.text[n:]
		return v
	}
	longest := ""
	for name := range r.values {
		if strings.HasPrefix(r.text, name) && len(name) > len(longest) {
			longest = name
		}
	}
	if longest == "" && r.err == nil {
		r.err = fmt.Errorf("no value at %q", r.text)
	}
	r.text = r.text[len(longest):]
	return r.values[longest]
}
