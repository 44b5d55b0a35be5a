package expr

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// formatVersion is the version of the JSON form that this package writes.
const formatVersion = 1

// maxSlot bounds the slots that a file may name.
const maxSlot = 1 << 16

// document is the JSON form of a formula: the distinct nodes, each after its
// arguments; the last one is the formula.
type document struct {
	Version int        `json:"version"`
	Nodes   []nodeJSON `json:"nodes"`
}

type nodeJSON struct {
	Op    string  `json:"op"`
	Args  []int   `json:"args,omitempty"`
	Value *number `json:"value,omitempty"` // of const; nu of matern and besselk
	Slot  int     `json:"slot,omitempty"`
	Name  string  `json:"name,omitempty"`
}

// number is a float64 that JSON may carry as "nan", "inf" or "-inf".
type number float64

func (v number) MarshalJSON() ([]byte, error) {
	f := float64(v)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return json.Marshal(formatConst(f))
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

func (v *number) UnmarshalJSON(data []byte) error {
	text := string(data)
	switch text {
	case `"nan"`:
		*v = number(math.NaN())
		return nil
	case `"inf"`:
		*v = number(math.Inf(1))
		return nil
	case `"-inf"`:
		*v = number(math.Inf(-1))
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("number %s: must be a number, \"nan\", \"inf\" or \"-inf\"", text)
	}
	*v = number(f)
	return nil
}

// MarshalJSON writes the formula with its sharing, in a form with a version.
func (n *Node) MarshalJSON() ([]byte, error) {
	doc := document{Version: formatVersion}
	index := map[*Node]int{}
	for m := range walk(share(n)) {
		j := nodeJSON{Op: m.op.String(), Slot: m.slot, Name: m.name}
		if m.IsConst() || hasOrder(m.op) {
			v := number(m.value)
			j.Value = &v
		}
		for _, a := range m.Args() {
			j.Args = append(j.Args, index[a])
		}
		index[m] = len(doc.Nodes)
		doc.Nodes = append(doc.Nodes, j)
	}
	return json.Marshal(doc)
}

// UnmarshalJSON reads what MarshalJSON wrote into n, which must be a new Node
// that is not yet part of a formula. The error names the first node that is
// wrong.
func (n *Node) UnmarshalJSON(data []byte) error {
	var doc document
	if err := json.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("formula: %w", err)
	}
	if doc.Version != formatVersion {
		return fmt.Errorf("formula version %d: must be %d", doc.Version, formatVersion)
	}
	if len(doc.Nodes) == 0 || len(doc.Nodes) > maxValues {
		return fmt.Errorf("formula with %d nodes: must have 1 to %d", len(doc.Nodes), maxValues)
	}
	nodes := make([]*Node, len(doc.Nodes))
	for i, j := range doc.Nodes {
		m, err := j.node(nodes[:i])
		if err != nil {
			return fmt.Errorf("formula node %d: %w", i, err)
		}
		nodes[i] = m
	}
	*n = *nodes[len(nodes)-1]
	return nil
}

// node builds one node from the earlier ones.
func (j nodeJSON) node(earlier []*Node) (*Node, error) {
	op, ok := opByName(j.Op)
	if !ok {
		return nil, fmt.Errorf("op %q: unknown", j.Op)
	}
	if len(j.Args) != op.arity() {
		return nil, fmt.Errorf("op %q with %d args: takes %d", j.Op, len(j.Args), op.arity())
	}
	if (op == OpConst || hasOrder(op)) != (j.Value != nil) {
		return nil, fmt.Errorf("op %q: value present %t, must be %t", j.Op, j.Value != nil, j.Value == nil)
	}
	if j.Slot < 0 || j.Slot > maxSlot {
		return nil, fmt.Errorf("slot %d: must be 0 to %d", j.Slot, maxSlot)
	}
	var args [3]*Node
	for k, a := range j.Args {
		if a < 0 || a >= len(earlier) {
			return nil, fmt.Errorf("arg %d: must be an earlier node", a)
		}
		args[k] = earlier[a]
	}
	switch op {
	case OpConst:
		return Const(float64(*j.Value)), nil
	case OpVar:
		return Var(j.Slot, j.Name), nil
	}
	nu := 0.0
	if hasOrder(op) {
		nu = float64(*j.Value)
	}
	return build(op, nu, args), nil
}

// hasOrder reports whether nodes of the operation carry an order nu.
func hasOrder(op Op) bool { return op == OpMatern || op == OpBesselK }

func opByName(name string) (Op, bool) {
	for op := range opCount {
		if op.String() == name {
			return op, true
		}
	}
	return 0, false
}
