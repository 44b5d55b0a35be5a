package bindings_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/bindings"
)

// mistakes are calls of functions that take functions, and what their errors say: where,
// which argument, what is allowed, and the script's own errors as they are.
func mistakes() map[string][]string {
	return map[string][]string{
		`integrate.quad(function(x) error("no such thing") end, 0, 1)`:                                        {"mistake:1: no such thing"},
		`integrate.quad(function(x) error({code = 7}) end, 0, 1)`:                                             {"table"},
		`integrate.quad(function(x) return 0/0 end, 0, 1)`:                                                    {"integrate.quad: f is NaN at x = "},
		`integrate.quad(function(x) end, 0, 1)`:                                                               {"the function of line 1: want a number, got nothing"},
		`integrate.quad(function(x) return 1/x end, 0, 1)`:                                                    {"f has no integral", "near x = ", "points = {…}"},
		`integrate.quad(function(x) return 1 end, 0, 1, {rtoll = 1})`:                                         {"unknown argument 'rtoll'; did you mean 'rtol'"},
		`integrate.quad(3, 0, 1)`:                                                                             {"f: want a function, got a number (3)"},
		`integrate.nquad(function(x, y) return x end, {{0, 1}, {0}})`:                                         {"ranges[2]: want two ends, got 1 numbers"},
		`integrate.nquad(function(x, y) return x end, {function(y) return y end, {0, 1}})`:                    {"the function of line 1: returns 1 numbers: want 2"},
		`integrate.trapezoid({1, 2, 3}, {0, 1})`:                                                              {"x has 2 points and y 3 values"},
		`integrate.simpson({1, 2, 3}, {0, 1, 1})`:                                                             {"x must increase or decrease: x[2] = 1 and x[3] = 1"},
		`integrate.solve_ivp(function(t, y) return {1} end, {0, 1}, {1, 2})`:                                  {"returns 1 numbers: want 2"},
		`integrate.solve_ivp(function(t, y) return {1, "a"} end, {0, 1}, {1, 2})`:                             {`number 2 of its result is a string ("a")`},
		`integrate.solve_ivp(function(t, y) if t > 0.5 then error("late") end return y end, {0, 1}, 1)`:       {"mistake:1: late"},
		`integrate.solve_ivp(function(t, y) if t > 0.5 then return 0/0 end return y end, {0, 1}, 1)`:          {"f is not finite at t = 0.5"},
		`integrate.solve_ivp(function(t, y) return y^2 end, {0, 2}, 1)`:                                       {"cannot be continued beyond t = 1", "grows without bound"},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1, {method = "radau"})`:                     {`method "radau": must be "auto", "RK45" or "Radau"`},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1, {t_eval = {1, 3}})`:                      {"time 3: must be in the range from 0 to 2"},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1, {events = {function() return "x" end}})`: {"want a number, got a string"},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1):at(3)`:                                   {"t = 3: the solution goes from 0 to 2"},
	}
}

func TestMistakesInFunctions(t *testing.T) {
	L, _ := newState(t, nil, bindings.All()...)
	for code, want := range mistakes() {
		fn, err := L.Load(strings.NewReader(code), "mistake")
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		L.Push(fn)
		err = L.PCall(0, 0, nil)
		if err == nil {
			t.Errorf("%s: no error", code)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v\nwant %q", code, err, w)
			}
		}
	}
}

// endless are calls that would take for ever, in the function of the script or around it.
func endless() []string {
	return []string{
		`integrate.quad(function(x) while true do end end, 0, 1)`,
		`integrate.quad(function(x) return math.random() end, 0, 1, {limit = 1000000})`,
		`integrate.nquad(function(x, y, z, w) return math.random() end, {{0, 1}, {0, 1}})`,
		`integrate.solve_ivp(function(t, y) if t > 0.5 then while true do end end return y end, {0, 1}, 1)`,
		`integrate.solve_ivp(function(t, y) return {y[2], -1e14 * y[1]} end, {0, 1e9}, {1, 0})`,
		`integrate.solve_ivp(function(t, y) return y end, {0, 1}, 1, {events = {function(t, y) while true do end end}})`,
	}
}

// TestFunctionsCanBeStopped: an interrupt ends a computation, whoever is computing.
func TestFunctionsCanBeStopped(t *testing.T) {
	for _, code := range endless() {
		L, _ := newState(t, nil, bindings.All()...)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		L.SetContext(ctx)
		start := time.Now()
		err := L.DoString(code)
		late := time.Since(start)
		cancel()
		if err == nil {
			t.Errorf("%s: came to an end", code)
		}
		if late > 5*time.Second { // a machine may be slow, but not for ever
			t.Errorf("%s: went on for %v", code, late)
		}
	}
}

// TestTracedIsCalled: a function that can be traced and the same one that cannot give the
// same solution, to the rounding of the formulas.
func TestTracedIsCalled(t *testing.T) {
	L, _ := newState(t, nil, bindings.All()...)
	if err := L.DoString(`
local function both(f, g, y0, span, o)
  local a, b = integrate.solve_ivp(f, span, y0, o), integrate.solve_ivp(g, span, y0, o)
  local d = (a:at(span[2]) - b:at(span[2])):norm() / a:at(span[2]):norm()
  assert(d < 1e-5, "differ by " .. d)
end
local mu, calls = 100, 0
both(function(t, y) return {y[2], mu * (1 - y[1]^2) * y[2] - y[1]} end,
  function(t, y) calls = calls + 1 return {y[2], mu * (1 - y[1]^2) * y[2] - y[1]} end, {2, 0}, {0, 150}, {method = "Radau"})
assert(calls > 100, "a function that counts was not called: " .. calls)
both(function(t, y) local s = 0; for i = 1, #y do s = s + y[i] end return {-s, t - y[1], y[2]} end,
  function(t, y) if t < -1 then return 0 end return array{-(y[1] + y[2] + y[3]), t - y[1], y[2]} end, {1, 0, 2}, {0, 2})
-- an event that changes what f sees
local on = 0
local sol = integrate.solve_ivp(function(t, y) return on end, {0, 2}, 0, {max_step = 0.01, events = {function(t, y) if t > 1 then on = 1 end return 1 end}})
assert(math.abs(sol:at(2) - 1) < 0.03, "the switch was not seen: " .. sol:at(2))
`); err != nil {
		t.Error(err)
	}
}
