package loops

import (
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/elementary"
)

// execute runs instructions to the end of the loop. It returns false where the virtual machine must go on.
//
// A zero that arithmetic gives is positive, as the machine's: the sums with 0 see to that.
func (f *frame) execute(code []instruction) bool {
	n := &f.numbers
	for pc := 0; ; {
		i := &code[pc]
		pc++
		switch i.op {
		case opEnd:
			return true
		case opBegin:
			f.begin()
		case opMove:
			n[i.a] = n[i.b]
		case opAdd:
			n[i.a] = n[i.b] + n[i.c] + 0
		case opSub:
			n[i.a] = n[i.b] - n[i.c] + 0
		case opMul:
			n[i.a] = float64(n[i.b]*n[i.c]) + 0
		case opDiv:
			n[i.a] = n[i.b]/n[i.c] + 0
		case opMod:
			n[i.a] = modulo(n[i.b], n[i.c]) + 0
		case opPow:
			n[i.a] = elementary.Pow(n[i.b], n[i.c])
		case opSquare:
			n[i.a] = math.Pow(n[i.b], n[i.c]) + 0
		case opNeg:
			n[i.a] = -n[i.b]
		case opDraw:
			n[i.a] = f.nullary[i.b&(functions-1)]()
		case opCall:
			n[i.a] = f.unary[i.b&(functions-1)](n[i.c])
		case opCall2:
			n[i.a] = f.binary[i.b&(functions-1)](n[i.c], n[i.d])
		case opJump:
			pc = int(i.to)
		case opLess:
			if (n[i.a] < n[i.b]) == (i.d != 0) {
				pc = int(i.to)
			}
		case opAtMost:
			if (n[i.a] <= n[i.b]) == (i.d != 0) {
				pc = int(i.to)
			}
		case opEqual:
			if (n[i.a] == n[i.b]) == (i.d != 0) {
				pc = int(i.to)
			}
		case opBack:
			pc = int(i.to)
			if f.patience--; f.patience < 0 && f.interrupted() {
				return false
			}
		case opFor:
			step, limit := n[i.a+2], n[i.a+1]
			x := n[i.a] + step + 0
			n[i.a] = x
			if step > 0 && x <= limit || step <= 0 && x >= limit {
				n[i.a+3] = x
				pc = int(i.to)
			}
			if f.patience--; f.patience < 0 && f.interrupted() {
				return false
			}
		case opLen:
			n[i.a] = float64(f.tables[i.b&(tables-1)].Len())
		case opGet:
			x, ok := f.get(i).(lua.LNumber)
			if !ok {
				return false
			}
			n[i.a] = float64(x)
		case opTable:
			t, ok := plain(f.get(i))
			if !ok {
				return false
			}
			f.tables[i.a&(tables-1)] = t
		case opTrue, opNil:
			value := f.get(i)
			if value == nil {
				return false
			}
			if is := i.op == opTrue && lua.LVAsBool(value) || i.op == opNil && value == lua.LNil; is == (i.d != 0) {
				pc = int(i.to)
			}
		case opSet:
			if !f.set(i, f.program.value(n[i.a])) {
				return false
			}
		case opStore:
			if !f.set(i, f.program.values[i.a]) {
				return false
			}
		}
	}
}

// modulo is a % b of the virtual machine: the exact remainder with the sign of b.
func modulo(a, b float64) float64 {
	x := math.Mod(a, b)
	if b > 0 && x < 0 || b < 0 && x > 0 {
		x += b
	}
	return x
}

// get returns an element of a table, nil if the frame holds the fields of that table.
func (f *frame) get(i *instruction) lua.LValue {
	t := f.tables[i.b&(tables-1)]
	if i.named {
		if slices.Contains(f.held, t) {
			return nil
		}
		return t.RawGetString(f.program.names[i.c])
	}
	x := f.numbers[i.c]
	if k := int(x); float64(k) == x && 0 < k && k < lua.MaxArrayIndex {
		return t.RawGetInt(k)
	}
	return t.RawGet(lua.LNumber(x))
}

// set changes an element of a table, unless the frame holds its fields or the key is none.
func (f *frame) set(i *instruction, value lua.LValue) bool {
	t, c := f.tables[i.b&(tables-1)], change{index: f.numbers[i.c], named: i.named}
	if i.named {
		c.name = f.program.names[i.c]
	}
	if i.named && slices.Contains(f.held, t) || !i.named && c.index != c.index {
		return false
	}
	if !i.last {
		if len(f.undo) == mostChanges {
			return false
		}
		c.table, c.old = t, f.get(i)
		f.undo = append(f.undo, c)
	}
	c.store(t, value)
	return true
}

// change is an element of a table before it was changed.
type change struct {
	table *lua.LTable
	name  string
	index float64
	named bool
	old   lua.LValue
}

// store gives the element a value.
func (c *change) store(t *lua.LTable, value lua.LValue) {
	if c.named {
		t.RawSetString(c.name, value)
	} else if k := int(c.index); float64(k) == c.index && 0 < k && k < lua.MaxArrayIndex {
		t.RawSetInt(k, value)
	} else {
		t.RawSet(lua.LNumber(c.index), value)
	}
}
