package everywhere

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/repl/show"
)

// A session file is a zip archive:
//
//	manifest.json  format, program, time, the inputs that succeeded
//	session.lua    assigns the variables; object(i) is the i-th file
//	objects/…      what values wrote with their own save
//
// Data is stored, functions are stored as the text they were written in, and
// values that print as the expression that makes them are made again.
const sessionFormat = 1

type manifest struct {
	Format  int       `json:"format"`
	Program string    `json:"program"`
	Time    time.Time `json:"time"`
	Loaders []string  `json:"loaders,omitempty"` // of object i: "array.load"
	Objects []string  `json:"objects,omitempty"` // file names of the objects
	Inputs  []string  `json:"inputs,omitempty"`
}

func (d *Desk) saveSession() bind.Func {
	return bind.Fn("save_session", "Save the variables to a file: data, values that can be saved or made again, and functions by their text. "+
		"What cannot be saved is listed. A file name that ends in .lua gets the inputs of the session that succeeded, as a script.",
		func(c *bind.Call, a *struct {
			File string `arg:"file" pos:"1" doc:"where to save"`
		},
		) (bind.None, error) {
			if err := d.allowed(); err != nil {
				return bind.None{}, err
			}
			if strings.HasSuffix(a.File, ".lua") {
				return bind.None{}, d.saveInputs(c, a.File)
			}
			s := &saver{desk: d, c: c}
			return bind.None{}, s.save(a.File)
		},
		bind.Keywords("save", "store"), bind.See("load_session"), bind.Example(`path = os.tmpname()
save_session(path)
os.remove(path)`))
}

func (d *Desk) saveInputs(c *bind.Call, file string) error {
	if d.Inputs == nil {
		return errors.New("only the prompt has inputs to save")
	}
	text, n := d.scripter(c.L).script(d.Inputs(), d.Undefined)
	if err := arrays.WriteAtomic(file, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s: %d inputs\n", file, n)
	return nil
}

// A saver turns the variables of a session into a script and files.
type saver struct {
	desk    *Desk
	c       *bind.Call
	dir     string // where values write their files
	loaders []string
	objects []string
}

func (s *saver) save(file string) error {
	var err error
	if s.dir, err = os.MkdirTemp("", "session"); err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	var script strings.Builder
	var lost []string
	saved := 0
	for _, v := range s.desk.variables(s.c.L) {
		text, err := s.variable(v)
		if err != nil {
			if s.c.Err() != nil {
				return s.c.Err()
			}
			lost = append(lost, fmt.Sprintf("%s: %v", v.name, err))
			continue
		}
		script.WriteString(text + "\n")
		saved++
	}
	m := manifest{Format: sessionFormat, Program: Version(), Time: time.Now().UTC(), Loaders: s.loaders, Objects: s.objects}
	if s.desk.Inputs != nil {
		for _, input := range s.desk.Inputs() {
			m.Inputs = append(m.Inputs, input.Text)
		}
	}
	if err := arrays.WriteAtomic(file, func(w io.Writer) error { return s.archive(w, m, script.String()) }); err != nil {
		return err
	}
	fmt.Fprintf(s.c.Out, "%s: %d variables\n", file, saved)
	for _, l := range lost {
		fmt.Fprintf(s.c.Out, "  not saved: %s\n", l)
	}
	return nil
}

func (s *saver) archive(w io.Writer, m manifest, script string) error {
	z := zip.NewWriter(w)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	for name, data := range map[string]string{"manifest.json": string(text) + "\n", "session.lua": script} {
		f, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, data); err != nil {
			return err
		}
	}
	for _, name := range s.objects {
		if err := addFile(z, "objects/"+name, filepath.Join(s.dir, name)); err != nil {
			return err
		}
	}
	return z.Close()
}

func addFile(z *zip.Writer, name, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}) // arrays do not compress
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return err
}

// variable is the line of the script that makes a global again.
func (s *saver) variable(v variable) (string, error) {
	name := v.name
	if !syntax.IsName(name) {
		name = "_G[" + syntax.Quote(name) + "]"
	}
	if f, ok := v.value.(*lua.LFunction); ok {
		return s.function(v.name, f)
	}
	text, err := s.literal().Text(v.value)
	if err != nil {
		return "", err
	}
	return name + " = " + text, nil
}

