package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// A Point is a point as a script writes it: a number, a list of coordinates, a
// table of coordinates by name, or what a traced function was given. Coordinates
// are numbers or formulas.
type Point struct {
	X     []*expr.Node                 // by number
	Names []string                     // of X, if they have names
	Named func(name string) *expr.Node // of a point handed to a function: its coordinates by name
}

// DecodeLua implements bind.Decoder.
func (p *Point) DecodeLua(c *bind.Call, v lua.LValue) error {
	if n, ok := NodeOf(v); ok {
		p.X = []*expr.Node{n}
		return p.check()
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		list, err := bind.Decode[[]float64](c, v) // an array
		if err != nil {
			return bind.ErrKind
		}
		for _, x := range list {
			p.X = append(p.X, expr.Const(x))
		}
		return p.check()
	}
	if given := givenPoint(t); given != nil {
		p.Names, p.Named = given.names, given.coordinate
	}
	for i := 1; i <= t.Len(); i++ {
		n, ok := NodeOf(t.RawGetInt(i))
		if !ok {
			return fmt.Errorf("[%d]: want a number, got %s", i, bind.Describe(t.RawGetInt(i)))
		}
		p.X = append(p.X, n)
	}
	if len(p.X) == 0 {
		if err := p.byName(t); err != nil {
			return err
		}
	}
	return p.check()
}

// byName reads {x = 1, t = 2}; x, y, z come first, then the others by the alphabet.
func (p *Point) byName(t *lua.LTable) error {
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		name, ok := k.(lua.LString)
		if _, known := NodeOf(v); !ok || !known {
			return fmt.Errorf("[%s]: want coordinates, got %s", k, bind.Describe(v))
		}
		p.Names = append(p.Names, string(name))
	}
	slices.SortFunc(p.Names, CompareNames)
	for _, name := range p.Names {
		n, _ := NodeOf(t.RawGetString(name))
		p.X = append(p.X, n)
	}
	return nil
}

// CompareNames orders coordinates: x, y, z, then the others by the alphabet.
func CompareNames(a, b string) int {
	order := func(name string) string {
		if len(name) == 1 && name >= "x" {
			return " " + name
		}
		return name
	}
	return strings.Compare(order(a), order(b))
}

func (p *Point) check() error {
	if len(p.X) == 0 {
		return fmt.Errorf("has no coordinates")
	}
	for _, n := range p.X {
		if n.IsConst() && math.IsNaN(n.Value()) {
			return fmt.Errorf("NaN: must be a number")
		}
	}
	return nil
}

// LuaKind implements bind.Decoder.
func (p *Point) LuaKind() string { return "number|number[]|{x=, …}|formula" }

// Of returns the point as one of a kernel's space. Coordinates without names are
// called x, y, z, x4, … .
func (p Point) Of() kernels.Point {
	q := kernels.Point{X: p.X, Space: kernel.Space{Names: p.Names}}
	switch {
	case p.Names != nil:
	case p.Named != nil:
		q.Space = kernels.Unnamed(len(p.X))
	default:
		q.Space = Numbered(len(p.X))
	}
	return q
}

// Numbered is a space of d coordinates called x, y, z, x4, … without a split.
func Numbered(d int) kernel.Space {
	s := kernel.Space{}
	for i := range d {
		name := fmt.Sprintf("x%d", i+1)
		if i < 3 {
			name = "xyz"[i : i+1]
		}
		s.Names = append(s.Names, name)
	}
	return s
}

// given is a point that is handed to a function: a table of its coordinates by
// number, whose metatable knows those by name.
type given struct {
	x          []*expr.Node
	names      []string // fixed names of the numbered coordinates; nil: any name will do
	coordinate func(name string) *expr.Node
}

// givenKey is where the metatable of a point holds its given, or the numberPoints
// that made it.
const givenKey = "__point"

// givenPoint returns what is known of a point that was handed to a function; nil
// for other tables.
func givenPoint(t *lua.LTable) *given {
	mt, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return nil
	}
	u, ok := mt.RawGetString(givenKey).(*lua.LUserData)
	if !ok {
		return nil
	}
	switch v := u.Value.(type) {
	case *given:
		return v
	case *numberPoints:
		return &given{names: v.fixed, coordinate: func(name string) *expr.Node {
			n, _ := NodeOf(t.RawGetString(name))
			return n
		}}
	}
	return nil
}

