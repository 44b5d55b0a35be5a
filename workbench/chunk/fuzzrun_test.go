package chunk_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/stdlib"
)

//go:embed testdata/prelude.lua
var prelude string

// Reference runs programs with an implementation of Lua in C and returns what each printed, as one line. The command may
// have arguments: luajit -joff, because the compiler of luajit has mistakes of its own.
func Reference(ctx context.Context, command string, programs []string) ([]string, error) {
	dir, err := os.MkdirTemp("", "fuzzlua")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for i, p := range programs {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.lua", i+1)), []byte(p), 0o600); err != nil {
			return nil, err
		}
	}
	harness := filepath.Join(dir, "prelude.lua")
	if err := os.WriteFile(harness, []byte(prelude), 0o600); err != nil {
		return nil, err
	}
	words := append(strings.Fields(command), harness, dir, fmt.Sprint(len(programs)))
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(programs) {
		return nil, fmt.Errorf("%s: %d results for %d programs", command, len(lines), len(programs))
	}
	return lines, nil
}

// LoadPath is one of the ways by which text becomes a function.
type LoadPath struct {
	Name string
	run  func(r *runner, program string) error
}

// LoadPaths are all of them.
func LoadPaths() []LoadPath {
	return []LoadPath{
		{"file", func(r *runner, p string) error { return r.script(p) }},
		{"loadstring", func(r *runner, p string) error { return r.inner(`assert(loadstring(text, "=p"))()`, p) }},
		{"load", func(r *runner, p string) error {
			return r.inner(`local at = 0
				assert(load(function() at = at + 50; if at <= #text + 50 then return text:sub(at - 49, at) end end, "=p"))()`, p)
		}},
		{"loadfile", func(r *runner, p string) error { return r.fromFile(`assert(loadfile(path))()`, p) }},
		{"dofile", func(r *runner, p string) error { return r.fromFile(`dofile(path)`, p) }},
		{"require", func(r *runner, p string) error {
			return r.fromFile(`package.path = dir .. "/?.lua"; require "p"`, p)
		}},
		{"coroutine", func(r *runner, p string) error { return r.inner(`coroutine.wrap(assert(loadstring(text, "=p")))()`, p) }},
		{"expression", func(r *runner, p string) error { return r.expression(p) }},
	}
}

// Limit is how long a program may run with the workbench.
const Limit = 5 * time.Second

// Run runs a program with the workbench and returns what it printed, as Reference does.
func Run(path LoadPath, program string) string {
	options := stdlib.Options{Out: io.Discard}
	L := lua.NewState(stdlib.StateOptions(options))
	defer L.Close()
	r := &runner{L: L, lib: stdlib.Open(L, options)}
	r.open()
	ctx, cancel := context.WithTimeout(context.Background(), Limit)
	defer cancel()
	defer r.lib.Session().Begin(ctx)()
	err := path.run(r, program)
	var fault *stdlib.Fault
	var syntax *chunk.SyntaxError
	var internal *stdlib.InternalError
	switch {
	case err == nil:
		r.out = append(r.out, "ok")
	case ctx.Err() != nil:
		r.out = append(r.out, "time limit")
	case errors.As(err, &syntax):
		r.out = append(r.out, "syntax "+err.Error())
	case errors.As(err, &internal):
		r.out = append(r.out, err.Error())
	case errors.As(err, &fault):
		r.out = append(r.out, "error "+show(fault.Value))
	default:
		r.out = append(r.out, err.Error())
	}
	return strings.Join(r.out, "|")
}

type runner struct {
	L   *lua.LState
	lib *stdlib.Library
	out []string
}

