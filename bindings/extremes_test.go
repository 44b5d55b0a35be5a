package bindings_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/numeric/array"
)

// Numbers at the ends of every domain: whatever stands in a function of special, the
// answer is a number, NaN included, or an error about an argument, in bounded time.
func TestSpecialFunctionsAtExtremes(t *testing.T) {
	L, _ := newState(t, nil, bindings.Special(), bindings.Array())
	values := "{-1e300, -1e9, -2.5, -1, 0, 1e-300, 0.5, 1, 1 + 1e-12, 2.5, 1e6, 1e12, 1e300, math.huge, -math.huge, 0/0}"
	for _, f := range bindings.Special().Funcs {
		name := f.Name()
		start := time.Now()
		err := L.DoString(fmt.Sprintf(`
			local v = %s
			local function check(...)
				local ok, message = pcall(special[%q], ...)
				message = tostring(message)
				if not ok and (message:find("internal error") or message:find("panic") or message:find("runtime error")) then
					error(table.concat({...}, ", ") .. ": " .. message)
				end
			end
			for _, a in ipairs(v) do
				check(a)
				for _, b in ipairs(v) do
					check(a, b)
					if %t then
						for _, c in ipairs{0, 1e-300, 0.5, 1, 1e300} do check(a, b, c) end
					end
				end
			end`, values, name, strings.HasPrefix(name, "betainc")))
		if err != nil {
			t.Errorf("special.%s: %v", name, err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("special.%s took %v: a call cannot be interrupted, and must be short", name, d)
		}
	}
}

// One array is not compared with itself: its largest number is what is meant.
func TestMaxOfOneArray(t *testing.T) {
	overloads := bindings.MathOverloads()
	for _, name := range []string{"max", "min"} {
		if _, err := overloads[name](t.Context(), array.Vector([]float64{1, 3, 2})); err == nil {
			t.Errorf("math.%s of one array is no error", name)
		}
		if a, err := overloads[name](t.Context(), array.Vector([]float64{1, 3, 2}), array.Vector([]float64{2})); err != nil || math.IsNaN(a.Data[0]) {
			t.Errorf("math.%s of an array and a number: %v, %v", name, a, err)
		}
	}
}

// Samples of which there are none have no integral; they are refused by name.
func TestNoSamples(t *testing.T) {
	L, _ := newState(t, nil, bindings.Integrate(), bindings.Array())
	err := L.DoString(`
		for _, name in ipairs{"trapezoid", "simpson"} do
			for _, y in ipairs{array{}, array.zeros(3, 0), array.zeros(0, 3)} do
				local ok, message = pcall(integrate[name], y)
				message = tostring(message)
				assert(not ok and message:find("no values"), message)
			end
		end`)
	if err != nil {
		t.Error(err)
	}
}

// An array is a picture: rows, columns, and three colours.
func TestPictureOfAnArray(t *testing.T) {
	L, _ := newState(t, nil, bindings.Plot(), bindings.Array())
	err := L.DoString(`
		local fig = plot.image(array.from(2, 4, 3, function(i, j, k) return j / 4 end), {show = false})
		assert(tostring(fig) == "image, 2 × 4", tostring(fig))
		local ok, message = pcall(plot.image, array.ones(2, 4), {show = false})
		assert(not ok and tostring(message):find("want three axes, got an array of shape 2×4", 1, true), tostring(message))`)
	if err != nil {
		t.Error(err)
	}
}
