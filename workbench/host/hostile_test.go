package host

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// hostile are scripts that would run for ever, or fill the memory, or break what is
// not written with them in mind. Each line is one.
const hostile = `
local s = "x" while true do s = s .. s end
local t = {} for i = 1, math.huge do t["k" .. i] = {i} end
local t = {} for i = 1, math.huge do t[i] = coroutine.create(print) end
("x"):rep(1e15)
("x"):rep(1e5, ("y"):rep(1e5))
string.format("%1000000000d", 1)
("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40))
("a"):rep(1e5):find((".-"):rep(30) .. "b")
("x"):rep(1e5):gsub(".-y", "")
("x"):rep(1e6):gsub(".", ("y"):rep(1000))
("("):rep(1e6):match("%b()")
unpack({}, 1, 1e9)
table.sort(setmetatable({}, {__len = function() return 1e9 end}))
local t = {} for i = 1, 1e4 do t[i] = i end while true do table.sort(t, function() return true end) end
table.sort({3, 1, 2}, function() while true do end end)
table.sort({3, 1, 2}, function(a, b) return a.x < b.x end)
table.concat({}, "x", 1, 1e9)
local function f() return f() end f()
local function f() return 1 + f() end while true do pcall(f) end
local function f() local ok = pcall(f) return f() end f()
local function f() return coroutine.wrap(f)() end f()
setmetatable(_G, {__index = function(t, k) return t[k .. "x"] end}) print(undefinedname)
local a, b = {}, {} setmetatable(a, {__index = b}) setmetatable(b, {__index = a}) print(a.x)
local m = {} m.__lt = function(a, b) return a < b end print(setmetatable({}, m) < setmetatable({}, m))
local m = {} m.__call = m setmetatable(m, m) m()
local m = {} m.__concat = function(a, b) return a .. b end print(setmetatable({}, m) .. "x")
local co co = coroutine.wrap(function() co() end) co()
while true do pcall(coroutine.wrap(function() error("x") end)) end
goto a ::a:: goto a
for i = 1, 2, 1e-320 do end
xpcall(function() error("x") end, function() while true do end end)
while true do pcall(pcall, pcall, pcall) end
load("return " .. ("("):rep(1e6) .. "1" .. (")"):rep(1e6))
load(function() return "x = 1 " end)
error(setmetatable({}, {__tostring = function() while true do end end}))
local t = {} for i = 1, 1e5 do t = {t} end print(t)
array.zeros(1e9, 0, 1e9)
local a = array.zeros(300, 300) while true do a = a + a * a - a end
array.from(1e4, 1e4, function(i, j) return i * j end)
array.from(10, function() while true do end end)
array.zeros(0, 3):split(2^40)
array.zeros(3, 0):split{axis = 2, parts = 2^40}
array.linspace(0, 1, 1e10)
array.load("huge.npy")
array.load("random.npz")
array.load("random.mat")
array.load("random.csv")
mesh.uniform(0, 1, 1e12)
random.normal{shape = {1e6, 1e6}}
kernel.define(function(p, q) while true do end end)
kernel.define(function(p, q) local s = dist(p, q) for i = 1, 60 do s = s * s + s end return s end)
sweep.run{grid = {n = {1, 2, 3}}, jobs = 4, run = function(p) while true do end end}
sweep.run{grid = {n = {1}}, run = function(p) return sweep.run{grid = {n = {1}}, run = function() error("x") end} end}
plot.lines{{y = {0/0, 1/0, -1/0}}}
os.date(("%c"):rep(1e6))
os.time{year = 1e300, month = 1, day = 1}
tonumber(("1"):rep(1e6), 36)
collectgarbage("setpause", 1) while true do collectgarbage() end
next({}, "nokey")
`

// Hostile scripts end by their own error or by a limit, in time, and leave a host
// that works: in safe mode nothing a script does gets past the limits.
func TestHostileScripts(t *testing.T) {
	testmain.CollectAsUsually(t)
	dir := t.TempDir()
	t.Chdir(dir)
	const header = "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
	for name, text := range map[string]string{
		"huge.npy":   header + strings.Repeat(" ", 128-len(header)-1) + "\n",
		"random.npz": strings.Repeat("PK\x03\x04garbage", 1000), "random.mat": strings.Repeat("\x0e\x00\x00\x00\xff\xff\xff\x7f", 500),
		"random.csv": "1,2\n" + strings.Repeat("\x00", 100_000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const limit, room = 40 * time.Millisecond, 10 * time.Second // a loaded machine is slow, for ever is longer
	n := 0
	for script := range strings.Lines(hostile) {
		if script = strings.TrimSpace(script); script == "" {
			continue
		}
		n++
		h, err := New(Options{Out: io.Discard, Err: io.Discard, In: strings.NewReader(""), Safe: true, Timeout: limit, MaxMemory: 400e6})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		err = h.Run(context.Background(), "a.lua", script)
		if took := time.Since(began); took > limit+room {
			t.Errorf("%s: ends after %v: %v", script, took, err)
		}
		var internal *stdlib.InternalError
		if errors.As(err, &internal) || err != nil && strings.Contains(err.Error(), "internal error") {
			t.Errorf("%s: %v", script, err)
		}
		if err := h.Run(context.Background(), "a.lua", "assert(type(mesh.uniform(0, 1, 3)) == 'userdata')"); err != nil && !strings.Contains(script, "_G") {
			t.Errorf("%s: the host after it: %v", script, err)
		}
		h.Close()
	}
	runtime.GC()
	if n < 50 {
		t.Errorf("only %d scripts ran", n)
	}
}
