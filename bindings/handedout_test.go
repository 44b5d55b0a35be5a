package bindings_test

import "testing"

// Whoever writes to the arrays that an estimate gives, or gave it, leaves the estimate as it is: certified, and
// the same for predictions and its file.
func TestArraysOfEstimatesAreCopies(t *testing.T) {
	h := newHost(t)
	if err := h.Run(t.Context(), "copies", `
local m = mesh.uniform(0, 1, 7, "x")
local f = random.normal{shape = {9, 7}, seed = 1}
local d = data.new{input = f, output = f * 0.3 + random.normal{shape = {9, 7}, seed = 2}, input_mesh = m}
local weights, noise, prior = array.linspace(1, 2, 9), array.linspace(1, 2, 7), array.ones(7, 7)
local est = green.fit{data = d, kernel = kernel.se{lengthscale = 0.3}, lambda = 0.1, weights = weights, noise = noise, prior = prior}
local function says() return {est:predict(f):table(), est:std():table(), est.report.loo, (tostring(est:summary()))} end
local before = says()
for _, a in ipairs{weights, noise, prior, est.weights, est.bias_weights, est:green(), est:std(), est:svd().values,
                   est.input_mesh:points(), est.input_mesh:weights(), est.output_mesh:weights()} do a:fill_(7) end
local after = says()
for i = 1, 2 do assert((array(before[i]) - array(after[i])):norm() == 0, i) end
assert(before[3] == after[3] and before[4] == after[4])`); err != nil {
		t.Fatal(err)
	}
}
