package host

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// attacks are what a downloaded script might try; %DIR% is a folder that is not its
// own, which has the files secret.lua and secret.csv. In its own folder are links to
// them, and the link up to that folder. refusal is part of the message.
var attacks = []struct{ text, refusal string }{
	{`os.execute("touch %DIR%/new")`, "safe mode has none"},
	{`io.popen("touch %DIR%/new")`, "safe mode has none"},
	{`io.open("%DIR%/secret.csv")`, "safe mode has none"},
	{`io.open("new", "w")`, "safe mode has none"},
	{`io.lines("%DIR%/secret.csv")`, "safe mode has none"},
	{`io.input("%DIR%/secret.csv")`, "safe mode has none"},
	{`io.output("new")`, "safe mode has none"},
	{`io.tmpfile()`, "safe mode has none"},
	{`io.stdout.close(io.stdout) io.stdout:open("new")`, ""},
	{`os.remove("%DIR%/secret.csv")`, "safe mode has none"},
	{`os.rename("%DIR%/secret.csv", "%DIR%/new")`, "safe mode has none"},
	{`os.getenv("HOME")`, "safe mode has none"},
	{`os.tmpname()`, "safe mode has none"},
	{`require "%DIR%/secret"`, "not found"},
	{`require "../secret"`, "not found"},
	{`require "up.secret"`, "not found"},
	{`require "link"`, "not found"},
	{`package.path = "%DIR%/?.lua" require "secret"`, "not found"},
	{`package.cpath = "/lib/?.so" require "libc"`, "not found"},
	{`package.loadlib("libc.so.6", "system")`, "safe mode has none"},
	{`dofile "%DIR%/secret.lua"`, "outside the folder of the script"},
	{`dofile "../secret.lua"`, "outside the folder of the script"},
	{`dofile "link.lua"`, "outside the folder of the script"},
	{`dofile "up/secret.lua"`, "outside the folder of the script"},
	{`assert(loadfile "%DIR%/secret.lua")`, "outside the folder of the script"},
	{`array.load("../secret.csv")`, "outside the folder of the script"},
	{`array.load("link.csv")`, "outside the folder of the script"},
	{`array.load("up/secret.csv")`, "outside the folder of the script"},
	{`data.load("../secret.npz", {input = "f", output = "u"})`, "outside the folder of the script"},
	{`sheet.load("../secret.csv")`, "outside the folder of the script"},
	{`green.load("../secret.npz")`, "outside the folder of the script"},
	{`sweep.load("%DIR%")`, "outside the folder of the script"},
	{`array.zeros(2):save("new.npy")`, "safe mode does not write files"},
	{`sheet.new{a = {1}}:save("new.csv")`, "safe mode does not write files"},
	{`plot.lines{ {y = {1, 2}}, show = false }:save("%DIR%/new.svg")`, "safe mode does not write files"},
	{`plot.lines{ {y = {1, 2}}, file = "new.svg" }`, "safe mode does not write files"},
	{`sweep.run{grid = {a = {1}}, run = function() return {b = 1} end, out = "%DIR%/new"}`, "safe mode does not write files"},
	{`sweep.slurm{grid = {a = {1}}, run = function() return {b = 1} end, out = "%DIR%/new"}`, "safe mode does not write files"},
	{`string.dump(function() end)`, "attempt to call nil"},
	{`assert(load("\27Lua\81\0\1\4\8\4\8\0"))`, "not Lua source text"},
	{`assert(loadstring("\27LJ\2"))`, "not Lua source text"},
	{`load("io.open('%DIR%/secret.csv')")()`, "attempt to call nil"},
	{`debug.getregistry()`, "attempt to call nil"},
	{`debug.sethook(function() end)`, "attempt to call nil"},
	{`debug.setmetatable("", {})`, "attempt to call nil"},
	{`getfenv(0).io.open("new", "w")`, "safe mode has none"},
	{`setfenv(1, {})`, "safe mode has none"},
	{`newproxy(true)`, "attempt to call nil"},
	{`getmetatable("").__index = nil error(("x"):rep(3) == "xxx" and "as before")`, ""},
	{`getmetatable("").__index.rep = function() return "poisoned" end error(string.rep("x", 2))`, ""},
	{`print = nil tostring = nil type = nil pcall = nil error("on")`, "on"},
	{`setmetatable(_G, {__index = function() return function() end end, __newindex = function() end}) error("on")`, "on"},
	{`("x"):rep(1e10)`, "the limit is 256 MiB"},
	{`local s = ("x"):rep(2^27) return s .. s .. s .. s`, "the limit is 256 MiB"},
	{`local function f() return 1 + f() end f()`, "stack overflow"},
}

// TestAttacks checks that safe mode refuses each, that nothing is written, and that
// the library of the next state is not the one that was meddled with.
func TestAttacks(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "script")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"secret.lua": "error('reached')", "secret.csv": "1,2\n", "secret.npz": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.lua": "../secret.lua", "link.csv": "../secret.csv", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	before, modules := listing(t, dir), StandardModules()
	for _, a := range attacks {
		var out bytes.Buffer
		h, err := New(Options{Out: &out, Safe: true, Script: filepath.Join(folder, "main.lua"), Modules: modules})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(a.text, "%DIR%", filepath.ToSlash(dir))
		err = h.Run(context.Background(), "main.lua", text)
		h.Close()
		if err == nil || !strings.Contains(err.Error(), a.refusal) || strings.Contains(err.Error(), "reached") || strings.Contains(err.Error(), "internal error") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("files before:\n%s\nafter:\n%s", before, after)
	}
	h, _ := newHost(t, Options{Modules: modules})
	if values, err := h.Eval(context.Background(), "next.lua", `return ("x"):rep(2), type(print)`); err != nil || values[0].String() != "xx" || values[1].String() != "function" {
		t.Errorf("afterwards: %v, %v", values, err)
	}
}
