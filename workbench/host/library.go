package host

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/lua"
)

// preload makes the part of the library that is written in Lua known to require.
func (h *Host) preload() {
	for name, text := range lua.Sources() {
		h.L.PreloadModule(name, func(L *glua.LState) int {
			fn, err := h.Library.Load(L, "lua/"+name+".lua", []byte(text))
			if err != nil {
				L.RaiseError("%s", strings.TrimSpace(fmt.Sprint(err)))
			}
			L.Push(fn)
			L.Push(glua.LString(name))
			L.Call(1, 1)
			return 1
		})
	}
}
