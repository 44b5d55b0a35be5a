package kernels

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Every kernel that has a name has a formula; that formulas have the right values is tested
// where they are written, in package expr.
func TestLatex(t *testing.T) {
	for _, e := range Catalog() {
		if text, err := Latex(e.Example); err != nil || !strings.HasPrefix(text, "k(") || strings.Count(text, `\left`) != strings.Count(text, `\right`) {
			t.Errorf("%s: %q, %v", e.Name, text, err)
		}
	}
	for _, c := range []struct {
		kernel kernel.Kernel
		want   string
	}{
		{kernel.Scaled{Factor: 2, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.25}}}, `k(x, x') = 2\, \exp\left(-\tfrac{1}{2}\, \left(\frac{x - x'}{0.25}\right)^{2}\right)`},
		{kernel.Tensor{Input: kernel.Exponential{Lengthscale: kernel.Lengthscale{7}}, Output: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{1}}}, `k(x, y, x', y') = \left(1 + s\right)\, \exp\left(-s\right)\, \exp\left(-\frac{\left|x - x'\right|}{7}\right),\quad s = \sqrt{3}\, \left|y - y'\right|`},
	} {
		if text, err := Latex(c.kernel); err != nil || text != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", c.kernel, text, err, c.want)
		}
	}
	for name, want := range map[string]string{"x": "x", "λ": "λ", "speed": `\mathrm{speed}`, "wind_speed": `\mathrm{wind\_speed}`, "_": `\mathrm{\_}`} {
		k := Defined{Formula: Formula{Points: 2, Names: []string{name}, Forms: []Form{{Nodes: []*expr.Node{
			expr.Sub(expr.Var(NameSlot(0, 0), ""), expr.Var(NameSlot(1, 0), "")),
		}}}}}
		if text, err := Latex(k); err != nil || !strings.HasSuffix(text, "= "+want+" - "+want+"'") {
			t.Errorf("the coordinate %q: %q, %v", name, text, err)
		}
	}
	byNumber := Defined{Formula: Formula{Points: 2, Forms: []Form{{Dim: 1, Nodes: []*expr.Node{expr.Mul(expr.Var(NumberSlot(0, 0), ""), expr.Var(NumberSlot(1, 0), ""))}}}}}
	if text, err := Latex(byNumber); err != nil || !strings.HasPrefix(text, "k(x, x') = x") {
		t.Errorf("by the number of a coordinate: %q, %v", text, err)
	}
	if text, err := Latex(kernel.SE{}); err == nil || !strings.Contains(err.Error(), "auto") {
		t.Errorf("without a lengthscale: %q, %v", text, err)
	}
}
