package stdlib

import (
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// Frame is one active call of Lua code.
type Frame struct {
	File string
	Line int
	Name string // "function 'solve'", "main chunk", "function at line 12"
}

// frameReader reads gopher-lua's call frames, which it keeps to itself: reflection may read what it may not change. Its
// own functions for that lose count at tail calls and do not tell which instruction a caller is at. TestFrameFields fails
// when a new version of gopher-lua names things differently.
type frameReader struct {
	parent, fn, pc                      int // in callFrame
	isG, env, proto                     int // in LFunction
	source, code, lines, calls, defined int // in FunctionProto
	callPC, callName                    int // in DbgCall
}

func newFrameReader() frameReader {
	field := func(t reflect.Type, name string) int {
		f, ok := t.FieldByName(name)
		if !ok {
			panic("gopher-lua has no field " + t.String() + "." + name)
		}
		return f.Index[0]
	}
	frame, _ := reflect.TypeFor[lua.Debug]().FieldByName("frame")
	call, function, proto, dbg := frame.Type.Elem(), reflect.TypeFor[lua.LFunction](), reflect.TypeFor[lua.FunctionProto](), reflect.TypeFor[lua.DbgCall]()
	return frameReader{
		parent: field(call, "Parent"), fn: field(call, "Fn"), pc: field(call, "Pc"),
		isG: field(function, "IsG"), env: field(function, "Env"), proto: field(function, "Proto"),
		source: field(proto, "SourceName"), code: field(proto, "Code"), lines: field(proto, "DbgSourcePositions"),
		calls: field(proto, "DbgCalls"), defined: field(proto, "LineDefined"),
		callPC: field(dbg, "Pc"), callName: field(dbg, "Name"),
	}
}

// frameValue is a call frame; the zero value is none.
type frameValue struct {
	reader *frameReader
	v      reflect.Value // a callFrame
}

// top returns the innermost frame of a thread.
func (lib *Library) top(L *lua.LState) frameValue {
	frame, ok := bind.CallFrame(L)
	if !ok {
		return frameValue{}
	}
	return frameValue{&lib.frames, frame}
}

func (r *frameReader) at(pointer reflect.Value) frameValue {
	if pointer.IsNil() {
		return frameValue{}
	}
	return frameValue{r, pointer.Elem()}
}

func (f frameValue) exists() bool       { return f.reader != nil }
func (f frameValue) parent() frameValue { return f.reader.at(f.v.Field(f.reader.parent)) }
func (f frameValue) pc() int            { return int(f.v.Field(f.reader.pc).Int()) }
func (f frameValue) fn() reflect.Value  { return f.v.Field(f.reader.fn).Elem() }
func (f frameValue) isGo() bool         { return f.fn().Field(f.reader.isG).Bool() }
func (f frameValue) hidden() bool {
	return f.exists() && f.isGo() && f.fn().Field(f.reader.env).IsNil()
}
func (f frameValue) proto() reflect.Value { return f.fn().Field(f.reader.proto).Elem() }
func (f frameValue) source() string       { return f.proto().Field(f.reader.source).String() }
func (f frameValue) defined() int         { return int(f.proto().Field(f.reader.defined).Int()) }

// instruction returns the instruction a Lua frame is at.
func (f frameValue) instruction() uint32 {
	code := f.proto().Field(f.reader.code)
	if i := f.pc() - 1; i >= 0 {
		return uint32(code.Index(i).Uint())
	}
	return 0
}

// line returns the line a Lua frame is at.
func (f frameValue) line() int {
	list := f.proto().Field(f.reader.lines)
	if i := f.pc() - 1; i >= 0 {
		return int(list.Index(i).Int())
	}
	return 0
}

// callee returns the name, as the source has it, of the function that a Lua frame is calling; "" if it has none.
func (f frameValue) callee() string {
	calls := f.proto().Field(f.reader.calls)
	for i := range calls.Len() {
		if c := calls.Index(i); int(c.Field(f.reader.callPC).Int()) == f.pc()-1 {
			if name := c.Field(f.reader.callName).String(); name != "?" && name != "(anonymous)" {
				return name
			}
		}
	}
	return ""
}

// name describes the function of a Lua frame.
func (f frameValue) name() string {
	if f.defined() == 0 {
		return "main chunk"
	}
	if caller := f.parent(); caller.exists() && !caller.isGo() {
		if name := caller.callee(); name != "" {
			return "function '" + name + "'"
		}
	}
	return "function at line " + itoa(f.defined())
}

// Frames returns the active calls of Lua code in a thread, innermost first.
func (lib *Library) Frames(L *lua.LState) []Frame {
	var frames []Frame
	for f := lib.top(L); f.exists(); f = f.parent() {
		if !f.isGo() && !strings.HasPrefix(f.source(), hiddenSource) {
			frames = append(frames, Frame{File: f.source(), Line: f.line(), Name: f.name()})
		}
	}
	return frames
}

// hiddenSource begins the names of the library's own chunks, which tracebacks leave out.
const hiddenSource = "(library)"

// scriptPosition returns "file:line: " for the innermost frame of a script, "" if there is none.
func (lib *Library) scriptPosition(L *lua.LState) string {
	for f := lib.top(L); f.exists(); f = f.parent() {
		if !f.isGo() && !strings.HasPrefix(f.source(), hiddenSource) {
			return f.source() + ":" + itoa(f.line()) + ": "
		}
	}
	return ""
}

// position returns "file:line: " for the function at the given level, 1 being the caller of the running Go function; ""
// where that is not Lua code. The functions behind operators (package chunk), which have no environment, do not count: the
// caller of a metamethod is the code with the operator.
func (lib *Library) position(L *lua.LState, level int) string {
	f := lib.top(L)
	for ; level > 0 && f.exists(); level-- {
		for f = f.parent(); f.hidden(); {
			f = f.parent()
		}
	}
	if !f.exists() || f.isGo() || f.line() == 0 {
		return ""
	}
	return f.source() + ":" + itoa(f.line()) + ": "
}
