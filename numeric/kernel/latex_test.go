package kernel

import (
	"strings"
	"testing"
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
		kernel Kernel
		want   string
	}{
		{Scaled{2, SE{Lengthscale{0.25}}}, `k(x, x') = 2\, \exp\left(-\tfrac{1}{2}\, \left(\frac{x - x'}{0.25}\right)^{2}\right)`},
		{Tensor{Exponential{Lengthscale{7}}, Matern{1.5, Lengthscale{1}}}, `k(x, y, x', y') = \left(1 + s\right)\, \exp\left(-s\right)\, \exp\left(-\frac{\left|x - x'\right|}{7}\right),\quad s = \sqrt{3}\, \left|y - y'\right|`},
	} {
		if text, err := Latex(c.kernel); err != nil || text != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", c.kernel, text, err, c.want)
		}
	}
	if text, err := Latex(SE{}); err == nil || !strings.Contains(err.Error(), "auto") {
		t.Errorf("without a lengthscale: %q, %v", text, err)
	}
}
