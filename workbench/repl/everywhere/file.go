package everywhere

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
)

func (d *Desk) reload() bind.Func {
	return bind.Fn("reload", "Read a module's file again and return the new module. A global of the module's name is replaced; values made by the old one stay as they are. A module of the workbench or of Lua has no file: its name is given back to it, if a variable has taken it.",
		func(c *bind.Call, a *struct {
			Name string `arg:"name" pos:"1" doc:"as given to require"`
		},
		) (lua.LValue, error) {
			loaded, ok := LookUp(c.L, "package.loaded").(*lua.LTable)
			if !ok {
				return nil, fmt.Errorf("there is no package.loaded")
			}
			require, err := bind.Decode[bind.Function](c, c.L.G.Global.RawGetString("require"))
			if err != nil {
				return nil, fmt.Errorf("require: %w", err)
			}
			old := loaded.RawGetString(a.Name)
			if old == lua.LNil {
				return nil, fmt.Errorf("module '%s' is not loaded; require \"%s\" loads it", a.Name, a.Name)
			}
			if d.builtin[lua.LString(a.Name)] == old {
				c.L.G.Global.RawSetString(a.Name, old)
				return old, nil
			}
			loaded.RawSetString(a.Name, lua.LNil)
			results, err := require.Call(c, a.Name)
			if err != nil {
				loaded.RawSetString(a.Name, old) // the old one goes on working
				return nil, err
			}
			if c.L.G.Global.RawGetString(a.Name) == old && len(results) > 0 {
				c.L.G.Global.RawSetString(a.Name, results[0])
			}
			if len(results) == 0 {
				return lua.LNil, nil
			}
			return results[0], nil
		},
		bind.ReturnsAs("any", "the module"), bind.See("watch"), bind.Example(`package.preload.mylib = function() count = (count or 0) + 1 return {count = count} end
mylib = require "mylib"
mylib = reload("mylib")
print(mylib.count)  --> 2`))
}

// watchEvery is the time between two looks at a watched file.
const watchEvery = 200 * time.Millisecond

func (d *Desk) watch() bind.Func {
	return bind.Fn("watch", "Run a file now and again whenever it is saved, until Ctrl-C. Variables stay from one run to the next.",
		func(c *bind.Call, a *struct {
			File string `arg:"file" pos:"1" doc:"a Lua script"`
		},
		) (bind.None, error) {
			if err := d.allowed(); err != nil {
				return bind.None{}, err
			}
			return bind.None{}, d.watchFile(c, a.File)
		},
		bind.Errors("the file does not exist"), bind.See("reload"), bind.Example(`watch("experiment.lua")  --! no such file: experiment.lua`))
}

// watchFile runs a file whenever it changes, until the run is interrupted.
func (d *Desk) watchFile(c *bind.Call, file string) error {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no such file: %s", file)
	}
	var last time.Time
	for {
		info, err := os.Stat(file)
		// An editor that writes by renaming leaves moments without the file.
		if err == nil && !info.ModTime().Equal(last) {
			last = info.ModTime()
			begin := time.Now()
			src, err := arrays.ReadRegular(file)
			if err == nil {
				_, err = d.run(c, file, src, nil)
			}
			if err != nil {
				if c.Err() != nil {
					return c.Err()
				}
				fmt.Fprintf(c.Out, "error: %s\n", err)
			}
			fmt.Fprintf(c.Out, "-- %s, %s; waiting for changes, Ctrl-C ends\n", file, Duration(time.Since(begin)))
		}
		select {
		case <-c.Done():
			return c.Err()
		case <-time.After(watchEvery):
		}
	}
}

func (d *Desk) history() bind.Func {
	return bind.Fn("history", "List past inputs, of this and earlier sessions.",
		func(c *bind.Call, a *struct {
			Text string `arg:"text" pos:"1" doc:"only those that contain this, in any case" default:""`
			N    int    `arg:"n" doc:"at most so many, the last ones" default:"30" allow:">=1"`
		},
		) (bind.None, error) {
			inputs := d.History(a.Text)
			inputs = inputs[max(0, len(inputs)-a.N):]
			return bind.None{}, d.page(c, strings.Join(append(inputs, ""), "\n"))
		},
		bind.Example(`history("kernel")`))
}

func (d *Desk) edit() bind.Func {
	return bind.Fn("edit", "Write the next input in the editor named by $VISUAL or $EDITOR, beginning with the last one. It runs when the editor is left.",
		func(_ *bind.Call, a *struct {
			Name string `arg:"name" pos:"1" doc:"a function typed at the prompt, to change its definition" default:""`
		},
		) (bind.None, error) {
			if err := d.allowed(); err != nil {
				return bind.None{}, err
			}
			return bind.None{}, d.Edit(a.Name)
		},
		bind.Example(`edit("f")`))
}

func (d *Desk) traceback() bind.Func {
	return bind.Fn("traceback", "Show the last error with all the calls that led to it.",
		func(c *bind.Call, _ *struct{}) (bind.None, error) {
			return bind.None{}, d.page(c, d.Trace())
		},
		bind.Example(`traceback()`))
}

func (d *Desk) demo() bind.Func {
	return bind.Fn("demo", "Run a demonstration, showing its text. Without a name, list them.",
		func(c *bind.Call, a *struct {
			Name string `arg:"name" pos:"1" doc:"which" default:""`
		},
		) (bind.None, error) {
			demos := Demos()
			var names []string
			for _, x := range demos {
				names = append(names, x.Name)
				if x.Name == a.Name {
					return bind.None{}, d.runDemo(c, x)
				}
			}
			if a.Name != "" {
				return bind.None{}, fmt.Errorf("no demo '%s'%s", a.Name, bind.DidYouMean(a.Name, names))
			}
			for _, x := range demos {
				fmt.Fprintf(c.Out, "demo(%q)%*s  %s\n", x.Name, 14-len(x.Name), "", x.About)
			}
			return bind.None{}, nil
		},
		bind.Example(`demo()`))
}
