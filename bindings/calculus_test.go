package bindings_test

import (
	"context"
	"strings"
	"testing"
	"time"
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
		`integrate.nquad(function(x, y) return x end, {{0, 1}})`:                                              {"f has 2 arguments and ranges 1: want a range for each"},
		`integrate.nquad(function(x, y) return x end, {function(y) return y end, {0, 1}})`:                    {"the function of line 1: returns 1 numbers: want 2"},
		`integrate.trapezoid({1, 2, 3}, {0, 1})`:                                                              {"x has 2 points and y 3 values"},
		`integrate.simpson({1, 2, 3}, {0, 1, 1})`:                                                             {"x must increase or decrease: x[2] = 1 and x[3] = 1"},
		`integrate.solve_ivp(function(t, y) return {1} end, {0, 1}, {1, 2})`:                                  {"returns 1 numbers: want 2"},
		`integrate.solve_ivp(function(t, y) return {1, "a"} end, {0, 1}, {1, 2})`:                             {`number 2 of its result is a string ("a")`},
		`integrate.solve_ivp(function(t, y) if t > 0.5 then error("late") end return y end, {0, 1}, 1)`:       {"mistake:1: late"},
		`integrate.solve_ivp(function(t, y) if t > 0.5 then return 0/0 end return y end, {0, 1}, 1)`:          {"f is not finite at t = 0.5"},
		`integrate.solve_ivp(function(t, y) return y^2 end, {0, 2}, 1)`:                                       {"cannot be continued beyond t = 1", "grows without bound"},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1, {method = "radau"})`:                     {`method "radau": must be "auto", "RK45", "DOP853" or "Radau"`},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1, {t_eval = {1, 3}})`:                      {"t_eval[2] 3: must be in the range of t_span, from 0 to 2"},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1, {events = {function() return "x" end}})`: {"want a number, got a string"},
		`integrate.solve_ivp(function(t, y) return y end, {0, 2}, 1):at(3)`:                                   {"t = 3: the solution goes from 0 to 2"},
		`optimize.brentq(function(x) return x^2 + 1 end, -1, 1)`:                                              {"f has the same sign at both ends: f(-1) = 2 and f(1) = 2"},
		`optimize.brentq(function(x) return 0/0 end, -1, 1)`:                                                  {"f is NaN at x = -1"},
		`optimize.minimize(function(x) return 0/0 end, {1, 2})`:                                               {"f is NaN at x = {1, 2}: start where it is a number"},
		`optimize.minimize(function(x) if x[1] ~= 1 then error("oops") end return x[1] end, {1, 2})`:          {"mistake:1: oops"},
		`optimize.minimize(function(x) return {1, 2} end, {1, 2})`:                                            {"the function of line 1: want a number, got a table"},
		`optimize.minimize(function(x) return x[1] end, {1, 2}, {bounds = {{0, 1}, {0, 1}, {0, 1}}})`:         {"bounds: 3 pairs for 2 variables"},
		`optimize.minimize(function(x) return x[1] end, {1, 2}, {bounds = {{1, 0}}})`:                         {"the bounds of x[1] are 1 and 0: want the lower first"},
		`optimize.minimize(function(x) return x[1] end, {1, 2}, {jac = function(x) return {1} end})`:          {"returns 1 numbers: want 2"},
		`optimize.root(function(x) return {x[1]} end, {1, 2})`:                                                {"1 equations for 2 unknowns"},
		`optimize.root(function(x) return x^2 + 1 end, 3)`:                                                    {"no zero found: nearest at x = {", "start elsewhere"},
		`optimize.least_squares(function(x) return {x[1], 0/0} end, {1})`:                                     {"residual 2 is NaN at x = {1}"},
		`optimize.curve_fit(function(x, a, b) return a * x + b end, {1, 2, 3}, {1, 2})`:                       {"x of shape 3: want as many as y has values, 2"},
		`optimize.curve_fit(function(x, a, b) return a * x + b end, {1}, {1})`:                                {"1 value for 2 parameters"},
		`optimize.curve_fit(function(x, a, b) return a * x + y0 end, {1, 2}, {1, 2})`:                         {"mistake:1: "},
		`optimize.linprog({1}, {a_ub = {{1}}, b_ub = {-1}})`:                                                  {"no x fulfils all conditions"},
		`optimize.linprog({1, 2}, {a_ub = {{1}}, b_ub = {-1}})`:                                               {"row 1 of a_ub has 1 numbers: want 2"},
		`interp.interp1d({0, 1}, {1, 2})(1.5)`:                                                                {"x = 1.5 is outside the points, which go from 0 to 1", `outside = "extend"`},
		`interp.interp1d({0, 1e-320, 1}, {1, 2, 3})`:                                                          {"x[1] = 0 and x[2] = 1e-320", "too close", "other units"},
		`optimize.least_squares(function(x) return {} end, {1})`:                                              {"no residuals", "want one at least"},
		`plot.lines(array{1, 2}, array{1, 2})`:                                                                {"write plot.lines{{x = …, y = …}}"},
		`plot.lines(array{1, 2}, array{1, 2}, "r--")`:                                                         {"write plot.lines{{x = …, y = …}}"},
		`plot.lines(array{1, 2}, {title = "t"})`:                                                              {"write plot.lines{{y = …}}"},
		`stats.pearsonr({1, 2, 3}, {4, 4, 4})`:                                                                {"sample 2 does not vary", "4"},
		`interp.interp1d({0, 0}, {1, 2})`:                                                                     {"x must increase: x[1] = 0 and x[2] = 0"},
		`interp.interp1d({0, 1}, {1, 2, 3})`:                                                                  {"x has 2 points and y 3 values"},
		`interp.interp1d({0, 1}, {1, 2}, {kind = "quadratic"})`:                                               {`kind "quadratic": must be "linear"`},
		`interp.interp2d({0, 1}, {0, 1, 2}, {{1, 2}, {3, 4}})`:                                                {"z of shape 2×2: want 2×3, a row for each x"},
		`interp.interp2d({0, 1}, {0, 1}, {{1, 2}, {3, 4}})(0.5, -1)`:                                          {"y = -1 is outside"},
		`fft.fft({1, 2}, {axis = 2})`:                                                                         {"axis"},
		`fft.fft2({1, 2})`:                                                                                    {"x of shape 2: want two axes at least"},
		`fft.irfft(fft.rfft({1, 2, 3}), 7)`:                                                                   {"n 7: want 2 or 3 for 2 frequencies"},
		`fft.window("han", 3)`:                                                                                {`name "han": must be "hann"`, "did you mean"},
		`fft.welch({1, 2, 3}, {nperseg = 2, noverlap = 2})`:                                                   {"want an overlap below the length"},
		`stats.norm(0, -1)`:                                                {"std -1: must be > 0"},
		`stats.uniform(2, 1)`:                                              {"from 2 to 1: want the lower end first"},
		`stats.norm():quantile(1.5)`:                                       {"x 1.5: a probability: must be in [0, 1]"},
		`stats.ttest_1samp({1})`:                                           {"sample 1 has 1 value: want two at least"},
		`stats.ttest_rel({1, 2}, {1, 2, 3})`:                               {"2 and 3 values: want pairs"},
		`stats.kstest({1, 2}, stats.poisson(2))`:                           {"stats.poisson(2) is discrete", "stats.chisquare"},
		`stats.linregress({{1, 1}, {2, 2}, {3, 3}, {4, 4}}, {1, 2, 3, 4})`: {"the columns depend on each other"},
		`stats.bootstrap({1, 2}, function(x) error("mine") end)`:           {"mistake:1: mine"},
		`stats.bootstrap({1, 2}, function(x) return 0/0 end)`:              {"returns NaN"},
		`stats.describe({1, 0/0})`:                                         {"NaN"},
	}
}

func TestMistakesInFunctions(t *testing.T) {
	L := openAll(t, nil)
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
		`integrate.nquad(function(x, y) return math.random() end, {{0, 1}, {0, 1}})`,
		`integrate.solve_ivp(function(t, y) if t > 0.5 then while true do end end return y end, {0, 1}, 1)`,
		`integrate.solve_ivp(function(t, y) return {y[2], -1e14 * y[1]} end, {0, 1e9}, {1, 0})`,
		`integrate.solve_ivp(function(t, y) return y end, {0, 1}, 1, {events = {function(t, y) while true do end end}})`,
		`optimize.brentq(function(x) while true do end end, -1, 1)`,
		`optimize.minimize(function(x) if x[1] ~= 1 then while true do end end return x[1]^2 end, {1, 2})`,
		`optimize.minimize(function(x) local s = 0; for i = 1, 1e6 do s = s + i end return math.random() end, array.zeros(50), {method = "Nelder-Mead", maxiter = 1e9})`,
		`optimize.least_squares(function(x) if x[1] ~= 1 then while true do end end return {x[1]} end, {1})`,
		`optimize.curve_fit(function(x, a) if a ~= 1 then while true do end end return a end, {1, 2}, {1, 2})`,
		`stats.bootstrap({1, 2}, function(x) while true do end end)`,
		`stats.bootstrap({1, 2}, function(x) return x:mean() end, {n = 10000000})`,
		`stats.norm():draw{shape = {10000, 3000}}`,
	}
}

// TestFunctionsCanBeStopped: an interrupt ends a computation, whoever is computing.
func TestFunctionsCanBeStopped(t *testing.T) {
	for _, code := range endless() {
		L := openAll(t, nil)
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
	L := openAll(t, nil)
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

// TestCurveFitOfNIST: Misra1a of the Statistical Reference Datasets of NIST, from its first
// starting point, with its certified parameters and standard deviations; traced and called.
func TestCurveFitOfNIST(t *testing.T) {
	L := openAll(t, nil)
	if err := L.DoString(`