// numberPoints makes points whose coordinates are numbers.
type numberPoints struct {
	c     *bind.Call
	meta  *lua.LTable
	fixed []string // names of the numbered coordinates; nil: not known
}

// newNumberPoints makes the metatable that its points share. With any, a name that
// is not known stands for the first coordinate.
func newNumberPoints(c *bind.Call, fixed []string, any bool) *numberPoints {
	mt := c.L.NewTable()
	points := &numberPoints{c, mt, fixed}
	pointType(c, mt, points)
	mt.RawSetString("__index", c.L.NewFunction(func(L *lua.LState) int {
		var names []string
		t := L.CheckTable(1)
		if _, isName := L.Get(2).(lua.LString); isName && any {
			L.Push(t.RawGetInt(1))
			return 1
		}
		for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
			if name, ok := k.(lua.LString); ok {
				names = append(names, string(name))
			}
		}
		missing(L, t.Len(), names)
		return 0
	}))
	return points
}

// table makes a point of coordinates by number and by name.
func (p *numberPoints) table(number []float64, names []string, named []float64) *lua.LTable {
	t := p.c.L.CreateTable(len(number), len(names))
	for i, x := range number {
		t.RawSetInt(i+1, lua.LNumber(x))
	}
	for i, name := range names {
		t.RawSetString(name, lua.LNumber(named[i]))
	}
	t.Metatable = p.meta
	return t
}

// pointType makes a metatable that of points, which have no arithmetic; made is what
// made them.
func pointType(c *bind.Call, mt *lua.LTable, made any) {
	u := c.L.NewUserData()
	u.Value = made
	mt.RawSetString(givenKey, u)
	mt.RawSetString("__name", lua.LString("point"))
	for _, event := range []string{"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__lt", "__le", "__concat"} {
		mt.RawSetString(event, c.L.NewFunction(func(L *lua.LState) int {
			L.RaiseError("a point is no number: take its coordinates, as in p.x - q.x or p[1] - q[1], or dist(p, q)")
			return 0
		}))
	}
}

// missing raises the error for a coordinate that a point does not have.
func missing(L *lua.LState, d int, names []string) {
	switch key := L.Get(2).(type) {
	case lua.LString:
		if len(names) > 0 {
			L.RaiseError("no coordinate '%s': the coordinates here are %s", string(key), strings.Join(names, ", "))
		}
		L.RaiseError("no coordinate '%s'", string(key))
	case lua.LNumber:
		if i := float64(key); i >= 1 && i == math.Trunc(i) {
			L.RaiseError("%s%s: the point has %d", noCoordinate, key, d)
		}
	}
	L.RaiseError("a point has coordinates by name, p.x, and by number, p[1], got %s", bind.Describe(L.Get(2)))
}

// table makes the Lua table of the point.
func (g *given) table(c *bind.Call) *lua.LTable {
	t := c.L.CreateTable(len(g.x), 4)
	for i, n := range g.x {
		t.RawSetInt(i+1, c.Lua(Result(n)))
	}
	mt := c.L.NewTable()
	pointType(c, mt, g)
	mt.RawSetString("__index", c.L.NewFunction(func(L *lua.LState) int {
		if name, ok := L.Get(2).(lua.LString); ok {
			if n := g.coordinate(string(name)); n != nil {
				v := bind.At(L).Lua(Result(n))
				t.RawSetString(string(name), v)
				L.Push(v)
				return 1
			}
		}
		missing(L, len(g.x), g.names)
		return 0
	}))
	t.Metatable = mt
	return t
}

// Handed is a point for a function that is called with formulas: a table of its
// coordinates by number and by name.
func Handed(c *bind.Call, names []string, x []*expr.Node) lua.LValue {
	g := &given{x: x, names: names, coordinate: func(name string) *expr.Node {
		if i := slices.Index(names, name); i >= 0 {
			return x[i]
		}
		return nil
	}}
	return g.table(c)
}

// noCoordinate begins the error for a number that a point is too short for.
const noCoordinate = "no coordinate "
