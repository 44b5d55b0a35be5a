package bindings_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/fit"
)

// green.fit takes every structure that kernels can have: the list of what it allows is that
// of a fit.
func TestStructuresAreAllowed(t *testing.T) {
	L := openAll(t, func(int, string) {})
	err := L.DoString(`
local x = mesh.uniform(0, 1, 4)
local f = array({{1, 2, 3, 4}, {2, 1, 0, 1}})
local d = data.new{input = f, output = f, input_mesh = x, output_mesh = x}
green.fit{data = d, kernel = kernel.se{lengthscale = 1}, structure = "none such"}`)
	if err == nil {
		t.Fatal("a structure without a name here")
	}
	_, allowed, ok := strings.Cut(err.Error(), "structure")
	if !ok {
		t.Fatal(err)
	}
	for _, s := range fit.Structures() {
		if !strings.Contains(allowed, `"`+string(s)+`"`) {
			t.Errorf("structure %q is not among what green.fit allows:%s", s, strings.SplitN(allowed, "\n", 2)[0])
		}
	}
}
