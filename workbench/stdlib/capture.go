package stdlib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// backReference matches %1 to %9: the text of a capture again.
func (m *matcher) backReference(s int, digit byte) int {
	i := int(digit) - '1'
	if i < 0 || i >= m.level || m.captures[i].length == captureOpen {
		m.c.refuse("invalid capture index")
	}
	if m.captures[i].length == capturePosition {
		return noMatch
	}
	text := m.src[m.captures[i].start : m.captures[i].start+m.captures[i].length]
	if strings.HasPrefix(m.src[s:], text) {
		return s + len(text)
	}
	return noMatch
}

func (m *matcher) startCapture(s, p, length int) int {
	if m.level >= maxCaptures {
		m.c.refuse("too many captures")
	}
	m.captures[m.level].start, m.captures[m.level].length = s, length
	m.level++
	e := m.match(s, p)
	if e < 0 {
		m.level--
	}
	return e
}

func (m *matcher) endCapture(s, p int) int {
	for i := m.level - 1; i >= 0; i-- {
		if m.captures[i].length != captureOpen {
			continue
		}
		m.captures[i].length = s - m.captures[i].start
		e := m.match(s, p)
		if e < 0 {
			m.captures[i].length = captureOpen
		}
		return e
	}
	m.c.refuse("invalid pattern capture")
	return noMatch
}

// capture returns capture i of a match of src[s:e]; without captures, number 0 is the whole match.
func (m *matcher) capture(i, s, e int) lua.LValue {
	if i >= m.level {
		if i != 0 {
			m.c.refuse("invalid capture index")
		}
		return lua.LString(m.src[s:e])
	}
	c := m.captures[i]
	switch c.length {
	case captureOpen:
		m.c.refuse("unfinished capture")
	case capturePosition:
		return lua.LNumber(c.start + 1)
	}
	return lua.LString(m.src[c.start : c.start+c.length])
}

// pushCaptures pushes all captures, or, if there are none and whole is set, the whole match.
func (m *matcher) pushCaptures(s, e int, whole bool) int {
	n := m.level
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		m.c.Push(m.capture(i, s, e))
	}
	return n
}
