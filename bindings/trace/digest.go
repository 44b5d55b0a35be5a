package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/sorting"
)

// Digest tells a function from others that compute something else, by its code, the
// variables around it and the globals that it names, with all they hold. object writes
// the content of a value of the library's types. What a function reads from files, or
// as a field of _G, is not seen.
func Digest(L *lua.LState, f *lua.LFunction, object func(w io.Writer, v any)) string {
	d := &digester{hash: sha256.New(), global: L.G.Global, object: object, seen: map[lua.LValue]int{}}
	d.value(f)
	return hex.EncodeToString(d.hash.Sum(nil)[:8])
}

type digester struct {
	hash   hash.Hash
	global *lua.LTable
	object func(w io.Writer, v any)
	seen   map[lua.LValue]int
}

func (d *digester) text(s string) { fmt.Fprintf(d.hash, "%d:%s", len(s), s) }

func (d *digester) value(v lua.LValue) {
	switch v := v.(type) {
	case lua.LNumber:
		fmt.Fprintf(d.hash, "number %x", math.Float64bits(float64(v)))
		return
	case lua.LString:
		d.text(string(v))
		return
	case *lua.LTable, *lua.LFunction, *lua.LUserData:
	default:
		d.text(v.String())
		return
	}
	if at, ok := d.seen[v]; ok {
		fmt.Fprintf(d.hash, "seen %d", at)
		return
	}
	d.seen[v] = len(d.seen)
	switch v := v.(type) {
	case *lua.LTable:
		d.table(v)
	case *lua.LFunction:
		d.function(v)
	case *lua.LUserData:
		d.object(d.hash, v.Value)
	}
}

// table takes the entries in the order of their keys.
func (d *digester) table(t *lua.LTable) {
	if t == d.global {
		d.text("_G")
		return
	}
	type entry struct {
		key   string
		value lua.LValue
	}
	var entries []entry
	t.ForEach(func(k, v lua.LValue) {
		switch k.(type) {
		case lua.LNumber, lua.LString, lua.LBool:
			entries = append(entries, entry{k.Type().String() + " " + k.String(), v})
		}
	})
	sorting.By(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	for _, e := range entries {
		d.text(e.key)
		d.value(e.value)
	}
}

func (d *digester) function(f *lua.LFunction) {
	if f.IsG {
		d.text("function of the library")
		return
	}
	d.proto(f.Proto)
	for _, u := range f.Upvalues {
		d.value(u.Value())
	}
	s := &scan{seen: map[*lua.FunctionProto]bool{}}
	s.proto(f.Proto)
	for _, name := range s.globals {
		d.text(name)
		v := d.global.RawGetString(name)
		if t, ok := v.(*lua.LTable); ok && isLibrary(name, t) {
			continue
		}
		d.value(v)
	}
}

func (d *digester) proto(p *lua.FunctionProto) {
	fmt.Fprint(d.hash, p.Code)
	for _, c := range p.Constants {
		d.value(c)
	}
	for _, inner := range p.FunctionPrototypes {
		d.proto(inner)
	}
}
