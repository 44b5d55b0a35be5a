package stdlib

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openDebug makes the table debug, with traceback only: the rest would let scripts break the library.
func (lib *Library) openDebug(L *lua.LState) {
	lib.module(L, "debug", []entry{{"traceback", debugTraceback}})
}

// debugTraceback ([message [, level]]) returns the message and the active calls of Lua code.
func debugTraceback(c call) int {
	if c.GetTop() > 0 && c.Get(1).Type() != lua.LTString && c.Get(1).Type() != lua.LTNumber && c.has(1) {
		return c.push(c.Get(1))
	}
	frames := c.lib.Frames(c.LState)
	frames = frames[min(max(0, c.integerOr(2, 1)-1), len(frames)):]
	text := FormatFrames(frames)
	if c.has(1) {
		text = c.text(1) + "\n" + text
	}
	return c.push(lua.LString(text))
}

// tracebackEnds is how many frames FormatFrames shows at each end.
const tracebackEnds = 10

// FormatFrames returns a traceback as text. Of a long one the middle is left out.
func FormatFrames(frames []Frame) string {
	var out strings.Builder
	out.WriteString("stack traceback:")
	for i, f := range frames {
		if i == tracebackEnds && len(frames) > 2*tracebackEnds+1 {
			fmt.Fprintf(&out, "\n\t... (%d more)", len(frames)-2*tracebackEnds)
		}
		if i < tracebackEnds || i >= len(frames)-tracebackEnds || len(frames) <= 2*tracebackEnds+1 {
			fmt.Fprintf(&out, "\n\t%s:%d: in %s", f.File, f.Line, f.Name)
		}
	}
	return out.String()
}
