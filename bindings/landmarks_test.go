package bindings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
)

// Every method of estimates answers for one that is on landmarks, of both sides, of one, and of scattered points, or says in words why
// it does not. Whoever adds a method adds how it is asked.
func TestEstimatesOnLandmarksAnswer(t *testing.T) {
	asked := map[string]string{
		"adjoint": "", "apply": "d.input", "bias": "", "bias_std": "", "calibrate": "{n = 2}", "check": "{kernels = KERNELS}", "diff": "{'x'}",
		"draw": "{n = 2}", "error": "{data = d}", "green": "", "identifiability": "", "next": "{candidates = d.input, n = 2}", "plot": "{show = false}",
		"plot_residuals": "{show = false}", "predict": "d.input, {std = true}", "save": "path, {data = true}", "save_green": "path",
		"save_predictions": "path, d.input, {std = true}", "slice": "{x = 0.5}", "span": "d.input", "std": "", "summary": "", "svd": "",
	}
	why := map[string]string{ // what cannot be answered
		"next":            "another pair: is not known of an estimate on landmarks",
		"scattered plot":  "a picture of it needs one each",
		"scattered slice": "hold all of them or none",
	}
	for f := range all().Functions() {
		if of, name, found := strings.Cut(f.FullName, ":"); found && of == "estimate" && !strings.HasPrefix(name, "__") {
			if _, is := asked[name]; !is {
				t.Errorf("estimate:%s is not asked of an estimate on landmarks", name)
			}
		}
	}
	L := openAll(t, nil)
	if err := L.DoString(`n = 14
k = kernel.matern{nu = 2.5, lengthscale = 0.4}
path = os.tmpname() .. ".npz"
local function pairs_of(x, y)
  local f = random.field{kernel = kernel.se{lengthscale = 0.3}, mesh = x, n = n, seed = 4}
  local u = array.from(n, y.size, function(i, k) return f[i]:mean() + 0.1 * math.sin(i + k) end)
  return data.new{input = f, output = u, input_mesh = x, output_mesh = y}
end
local many, few = mesh.uniform(0, 1, 8), mesh.uniform(0, 1, 4)
local points = mesh.points(random.uniform{shape = {9, 2}, seed = 3})
cases = {both = pairs_of(many, many), input = pairs_of(many, few), output = pairs_of(few, many), scattered = pairs_of(points, points)}`); err != nil {
		t.Fatal(err)
	}
	cases := []string{"both", "scattered", "input", "output"}
	if !testmain.EveryCase() {
		cases = cases[:2]
	}
	for _, name := range cases {
		if err := L.DoString(fmt.Sprintf("d = cases.%s; est = green.fit{data = d, kernel = k, landmarks = 5}", name)); err != nil {
			t.Fatal(name, err)
		}
		for method, with := range asked {
			call := fmt.Sprintf("est:%s(%s)", method, strings.ReplaceAll(with, "KERNELS", fmt.Sprint(testmain.EveryCase())))
			want := why[method] + why[name+" "+method]
			if err := L.DoString(call); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v, want an error: %q", name, call, err, want)
			}
		}
	}
	if err := L.DoString(`os.remove(path)`); err != nil {
		t.Fatal(err)
	}
}
