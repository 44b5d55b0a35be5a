package stdlib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// start returns the byte offset from which find and match begin: argument i, from 1, negative from the end.
func (c call) start(i, length int) int {
	at := c.integerOr(i, 1)
	if at < 0 {
		at += length + 1
	}
	return min(max(at-1, 0), length)
}

// stringFind (text, pattern [, start [, plain]])
func stringFind(c call) int {
	src, pattern := c.text(1), c.text(2)
	from := c.start(3, len(src))
	if c.ToBool(4) || !strings.ContainsAny(pattern, patternSpecials) {
		i := strings.Index(src[from:], pattern)
		if i < 0 {
			return c.push(lua.LNil)
		}
		return c.push(lua.LNumber(from+i+1), lua.LNumber(from+i+len(pattern)))
	}
	return c.search(src, pattern, from, func(m *matcher, s, e int) int {
		c.push(lua.LNumber(s+1), lua.LNumber(e))
		return 2 + m.pushCaptures(s, e, false)
	})
}

// stringMatch (text, pattern [, start])
func stringMatch(c call) int {
	src, pattern := c.text(1), c.text(2)
	return c.search(src, pattern, c.start(3, len(src)), func(m *matcher, s, e int) int { return m.pushCaptures(s, e, true) })
}

// search pushes what found pushes for the first match at or after an offset, nil if there is none.
func (c call) search(src, pattern string, from int, found func(m *matcher, s, e int) int) int {
	pattern, anchored := strings.CutPrefix(pattern, "^")
	m := c.matcher(src, pattern)
	defer m.release()
	for s := from; s <= len(src); s++ {
		m.level = 0
		if e := m.match(s, 0); e >= 0 {
			return found(m, s, e)
		}
		if anchored {
			break
		}
	}
	return c.push(lua.LNil)
}

// stringGmatch (text, pattern) returns an iterator over all matches.
func stringGmatch(c call) int {
	src, pattern := c.text(1), c.text(2)
	at := 0
	return c.push(c.lib.function(c.LState, "gmatch", func(c call) int {
		m := c.matcher(src, pattern)
		defer m.release()
		for s := at; s <= len(src); s++ {
			m.level = 0
			if e := m.match(s, 0); e >= 0 {
				at = e
				if e == s {
					at++
				}
				return m.pushCaptures(s, e, true)
			}
		}
		at = len(src) + 1
		return c.push(lua.LNil)
	}))
}

// stringGsub (text, pattern, replacement [, n])
func stringGsub(c call) int {
	src, pattern := c.text(1), c.text(2)
	replacement := c.Get(3)
	switch replacement.Type() {
	case lua.LTNumber, lua.LTString, lua.LTTable, lua.LTFunction:
	default:
		c.wrongType(3, "string/function/table")
	}
	most := c.integerOr(4, len(src)+1)
	pattern, anchored := strings.CutPrefix(pattern, "^")
	m := c.matcher(src, pattern)
	defer m.release()
	var out strings.Builder
	s, n := 0, 0
	for n < most {
		m.level = 0
		e := m.match(s, 0)
		if e >= 0 {
			n++
			text := m.replace(replacement, s, e)
			c.checkLength(float64(out.Len() + len(text)))
			out.WriteString(text)
		}
		switch {
		case e > s:
			s = e
		case s < len(src):
			out.WriteByte(src[s])
			s++
		default:
			s++
		}
		if s > len(src) || anchored {
			break
		}
	}
	if s < len(src) {
		c.checkLength(float64(out.Len() + len(src) - s))
		out.WriteString(src[s:])
	}
	return c.push(lua.LString(out.String()), lua.LNumber(n))
}

// replace returns what a match is replaced by.
func (m *matcher) replace(replacement lua.LValue, s, e int) string {
	L := m.c.LState
	var value lua.LValue
	switch r := replacement.(type) {
	case *lua.LFunction:
		L.Push(r)
		n := m.pushCaptures(s, e, true)
		L.Call(n, 1)
		value = L.Get(-1)
		L.Pop(1)
	case *lua.LTable:
		value = L.GetTable(r, m.capture(0, s, e))
	case lua.LString:
		return m.expand(string(r), s, e)
	case lua.LNumber:
		return FormatNumber(float64(r))
	}
	switch value := value.(type) {
	case lua.LString:
		return string(value)
	case lua.LNumber:
		return FormatNumber(float64(value))
	}
	if lua.LVAsBool(value) {
		m.c.refuse("invalid replacement value (a %s)", value.Type())
	}
	return m.src[s:e]
}

// expand puts captures in the place of %0 to %9.
func (m *matcher) expand(text string, s, e int) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			out.WriteByte(text[i])
			continue
		}
		if i+1 == len(text) {
			m.c.refuse("invalid use of '%%' at the end of the replacement; a percent sign is written %%%%")
		}
		i++
		switch digit := text[i]; {
		case digit == '0':
			out.WriteString(m.src[s:e])
		case '1' <= digit && digit <= '9':
			switch v := m.capture(int(digit-'1'), s, e).(type) {
			case lua.LString:
				out.WriteString(string(v))
			case lua.LNumber:
				out.WriteString(FormatNumber(float64(v)))
			}
		default:
			out.WriteByte(digit)
		}
	}
	return out.String()
}
