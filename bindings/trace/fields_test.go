package trace

import (
	"fmt"
	"testing"
)

// Functions at a point are traced by the names of the arguments, or of the inputs where these are several; derivatives and shifts are
// fields of their own, each once.
func TestFields(t *testing.T) {
	L := newState(t)
	one := Functions{Inputs: []string{"f"}, Axes: [][]string{{"x"}, {"x", "y"}}, Most: 2}
	two := Functions{Inputs: []string{"f", "h"}, Axes: [][]string{{"x"}, {"s"}, {"x", "y"}}, Most: 2}
	for _, c := range []struct {
		source     string
		of         Functions
		text, list string
	}{
		{"function(g, u) return g*u*u end", one, "g*u*u", "[{0 [] []} {1 [] []}]"},
		{"function(g, v) return v*v:d('y') end", one, "v*v_y", "[{0 [] []} {1 [] []} {1 [0 1] []}]"},
		{"function(g, u) return g:d('x', 2)*u:d('x'):d('y') end", one, "g_xx*u_x_y", "[{0 [] []} {1 [] []} {0 [1] []} {0 [2] []} {1 [1 0] []} {1 [1 1] []}]"},
		{"function(g, u) return u:shift('y', 0.5) end", one, "u(y+0.5)", "[{0 [] []} {1 [] []} {1 [] [0 0.5]}]"},
		{"function(g, u) return u:shift('y', 0.5):shift('y', -0.5) end", one, "u", "[{0 [] []} {1 [] []} {1 [] [0 0.5]}]"},
		{"function(g, u) return (g*u):d('x') end", one, "g*u_x + u*g_x", "[{0 [] []} {1 [] []} {0 [1] []} {1 [1 0] []}]"},
		{"function(p, u) return p.f*p.h*u end", two, "f*h*u", "[{0 [] []} {1 [] []} {2 [] []}]"},
		{"function(p, u) return p.h:d('s') end", two, "h_s", "[{0 [] []} {1 [] []} {2 [] []} {1 [1] []}]"},
	} {
		call, f := scripted(t, L, c.source)
		n, list, err := Fields(call, f, c.of)
		if err != nil || n.String() != c.text || fmt.Sprint(list) != c.list {
			t.Errorf("%s: %v of %v, %v; want %s of %s", c.source, n, list, err, c.text, c.list)
		}
	}
	for source, want := range map[string]string{
		"function(g, u) return u:d('z') end":                            `u has no coordinate "z": it has x, y`,
		"function(g, u) return (u*g):d('y') end":                        `g has no coordinate "y": it has x`,
		"function(g, u) return u:d('x', 3) end":                         "the derivative of order 3 by x: must be at most of order 2",
		"function(g) return g end":                                      "takes 1 argument: must take the input and the output",
		"function(g, u) if u:d('x') > 0 then return u end return g end": "",
		"function(g, u) return g == 0.5 and u or g end":                 "differ at",
	} {
		call, f := scripted(t, L, source)
		_, _, err := Fields(call, f, one)
		refused(t, source, err, want)
	}
	call, f := scripted(t, L, "function(p, u) return p.k*u end")
	_, _, err := Fields(call, f, two)
	refused(t, "another input", err, "no input 'k': the inputs are f, h")
}
