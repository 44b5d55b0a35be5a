package stdlib

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// TestFiles checks reading and writing of real files by every format.
func TestFiles(t *testing.T) {
	s := newState(t, Options{In: strings.NewReader("line one\n42 rest\n")})
	s.L.G.Global.RawSetString("dir", lua.LString(t.TempDir()))
	s.expect(`
		local path = dir .. "/a.txt"
		local f = assert(io.open(path, "w"))
		print(io.type(f), tostring(f):match("^file %("), f:write("one\n", 2, "\nthree") == f, f:close(), io.type(f), tostring(f), io.type(5))
		for l in io.lines(path) do io.write("<", l, ">") end
		f = io.open(path)
		print(f:read("*a"), f:read("*a"), f:read("*l"), f:read(0), f:read(5))
		print(f:seek("set"), f:read(), f:read("*n"), f:read("*L"), f:read(2), f:read(0), f:seek("cur"), f:seek("end"), f:seek("set", 2), f:read(1))
		f:close()
		f = io.open(path, "a+"); f:write("!"); f:seek("set"); print(f:read("*a")); f:close()
		f = io.open(path, "r+"); print(f:read(3)); f:write("X"); f:seek("set"); print(f:read("*a")); f:close()
		print(pcall(f.read, f), pcall(io.lines, dir .. "/none") == false, io.open(dir .. "/none"))`,
		"file\tfile (\ttrue\ttrue\tclosed file\tfile (closed)\tnil\n<one><2><three>one\n2\nthree\t\tnil\tnil\tnil\n0\tone\t2\t\n\tth\t\t8\t11\t2\te\none\n2\nthree!\none\noneX2\nthree!\nfalse\ttrue\tnil\t"+
			filepath.Join(s.L.GetGlobal("dir").String(), "none")+": no such file or directory\t2")
	s.expect(`print(io.read(), io.read("*n"), io.read("*l"), io.read(), io.read("*a"))`, "line one\t42\t rest\tnil\t")
	s.expect(`
		local path = dir .. "/n.txt"
		local f = io.open(path, "w"); f:write(" 1 -2.5e3 0x10 .5 7.x abc"); f:close()
		f = io.open(path)
		print(f:read("*n", "*n", "*n", "*n", "*n"))
		print(f:read("*n"), f:read("*a"))
		f:close()
		for a, b in io.lines(path, 2, 1) do io.write("[", a, "|", tostring(b), "]") end print()`, "1\t-2500\t16\t0.5\t7\nnil\tx abc\n[ 1| ][-2|.][5e|3][ 0|x][10| ][.5| ][7.|x][ a|b][c|nil]")
	s.expect(`
		local path = dir .. "/long.txt"
		local f = io.open(path, "w"); f:write(("1"):rep(203), " x5 0.25"); f:close()
		f = io.open(path)
		print(f:read("*n") == tonumber(("1"):rep(200)), f:read("*n", "*n"))
		print(f:read(1), f:read("*n"), f:read("*n"))
		f:close()`, "true\t111\tnil\nx\t5\t0.25")
	// of a number that is none what could begin one is taken, and no more
	for text, rest := range map[string]string{"1ee5": "e5", "--5": "-5", "1e--5": "-5", "00x5": "x5", "1..5": ".5"} {
		s.expect(`
			local path = dir .. "/rest.txt"
			local f = io.open(path, "w"); f:write("`+text+`"); f:close()
			f = io.open(path)
			f:read("*n") print(f:read("*a")) f:close()`, rest)
	}
	s.expect(`
		io.output(dir .. "/o.txt"); io.write("to file"); io.close(); io.output(io.stdout)
		io.input(dir .. "/o.txt"); print(io.read("*a")); io.input():close()
		print(os.rename(dir .. "/o.txt", dir .. "/p.txt"), os.remove(dir .. "/p.txt"), (os.remove(dir .. "/p.txt")))
		local t = io.tmpfile(); t:write("tmp"); t:seek("set"); print(t:read("*a")); t:close()
		local name = os.tmpname(); print(io.open(name):read("*a"), os.remove(name))`, "to file\ntrue\ttrue\tnil\ntmp\n\ttrue")
	if runtime.GOOS != "windows" {
		s.expect(`local p = io.popen("echo hello; exit 3"); print(p:read(), p:close()); p = io.popen("cat", "w"); p:write("piped\n"); p:close(); print(os.execute("exit 2"), os.execute() ~= 0)`, "hello\t3\npiped\n2\ttrue")
	}
}

