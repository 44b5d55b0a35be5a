package everywhere

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
)

func (d *Desk) format() bind.Func {
	return bind.Fn("format", "How many digits results at the prompt have: format(\"long\") shows all of them, format(\"short\") as many as are easy to read.",
		func(_ *bind.Call, a *struct {
			Digits string `arg:"digits" pos:"1" doc:"long or short" allow:"long|short"`
		},
		) (bind.None, error) {
			d.Format(a.Digits == "long")
			return bind.None{}, nil
		}, bind.Keywords("digits", "precision"), bind.Example("format(\"long\")\nformat(\"short\")"))
}

func (d *Desk) save() bind.Func {
	return bind.Fn("save", "Write the inputs of this session that succeeded to a file, as a script.",
		func(c *bind.Call, a *struct {
			File string `arg:"file" pos:"1" doc:"where, with the ending .lua"`
		},
		) (bind.None, error) {
			if err := d.allowed(); err != nil {
				return bind.None{}, err
			}
			if !strings.HasSuffix(a.File, ".lua") {
				return bind.None{}, fmt.Errorf("file %q: must end in .lua; save_session(file) saves the variables", a.File)
			}
			return bind.None{}, d.saveInputs(c, a.File)
		}, bind.See("save_session", "report"), bind.Example("save(os.tmpname() .. \".lua\")"))
}

func (d *Desk) report() bind.Func {
	return bind.Fn("report", "Write this session as one page of HTML: inputs, what they printed, pictures, times, errors, and the version of the program. The page needs no other file.",
		func(c *bind.Call, a *struct {
			File string `arg:"file" pos:"1" doc:"where, with the ending .html"`
		},
		) (bind.None, error) {
			if err := d.allowed(); err != nil {
				return bind.None{}, err
			}
			if !strings.HasSuffix(a.File, ".html") {
				return bind.None{}, fmt.Errorf("file %q: must end in .html", a.File)
			}
			if err := arrays.WriteAtomic(a.File, d.Report); err != nil {
				return bind.None{}, err
			}
			fmt.Fprintln(c.Out, a.File)
			return bind.None{}, nil
		}, bind.Keywords("notebook", "html", "publish"), bind.See("save"), bind.Example("report(os.tmpname() .. \".html\")"))
}
