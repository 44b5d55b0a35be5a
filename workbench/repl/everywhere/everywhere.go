// Package everywhere declares the functions that are at hand in every script
// and at the prompt without a module: help, who, time, bench, progress, seed
// and their kin. They are bound like all others, so help and completion know
// them.
//
// To add one, write it in the file of its kind and list it in Module.
package everywhere

import (
	"errors"
	"io"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/chunk"
)

// A Desk is what these functions know of the program around them. The zero
// Desk serves a script: no history, nothing at the prompt, 80 columns.
type Desk struct {
	Registry *bind.Registry                              // set after bind.New, which needs the module first
	Width    func() int                                  // columns for help pages
	Safe     bool                                        // no files
	Book     func(name string, width int) (string, bool) // a page of the manual that is not in the registry; nil: none
	History  func(text string) []string                  // past inputs that contain text; nil in a script
	Edit     func(name string) error                     // edits an input; nil in a script
	Trace    func() string                               // the last error in full; nil in a script
	Source   func(name string) (string, bool)            // the text a function was written in, by the name of its chunk
	Inputs   func() []Input                              // what was typed in this session and succeeded
	Format   func(long bool)                             // how many digits results have; nil in a script
	Report   func(w io.Writer) error                     // the session as a page of HTML; nil in a script

	// Undefined lists the names that are not defined and for which a script would
	// not be run; nil means that scripts are run unseen.
	Undefined func(script string) []string

	// Silent lists what never fails in an input but is not what was meant, as a comparison that is always false; nil
	// means that nobody looks.
	Silent func(input string) []string

	// Load compiles a file; the host's own remembers the text for messages. Nil
	// means chunk.Load.
	Load func(L *lua.LState, name string, src []byte) (*lua.LFunction, error)

	builtin map[lua.LValue]lua.LValue // globals that were there at the start
	recent  []lua.LValue              // results, latest first: _1, _2, …
}

// Module is the declaration of the functions.
func (d *Desk) Module() bind.Module {
	funcs := []bind.Func{
		d.print(), d.help(), d.doc(), d.search(), d.who(),
		d.time(), d.bench(), d.progress(), d.seed(), d.cli(),
		d.reload(), d.watch(), d.demo(),
		d.saveSession(), d.loadSession(),
	}
	if d.History != nil {
		funcs = append(funcs, d.history())
	}
	if d.Edit != nil {
		funcs = append(funcs, d.edit())
	}
	if d.Trace != nil {
		funcs = append(funcs, d.traceback())
	}
	if d.Report != nil {
		funcs = append(funcs, d.format(), d.save(), d.report())
	}
	return bind.Module{
		Name:   "everywhere",
		Doc:    "Functions that need no module: help, timing, sessions.",
		Global: true,
		Funcs:  funcs,
		Values: []bind.Value{{Name: "version", Doc: "Version of the workbench.", Value: Version()}},
	}
}

// allowed refuses what reaches beyond the script in safe mode.
func (d *Desk) allowed() error {
	if d.Safe {
		return errors.New("not allowed by --safe")
	}
	return nil
}

// Begin remembers which globals belong to the workbench, so that who lists only
// what the user made.
func (d *Desk) Begin(L *lua.LState) {
	d.builtin = map[lua.LValue]lua.LValue{}
	L.G.Global.ForEach(func(k, v lua.LValue) { d.builtin[k] = v })
}

// Own says whether a global of that name and value was made by the user.
func (d *Desk) Own(name string, value lua.LValue) bool {
	was, builtin := d.builtin[lua.LString(name)]
	return (!builtin || was != value) && !strings.HasPrefix(name, "_")
}

// Overwritten are the modules, of the workbench and of Lua, whose names are now
// those of other values.
func (d *Desk) Overwritten(L *lua.LState) (names []string) {
	for k := range d.builtin {
		if name, ok := k.(lua.LString); ok && bind.Hidden(L, string(name)) != nil {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	return names
}

// run runs a chunk, in the environment if it is not nil, and returns its values.
func (d *Desk) run(c *bind.Call, name string, src []byte, environment *lua.LTable) ([]lua.LValue, error) {
	load := d.Load
	if load == nil {
		load = chunk.Load
	}
	f, err := load(c.L, name, src)
	if err != nil {
		return nil, err
	}
	if environment != nil {
		f.Env = environment
	}
	fn, err := bind.Decode[bind.Function](c, f)
	if err != nil {
		return nil, err
	}
	return fn.Call(c)
}

func (d *Desk) width() int {
	if d.Width == nil {
		return 80
	}
	return min(d.Width(), 100) // wider pages are hard to read
}

// page shows a long text.
func (d *Desk) page(c *bind.Call, text string) error {
	_, err := io.WriteString(c.Out, text)
	return err
}
