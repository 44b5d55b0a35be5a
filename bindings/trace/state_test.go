package trace

import (
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// newState is a Lua state with formulas, the functions of math for them, and where, gt
// and dist as functions of the library.
func newState(t testing.TB) *lua.LState {
	t.Helper()
	L := lua.NewState(stdlib.StateOptions(stdlib.Options{}))
	t.Cleanup(L.Close)
	stdlib.Open(L, stdlib.Options{Math: []stdlib.MathExtension{Math{}}})
	bind.New(bind.Module{
		Name: "formulas", Doc: "Formulas.", Global: true, Types: []bind.Type{Type()},
		Funcs: []bind.Func{
			bind.Fn("where", "A choice.", func(_ *bind.Call, p *struct {
				C Operand `arg:"c" pos:"1" doc:"condition"`
				A Operand `arg:"a" pos:"2" doc:"where it holds"`
				B Operand `arg:"b" pos:"3" doc:"elsewhere"`
			},
			) (Operand, error) {
				return Result(expr.Of(expr.OpWhere, Node(p.C), Node(p.A), Node(p.B))), nil
			}),
			bind.Fn("gt", "Greater.", func(_ *bind.Call, p *struct {
				A Operand `arg:"a" pos:"1" doc:"left"`
				B Operand `arg:"b" pos:"2" doc:"right"`
			},
			) (Operand, error) {
				return Result(expr.Of(expr.OpLT, Node(p.B), Node(p.A))), nil
			}),
			bind.Fn("dist", "Distance.", func(_ *bind.Call, p *struct {
				P      Point  `arg:"p" pos:"1" doc:"a point"`
				Q      Point  `arg:"q" pos:"2" doc:"another"`
				Scales *Point `arg:"scales" pos:"3" doc:"scales"`
			},
			) (Operand, error) {
				n, err := Distance(p.P, p.Q, p.Scales)
				if err != nil {
					return Operand{}, err
				}
				return Result(n), nil
			}),
		},
	}).Open(L, bind.Env{})
	return L
}

// value is what an expression of Lua is.
func value(t testing.TB, L *lua.LState, source string) lua.LValue {
	t.Helper()
	if err := L.DoString("return " + source); err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	v := L.Get(-1)
	L.SetTop(0)
	return v
}

// scripted is the function that an expression of Lua is.
func scripted(t testing.TB, L *lua.LState, source string) (*bind.Call, *bind.Function) {
	t.Helper()
	c := bind.At(L)
	f, err := bind.Decode[bind.Function](c, value(t, L, source))
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return c, &f
}

// at evaluates node i of form k for points of coordinates by number, and by name.
func (t *Traced) at(k, i int, params []float64, numbered [][]float64, named ...map[string]float64) float64 {
	vars := make([]float64, kernels.FormulaSlots)
	for j, x := range numbered {
		copy(vars[kernels.NumberSlot(j, 0):], x)
	}
	for j, x := range named {
		for n, name := range t.Formula.Names {
			vars[kernels.NameSlot(j, n)] = x[name]
		}
	}
	copy(vars[kernels.ParamSlot(0):], params)
	program, err := expr.Compile(t.Formula.Forms[k].Nodes[i], kernels.FormulaSlots)
	if err != nil {
		panic(err)
	}
	return program.Eval(vars)
}

// refused fails unless err contains every text.
func refused(t testing.TB, what string, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: accepted, want an error with %q", what, texts)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v\nwant %q", what, err, text)
		}
	}
}