// open makes the functions of prelude.lua.
func (r *runner) open() {
	set := func(name string, f func(L *lua.LState) int) { r.L.G.Global.RawSetString(name, r.L.NewFunction(f)) }
	push := func(L *lua.LState, v lua.LValue) int { L.Push(v); return 1 }
	set("P", func(L *lua.LState) int {
		line := make([]string, L.GetTop())
		for i := range line {
			line[i] = show(L.Get(i + 1))
		}
		r.out = append(r.out, strings.Join(line, " "))
		return 0
	})
	set("N", func(L *lua.LState) int { return push(L, number(L.Get(1))) })
	set("M", func(L *lua.LState) int {
		x := number(L.Get(1))
		if x != x || x > 1e6 || x < -1e6 {
			x = 0
		}
		return push(L, x+0)
	})
	set("Z", func(L *lua.LState) int {
		x := number(L.Get(1))
		if x != x {
			x = 0
		}
		return push(L, x+0)
	})
	set("S", func(L *lua.LState) int {
		if s, ok := L.Get(1).(lua.LString); ok {
			return push(L, s)
		}
		return push(L, lua.LString(""))
	})
	set("V", func(L *lua.LState) int {
		n := L.GetTop()
		for i := 1; i <= n; i++ {
			L.Push(number(L.Get(i)))
		}
		return n
	})
}

func number(v lua.LValue) lua.LNumber {
	switch v := v.(type) {
	case lua.LNumber:
		return v
	case *lua.LNilType:
		return 0
	case lua.LBool:
		if v {
			return 1
		}
		return 0
	}
	return 2
}

var (
	position = regexp.MustCompile(`^[^\n]*?:(\d+): `)
	wording  = regexp.MustCompile(`(attempt|bad argument|malformed pattern) [^\n]*`) // of messages, which is our own
)

func show(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LNumber:
		if v == 0 {
			return "0"
		}
		if x := float64(v); x-x == 0 {
			return strconv.FormatFloat(x, 'g', 17, 64) // all of it
		}
		return stdlib.FormatNumber(float64(v))
	case lua.LString:
		s := wording.ReplaceAllString(position.ReplaceAllString(string(v), "p:$1: "), "$1")
		var out strings.Builder
		for _, b := range []byte(s) {
			if b < 32 || b > 126 {
				fmt.Fprintf(&out, "\\%d", b)
			} else {
				out.WriteByte(b)
			}
		}
		return "'" + out.String() + "'"
	case lua.LBool, *lua.LNilType:
		return v.String()
	}
	return v.Type().String()
}

// script runs a chunk as a file is run.
func (r *runner) script(text string) error {
	fn, err := r.lib.Load(r.L, "p", []byte(text))
	if err != nil {
		return err
	}
	_, err = r.lib.Call(r.L, fn)
	return err
}

// inner runs a chunk that loads the program itself.
func (r *runner) inner(loader, program string) error {
	r.L.G.Global.RawSetString("text", lua.LString(program))
	return r.script(loader)
}

// fromFile runs a chunk that loads the program from a file.
func (r *runner) fromFile(loader, program string) error {
	dir, err := os.MkdirTemp("", "fuzzlua")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "p.lua")
	if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
		return err
	}
	r.L.G.Global.RawSetString("path", lua.LString(path))
	r.L.G.Global.RawSetString("dir", lua.LString(dir))
	return r.script(loader)
}

// expression runs the program as the prompt runs an expression.
func (r *runner) expression(program string) error {
	fn, err := r.lib.LoadInput(r.L, "p", []byte("(function(...) "+strings.TrimSuffix(program, "\n")+"\nend)(...)"))
	if err != nil {
		return err
	}
	_, err = r.lib.Call(r.L, fn)
	return err
}

var decimal = regexp.MustCompile(`\d+(\.\d+)?(e[-+]\d+)?`)

// RoundTies takes the last digits of long numbers away, which luajit rounds differently: to %.14g, 0.40625 with fourteen
// digits before the 5 is to it the number above, to C the even one.
func RoundTies(output string) string {
	return decimal.ReplaceAllStringFunc(output, func(s string) string {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || len(s) < 14 {
			return s
		}
		return strconv.FormatFloat(x, 'g', 12, 64)
	})
}
