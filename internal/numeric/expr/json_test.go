package expr

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// A formula survives JSON as the same formula, sharing included.
func FuzzJSONRoundTrip(f *testing.F) {
	addSeeds(f, 20)
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := newGenerator(seed, 4)
		for range 50 {
			n := g.node(1 + g.IntN(25))
			data, err := json.Marshal(n)
			if err != nil {
				t.Fatal(err)
			}
			var m Node
			if err := json.Unmarshal(data, &m); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			if !Equal(n, &m) || n.String() != m.String() {
				t.Errorf("%s came back as %s", n, &m)
			}
			if again, _ := json.Marshal(&m); string(again) != string(data) {
				t.Errorf("%s\nwrites %s\nthen   %s", n, data, again)
			}
		}
	})
}

// Reading arbitrary bytes gives a formula or an error, never a panic.
func FuzzUnmarshalJSON(f *testing.F) {
	for _, text := range []string{
		`{"version":1,"nodes":[{"op":"var","slot":0,"name":"x"},{"op":"const","value":"inf"},{"op":"+","args":[0,1]}]}`,
		`{"version":1,"nodes":[{"op":"var","slot":3},{"op":"matern","value":2.5,"args":[0]},{"op":"where","args":[1,0,0]}]}`,
		`{"version":1,"nodes":[{"op":"exp","args":[0]}]}`,
		`{"version":1}`, `[]`, `null`, `{`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var n Node
		if err := json.Unmarshal(data, &n); err != nil || n.hash == 0 {
			return // null leaves n as it was, by the convention of encoding/json
		}
		_ = n.String()
		if _, err := json.Marshal(&n); err != nil {
			t.Errorf("%s cannot be written again: %v", data, err)
		}
	})
}

func TestJSONFormat(t *testing.T) {
	n := Exp(Neg(Div(Abs(Sub(Var(0, "x"), Var(1, "y"))), Const(0.2))))
	const want = `{"version":1,"nodes":[{"op":"var","name":"x"},{"op":"var","slot":1,"name":"y"},{"op":"-","args":[0,1]},` +
		`{"op":"abs","args":[2]},{"op":"const","value":0.2},{"op":"/","args":[3,4]},{"op":"neg","args":[5]},{"op":"exp","args":[6]}]}`
	data, err := json.Marshal(n)
	if err != nil || string(data) != want {
		t.Errorf("got %s, error %v", data, err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 5e-324, math.MaxFloat64} {
		data, _ := json.Marshal(Const(v))
		var m Node
		if err := json.Unmarshal(data, &m); err != nil || math.Float64bits(m.Value()) != math.Float64bits(Const(v).Value()) {
			t.Errorf("%v came back as %v, error %v", v, m.Value(), err)
		}
	}
}

func TestJSONErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"version":2,"nodes":[{"op":"var"}]}`, "formula version 2: must be 1"},
		{`{"version":1,"nodes":[]}`, "formula with 0 nodes: must have 1 to 1048576"},
		{`{"version":1,"nodes":[{"op":"foo"}]}`, `formula node 0: op "foo": unknown`},
		{`{"version":1,"nodes":[{"op":"var"},{"op":"exp","args":[1]}]}`, "formula node 1: arg 1: must be an earlier node"},
		{`{"version":1,"nodes":[{"op":"var"},{"op":"exp","args":[0,0]}]}`, `formula node 1: op "exp" with 2 args: takes 1`},
		{`{"version":1,"nodes":[{"op":"const"}]}`, `formula node 0: op "const": value present false, must be true`},
		{`{"version":1,"nodes":[{"op":"var","slot":-1}]}`, "formula node 0: slot -1: must be 0 to 65536"},
		{`{"version":1,"nodes":[{"op":"const","value":"one"}]}`, `number "one": must be a number, "nan", "inf" or "-inf"`},
	} {
		var n Node
		err := json.Unmarshal([]byte(test.text), &n)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.text, err, test.want)
		}
	}
}
