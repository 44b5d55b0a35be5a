package hdf5

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/greenbench/workbench/internal/sorting"
)

// Kinds of links.
const (
	linkHard     = 0
	linkSoft     = 1
	linkExternal = 64
)

// A link is a name in a group and what it stands for.
type link struct {
	name   string
	kind   int
	at     uint64 // hard: the header of the object
	target string // soft: its path; external: the file
	order  uint64 // when it was made, if dated
	dated  bool
}

// links lists a group in the order in which its links were made, if the file knows it, otherwise by name. What is
// no group has none.
func (h *header) links() ([]link, error) {
	links, err := h.oldLinks()
	if err != nil {
		return nil, err
	}
	for _, g := range h.messages {
		if g.kind != msgLink {
			continue
		}
		l, err := h.m.cursor(g.data).link()
		if err != nil {
			return nil, err
		}
		links = append(links, l)
	}
	dense, err := h.denseLinks()
	links = append(links, dense...)
	undated := slices.ContainsFunc(links, func(l link) bool { return !l.dated })
	sorting.By(links, func(a, b link) int {
		if undated {
			return cmp.Compare(a.name, b.name)
		}
		return cmp.Compare(a.order, b.order)
	})
	return links, err
}

// isGroup says whether an object is a group.
func (h *header) isGroup() bool {
	return slices.ContainsFunc(h.messages, func(g message) bool {
		return g.kind == msgSymbolTable || g.kind == msgLinkInfo || g.kind == msgLink
	})
}

// link reads a link message.
func (c *cursor) link() (link, error) {
	version, flags := c.u8(), c.u8()
	if version != 1 {
		return link{}, corrupt("a link of version %d", version)
	}
	var l link
	if flags&8 != 0 {
		l.kind = c.u8()
	}
	if flags&4 != 0 {
		l.order, l.dated = c.u64(), true
	}
	if flags&16 != 0 {
		c.skip(1)
	}
	l.name = string(c.take(int(c.uint(1<<(flags&3)) & (1<<31 - 1))))
	switch l.kind {
	case linkHard:
		l.at = c.address()
	case linkSoft:
		l.target = string(c.take(c.u16()))
	case linkExternal:
		c.skip(2 + 1)
		l.target = c.text()
	}
	return l, c.failed()
}

// denseLinks reads the links that are in a fractal heap.
func (h *header) denseLinks() (links []link, err error) {
	err = h.dense(msgLinkInfo, 8, func(heap *heap, kind int, record *cursor) error {
		if kind != 5 {
			return corrupt("links are listed in a tree of type %d", kind)
		}
		record.skip(4)
		data, err := heap.object(record.take(heap.id))
		if err != nil {
			return err
		}
		l, err := h.m.cursor(data).link()
		links = append(links, l)
		return err
	})
	return links, err
}

// oldLinks reads the links of a symbol table: a B-tree of nodes, with names in a local heap.
func (h *header) oldLinks() ([]link, error) {
	c, err := h.find(msgSymbolTable)
	if c == nil || err != nil {
		return nil, err
	}
	tree, heapAt := c.address(), c.address()
	if c.failed() != nil {
		return nil, c.failed()
	}
	names, err := h.m.localHeap(heapAt)
	if err != nil {
		return nil, err
	}
	var links []link
	err = h.m.tree1(tree, 0, h.m.length, func(_ *cursor, node uint64) error {
		more, err := h.m.symbols(node, names)
		links = append(links, more...)
		return err
	})
	return links, err
}

// localHeap reads the data of a local heap.
func (m *image) localHeap(at uint64) ([]byte, error) {
	c, err := m.signed(at, uint64(8+2*m.length+m.offsets), "HEAP", false)
	if err != nil {
		return nil, err
	}
	c.skip(4)
	size := c.size()
	c.size()
	if c, err = m.block(c.address(), size); err != nil {
		return nil, err
	}
	return c.data, nil
}

// symbols reads a node of a symbol table.
func (m *image) symbols(at uint64, names []byte) ([]link, error) {
	c, err := m.signed(at, 8, "SNOD", false)
	if err != nil {
		return nil, err
	}
	c.skip(2)
	count := c.u16()
	if c, err = m.block(at+8, uint64(count*(2*m.offsets+24))); err != nil {
		return nil, err
	}
	name := func(at uint64) (string, error) {
		if at < uint64(len(names)) {
			if text, _, ok := bytes.Cut(names[at:], []byte{0}); ok {
				return string(text), nil
			}
		}
		return "", corrupt("a name is not in the heap of its group")
	}
	links := make([]link, count)
	for i := range links {
		l := &links[i]
		nameAt := c.address()
		l.at = c.address()
		cached := c.u32()
		c.skip(4)
		scratch := m.cursor(c.take(16))
		if l.name, err = name(nameAt); err == nil && cached == 2 {
			l.kind = linkSoft
			l.target, err = name(scratch.u32())
		}
		if err != nil {
			return nil, err
		}
	}
	return links, c.failed()
}

// tree1 calls do with the key and the child of every entry of the leaves of a B-tree of version 1. Keys are of the
// given size.
func (m *image) tree1(at uint64, kind, key int, do func(key *cursor, child uint64) error) error {
	return m.tree1Level(at, kind, key, -1, do)
}

func (m *image) tree1Level(at uint64, kind, key, want int, do func(key *cursor, child uint64) error) error {
	c, err := m.signed(at, uint64(8+2*m.offsets), "TREE", false)
	if err != nil {
		return err
	}
	got, level, count := c.u8(), c.u8(), c.u16()
	if got != kind || want >= 0 && level != want {
		return corrupt("a node of kind %d, level %d in a B-tree at %d", got, level, at)
	}
	if c, err = m.block(at+uint64(8+2*m.offsets), uint64(count*(key+m.offsets)+key)); err != nil {
		return err
	}
	for range count {
		k := m.cursor(c.take(key))
		child := c.address()
		if c.failed() != nil {
			return c.failed()
		}
		if level > 0 {
			err = m.tree1Level(child, kind, key, level-1, do)
		} else {
			err = do(k, child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
