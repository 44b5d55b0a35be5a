package chunk

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/syntax"
)

// A Literal writes values as expressions that make them again: numbers with all their digits, texts, truth values and
// tables, whose entries stand in the order of Keys, one a line but for short ones. The same value always gives the same text.
type Literal struct {
	// Other writes what is none of these, at a path within the value: report.sigma[2]. newline begins a line with the
	// indentation of the value.
	Other func(path string, v lua.LValue, newline string) (string, error)
	// Refuse says why a table is not to be written; nil refuses none.
	Refuse func(t *lua.LTable) error

	around []*lua.LTable
}

// Text writes a value.
func (w *Literal) Text(v lua.LValue) (string, error) { return w.At("", v, "\n") }

// At writes a value at a path within another.
func (w *Literal) At(path string, v lua.LValue, newline string) (string, error) {
	switch v := v.(type) {
	case *lua.LNilType, lua.LBool:
		return v.String(), nil
	case lua.LNumber:
		return literalNumber(float64(v)), nil
	case lua.LString:
		return syntax.Quote(string(v)), nil
	case *lua.LTable:
		return w.table(path, v, newline)
	}
	return w.Other(path, v, newline)
}

// literalNumber writes what Lua has no words for as the quotients that make it.
func literalNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return "0/0"
	case math.IsInf(x, 1):
		return "1/0"
	case math.IsInf(x, -1):
		return "-1/0"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func (w *Literal) table(path string, t *lua.LTable, newline string) (string, error) {
	if slices.Contains(w.around, t) {
		return "", errors.New("a table that contains itself")
	}
	if len(w.around) == MaxDepth/2 {
		return "", fmt.Errorf("%s: more than %d tables inside one another", path, MaxDepth/2)
	}
	if w.Refuse != nil {
		if err := w.Refuse(t); err != nil {
			return "", err
		}
	}
	w.around = append(w.around, t)
	defer func() { w.around = w.around[:len(w.around)-1] }()
	var parts []string
	short := true          // a list without tables
	next := lua.LNumber(1) // the key that need not be written
	for _, key := range Keys(t) {
		text, err := w.At(Path(path, key), t.RawGet(key), newline+"\t")
		if err != nil {
			return "", err
		}
		name, isText := key.(lua.LString)
		switch {
		case key == next:
			next++
			short = short && !strings.Contains(text, "{")
		case isText && syntax.IsName(string(name)):
			text, short = string(name)+" = "+text, false
		default:
			keyText, err := w.At(path, key, newline)
			if err != nil {
				return "", err
			}
			text, short = "["+keyText+"] = "+text, false
		}
		parts = append(parts, text)
	}
	if short {
		return "{" + strings.Join(parts, ", ") + "}", nil
	}
	return "{" + newline + "\t" + strings.Join(parts, ","+newline+"\t") + "," + newline + "}", nil
}

// Keys returns the keys of tables, each once: numbers first, then all others, in order.
func Keys(tables ...*lua.LTable) (keys []lua.LValue) {
	seen := map[lua.LValue]bool{}
	for _, t := range tables {
		t.ForEach(func(k, _ lua.LValue) {
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		})
	}
	slices.SortStableFunc(keys, func(a, b lua.LValue) int {
		x, ok := a.(lua.LNumber)
		y, both := b.(lua.LNumber)
		switch {
		case ok && both && x < y, ok && !both:
			return -1
		case ok && both && x > y, !ok && both:
			return 1
		case ok && both:
			return 0
		}
		return strings.Compare(a.String(), b.String())
	})
	return keys
}

// Path is the path of an entry of the value at a path: report.lambda, sigma[2].
func Path(path string, key lua.LValue) string {
	name, ok := key.(lua.LString)
	switch {
	case !ok:
		return path + "[" + key.String() + "]"
	case path == "":
		return string(name)
	}
	return path + "." + string(name)
}
