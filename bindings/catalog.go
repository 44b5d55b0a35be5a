package bindings

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// exampleWidth is how long a line of an example made here may be.
const exampleWidth = 80

// kernelExample makes the kernel and shows a value of it between two numbers. A
// kernel that has none there shows itself.
func kernelExample(e kernels.Entry) string {
	made := luaText(e.Example)
	f, err := kernels.Compile(e.Example, kernel.Space{Names: []string{"x"}})
	if err != nil {
		return "k = " + wrap(made) + "\nprint(k)  --> " + made
	}
	return fmt.Sprintf("k = %s\nprint(k(0.2, 0.5))  --> %.14g", wrap(made), f.At([]float64{0.2}, []float64{0.5}))
}

// constraintExample makes the constraint and shows what it makes of the variance
// of a kernel at one point.
func constraintExample(e written.Entry) string {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
	made := "c = " + wrap(luaText(e.Example)) + "\n"
	f, err := kernels.Compile(constraint.Apply(e.Example, se), e.Space)
	if err != nil || len(e.Space.Names) > 2 { // points of more coordinates do not say which are of the input
		return made + "print(c)  --> " + luaText(e.Example)
	}
	var at []float64
	var named []string
	for i, name := range e.Space.Names {
		at = append(at, float64(i+1)/8)
		named = append(named, fmt.Sprintf("%s = %g", name, at[i]))
	}
	return fmt.Sprintf("%sk = c:apply(kernel.se{lengthscale = 0.3})\np = {%s}\nprint(k(p, p))  --> %.14g", made, strings.Join(named, ", "), f.At(at, at))
}

// problemExample makes the problem and solves it for one input.
func problemExample(e pde.Entry) string {
	_, output := pde.Meshes(e.Example)
	return fmt.Sprintf("p = %s\nu = p:solve(array.ones(p.input_mesh.size))\nprint(#u)  --> %d", wrap(luaText(e.Example)), output.Size())
}

// wrap breaks a Lua constructor over lines at the commas between its arguments.
func wrap(call string) string {
	open := strings.IndexByte(call, '{')
	if utf8.RuneCountInString(call)+len("k = ") <= exampleWidth || open < 0 || !strings.HasSuffix(call, "}") {
		return call
	}
	lines := []string{call[:open+1]}
	line := ""
	for _, argument := range arguments(call[open+1 : len(call)-1]) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(argument) > exampleWidth {
			lines, line = append(lines, line), ""
		}
		if line == "" {
			line = "  " + argument + ","
		} else {
			line += " " + argument + ","
		}
	}
	return strings.Join(append(lines, line, "}"), "\n")
}

// arguments splits a list at the commas outside brackets and quotes.
func arguments(list string) (parts []string) {
	depth, quoted, from := 0, false, 0
	for i, r := range list {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case strings.ContainsRune("({[", r):
			depth++
		case strings.ContainsRune(")}]", r):
			depth--
		case r == ',' && depth == 0:
			parts, from = append(parts, strings.TrimSpace(list[from:i])), i+1
		}
	}
	return append(parts, strings.TrimSpace(list[from:]))
}
