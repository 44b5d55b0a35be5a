package bindings_test

import (
	"strings"
	"testing"
)

// What is wrong with noise, weights and the loss is said in the words of the call.
func TestNoiseArguments(t *testing.T) {
	L := openAll(t, nil)
	if err := L.DoString(`p = pde.poisson{mesh = mesh.uniform(0, 1, 8)}
d = p:sample{n = 6, input = {kernel = kernel.se{lengthscale = 0.1}}}:noise{level = 0.1}
function both(args) args.data = data.new{input = {f = d.input}, output = {u = d.output, v = 2 * d.output}, input_mesh = d.input_mesh, output_mesh = d.output_mesh}; green.fit(args) end
function bad(args) args.data, args.kernel = d, kernel.se{lengthscale = 0.3}; green.fit(args) end
w = array.full({6}, 1); v = array.full({6, 8}, 1); s = array.full({8}, 1)`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ code, says string }{
		{`bad{weights = array{1, 2, 3}}`, "weights: have the shape 3, want one for each of the 6 pairs, or 6 × 8"},
		{`w[2] = 0; bad{weights = w}`, "weight 2 is 0, must be finite and > 0; to leave the pair out, fit d:without{2}"},
		{`w[2] = -1; bad{weights = w}`, "weight 2 is -1"},
		{`w[2] = 0/0; bad{weights = w}`, "weight 2 is NaN"},
		{`v[2][1] = 1/0; bad{weights = v}`, "weight [2][1], of pair 2 at output point 1, is +Inf, must be finite and > 0; to leave the value out, set u[2][1] = 0/0"},
		{`bad{noise = array{1, 2}}`, "noise: an array of shape 2, want 8 standard deviations"},
		{`bad{noise = 0.1}`, "noise: one number, want 8 standard deviations, one for each point of the output; where all are the same, give array.ones(8)"},
		{`s[3] = 1e-300; bad{noise = s}`, "noise: standard deviations from 1e-300 to 1: are too far apart"},
		{`s[3] = 1e300; bad{noise = s}`, "noise: standard deviations from 1 to 1e+300: are too far apart"},
		{`s[3] = 0; bad{noise = s}`, "noise: standard deviation 3 is 0"},
		{`bad{noise = -1 * array.eye(8)}`, "noise: the variance in row 1 is -1"},
		{`bad{noise = array.full({8, 8}, 1)}`, "noise: not positive definite"},
		{`c = array.eye(8); c[1][2] = .5; bad{noise = c}`, "noise: not symmetric: row 1, column 2 is 0.5, and row 2, column 1 is 0"},
		{`bad{noise = "grey"}`, `want "white", "auto", "diagonal"`},
		{`bad{loss = "huber", noise = "auto"}`, `loss "huber"`},
		{`bad{method = "adam", lambda = 1e-3, loss = "huber"}`, `method "adam"`},
		{`d = d:take(1, 2); bad{noise = kernel.exponential{}}`, "2 pairs"},
		{`both{noise = "diagonal"}`, "noise: 2 samples"},
		{`both{noise = array.full({8}, 1)}`, "noise: want a table by output, such as {u = …}; there are u, v"},
		{`both{noise = {w = array.full({8}, 1)}}`, `noise: output: there is no "w"`},
		{`both{weights = {w = array.full({2}, 1)}}`, `weights: output: there is no "w"`},
		{`both{noise = {u = array.full({7}, 1)}}`, "noise.u: an array of shape 7, want 8 standard deviations"},
		{`both{noise = {u = array.full({8, 8}, 1)}}`, "noise.u: not positive definite"},
		{`both{weights = {v = array{1, 0}}}`, "weights.v: of the pairs: weight 2 is 0"},
		{`both{weights = array{1, 2, 3}}`, "weights: have the shape 3, want one for each of the 2 pairs"},
		{`both{noise = {v = array.eye(8)}, loss = "huber"}`, `loss "huber"`},
		{`bad{noise = {u = array.eye(8)}}`, "noise: want one array"},
		{`bad{weights = {u = array{1, 1}}}`, "weights: want one array"},
		{`both{noise = kernel.exponential{}, criterion = "loo"}`, "criterion loo"},
	} {
		if err := L.DoString(c.code); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.code, err, c.says)
		}
	}
}

