package stdlib

import (
	"os"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openPackage makes the table package. It comes first: the other libraries enter themselves in package.loaded.
func (lib *Library) openPackage(L *lua.LState) {
	loaded := L.NewTable()
	L.G.Registry.RawSetString("_LOADED", loaded)
	table := lib.module(L, "package", nil)
	table.RawSetString("loaded", loaded)
	table.RawSetString("preload", L.NewTable())
	table.RawSetString("path", lua.LString(lib.searchPath()))
	table.RawSetString("cpath", lua.LString(""))
	table.RawSetString("config", lua.LString(string(os.PathSeparator)+"\n;\n?\n!\n-\n"))
	lib.register(L, table, []entry{{"seeall", seeAll}})
	loaders := L.NewTable()
	loaders.RawSetInt(1, lib.function(L, "require", loadPreloaded))
	loaders.RawSetInt(2, lib.function(L, "require", searchFile))
	table.RawSetString("loaders", loaders)
	L.G.Registry.RawSetString("_LOADERS", loaders)
}

// loaded returns package.loaded.
func (lib *Library) loaded(L *lua.LState) *lua.LTable {
	return L.G.Registry.RawGetString("_LOADED").(*lua.LTable)
}

// searchPath is the first value of package.path: the folder of the script, then, unless in safe mode, the current one.
func (lib *Library) searchPath() string {
	dir := lib.options.Dir
	if dir == "" {
		dir = "."
	}
	patterns := []string{filepath.Join(dir, "?.lua"), filepath.Join(dir, "?", "init.lua")}
	if dir == "." {
		patterns = []string{"./?.lua", "./?/init.lua"}
	} else if !lib.options.Safe {
		patterns = append(patterns, "./?.lua", "./?/init.lua")
	}
	return strings.Join(patterns, ";")
}

// loading marks a module whose file is being run.
type loading struct{}

// require (name) returns the module, which is loaded the first time.
func require(c call) int {
	name := c.text(1)
	loaded := c.lib.loaded(c.LState)
	switch module := loaded.RawGetString(name).(type) {
	case *lua.LUserData:
		if _, ok := module.Value.(loading); ok {
			c.refuse("module '%s' requires itself, perhaps through others, or failed to load before", name)
		}
		return c.push(module)
	case lua.LValue:
		if lua.LVAsBool(module) {
			return c.push(module)
		}
	}
	loader := c.findLoader(name)
	marker := c.NewUserData()
	marker.Value = loading{}
	loaded.RawSetString(name, marker)
	outer := c.lib.enter(c.LState)
	defer c.lib.nesting.Restore(outer)
	done := false
	defer func() {
		if !done { // so that it can be tried again once the file is corrected
			loaded.RawSetString(name, lua.LNil)
		}
	}()
	result := invoke(c.LState, loader, lua.LString(name))
	done = true
	if result != lua.LNil {
		loaded.RawSetString(name, result)
	} else if loaded.RawGetString(name) == lua.LValue(marker) {
		loaded.RawSetString(name, lua.LTrue)
	}
	return c.push(loaded.RawGetString(name))
}

// findLoader asks the functions in package.loaders for one that loads the module.
func (c call) findLoader(name string) lua.LValue {
	loaders, ok := c.packageField("loaders").(*lua.LTable)
	if !ok {
		c.refuse("package.loaders must be a table")
	}
	tried := ""
	for i := 1; ; i++ {
		search := loaders.RawGetInt(i)
		if search == lua.LNil {
			c.refuse("module '%s' not found: the modules of the workbench are there without require, ?* lists them; one of your own is a file:%s", name, tried)
		}
		switch found := invoke(c.LState, search, lua.LString(name)).(type) {
		case *lua.LFunction:
			return found
		case lua.LString:
			tried += string(found)
		}
	}
}

// packageField returns a field of the table package, as the script may have changed it.
func (c call) packageField(name string) lua.LValue {
	table, ok := c.lib.loaded(c.LState).RawGetString("package").(*lua.LTable)
	if !ok {
		return lua.LNil
	}
	return table.RawGetString(name)
}

func loadPreloaded(c call) int {
	preload, ok := c.packageField("preload").(*lua.LTable)
	if !ok {
		c.refuse("package.preload must be a table")
	}
	if loader := preload.RawGetString(c.text(1)); loader != lua.LNil {
		return c.push(loader)
	}
	return c.push(lua.LString("\n\tno field package.preload['" + c.text(1) + "']"))
}

// searchFile looks for a module along package.path.
func searchFile(c call) int {
	name := c.text(1)
	path, ok := c.packageField("path").(lua.LString)
	if !ok {
		c.refuse("package.path must be a string")
	}
	tried := ""
	for pattern := range strings.SplitSeq(string(path), ";") {
		file := strings.ReplaceAll(pattern, "?", strings.ReplaceAll(name, ".", string(os.PathSeparator)))
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			tried += "\n\tno file '" + file + "'"
			continue
		}
		if err := c.lib.checkPath(file); err != nil {
			tried += "\n\t" + err.Error()
			continue
		}
		src, err := c.lib.readFile(file)
		if err != nil {
			c.refuse("error loading module '%s': %s", name, pathError(err))
		}
		fn, err := c.lib.Load(c.LState, strings.TrimPrefix(file, "./"), src)
		if err != nil {
			raise(c.LState, lua.LString("error loading module '"+name+"': "+err.Error()), err)
		}
		return c.push(fn)
	}
	return c.push(lua.LString(tried))
}

// seeAll (module) lets the functions of a module see the globals.
func seeAll(c call) int {
	table := c.table(1)
	meta, ok := table.Metatable.(*lua.LTable)
	if !ok {
		meta = c.NewTable()
		table.Metatable = meta
	}
	meta.RawSetString("__index", c.G.Global)
	return 0
}

// module (name, ...) makes a global table the module of that name and the environment of the calling function, the way of
// Lua 5.1 to write modules. Further arguments are functions to call with the table.
func module(c call) int {
	name := c.text(1)
	loaded := c.lib.loaded(c.LState)
	table, ok := loaded.RawGetString(name).(*lua.LTable)
	if !ok {
		if table, ok = c.FindTable(c.G.Global, name, 1).(*lua.LTable); !ok {
			c.refuse("name conflict for module '%s'", name)
		}
		loaded.RawSetString(name, table)
	}
	if table.RawGetString("_NAME") == lua.LNil {
		table.RawSetString("_M", table)
		table.RawSetString("_NAME", lua.LString(name))
		table.RawSetString("_PACKAGE", lua.LString(name[:strings.LastIndexByte(name, '.')+1]))
	}
	for i := 2; i <= c.GetTop(); i++ {
		invoke(c.LState, c.Get(i), table)
	}
	c.SetTop(0)
	c.push(lua.LNumber(1), table)
	return setEnvironment(c)
}
