package stdlib

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

func (lib *Library) openOS(L *lua.LState) {
	table := lib.module(L, "os", []entry{
		{"clock", osClock}, {"date", osDate}, {"difftime", osDifference}, {"exit", osExit}, {"setlocale", osSetLocale}, {"time", osTime},
	})
	if !lib.options.Safe {
		lib.register(L, table, []entry{
			{"execute", osExecute}, {"getenv", osGetenv}, {"remove", osRemove}, {"rename", osRename}, {"tmpname", osTmpname},
		})
	}
}

// osClock returns the seconds of processor time that the process has used, or, where the system does not tell, those since
// the library was opened.
func osClock(c call) int {
	used, ok := progress.Processor()
	if !ok {
		used = time.Since(c.lib.started)
	}
	return c.push(lua.LNumber(used.Seconds()))
}

func osDifference(c call) int {
	second := 0.0
	if c.has(2) {
		second = c.number(2)
	}
	return c.push(lua.LNumber(c.number(1) - second))
}

// osExit ([code]) ends the script, not the process: the error it raises cannot be caught, and Go code finds an *ExitError
// as its cause. true is 0, false is 1.
func osExit(c call) int {
	code := 0
	switch v := c.Get(1).(type) {
	case lua.LBool:
		if !v {
			code = 1
		}
	case *lua.LNilType:
	default:
		code = c.integer(1)
	}
	exit := &ExitError{code}
	object := c.NewUserData()
	object.Value = exit
	raise(c.LState, object, exit)
	return 0
}

func osSetLocale(c call) int {
	if name := c.textOr(1, "C"); name == "" || name == "C" || name == "POSIX" {
		return c.push(lua.LString("C"))
	}
	return c.push(lua.LNil)
}

// osTime ([table]) returns seconds since 1970.
func osTime(c call) int {
	if !c.has(1) {
		return c.push(lua.LNumber(time.Now().Unix()))
	}
	table := c.table(1)
	field := func(name string, otherwise int) int {
		if x, ok := toNumber(table.RawGetString(name)); ok {
			if !(math.Abs(float64(x)) <= math.MaxInt32) { // as in C, whose fields are of 32 bits
				c.refuse("field '%s' is out-of-bound", name)
			}
			return toInt(x)
		}
		if otherwise < 0 {
			c.refuse("field '%s' missing in date table", name)
		}
		return otherwise
	}
	year, month, day := field("year", -1), field("month", -1), field("day", -1)
	t := time.Date(year, time.Month(month), day, field("hour", 12), field("min", 0), field("sec", 0), 0, time.Local)
	return c.push(lua.LNumber(t.Unix()))
}

func osGetenv(c call) int {
	if value, ok := os.LookupEnv(c.text(1)); ok {
		return c.push(lua.LString(value))
	}
	return c.push(lua.LNil)
}

// failure pushes what library functions return when the system refuses: nil, a message, a number.
func (c call) failure(err error) int {
	c.checkRun()
	number := 1
	var code syscall.Errno
	if errors.As(err, &code) {
		number = int(code)
	}
	return c.push(lua.LNil, lua.LString(pathError(err)), lua.LNumber(number))
}

func (c call) success(err error) int {
	if err != nil {
		return c.failure(err)
	}
	return c.push(lua.LTrue)
}

func osRemove(c call) int { return c.success(os.Remove(c.text(1))) }
func osRename(c call) int { return c.success(os.Rename(c.text(1), c.text(2))) }

func osTmpname(c call) int {
	f, err := os.CreateTemp("", "lua_")
	if err != nil {
		c.refuse("unable to generate a unique filename: %s", pathError(err))
	}
	f.Close()
	return c.push(lua.LString(f.Name()))
}

// shell is the command that runs a command line; it ends with the session's run.
func (c call) shell(line string) *exec.Cmd {
	name, flag := "/bin/sh", "-c"
	if runtime.GOOS == "windows" {
		name, flag = "cmd", "/c"
	}
	command := exec.CommandContext(c.lib.session, name, flag, line)
	command.Cancel = func() error {
		command.WaitDelay = 100 * time.Millisecond // children of the shell may hold its output open
		return command.Process.Kill()
	}
	command.Stdin, command.Stdout, command.Stderr = c.lib.options.In, c.lib.options.Out, c.lib.options.Err
	if c.lib.options.Stdin != nil {
		command.Stdin = c.lib.options.Stdin
	}
	return command
}

// osExecute ([command]) runs a command and returns its exit status; without one, whether there is a shell.
func osExecute(c call) int {
	if !c.has(1) {
		return c.push(lua.LNumber(1))
	}
	err := c.shell(c.text(1)).Run()
	c.checkRun()
	return c.push(lua.LNumber(exitStatus(err)))
}

// exitStatus returns the exit status of a command, -1 if it could not be run.
func exitStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}
