package host

import (
	"context"
	"strings"
	"testing"
	"time"
)

// endless are programs in which Lua and Go call one another without end. The stack
// of Go, once exhausted, ends the process whatever the program recovers.
var endless = map[string]string{
	"kernel.define":    `local k k = function(p, q) return kernel.define(k, {trace = false})(0.1, 0.2) end return pcall(kernel.define(k, {trace = false}), 0, 1)`,
	"array.from":       `local function f() return array.from(2, 2, f):sum() end return array.from(2, 2, f)`,
	"pde.define":       `local m, op = mesh.uniform(0, 1, 3) op = function(u) pde.define{mesh = m, operator = op, input = "forcing"} return u end return pde.define{mesh = m, operator = op, input = "forcing"}`,
	"tostring":         `local mt = {} mt.__tostring = function(x) return "<" .. tostring(x) .. ">" end return tostring(setmetatable({}, mt))`,
	"tostring of many": `local mt = {} mt.__tostring = function(x) return array.from(1, function() return #tostring(x) end):sum() .. "" end return tostring(setmetatable({}, mt))`,
	"coroutines":       `local function f() return coroutine.wrap(f)() end return f()`,
	"all of them":      `local function f() return coroutine.wrap(function() return array.from(1, function() local ok, v = pcall(f) if not ok then error(v, 0) end return v end) end)() end return f()`,
	"deep and nested":  `local function down(n, g) if n == 0 then return g() end return 1 + down(n - 1, g) end local function f() return down(9000, function() return array.from(1, f):sum() end) end return f()`,
	"table.sort":       `local function f(a, b) table.sort({3, 2, 1}, f) return a < b end table.sort({1, 2, 3}, f)`,
	"string.gsub":      `local function f() return (("x"):gsub("x", f)) end return f()`,
	"__index":          `local t t = setmetatable({}, {__index = function(_, k) return array.from(1, function() return t[k] end) end}) return t.x`,
	"load":             `local function f() return load(f) end return load(function() return f() end)`,
	"require":          `package.preload.a = function() package.loaded.a = nil return require "a" end return require "a"`,
}

// TestEndlessNesting checks that each ends as an error of the script, and that the
// state goes on.
func TestEndlessNesting(t *testing.T) {
	for name, text := range endless {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, _ := newHost(t, Options{})
			ctx, cancel := context.WithTimeout(context.Background(), time.Second) // those that try on after a failure
			defer cancel()
			err := h.Run(ctx, "endless.lua", text)
			if ctx.Err() == nil && name != "load" && (err == nil || !strings.Contains(err.Error(), "stack overflow")) {
				t.Errorf("got %v", err)
			}
			values, err := h.Eval(context.Background(), "after.lua", "return array.from(2, 2, function(i, j) return i + j end):sum()")
			if err != nil || len(values) != 1 || values[0].String() != "12" {
				t.Errorf("afterwards: %v, %v", values, err)
			}
		})
	}
}

// TestNestingThatEnds checks that what is deep, but not too deep, works.
func TestNestingThatEnds(t *testing.T) {
	h, _ := newHost(t, Options{})
	for _, text := range []string{
		`local function f(n) if n == 0 then return 1 end return array.from(1, function() return f(n - 1) end):sum() end return f(150)`,
		`local function f(n) if n == 0 then return 1 end local ok, v = pcall(f, n - 1) return v end return f(180)`,
		`local function f(n) if n == 0 then return 1 end return coroutine.wrap(f)(n - 1) end for i = 1, 50 do f(150) end return 1`,
		`local function deep(n) if n == 0 then return 1 end return (deep(n - 1)) end return array.from(1, function() return deep(8000) end):sum()`,
		// A failure inside gives back the levels it had entered.
		`local function f(n) if n == 0 then error("x") end return array.from(1, function() return f(n - 1) end) end
			for i = 1, 20 do pcall(f, 100) end return array.from(1, function() return 1 end):sum()`,
	} {
		values, err := h.Eval(context.Background(), "nested.lua", text)
		if err != nil || len(values) != 1 || values[0].String() != "1" {
			t.Errorf("%s: %v, %v", text, values, err)
		}
	}
}

// TestFunctionsInTheirOwnVariables checks that kernels may be given by functions
// that call themselves.
func TestFunctionsInTheirOwnVariables(t *testing.T) {
	h, _ := newHost(t, Options{})
	for _, text := range []string{
		`local function f(p, q, n) n = n or 3 if n == 0 then return 1 end return f(p, q, n - 1) end
			return kernel.define(function(p, q) return f(p, q) + 0 * p[1] end, {trace = false})(0.1, 0.2)`,
		`local f f = function(p, q) return f and math.exp(-math.abs(p[1] - q[1])) end return kernel.define(f)(0.3, 0.3)`,
	} {
		values, err := h.Eval(context.Background(), "own.lua", text)
		if err != nil || len(values) != 1 || values[0].String() != "1" {
			t.Errorf("%s: %v, %v", text, values, err)
		}
	}
}

// TestCalledKernelStops checks that an interrupt ends a matrix of called values at
// once, not after the pairs that are left of a block.
func TestCalledKernelStops(t *testing.T) {
	h, _ := newHost(t, Options{})
	if err := h.Run(context.Background(), "called.lua", `calls = 0
		k = kernel.define(function(p, q) calls = calls + 1 return math.exp(-math.abs(p[1] - q[1])) end, {trace = false})
		m = mesh.uniform(0, 1, 3000)`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := h.Run(ctx, "called.lua", "k:gram(m)")
	if err == nil || !strings.HasSuffix(err.Error(), "time limit exceeded in kernel:gram: kernel evaluation") {
		t.Errorf("got %v", err)
	}
	// All nine million calls take half a minute, failing ones as well.
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("stopped after %v", took)
	}
}
