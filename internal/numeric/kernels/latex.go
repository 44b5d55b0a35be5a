package kernels

import (
	"errors"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Latex returns the formula of a kernel for LaTeX's mathematics: k(x, x') = …, of points with one
// coordinate where the kernel takes such points, else with those it names, or with an x of the
// input and a y of the output. It fails where a kernel has no formula, with lengthscales that a
// fit is to choose for one, and where nobody would read it.
func Latex(k kernel.Kernel) (string, error) {
	if err := kernel.Check(k); err != nil {
		return "", err
	}
	spaces := []kernel.Space{Line(), {Names: []string{"x", "y"}, Inputs: 1}}
	if d, is := k.(Defined); is && len(d.Formula.Names) > 0 {
		spaces = []kernel.Space{{Names: d.Formula.Names}}
	}
	var failed error
	for _, s := range spaces {
		p, q := Points(s)
		n, err := Symbolic(k, p, q)
		if err != nil {
			failed = err
			continue
		}
		if n == nil {
			return "", errors.New("the kernel calls a function of the script for each pair of points: it has no formula")
		}
		name := func(v *expr.Node) string {
			if i := v.Slot(); i >= s.Dim() {
				return latexName(s.Names[i-s.Dim()]) + "'"
			}
			return latexName(s.Names[v.Slot()])
		}
		text, ok := n.Latex(name)
		if !ok {
			return "", errors.New("the formula of the kernel is too long to be read")
		}
		var first, second []string
		for _, c := range s.Names {
			first, second = append(first, latexName(c)), append(second, latexName(c)+"'")
		}
		return "k(" + strings.Join(slices.Concat(first, second), ", ") + ") = " + text, nil
	}
	return "", failed
}

// latexName is the name of a coordinate: a letter as it is, a word upright.
func latexName(name string) string {
	if len([]rune(name)) == 1 && name != "_" {
		return name
	}
	return `\mathrm{` + strings.ReplaceAll(name, "_", `\_`) + "}"
}
