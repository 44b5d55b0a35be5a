package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What a fit can be asked combines freely: outputs of which some are missing, constraints
// of every sort, and on top of these each question, answered as by the definition. A cell
// of the table is ok, or says why a question has no answer.
//
//	go test ./numeric/fit -run TestCombinations -v
//
// prints it.
func TestCombinations(t *testing.T) {
	questions := combinations()
	var table strings.Builder
	fmt.Fprintf(&table, "%-12s %-8s", "constraint", "missing")
	for _, q := range questions {
		fmt.Fprintf(&table, " %-8s", q.name)
	}
	for _, c := range []string{"none", "separate", "mask", "mixing", "lag", "off-grid"} {
		for _, missing := range []string{"none", "some", "all"} {
			fmt.Fprintf(&table, "\n%-12s %-8s", c, missing)
			for i, q := range questions {
				answer := "ok"
				if missing == "some" && i%testmain.Stride(3) != 0 { // between the other two
					table.WriteString(" -       ")
					continue
				}
				p := combination(c, missing)
				if !t.Run(c+", "+missing+", "+q.name, func(t *testing.T) {
					if refused := q.ask(t, p); refused != "" {
						answer = refused
					}
				}) {
					answer = "WRONG"
				}
				fmt.Fprintf(&table, " %-8s", answer)
			}
		}
	}
	t.Log("\n" + table.String())
}

// combination is a problem with a constraint of a sort, and with no output missing, a
// third of those of every second pair, or one of every pair.
func combination(c, missing string) *randomProblem {
	p := &randomProblem{rng: rand.New(rand.NewPCG(8, 9)), upper: 1}
	uniform := func(n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, name)) }
	var suit func(s kernel.Space) rule
	switch c {
	case "none":
		p.x, p.y = uniform(5, "x"), mesh.Must(mesh.Gauss(0, 1, 4, "y"))
		suit = func(kernel.Space) rule { return rule{} }
	case "separate": // images of the pairs
		p.x, p.y, p.spec.NoBias = uniform(6, "x"), uniform(4, "y"), true
		suit = func(s kernel.Space) rule { return flip(s, .5, false, "x", "y") }
	case "mask":
		p.x, p.y = uniform(5, "s"), uniform(5, "t")
		suit = func(s kernel.Space) rule { return causal(s, false) }
	case "mixing":
		p.x, p.y = uniform(5, "x"), uniform(5, "y")
		suit = func(s kernel.Space) rule { return symmetric(s, false, "x", "y") }
	case "lag":
		p.x, p.y = uniform(5, "s"), uniform(5, "t")
		suit = func(s kernel.Space) rule { return invariant(s).and(causal(s, false)) }
	case "off-grid":
		p.x, p.y = uniform(5, "x"), uniform(4, "y")
		suit = func(s kernel.Space) rule { return symmetric(s, false, "x", "y") }
	}
	in, out := mesh.JointNames(p.x, p.y)
	p.space = kernel.Space{Names: append(in, out...), Inputs: len(in)}
	p.rule = suit(p.space)
	p.spec.Constraint = p.rule.c
	p.other, p.further = p.elsewhere(p.x), p.elsewhere(p.y)
	const n = 8
	f, u := array.New(n, p.x.Size()), array.New(n, p.y.Size())
	for i := range f.Data {
		f.Data[i] = p.rng.NormFloat64()
	}
	for i := range u.Data {
		u.Data[i] = p.rng.NormFloat64()
	}
	d := must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: p.x, OutputMesh: p.y}))
	p.spec.Data = d
	p.addSignal()
	my := p.y.Size()
	for i := range u.Data {
		pair, at := i/my, i%my
		if missing == "some" && pair%2 == 1 && p.rng.IntN(3) == 0 || missing == "all" && at == pair%my {
			u.Data[i], d.Missing = math.NaN(), true
		}
	}
	p.spec.Kernel = kernel.SE{Lengthscale: kernel.Lengthscale{.4}}
	p.spec.Lambda, p.spec.Intercept = 1e-2, fit.NoIntercept
	if !p.spec.NoBias {
		p.spec.Rho = 3e-2
	}
	return p
}

// question is asked of a combination; a refusal is right only for a reason in mathematics.
type question struct {
	name string
	ask  func(t *testing.T, p *randomProblem) (refused string)
}

func combinations() []question {
	list := []question{
		{"fit", askFit},
		{"dense", askDense},
		{"open", askOpen},
		{"reml", askCriterion(fit.REML)},
		{"gcv", askCriterion(fit.GCV)},
		{"loo", askCriterion(fit.LOO)},
		{"cv", askValidation},
		{"path", askPath},
		{"bands", askBands},
		{"calibr.", askCalibration},
		{"loaded", askLoaded},
	}
	for _, s := range gram.Structures() {
		list = append(list, question{string(s)[:min(8, len(s))], askStructure(s)})
	}
	return list
}
