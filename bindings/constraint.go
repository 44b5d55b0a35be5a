package bindings

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Constraint is the Lua module constraint.
func Constraint() bind.Module {
	m := bind.Module{
		Name:  "constraint",
		Doc:   "What is known of G before any data: symmetries, causality, time invariance.\n\nA list of constraints means all of them together, in any order: G is invariant under the group that their maps generate, and vanishes where a mask removes any image of a point. Combinations that leave only G = 0, such as symmetric with antisymmetric, and groups of more than 4096 maps are refused. Coordinates have the names of the data; where input and output share a name, x of the input and x of the output are called x and y, and their times t are called s and t.",
		Types: []bind.Type{constraintType()},
	}
	for _, e := range written.Catalog() {
		m.Funcs = append(m.Funcs, bind.Make(e.Name, e.Doc, e.Example, nil, bind.Example(constraintExample(e)), bind.Returns("a constraint for green.fit, which also takes a list of them"), bind.See("green.fit", "constraint:apply")))
	}
	m.Funcs = append(m.Funcs, defineConstraints()...)
	return m
}

func constraintType() bind.Type {
	return bind.TypeOf[constraint.Constraint]("constraint", "What is known of a function of input and output.",
		bind.ToString(constraintText),
		bind.From("constraint[]", constraintList),
		bind.Methods(
			bind.Fn("apply", "The constrained kernel: every function in its space obeys this constraint, and also those of the kernel that is given.", func(_ *bind.Call, p *struct {
				Constraint constraint.Constraint `arg:"self"`
				Kernel     kernel.Kernel         `arg:"kernel" pos:"1" doc:"kernel of the unconstrained functions"`
			},
			) (kernel.Kernel, error) {
				return constraint.Apply(p.Constraint, p.Kernel), nil
			}, bind.Example(`k = constraint.symmetric{"x", "y"}:apply(kernel.se{lengthscale = 1})
print(math.abs(k({0, 1}, {2, 0}) - k({1, 0}, {2, 0})) < 1e-15)  --> true`), bind.Returns("the kernel of the functions that obey it"), bind.See("green.fit")),
		),
	)
}

// constraintList lets a list of constraints stand for one.
func constraintList(c *bind.Call, v lua.LValue) (constraint.Constraint, error) {
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil, bind.ErrKind
	}
	var list constraint.List
	for i := 1; i <= t.Len(); i++ {
		item, err := bind.Decode[constraint.Constraint](c, t.RawGetInt(i))
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		list = append(list, item)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("an empty list: leave the constraint out instead")
	}
	return list, nil
}
