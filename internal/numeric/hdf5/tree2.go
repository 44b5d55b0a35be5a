package hdf5

// A tree2 is a B-tree of version 2.
type tree2 struct {
	m          *image
	kind       int
	node       int // bytes of a node
	record     int // bytes of a record
	countWidth int // bytes of the number of records in a node
	total      []int
	do         func(kind int, record *cursor) error
}

// overhead of a node: signature, version, type, checksum.
const nodeOverhead = 10

// tree2 calls do with every record of a B-tree of version 2.
func (m *image) tree2(at uint64, do func(kind int, record *cursor) error) error {
	c, err := m.signed(at, uint64(4+12+m.offsets+2+m.length+4), "BTHD", true)
	if err != nil {
		return err
	}
	c.skip(1)
	t := &tree2{m: m, kind: c.u8(), node: int(c.u32()), record: c.u16(), do: do}
	depth := c.u16()
	c.skip(2)
	root, count := c.address(), c.u16()
	switch {
	case c.failed() != nil:
		return c.failed()
	case root == undefined || count == 0:
		return nil
	case t.record == 0 || t.node < nodeOverhead+t.record || depth > 16:
		return corrupt("a B-tree with nodes of %d bytes, records of %d, depth %d", t.node, t.record, depth)
	}
	t.measure(depth)
	return t.visit(root, count, depth)
}

// measure finds how many bytes the numbers of records below a node of each level take: they are as narrow as the
// most that fit allows.
func (t *tree2) measure(depth int) {
	leaf := (t.node - nodeOverhead) / t.record
	t.countWidth = bytesFor(uint64(leaf))
	t.total = append(t.total, 0)
	most := uint64(leaf)
	for range depth {
		pointer := t.m.offsets + t.countWidth + t.total[len(t.total)-1]
		inner := uint64(max(0, t.node-nodeOverhead-pointer) / (t.record + pointer))
		most = min((inner+1)*most+inner, 1<<62/(1<<16)) // does not overflow in the next round
		t.total = append(t.total, bytesFor(most))
	}
}

// visit reads a node: its records, and the nodes between them, level levels above the leaves.
func (t *tree2) visit(at uint64, count, level int) error {
	name, pointers := "BTLF", 0
	pointer := t.m.offsets + t.countWidth
	if level > 0 {
		name, pointers = "BTIN", count+1
		pointer += t.total[level-1]
	}
	size := nodeOverhead + count*t.record + pointers*pointer
	if size > t.node {
		return corrupt("%d records in a node of %d bytes", count, t.node)
	}
	c, err := t.m.signed(at, uint64(size), name, true)
	if err != nil {
		return err
	}
	c.skip(1)
	if kind := c.u8(); kind != t.kind {
		return corrupt("a node of type %d in a B-tree of type %d", kind, t.kind)
	}
	for range count {
		if err := t.do(t.kind, t.m.cursor(c.take(t.record))); err != nil {
			return err
		}
	}
	for range pointers {
		child, n := c.address(), int(c.uint(t.countWidth))
		c.skip(pointer - t.m.offsets - t.countWidth)
		if c.failed() != nil {
			return c.failed()
		}
		if err := t.visit(child, n, level-1); err != nil {
			return err
		}
	}
	return c.failed()
}
