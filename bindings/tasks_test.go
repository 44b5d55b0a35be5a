package bindings_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings"
)

// The tasks of an ordinary numerical session, each in at most three lines. Numbers are closed forms, or counted by hand.
func TestOrdinaryTasks(t *testing.T) {
	eval := evaluator(t, bindings.FFT(), bindings.Interp(), bindings.Integrate(), bindings.Optimize(), bindings.Stats(), bindings.Sparse(), bindings.Plot())
	for _, tt := range []struct{ task, code, want string }{
		{"Fourier transform", "local z = fft.fft({1, 2, 3, 4})\nreturn z.re + z.im:sum() * 0", "[4][10 -2 -2 -2]"},
		{"spectrum in order", "return fft.fftshift(fft.fftfreq(5)) * 5", "[5][-2 -1 0 1 2]"},
		{"and back, along one axis", "return fft.ifftshift(fft.fftshift({{1, 2, 3}, {4, 5, 6}}, {axis = 2})) + fft.fftshift(array.complex({1, 2, 3})).re", "[2 3][7 6 8 4 3 5]"},
		{"interpolation to a mesh", "return math.abs(interp.interp1d({0, 1, 2, 3}, {0, 1, 8, 27})(1.5) - 3.375) < 1e-14", "true"},
		{"differential equation", "local s = integrate.solve_ivp(function(t, y) return -y end, {0, 1}, 1)\nreturn math.abs(s:at(1) - math.exp(-1)) < 1e-5", "true"},
		{"minimum", "local m = optimize.minimize(function(x) return (x[1] - 3)^2 + x[2]^2 end, {0, 1})\nreturn math.abs(m.x[1] - 3) < 1e-6", "true"},
		{"zero", "return math.abs(optimize.brentq(math.cos, 1, 2) - math.pi / 2) < 1e-12", "true"},
		{"integral", "return math.abs(integrate.quad(math.exp, 0, 1) - (math.exp(1) - 1)) < 1e-13", "true"},
		{"curve fit", "local x = array.linspace(0, 1, 9)\nlocal fit = optimize.curve_fit(function(x, a, b) return a / (b + x) end, x, 2 / (3 + x))\nreturn math.abs(fit.p[2] - 3) < 1e-8", "true"},
		{"histogram", "return (array{1, 2, 2, 5}:histogram(2))", "[2][3 1]"},
		{"sort, unique, sums, places", "local a = array{3, 1, 3, 2}\nreturn array{a:sort()[4], a:unique().size, a:cumsum()[4], a:argmax()}", "[4][3 3 9 1]"},
		{"masks", "local a = array{3, 1, 3, 2}\na[a:gt(2)] = 0\nreturn a", "[4][0 1 0 2]"},
		{"quantile, correlation", "local x = array{1, 2, 3, 4}\nreturn array{x:quantile(0.5), stats.corr(x, -2 * x):at(1, 2)}", "[2][2.5 -1]"},
		{"joining", "return array.concatenate{{1, 2}, {3}}", "[3][1 2 3]"},
		{"text by lines", "local words = {}\nfor w in ('1.5,2,x'):gmatch('[^,]+') do words[#words + 1] = tonumber(w) end\nreturn array(words)", "[2][1.5 2]"},
		{"sparse system", "local A = sparse.diags({array.full(3, -1), array.full(4, 2), array.full(3, -1)}, {-1, 0, 1})\nreturn sparse.solve(A, {1, 0, 0, 1}):round(12)", "[4][1 1 1 1]"},
		{"singular sparse system that has solutions", "local x = sparse.cg(sparse.csr{{1, -1}, {-1, 1}}, {1, -1})\nreturn x:round(12)", "[2][0.5 -0.5]"},
		{"eigenvalues of any matrix", "return linalg.eig{{0, 1}, {-1, 0}}.im:sort():round(12)", "[2][-1 1]"},
		{"scatter, error bars, log axes", "local fig = plot.lines{{x = {1, 2}, y = {1, 10}, low = {0.9, 9}, high = {1.1, 11}, bars = true}, logy = true}\nlocal dots = plot.scatter({1, 2}, {3, 4})\nreturn plot.grid{{fig, dots}} ~= nil", "true"},
		{"surface, two axes", "local hill = plot.surface{{0, 1, 0}, {1, 2, 1}, {0, 1, 0}}\nreturn hill ~= nil and plot.lines{{y = {1, 3}}, {y = {20, 10}, right = true}} ~= nil", "true"},
	} {
		if lines := strings.Count(tt.code, "\n") + 1; lines > 3 {
			t.Errorf("%s: %d lines", tt.task, lines)
		}
		code := tt.code
		if !strings.Contains(code, "\n") {
			code = "\n" + code
		}
		if got := eval("return (function()\n" + code + "\nend)()"); got != tt.want {
			t.Errorf("%s: %s gives %q, want %q", tt.task, tt.code, got, tt.want)
		}
	}
}
