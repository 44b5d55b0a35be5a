package bindings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// luaText writes a value of the numerical core as the Lua expression that makes it, as far
// as there is one: a parameter struct as the constructor of its catalog, with the fields
// that have an arg tag; others as they describe themselves.
func luaText(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return fmt.Sprintf("%q", v)
	case mesh.Mesh:
		return meshText(v)
	case kernel.Kernel:
		return kernelText(v)
	case kernel.Lengthscale:
		switch len(v) {
		case 0:
			return `"auto"`
		case 1:
			return luaText(v[0])
		}
		return luaText([]float64(v))
	case constraint.Constraint:
		return constraintText(v)
	case pde.Coefficient:
		return coefficientText(v)
	case *pde.Defined:
		return definedText(v)
	case *pde.Operator:
		return operatorText(v)
	case *fit.Spec:
		return fitText(v)
	}
	if text, ok := constructorText(v, false); ok {
		return text
	}
	return valueText(reflect.ValueOf(v))
}

// valueText writes lists, tables, numbers and words.
func valueText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice:
		return "{" + itemsText(v) + "}"
	case reflect.Map:
		var items []string
		for _, k := range slices.SortedFunc(maps.Keys(mapOf(v)), strings.Compare) {
			items = append(items, k+"="+luaText(mapOf(v)[k]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return fmt.Sprint(v.Interface())
}

func itemsText(v reflect.Value) string {
	var items []string
	for i := range v.Len() {
		items = append(items, luaText(v.Index(i).Interface()))
	}
	return strings.Join(items, ", ")
}

func mapOf(v reflect.Value) map[string]any {
	m := map[string]any{}
	for _, k := range v.MapKeys() {
		m[k.String()] = v.MapIndex(k).Interface()
	}
	return m
}

// constructors are the full names of what a parameter struct is made by.
func constructors() map[reflect.Type]string {
	names := map[reflect.Type]string{reflect.TypeFor[pde.Hexagon](): "pde.hexagon"}
	for _, e := range kernels.Catalog() {
		names[reflect.TypeOf(e.Example)] = "kernel." + e.Name
	}
	for _, e := range written.Catalog() {
		names[reflect.TypeOf(e.Example)] = "constraint." + e.Name
	}
	for _, e := range append(pde.Catalog(), pde.NonlinearCatalog()...) {
		names[reflect.TypeOf(e.Example)] = "pde." + e.Name
	}
	return names
}

// constructorText writes a parameter struct as a call; ok is false for other values. brief
// leaves out what is zero.
func constructorText(v any, brief bool) (text string, ok bool) {
	name, ok := constructors()[reflect.TypeOf(v)]
	if !ok {
		return "", false
	}
	s := reflect.ValueOf(v)
	var args []string
	for i := range s.NumField() {
		field, value := s.Type().Field(i), s.Field(i)
		tag := field.Tag.Get("arg")
		switch {
		case tag == "", tag == "-", brief && value.IsZero():
		case field.Tag.Get("pos") == "list":
			args = append(args, itemsText(value))
		default:
			args = append(args, tag+"="+luaText(value.Interface()))
		}
	}
	return name + "{" + strings.Join(args, ", ") + "}", true
}

// meshText is the product of the axes; those of given points describe themselves.
func meshText(m mesh.Mesh) string {
	var axes []string
	for _, a := range m.Axes() {
		text, right := strings.CutPrefix(a.String(), "right(")
		switch {
		case right:
			text = strings.TrimSuffix(text, ")") + ":right()"
		case a.OfCurves():
			axes = append(axes, text)
			continue
		case a.Scattered():
			text = "points of " + text
		}
		axes = append(axes, "mesh."+text)
	}
	return strings.Join(axes, " * ")
}

func kernelText(k kernel.Kernel) string {
	switch k := k.(type) {
	case kernel.Sum:
		return joinKernels(k.Terms, " + ", false)
	case kernel.Product:
		return joinKernels(k.Factors, " * ", true)
	case kernel.Scaled:
		return fmt.Sprintf("%v * %s", k.Factor, joinKernels([]kernel.Kernel{k.Kernel}, "", true))
	case kernel.Tensor:
		return fmt.Sprintf("kernel.tensor(%s, %s)", luaText(k.Input), luaText(k.Output))
	case kernels.ScaledBy:
		return fmt.Sprintf("kernel.scaled{base=%s, by=%s}", luaText(k.Base), k.Text)
	case kernels.Mercer:
		return fmt.Sprintf("kernel.mercer{functions={%s}, eigenvalues=%s}", strings.Join(k.Text, ", "), luaText(k.Eigenvalues))
	case gram.OnOutput:
		return luaText(k.Kernel)
	case kernels.OnCoordinate:
		return luaText(k.Kernel)
	case kernels.OfParameter:
		return joinKernels([]kernel.Kernel{k.Kernel, k.Parameter}, " * ", true)
	case kernels.DirectSum:
		var parts []string
		for _, p := range k.Parts {
			parts = append(parts, luaText(p.Kernel))
		}
		return "(" + strings.Join(parts, " ⊕ ") + ")"
	case kernels.Defined:
		text := k.Text
		if text == "" {
			text = "…"
		}
		if options := definedOptions(k); options != "" {
			text += ", " + options
		}
		return "kernel.define(" + text + ")"
	}
	if inner, c, ok := constraint.Applied(k); ok {
		return fmt.Sprintf("%s:apply(%s)", luaText(c), luaText(inner))
	}
	if text, ok := constructorText(k, false); ok {
		return text
	}
	if derived, ok := k.(interface {
		TextBy(write func(kernel.Kernel) string) string
	}); ok {
		return derived.TextBy(kernelText)
	}
	return k.String()
}

func joinKernels(ks []kernel.Kernel, sign string, factors bool) string {
	var parts []string
	for _, k := range ks {
		text := luaText(k)
		if _, sum := k.(kernel.Sum); sum && factors {
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, sign)
}

// definedOptions is the table that follows the function of kernel.define. A parameter that was a list has
// one name for each entry: l[1], l[2].
func definedOptions(k kernels.Defined) string {
	f, parts := k.Formula, []string{}
	if k.Given != "" {
		parts = append(parts, k.Given)
	}
	lists := map[string]int{}
	for i, name := range f.Params {
		value := fmt.Sprint(f.Values[i])
		if name == "lengthscale" {
			value = luaText(k.Lengthscale)
		}
		list, _, isList := strings.Cut(name, "[")
		at, again := lists[list]
		switch {
		case isList && again:
			parts[at] = strings.TrimSuffix(parts[at], "}") + ", " + value + "}"
		case isList:
			lists[list] = len(parts)
			parts = append(parts, list+" = {"+value+"}")
		default:
			parts = append(parts, name+" = "+value)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func constraintText(c constraint.Constraint) string {
	if list, ok := c.(constraint.List); ok {
		var parts []string
		for _, item := range list {
			parts = append(parts, luaText(item))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if text, ok := constructorText(c, true); ok {
		return text
	}
	return c.String()
}

// coefficientText writes a coefficient as a number or a function of the coordinates.
func coefficientText(c pde.Coefficient) string {
	switch c := c.(type) {
	case pde.InputValue:
		return `"input"`
	case pde.Formula:
		slots := expr.Slots(c.Node)
		if len(slots) == 0 {
			return c.String()
		}
		names := make([]string, slots[len(slots)-1]+1)
		for i := range names {
			names[i] = fmt.Sprintf("x%d", i+1)
		}
		nameVariables(c.Node, names)
		return fmt.Sprintf("function(%s) return %s end", strings.Join(names, ", "), formulaText(c.Node))
	}
	if text, ok := constructorText(c, false); ok {
		return text
	}
	return c.String()
}

// formulaText is the expression as Lua, if there is a way to write it.
func formulaText(n *expr.Node) string {
	if text, ok := trace.Lua(n); ok {
		return text
	}
	return n.String()
}

// nameVariables stores the names of the variables of n by slot.
func nameVariables(n *expr.Node, names []string) {
	if n.Op() == expr.OpVar {
		names[n.Slot()] = n.Name()
	}
	for _, a := range n.Args() {
		nameVariables(a, names)
	}
}

// operatorText writes an operator as an expression in u and at.
func operatorText(o *pde.Operator) string {
	if o.Err() != nil {
		return o.String()
	}
	return o.Write(
		func(of, coordinate string, order int) string {
			return fmt.Sprintf("%s:d(%q, %d)", of, coordinate, order)
		},
		func(c pde.Coefficient) string {
			switch c := c.(type) {
			case pde.Constant:
				return c.String()
			case pde.Formula:
				by := map[int]*expr.Node{}
				for i, name := range o.Names() {
					by[i] = expr.Var(i, "at."+name)
				}
				return formulaText(expr.Substitute(c.Node, by))
			}
			return "c(at)"
		})
}

// definedText is the call of pde.define that makes a problem.
func definedText(p *pde.Defined) string {
	s := []string{fmt.Sprintf("name=%q, mesh=%s", p.Name, luaText(p.Mesh))}
	add := func(name, text string) { s = append(s, name+"="+text) }
	if p.Time.Size() > 0 {
		add("time", luaText(p.Time))
	}
	add("operator", fmt.Sprintf("function(u, at) return %s end", luaText(p.Operator)))
	if len(p.Boundary) > 0 {
		var sides []string
		for _, key := range slices.Sorted(maps.Keys(p.Boundary)) {
			sides = append(sides, fmt.Sprintf("[%q]={%s}", key, sideText(p.Boundary[key])))
		}
		add("boundary", "{"+strings.Join(sides, ", ")+"}")
	}
	for _, c := range []struct {
		name  string
		value pde.Coefficient
	}{{"initial", p.Initial}, {"velocity", p.Velocity}, {"source", p.Source}} {
		if text := luaText(c.value); text != "0" {
			add(c.name, text)
		}
	}
	add("input", luaText(p.Input))
	if p.Time.Size() > 0 {
		add("scheme", luaText(p.Scheme))
	}
	add("order", luaText(p.Order))
	return "pde.define{" + strings.Join(s, ", ") + "}"
}

func sideText(s pde.Side) string {
	var parts []string
	for _, c := range []struct {
		name  string
		value pde.Coefficient
	}{{"dirichlet", s.Dirichlet}, {"neumann", s.Neumann}, {"second", s.Second}, {"third", s.Third}} {
		if c.value != nil {
			parts = append(parts, c.name+"="+luaText(c.value))
		}
	}
	if s.Robin != nil {
		value := s.Robin.Value
		if value == nil {
			value = pde.Constant(0)
		}
		parts = append(parts, fmt.Sprintf("robin={a=%s, b=%s, value=%s}", luaText(s.Robin.A), luaText(s.Robin.B), luaText(value)))
	}
	if s.Periodic {
		parts = append(parts, "periodic=true")
	}
	if s.Reflecting {
		parts = append(parts, "reflecting=true")
	}
	return strings.Join(parts, ", ")
}

// fitText is the call of green.fit that makes a fit by hand, for data called d.
func fitText(s *fit.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "green.fit{data = d, kernel = %s", luaText(s.Kernel))
	switch {
	case s.NoBias:
		b.WriteString(", bias = false")
	case s.Bias != nil:
		fmt.Fprintf(&b, ", bias = %s", luaText(s.Bias))
	}
	if s.Constraint != nil {
		fmt.Fprintf(&b, ", constraint = %s", luaText(s.Constraint))
	}
	fmt.Fprintf(&b, ", lambda = %v", s.Lambda)
	if !s.NoBias {
		if s.Rho != s.Lambda {
			fmt.Fprintf(&b, ", rho = %v", s.Rho)
		}
		if s.Intercept == fit.Flat {
			fmt.Fprintf(&b, ", intercept = %q", s.Intercept)
		}
	}
	if s.Landmarks > 0 {
		fmt.Fprintf(&b, ", landmarks = %d", s.Landmarks)
	}
	if s.Structure != "" {
		fmt.Fprintf(&b, ", structure = %q", s.Structure)
	}
	if s.Tolerance != 0 && s.Tolerance != fit.DefaultTolerance {
		fmt.Fprintf(&b, ", tolerance = %v", s.Tolerance)
	}
	b.WriteString("}")
	return b.String()
}