// TestWritersAreFlushed checks that Close completes files that scripts left open.
func TestWritersAreFlushed(t *testing.T) {
	s := newState(t, Options{})
	path := filepath.Join(t.TempDir(), "left.txt")
	s.L.G.Global.RawSetString("path", lua.LString(path))
	s.expect(`f = io.open(path, "w"); f:write("text")`, "")
	if err := s.lib.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestRequire checks the search for modules, what a module returns, and modules that fail.
func TestRequire(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"value.lua": "local name = ...; loads = (loads or 0) + 1; return {name = name}", "nothing.lua": "x = 1", "broken.lua": "error('no luck')", "wrong.lua": "x = = 1",
		"a.lua": "return require 'b'", "b.lua": "return require 'a'", "sub/init.lua": "return 'package'", "sub/part.lua": "return 'part'", "own.lua": "package.loaded[...] = 'own'",
		"old.lua": "module('old', package.seeall); function f() return type(print) end",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := newState(t, Options{Dir: dir})
	s.expect(`
		print(require("value").name, require("value") == require "value", loads, require "nothing", require "sub", require "sub.part", require "own")
		package.preload.made = function(name) return name .. "!" end
		print(require "made", require "string" == string, package.loaded.value.name)
		require "old"; print(old.f(), f)`, "value\ttrue\t1\ttrue\tpackage\tpart\town\nmade!\ttrue\tvalue\nfunction\tnil")
	for module, want := range map[string]string{
		"missing": "module 'missing' not found:", "broken": "no luck", "wrong": "expected an expression", "a": "requires itself",
	} {
		if err := s.run("require '" + module + "'"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", module, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.lua"), []byte("return 'repaired'"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.expect("print(require 'broken')", "repaired")
}

// TestWhatIsNoFile: methods of a file say what they were given in place of one.
func TestWhatIsNoFile(t *testing.T) {
	s := newState(t, Options{})
	s.L.SetGlobal("thing", s.L.NewUserData())
	s.expect(`
		local wrong = 0
		local methods = {__tostring = getmetatable(io.stdout).__tostring}
		for name, method in pairs(getmetatable(io.stdout).__index) do methods[name] = method end
		for name, method in pairs(methods) do
			for _, what in ipairs{1, "x", {}, thing, false} do
				local ok, message = pcall(method, what)
				if ok or not message:find("file expected", 1, true) then wrong = wrong + 1; print(name, what, message) end
			end
		end
		print(wrong, tostring(io.stdout):match("^file %(0x"))`, "0\tfile (0x")
}

// TestWeeks: the first Sunday begins week 1 of %U, the first Monday that of %W, in years that begin with any day.
func TestWeeks(t *testing.T) {
	newState(t, Options{}).expect(`
		local wrong = 0
		for year = 2019, 2030 do
			local sundays, mondays, t = 0, 0, os.time{year = year, month = 1, day = 1, hour = 12}
			while os.date("%Y", t) == tostring(year) do
				local day = os.date("%w", t)
				sundays, mondays = sundays + (day == "0" and 1 or 0), mondays + (day == "1" and 1 or 0)
				if os.date("%U %W", t) ~= ("%02d %02d"):format(sundays, mondays) then wrong = wrong + 1 end
				t = t + 86400
			end
		end
		print(wrong)`, "0")
}

// TestCase: letters of ASCII have a case, and no other bytes.
func TestCase(t *testing.T) {
	newState(t, Options{}).expect(`
		local wrong, lower, upper = 0, "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		for b = 0, 255 do
			local c = string.char(b)
			local i, j = lower:find(c, 1, true), upper:find(c, 1, true)
			if c:upper() ~= (i and upper:sub(i, i) or c) or c:lower() ~= (j and lower:sub(j, j) or c) then wrong = wrong + 1 end
		end
		print(wrong)`, "0")
}

// TestSearchPath: modules are looked for in the folder of the script, and in the current one where scripts may.
func TestSearchPath(t *testing.T) {
	const here = "./?.lua;./?/init.lua"
	own := filepath.Join("some", "where", "?.lua") + ";" + filepath.Join("some", "where", "?", "init.lua")
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{}, here},
		{Options{Dir: "."}, here},
		{Options{Safe: true}, here},
		{Options{Dir: filepath.Join("some", "where")}, own + ";" + here},
		{Options{Dir: filepath.Join("some", "where"), Safe: true}, own},
	} {
		newState(t, c.options).expect("print(package.path)", c.want)
	}
}

// TestBuffers: what a reader of the file sees depends on how writing waits.
func TestBuffers(t *testing.T) {
	s := newState(t, Options{})
	s.expect(`local name = os.tmpname()
local function seen(mode)
	local f = assert(io.open(name, "w"))
	assert(f:setvbuf(mode))
	f:write("half")
	local first = #io.open(name):read("*a")
	f:write(" line\nmore")
	local second = #io.open(name):read("*a")
	f:close()
	return first, second, #io.open(name):read("*a")
end
print(seen("no"))
print(seen("line"))
print(seen("full"))
os.remove(name)`, "4\t14\t14\n0\t14\t14\n0\t0\t14")
}

// After seeking what is read is of the new place, whatever was read ahead.
func TestSeekingWhileReading(t *testing.T) {
	newState(t, Options{}).expect(`local name = os.tmpname()
local f = io.open(name, "w") f:write("hello") f:close()
for _, mode in ipairs{"r", "r+"} do
	f = io.open(name, mode)
	print(f:read(2), f:seek(), f:seek("set", 1), f:read(1), f:seek("cur", 1), f:read("*a"), f:seek("end", -1), f:read("*a"))
	f:close()
end
os.remove(name)`, "he\t2\t1\te\t3\tlo\t4\to\nhe\t2\t1\te\t3\tlo\t4\to")
}

// Streams that are no files have no buffer to choose.
func TestBuffersOfStreams(t *testing.T) {
	newState(t, Options{}).expect("print(io.stdout:setvbuf('full', 1000)) io.write('x')", "true\nx")
}

// Commands say how they ended, and read what scripts read where nothing else is given.
func TestCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("of a shell of Unix")
	}
	name := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(name, []byte("from a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	newState(t, Options{}).expect("print(os.execute(), os.execute('exit 3'), os.execute('exit 0'))", "1\t3\t0")
	newState(t, Options{In: strings.NewReader("from a reader")}).expect("os.execute('cat')", "from a reader")
	newState(t, Options{In: strings.NewReader("from a reader"), Stdin: file}).expect("os.execute('cat')", "from a file")
}

// White space of all kinds is before a number, and nothing else.
func TestSpaceBeforeNumbers(t *testing.T) {
	newState(t, Options{}).expect(`local name = os.tmpname()
for b = 0, 34 do
	local f = io.open(name, "w") f:write(string.char(b), "5") f:close()
	f = io.open(name)
	if f:read("*n") == 5 then io.write(b, " ") end
	f:close()
end
os.remove(name)`, "9 10 11 12 13 32 ")
}

// What is written is in the file before it is read from: the next character is the one after it.
func TestReadingAfterWriting(t *testing.T) {
	newState(t, Options{}).expect(`local name = os.tmpname()
local f = io.open(name, "w") f:write("hello") f:close()
f = io.open(name, "r+") f:write("J") print(f:read("*a")) f:close()
print(io.open(name):read("*a"))
os.remove(name)`, "ello\nJello")
}

// Reading what is no file on a disk, such as a pipe, ends with the run; files are read as they are.
func TestWhatIsReadPatiently(t *testing.T) {
	s := newState(t, Options{})
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	regular, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer regular.Close()
	if f := s.lib.wrapFile(regular, true, true); f.in != io.Reader(regular) || f.out != io.Writer(regular) {
		t.Errorf("a file is read by %T and written by %T", f.in, f.out)
	}
	f := s.lib.wrapFile(in, true, false)
	end := s.lib.session.Begin(t.Context())
	defer end()
	time.AfterFunc(10*time.Millisecond, func() { s.lib.session.Cancel(errors.New("interrupted")) })
	if n, err := f.in.Read(make([]byte, 1)); n != 0 || !errors.Is(err, errEnded) {
		t.Errorf("%d bytes of a pipe in which nobody writes, %v", n, err)
	}
}

// The end of what is read patiently is told at once, or after the time in which the run may end, if it does not.
func TestPatientEnd(t *testing.T) {
	for _, grace := range []time.Duration{0, 5 * time.Millisecond, time.Hour} {
		session := newSession()
		end := session.Begin(t.Context())
		r := &PatientReader{Reader: strings.NewReader("x"), Session: session, grace: grace}
		if n, err := r.Read(make([]byte, 4)); n != 1 || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
		want := io.EOF
		if grace == time.Hour {
			time.AfterFunc(10*time.Millisecond, func() { session.Cancel(errors.New("interrupted")) })
			want = errEnded
		}
		if n, err := r.Read(make([]byte, 4)); n != 0 || !errors.Is(err, want) {
			t.Errorf("%v of grace at the end: %d bytes, %v; want %v", grace, n, err, want)
		}
		end()
	}
}

// Files that are made may be read and written, and not executed.
func TestModesOfFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new")
	newState(t, Options{}).expect(fmt.Sprintf("io.open(%q, 'w'):close()", name), "")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// A buffer has the size that is asked for, of 16 bytes to a megabyte: what does not fit is in the file.
func TestSizesOfBuffers(t *testing.T) {
	newState(t, Options{}).expect(`local name = os.tmpname()
for _, c in ipairs{{16, 1}, {16, 16}, {100, 100}, {4096}, {2^20, 2^30}} do
	local f = assert(io.open(name, "w"))
	assert(f:setvbuf("full", c[2]))
	f:write("x") f:write(("y"):rep(c[1] - 1))
	io.write(#io.open(name):read("*a"), " ")
	f:write("z")
	io.write(#io.open(name):read("*a"), ", ")
	f:close()
end
os.remove(name)`, "0 16, 0 16, 0 100, 0 4096, 0 1048576, ")
}

// TestLoad checks names in messages, environments and modes.
func TestLoad(t *testing.T) {
	s := newState(t, Options{})
	s.expect("print(loadstring('x = ='))", "nil\t[string \"x = =\"]:1: expected an expression, found '='; one = assigns, two without a space between them compare: a == b")
	s.expect("print(loadstring('x = =', '@file.lua'), select(2, loadstring('x = =', '=name')))", "nil\tname:1: expected an expression, found '='; one = assigns, two without a space between them compare: a == b")
	s.expect("print(select(2, loadstring('local a = 1\\nx = =')))", "[string \"local a = 1...\"]:2: expected an expression, found '='; one = assigns, two without a space between them compare: a == b")
	s.expect("print(pcall(loadstring('error(\"e\")', '@f.lua')))", "false\tf.lua:1: e")
	s.expect("print(load('return x', 'n', 't', {x = 'own'})(), load('return 1', 'n', 'b'))", "own\tnil\tattempt to load a chunk that is not Lua source text")
	s.expect("print(loadstring('\\27Lua'))", "nil\tattempt to load a chunk that is not Lua source text")
	s.expect("print(loadfile('no such file'))", "nil\tcannot open no such file: no such file or directory")
	s.expect("print(pcall(load, function() return 5 end))", "true\tnil\treader function must return a string")
	s.expect("print(load(function() error('no more', 0) end))", "nil\tno more")
	s.expect("local t = {'return ', '7', n = 0}; print(load(function() t.n = t.n + 1; return t[t.n] end)(), type(load(function() end)))", "7\tfunction")
}

// In safe mode only files in the folder of the script are read, whatever way a name takes, through links as well; otherwise all are.
func TestFilesOutsideTheFolder(t *testing.T) {
	base := t.TempDir()
	dir, outside := filepath.Join(base, "own"), filepath.Join(base, "other")
	for _, d := range []string{filepath.Join(dir, "below"), outside} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "x.lua"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.lua")
	linked := os.Symlink(filepath.Join(outside, "x.lua"), link) == nil // not everywhere
	for name, within := range map[string]bool{
		filepath.Join(dir, "x.lua"):                true,
		filepath.Join(dir, "below", "x.lua"):       true,
		filepath.Join(dir, "below", "..", "x.lua"): true,
		dir:                             true,
		filepath.Join(outside, "x.lua"): false,
		filepath.Join(dir, "..", "other", "x.lua"): false,
		filepath.Join(base, "own2", "x.lua"):       false,
		base:                                       false,
		link:                                       !linked,
	} {
		if err := (&Library{options: Options{Safe: true, Dir: dir}}).checkPath(name); (err == nil) != within || err != nil && !strings.Contains(err.Error(), "which safe mode does not allow") {
			t.Errorf("%s in safe mode: %v", name, err)
		}
		if err := (&Library{options: Options{Dir: dir}}).checkPath(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