// Noise goes with comparing, calibrating, files with data, constraints and automatic kernels.
func TestNoiseGoesWithTheRest(t *testing.T) {
	L := openAll(t, nil)
	if err := L.DoString(`p = pde.poisson{mesh = mesh.uniform(0, 1, 8)}
d = p:sample{n = 8, input = {kernel = kernel.se{lengthscale = 0.1}}}:noise{level = 0.1}
k, e = kernel.se{lengthscale = 0.3}, kernel.exponential{lengthscale = 0.3}
est = green.fit{data = d, kernel = k, noise = e}
assert(est.report.reason:find("the noise is correlated"))
assert(est:calibrate{n = 2}.coverage > 0.3)
path = os.tmpname() .. ".npz"
est:save{path = path, data = true}
back = green.load(path)
os.remove(path)
assert(back:std()[3][4] == est:std()[3][4])
assert(green.compare{data = d, models = {white = {kernel = k}, curves = {kernel = k, noise = e}}}.models[2].reml_difference > 0)
w = array.full({8}, 1); w[3] = 4
assert(green.crossvalidate{data = d, kernel = k, noise = "diagonal", weights = w, folds = 2}.rmse > 0)
assert(#green.learning_curve{data = d, kernel = k, noise = e, n = {6}}.points == 1)
assert(green.fit{data = d, noise = e}.report.converged)
assert(green.fit{data = d, kernel = k, noise = "diagonal", constraint = constraint.symmetric{"x", "y"}}.report.converged)
assert(green.fit{data = d, kernel = k, loss = "huber"}.report.reason:find("Huber"))`); err != nil {
		t.Fatal(err)
	}
}

// Weights where nothing was observed change nothing, with a λ that is given or open, whatever they are.
func TestWeightsOfMissingValues(t *testing.T) {
	L := openAll(t, nil)
	if err := L.DoString(`p = pde.poisson{mesh = mesh.uniform(0, 1, 8)}
whole = p:sample{n = 10, input = {kernel = kernel.se{lengthscale = 0.1}}}:noise{level = 0.1}
u = 1 * whole.output
for i = 1, 5 do for j = 3, 4 do u[i][j] = 0 / 0 end end
for j = 1, 8 do u[10][j] = 0 / 0 end
d = data.new{input = whole.input, output = u, input_mesh = p.input_mesh, missing = true}
k = kernel.matern{lengthscale = 0.3}
ways = {
  values = function(v) return {weights = array.from(10, 8, function(i, j) return (u[i][j] ~= u[i][j]) and v or i + j end)} end,
  pairs = function(v) return {weights = array.from(10, function(i) return i == 10 and v or i end)} end,
}
for name, weights in pairs(ways) do
  for _, lambda in ipairs{1e-5, false} do
    local function learned(v)
      local s = weights(v)
      s.data, s.kernel, s.lambda = d, k, lambda or nil
      local e = green.fit(s)
      local _, sd = e:predict(whole.input[1], {std = true})
      return {e(0.3, 0.6), sd[3], e.report.sigma, e.report.reml, e.report.lambda}
    end
    local want = learned(1)
    for _, v in ipairs{1e-9, 1e6, 1e300} do
      for q, number in ipairs(learned(v)) do
        assert(math.abs(number - want[q]) <= 1e-9 * math.abs(want[q]), name .. ": number " .. q .. " is " .. number .. " with weights " .. v .. ", want " .. want[q])
      end
    end
  end
end`); err != nil {
		t.Fatal(err)
	}
}

// Only the ratios of weights matter: of pairs, of values and of the outputs of frames, in any
// unit, what is learned is the same.
func TestWeightsHaveNoUnit(t *testing.T) {
	L := openAll(t, nil)
	if err := L.DoString(`p = pde.poisson{mesh = mesh.uniform(0, 1, 8)}
d = p:sample{n = 8, input = {kernel = kernel.se{lengthscale = 0.1}}}:noise{level = 0.1}
frame = data.new{input = {f = d.input}, output = {u = d.output}, input_mesh = p.input_mesh}
k = kernel.se{lengthscale = 0.3}
ways = {
  pairs = function(s) return green.fit{data = d, kernel = k, weights = array.from(8, function(i) return s * i end)} end,
  values = function(s) return green.fit{data = d, kernel = k, weights = array.from(8, 8, function(i, j) return s / (i + j)^2 end)} end,
  frame = function(s) return green.fit{data = frame, kernel = {f = k}, weights = {u = array.from(8, 8, function(i, j) return s * (i + j) end)}}.u end,
  left = function(s) return green.crossvalidate{data = d, kernel = k, folds = 2, weights = array.from(8, 8, function(i, j) return s * j end)} end,
}
for name, learned in pairs(ways) do
  local function value(s)
    local e = learned(s)
    return name == "left" and e.rmse or name == "frame" and e.f(0.3, 0.6) or e(0.3, 0.6)
  end
  local want = value(1)
  for _, s in ipairs{1e-9, 1e9, 1e-200} do
    assert(math.abs(value(s) - want) < 1e-7 * math.abs(want), name .. " in units of " .. s .. ": " .. value(s) .. ", want " .. want)
  end
end`); err != nil {
		t.Fatal(err)
	}
}