local y = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78}
local x = {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0}
local want = {{2.3894212918E+02, 2.7070075241E+00}, {5.5015643181E-04, 7.2668688436E-06}}
for _, scale in ipairs{1e-9, 1, 1e9} do
  local ys = array(y) * scale
  for _, f in ipairs{
    function(x, a, b) return scale * a * (1 - math.exp(-b * x)) end,
    function(x, a, b) if a == 0 then return 0 end return scale * a * (1 - math.exp(-b * x)) end,
    function(x, a, b) return scale * a * b * x / (1 + b * x / 2) end} do
    local fit = optimize.curve_fit(f, x, ys, {500, 1e-4})
    assert(fit.success, fit.message)
    for i = 1, 2 do
      if _ < 3 then
        assert(math.abs(fit.p[i] / want[i][1] - 1) < 1e-7, "parameter " .. fit.p[i])
        assert(math.abs(fit.stderr[i] / want[i][2] - 1) < 1e-6, "error " .. fit.stderr[i])
      end
    end
  end
end
-- a parameter without influence has no standard error
assert(optimize.curve_fit(function(x, a, b) return a * x + 0 * b end, {1, 2, 3}, {1, 2, 4}).stderr[2] == 1/0)
-- the error of a mean: known in closed form
local fit = optimize.curve_fit(function(x, m) return m end, {1, 2, 3, 4}, {1, 2, 3, 6})
assert(math.abs(fit.p[1] - 3) < 1e-12 and math.abs(fit.stderr[1] - math.sqrt(14 / 3 / 4)) < 1e-12)
local fit = optimize.curve_fit(function(x, m) return m end, {1, 2, 3, 4}, {1, 2, 3, 6}, {sigma = 2, absolute_sigma = true})
assert(math.abs(fit.stderr[1] - 1) < 1e-12)
`); err != nil {
		t.Error(err)
	}
}
