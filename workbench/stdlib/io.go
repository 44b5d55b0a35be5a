package stdlib

import (
	"bufio"
	"errors"
	"io"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// openIO makes the table io. In safe mode it has the standard streams and no files.
func (lib *Library) openIO(L *lua.LState) {
	lib.fileMT = L.NewTable()
	methods := L.NewTable()
	lib.register(L, methods, []entry{
		{"close", fileClose},
		{"flush", fileFlush},
		{"lines", fileLines},
		{"read", fileRead},
		{"seek", fileSeek},
		{"setvbuf", fileSetBuffer},
		{"write", fileWrite},
	})
	lib.fileMT.RawSetString("__index", methods)
	lib.fileMT.RawSetString("__tostring", lib.function(L, "tostring", fileToString))
	lib.in = lib.newFile(L, &file{reader: bufio.NewReader(lib.options.In), standard: true})
	lib.out = lib.newFile(L, &file{writer: unbuffered{lib.options.Out}, standard: true})
	stderr := lib.newFile(L, &file{writer: unbuffered{lib.options.Err}, standard: true})
	table := lib.module(L, "io", []entry{{"read", ioRead}, {"write", ioWrite}, {"type", ioType}})
	table.RawSetString("stdin", lib.in)
	table.RawSetString("stdout", lib.out)
	table.RawSetString("stderr", stderr)
	if !lib.options.Safe {
		lib.register(L, table, []entry{
			{"close", ioClose},
			{"flush", ioFlush},
			{"input", ioInput},
			{"lines", ioLines},
			{"open", ioOpen},
			{"output", ioOutput},
			{"popen", ioPopen},
			{"tmpfile", ioTmpfile},
		})
	}
}

// newFile wraps a file for Lua.
func (lib *Library) newFile(L *lua.LState, f *file) *lua.LUserData {
	u := L.NewUserData()
	u.Value = f
	u.Metatable = lib.fileMT
	if f.os != nil && f.writer != nil {
		lib.writers[f] = true
	}
	return u
}

// Flush writes what scripts have written to files they did not close.
func (lib *Library) Flush() error {
	var failed error
	for f := range lib.writers {
		failed = errors.Join(failed, f.writer.Flush())
	}
	return failed
}

// Close closes the files that scripts left open for writing.
func (lib *Library) Close() error {
	var failed error
	for f := range lib.writers {
		failed = errors.Join(failed, f.close())
		delete(lib.writers, f)
	}
	return failed
}

// openModes are the modes of io.open.
func openMode(mode string) (flags int, read, write, ok bool) {
	switch mode {
	case "r", "rb":
		return os.O_RDONLY, true, false, true
	case "w", "wb":
		return os.O_WRONLY | os.O_CREATE | os.O_TRUNC, false, true, true
	case "a", "ab":
		return os.O_WRONLY | os.O_CREATE | os.O_APPEND, false, true, true
	case "r+", "r+b", "rb+":
		return os.O_RDWR, true, true, true
	case "w+", "w+b", "wb+":
		return os.O_RDWR | os.O_CREATE | os.O_TRUNC, true, true, true
	case "a+", "a+b", "ab+":
		return os.O_RDWR | os.O_CREATE | os.O_APPEND, true, true, true
	}
	return 0, false, false, false
}

func (lib *Library) open(L *lua.LState, path, mode string) (*lua.LUserData, error) {
	flags, read, write, _ := openMode(mode)
	f, err := lib.openPatiently(path, flags)
	if err != nil {
		return nil, err
	}
	return lib.newFile(L, lib.wrapFile(f, read, write)), nil
}

func (lib *Library) wrapFile(f *os.File, read, write bool) *file {
	wrapped := &file{os: f, in: f, out: f}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		wrapped.in, wrapped.out = &PatientReader{Reader: f, Session: lib.session}, patientWriter{f, lib.session}
	}
	if read {
		wrapped.reader = bufio.NewReader(wrapped.in)
	}
	if write {
		wrapped.writer = bufio.NewWriter(wrapped.out)
	}
	return wrapped
}