// literal writes values as expressions, those of the workbench as what makes them again.
func (s *saver) literal() *chunk.Literal {
	return &chunk.Literal{
		Other: func(_ string, v lua.LValue, _ string) (string, error) {
			switch v := v.(type) {
			case *lua.LUserData:
				return s.object(v)
			case *lua.LFunction:
				return "", errors.New("a function inside a table")
			}
			return "", fmt.Errorf("a %s", v.Type())
		},
		Refuse: func(t *lua.LTable) error {
			if mt, ok := t.Metatable.(*lua.LTable); t.Metatable != lua.LNil && (!ok || mt.RawGetString("__index") != lua.LNil && !isRecord(mt)) {
				return errors.New("a table with a metatable")
			}
			if err := bind.Finish(s.c.L, t); err != nil {
				return err
			}
			if n := count(t); n > maxConstants {
				return fmt.Errorf("a table of %d entries; keep data in an array", n)
			}
			return nil
		},
	}
}

// maxConstants is how many entries a table may have: the compiler takes long lists badly.
const maxConstants = 20000

// isRecord says whether a metatable is that of a table a bound function
// returned: only for printing.
func isRecord(mt *lua.LTable) bool {
	f, ok := mt.RawGetString("__index").(*lua.LFunction)
	return ok && f.IsG
}

// object saves a value of the workbench with its own save, if its module can
// load it again, or else as the expression it prints as, if that makes it again.
func (s *saver) object(u *lua.LUserData) (string, error) {
	kind, ok := s.desk.Registry.Name(s.c.L, u)
	if !ok {
		return "", errors.New("a value of a foreign type")
	}
	if loader, ok := s.desk.loader(kind); ok {
		return s.file(u, loader)
	}
	text := strings.TrimSpace(show.Describe(s.c.L, u))
	again, err := s.evaluate(text)
	if err != nil || s.desk.typeName(s.c.L, again) != kind || strings.TrimSpace(show.Describe(s.c.L, again)) != text {
		return "", fmt.Errorf("a %s, which can neither be saved nor printed as an expression", kind)
	}
	return text, nil
}

// loader is the function that reads what values of a type have saved.
func (d *Desk) loader(kind string) (string, bool) {
	for _, m := range d.Registry.Manual().Modules {
		for _, t := range m.Types {
			saves := slices.ContainsFunc(t.Methods, func(f bind.FuncDoc) bool { return f.Name == "save" })
			if t.Name != kind || !saves {
				continue
			}
			for _, f := range m.Functions {
				if f.Name == "load" && len(f.Returns) > 0 && slices.Contains(strings.Split(f.Returns[0].Type, "|"), kind) {
					return f.FullName, true
				}
			}
		}
	}
	return "", false
}

// extensions are tried in order: which one a type wants is known to its save.
func extensions() []string { return []string{".npz", ".npy", ".json", ".dat"} }

func (s *saver) file(u *lua.LUserData, loader string) (string, error) {
	method := s.c.L.GetField(u, "save")
	save, err := bind.Decode[bind.Function](s.c, method)
	if err != nil {
		return "", err
	}
	var first error
	for _, ext := range extensions() {
		name := fmt.Sprintf("%d%s", len(s.objects)+1, ext)
		_, err := save.Call(s.c, u, filepath.Join(s.dir, name))
		if err == nil {
			s.objects, s.loaders = append(s.objects, name), append(s.loaders, loader)
			return fmt.Sprintf("object(%d)", len(s.objects)), nil
		}
		if first == nil {
			first = err
		}
	}
	return "", first
}

// evaluate runs an expression.
func (s *saver) evaluate(expression string) (lua.LValue, error) {
	values, err := s.desk.run(s.c, "save_session", []byte("return "+expression), nil)
	if err != nil || len(values) == 0 {
		return lua.LNil, err
	}
	return values[0], nil
}
