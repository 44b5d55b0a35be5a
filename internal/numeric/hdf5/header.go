package hdf5

// Kinds of messages of an object header.
const (
	msgDataspace    = 0x01
	msgLinkInfo     = 0x02
	msgDatatype     = 0x03
	msgOldFill      = 0x04
	msgFill         = 0x05
	msgLink         = 0x06
	msgExternal     = 0x07
	msgLayout       = 0x08
	msgFilters      = 0x0b
	msgAttribute    = 0x0c
	msgContinuation = 0x10
	msgSymbolTable  = 0x11
	msgAttributes   = 0x15
)

// A message is one part of an object header.
type message struct {
	kind, flags int
	data        []byte
}

// shared says that the data are not the message itself but where it is.
func (g message) shared() bool { return g.flags&2 != 0 }

// A header is what describes an object: group, dataset or type.
type header struct {
	m        *image
	at       uint64
	messages []message
}

// find returns a cursor on the first message of a kind, nil if there is none.
func (h *header) find(kind int) (*cursor, error) {
	for _, g := range h.messages {
		if g.kind == kind {
			return h.m.open(g)
		}
	}
	return nil, nil
}

// open returns a cursor on the data of a message, wherever they are.
func (m *image) open(g message) (*cursor, error) {
	c := m.cursor(g.data)
	if !g.shared() {
		return c, nil
	}
	at, err := c.sharedAddress()
	if err != nil {
		return nil, err
	}
	h, err := m.header(at)
	if err != nil {
		return nil, err
	}
	for _, other := range h.messages {
		if other.kind == g.kind && !other.shared() {
			return m.cursor(other.data), nil
		}
	}
	return nil, corrupt("a shared message of kind %d is not where it should be", g.kind)
}

// sharedAddress reads where a shared message is: the header of a committed type.
func (c *cursor) sharedAddress() (uint64, error) {
	version, kind := c.u8(), c.u8()
	if version == 1 {
		c.skip(6)
	}
	at := c.address()
	switch {
	case c.failed() != nil:
		return 0, c.failed()
	case version == 3 && kind == 1:
		return 0, unsupported("messages in a shared heap: h5repack without --ssize writes a copy without it")
	}
	return at, nil
}

// header reads the header of an object.
func (m *image) header(at uint64) (*header, error) {
	c, err := m.block(at, 16)
	if err != nil {
		return nil, err
	}
	h := &header{m: m, at: at}
	if string(c.data[:4]) == "OHDR" {
		return h, h.read2(at)
	}
	if version := c.u8(); version != 1 {
		return nil, corrupt("no object header at %d", at)
	}
	c.skip(7)
	size := c.u32()
	return h, h.read1(at+16, size)
}

// read1 reads the messages of a header of version 1 and those of its continuations.
func (h *header) read1(at, size uint64) error {
	blocks := []extent{{at, size}}
	for ; len(blocks) > 0; blocks = blocks[1:] {
		c, err := h.m.block(blocks[0].at, blocks[0].size)
		if err != nil {
			return err
		}
		for c.left() >= 8 {
			kind, size, flags := c.u16(), c.u16(), c.u8()
			c.skip(3)
			g := message{kind, flags, c.take(size)}
			if c.failed() != nil {
				return c.failed()
			}
			if blocks, err = h.add(g, blocks); err != nil {
				return err
			}
		}
	}
	return nil
}

// read2 reads the messages of a header of version 2 and those of its continuations.
func (h *header) read2(at uint64) error {
	c, err := h.m.block(at, 6)
	if err != nil {
		return err
	}
	flags := int(c.data[5])
	width := 1 << (flags & 3)
	n := uint64(6 + width)
	if flags&0x20 != 0 {
		n += 16
	}
	if flags&0x10 != 0 {
		n += 4
	}
	if c, err = h.m.block(at, n); err != nil {
		return err
	}
	c.skip(int(n) - width)
	size := c.uint(width)
	if err := h.m.within(at, size); err != nil {
		return err
	}
	if c, err = h.m.signed(at, n+size+4, "OHDR", true); err != nil {
		return err
	}
	c.skip(int(n) - 4)
	least := 4 // what is shorter is a gap
	if flags&4 != 0 {
		least = 6
	}
	var blocks []extent
	for {
		for c.left() >= least {
			kind, size, f := c.u8(), c.u16(), c.u8()
			if flags&4 != 0 {
				c.skip(2)
			}
			g := message{kind, f, c.take(size)}
			if c.failed() != nil {
				return c.failed()
			}
			if blocks, err = h.add(g, blocks); err != nil {
				return err
			}
		}
		if len(blocks) == 0 {
			return nil
		}
		if c, err = h.m.signed(blocks[0].at, blocks[0].size, "OCHK", true); err != nil {
			return err
		}
		blocks = blocks[1:]
	}
}

// An extent is a stretch of the file.
type extent struct{ at, size uint64 }

// add keeps a message, or the block that a continuation names.
func (h *header) add(g message, blocks []extent) ([]extent, error) {
	if g.kind != msgContinuation {
		h.messages = append(h.messages, g)
		return blocks, nil
	}
	c := h.m.cursor(g.data)
	b := extent{c.address(), c.size()}
	return append(blocks, b), c.failed()
}
