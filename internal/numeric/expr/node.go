package expr

import "math"

// Node is one immutable formula. The handle is *Node; copies of a handle are
// free, and a node may be an argument of many others. Make nodes with the
// constructors only.
type Node struct {
	op   Op
	args [3]*Node
	// value is the number of a constant, the order nu of OpMatern and
	// OpBesselK, and 0 elsewhere.
	value float64
	slot  int
	name  string
	hash  uint64
	// size counts the nodes of the formula written out as a tree, up to maxSize.
	size uint32
}

const maxSize = math.MaxUint32 / 4

// Op returns the operation of the node.
func (n *Node) Op() Op { return n.op }

// Args returns the arguments of the node, Op().Arity() of them.
func (n *Node) Args() []*Node {
	k := n.op.arity()
	return n.args[:k:k]
}

// Value returns the number of a constant, or the order nu of matern and
// besselk; 0 for other nodes.
func (n *Node) Value() float64 { return n.value }

// Slot returns the slot of a variable, 0 for other nodes.
func (n *Node) Slot() int { return n.slot }

// Name returns the name of a variable, "" for other nodes.
func (n *Node) Name() string { return n.name }

// Hash returns a number that equal formulas share.
func (n *Node) Hash() uint64 { return n.hash }

// IsConst reports whether the node is a number.
func (n *Node) IsConst() bool { return n.op == OpConst }

func (n *Node) isConst(v float64) bool { return n.op == OpConst && n.value == v }

// newNode fills in hash and size. It does not simplify.
func newNode(n Node) *Node {
	h := mix(uint64(n.op)+1, math.Float64bits(n.value))
	h = mix(h, uint64(n.slot))
	size := uint32(1)
	for _, a := range n.Args() {
		h = mix(h, a.hash)
		size = min(size+a.size, maxSize)
	}
	n.hash, n.size = h, size
	return &n
}

// mix folds v into the hash h (the finalizer of splitmix64).
func mix(h, v uint64) uint64 {
	h = h*0x9e3779b97f4a7c15 + v
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Equal reports whether two formulas are the same after local simplification:
// the same operations on the same arguments. Variables are equal when their
// slots are; names do not count.
func Equal(a, b *Node) bool {
	e := equality{}
	return e.equal(a, b)
}

// equality remembers pairs found equal, so that comparing two formulas with
// much sharing inside takes time linear in their distinct nodes.
type equality struct{ seen map[[2]*Node]bool }

func (e *equality) equal(a, b *Node) bool {
	if a == b {
		return true
	}
	if a.hash != b.hash || a.op != b.op || a.slot != b.slot ||
		math.Float64bits(a.value) != math.Float64bits(b.value) {
		return false
	}
	if a.op.arity() == 0 || e.seen[[2]*Node{a, b}] {
		return true
	}
	for i, arg := range a.Args() {
		if !e.equal(arg, b.args[i]) {
			return false
		}
	}
	if a.size > 32 {
		if e.seen == nil {
			e.seen = map[[2]*Node]bool{}
		}
		e.seen[[2]*Node{a, b}] = true
	}
	return true
}

// compare is the canonical order of arguments: numbers, then variables by
// slot, then small formulas before large ones.
func compare(a, b *Node) int {
	if a == b {
		return 0
	}
	switch {
	case a.size != b.size:
		return order(a.size, b.size)
	case a.op != b.op:
		return order(a.op, b.op)
	case a.slot != b.slot:
		return order(a.slot, b.slot)
	case a.value != b.value && !(math.IsNaN(a.value) && math.IsNaN(b.value)):
		return orderFloat(a.value, b.value)
	}
	for i, arg := range a.Args() {
		if !Equal(arg, b.args[i]) {
			return compare(arg, b.args[i])
		}
	}
	// Only constants that compare as equal but differ in bits come here.
	return order(math.Float64bits(a.value), math.Float64bits(b.value))
}

// orderFloat puts NaN before every number.
func orderFloat(a, b float64) int {
	switch {
	case math.IsNaN(a):
		return -1
	case math.IsNaN(b):
		return 1
	case a < b:
		return -1
	}
	return 1
}

func order[T Op | uint32 | uint64 | int](a, b T) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}