// ioOpen (path [, mode])
func ioOpen(c call) int {
	path, mode := c.text(1), c.textOr(2, "r")
	if _, _, _, ok := openMode(mode); !ok {
		c.fail(2, "invalid mode '%s'", mode)
	}
	u, err := c.lib.open(c.LState, path, mode)
	if err != nil {
		return c.failure(err)
	}
	return c.push(u)
}

func ioTmpfile(c call) int {
	f, err := os.CreateTemp("", "lua_")
	if err != nil {
		return c.failure(err)
	}
	os.Remove(f.Name()) // it lives until it is closed; where the system forbids that, the temporary folder keeps it
	return c.push(c.lib.newFile(c.LState, c.lib.wrapFile(f, true, true)))
}

// ioPopen (command [, mode]) starts a command whose output can be read, or whose input can be written.
func ioPopen(c call) int {
	command := c.shell(c.text(1))
	f := &file{command: command}
	var err error
	if c.option(2, "r", "r", "w") == "r" {
		command.Stdout = nil
		var pipe io.ReadCloser
		if pipe, err = command.StdoutPipe(); err == nil {
			f.reader = bufio.NewReader(&PatientReader{Reader: pipe, Session: c.lib.session, grace: graceAtTerminal()})
		}
	} else {
		command.Stdin = nil
		var pipe io.WriteCloser
		if pipe, err = command.StdinPipe(); err == nil {
			f.writer, f.pipe = bufio.NewWriter(patientWriter{pipe, c.lib.session}), pipe
		}
	}
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		return c.failure(err)
	}
	return c.push(c.lib.newFile(c.LState, f))
}

// graceAtTerminal is how long the end of a program's output waits for that of the run: at a
// terminal Ctrl-C reaches the program, too, and its end may be seen first.
func graceAtTerminal() time.Duration {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return 20 * time.Millisecond
	}
	return 0
}

// standard returns the default input or output file.
func (c call) standard(u *lua.LUserData) *file {
	f := u.Value.(*file)
	if f.closed {
		c.refuse("the default file is closed")
	}
	return f
}

func ioRead(c call) int  { return c.read(c.standard(c.lib.in), 1) }
func ioWrite(c call) int { return c.write(c.standard(c.lib.out), c.lib.out, 1) }
func ioFlush(c call) int { return c.flush(c.standard(c.lib.out)) }

func ioClose(c call) int {
	if c.GetTop() == 0 {
		return c.closeFile(c.standard(c.lib.out))
	}
	return fileClose(c)
}

// redirect is io.input or io.output: it returns the default file, after changing it to a file or a path.
func (c call) redirect(current **lua.LUserData, mode string) int {
	if c.GetTop() == 0 {
		return c.push(*current)
	}
	if _, ok := c.Get(1).(lua.LString); ok {
		u, err := c.lib.open(c.LState, c.text(1), mode)
		if err != nil {
			c.refuse("%s", pathError(err))
		}
		*current = u
	} else {
		c.file(1)
		*current = c.Get(1).(*lua.LUserData)
	}
	return c.push(*current)
}

func ioInput(c call) int  { return c.redirect(&c.lib.in, "r") }
func ioOutput(c call) int { return c.redirect(&c.lib.out, "w") }

// ioLines ([path, formats…]) iterates over the lines of a file and closes it after the last.
func ioLines(c call) int {
	if !c.has(1) {
		return c.push(c.lines(c.standard(c.lib.in), 2, false))
	}
	u, err := c.lib.open(c.LState, c.text(1), "r")
	if err != nil {
		c.refuse("io.lines: %s", pathError(err))
	}
	return c.push(c.lines(u.Value.(*file), 2, true))
}

func ioType(c call) int {
	u, ok := c.any(1).(*lua.LUserData)
	if !ok {
		return c.push(lua.LNil)
	}
	f, ok := u.Value.(*file)
	switch {
	case !ok:
		return c.push(lua.LNil)
	case f.closed:
		return c.push(lua.LString("closed file"))
	}
	return c.push(lua.LString("file"))
}
