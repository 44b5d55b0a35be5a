package stdlib

import "math"

// Limits of pattern matching.
const (
	maxCaptures      = 32
	maxPatternDepth  = 2000
	pollEvery        = 1 << 14      // steps between looks at the session
	safePatternSteps = 1 << 26      // in safe mode a match gives up after so many
	patternSpecials  = "^$*+?.([%-" // characters that make a pattern more than a text
)

// Lengths of captures that are not texts.
const (
	captureOpen     = -1
	capturePosition = -2
)

const noMatch = -1 // in place of where a match ends

// matcher matches a Lua pattern by backtracking, as Lua 5.1 does, with a step counter that lets an interrupt through. It is
// a port of lstrlib.c.
type matcher struct {
	c        call
	src      string
	pattern  string
	level    int // captures so far
	captures [maxCaptures]struct{ start, length int }
	depth    int
	steps    int
	limit    int // of steps
}

// matcher returns an idle matcher; release gives it back.
func (c call) matcher(src, pattern string) *matcher {
	m := &matcher{}
	if n := len(c.lib.matchers); n > 0 {
		m, c.lib.matchers = c.lib.matchers[n-1], c.lib.matchers[:n-1]
	}
	m.c, m.src, m.pattern, m.steps, m.depth = c, src, pattern, 0, 0
	m.limit = math.MaxInt
	if c.lib.options.Safe {
		m.limit = safePatternSteps
	}
	return m
}

func (m *matcher) release() {
	lib := m.c.lib
	m.c, m.src, m.pattern = call{}, "", ""
	if len(lib.matchers) < 4 {
		lib.matchers = append(lib.matchers, m)
	}
}

// step counts work, and raises an error when the session was interrupted or the limit is reached.
func (m *matcher) step() {
	m.steps++
	if m.steps%pollEvery != 0 {
		return
	}
	if err := m.c.lib.session.Err(); err != nil {
		m.c.refuse("%v", err)
	}
	if m.steps > m.limit {
		m.c.refuse("pattern too complex: gave up after %d steps", m.steps)
	}
}

// match returns the end of the match of pattern[p:] at src[s:], or noMatch.
func (m *matcher) match(s, p int) int {
	if m.depth++; m.depth > maxPatternDepth {
		m.c.refuse("pattern too complex")
	}
	e := m.items(s, p)
	m.depth--
	return e
}

// items is match: it goes from one item of the pattern to the next.
func (m *matcher) items(s, p int) int {
	for p < len(m.pattern) {
		m.step()
		switch m.pattern[p] {
		case '(':
			if p+1 < len(m.pattern) && m.pattern[p+1] == ')' {
				return m.startCapture(s, p+2, capturePosition)
			}
			return m.startCapture(s, p+1, captureOpen)
		case ')':
			return m.endCapture(s, p+1)
		case '$':
			if p+1 == len(m.pattern) {
				if s == len(m.src) {
					return s
				}
				return noMatch
			}
		case '%':
			if p+1 < len(m.pattern) {
				switch next := m.pattern[p+1]; {
				case next == 'b':
					if s = m.balance(s, p+2); s < 0 {
						return noMatch
					}
					p += 4
					continue
				case next == 'f':
					end, ok := m.frontier(s, p+2)
					if !ok {
						return noMatch
					}
					p = end
					continue
				case '0' <= next && next <= '9':
					if s = m.backReference(s, next); s < 0 {
						return noMatch
					}
					p += 2
					continue
				}
			}
		}
		end := m.classEnd(p)
		suffix := byte(0)
		if end < len(m.pattern) {
			suffix = m.pattern[end]
		}
		switch suffix {
		case '?':
			if s < len(m.src) && m.single(m.src[s], p, end) {
				if e := m.match(s+1, end+1); e >= 0 {
					return e
				}
			}
			p = end + 1
		case '*':
			return m.longest(s, p, end)
		case '+':
			if s < len(m.src) && m.single(m.src[s], p, end) {
				return m.longest(s+1, p, end)
			}
			return noMatch
		case '-':
			return m.shortest(s, p, end)
		default:
			if s >= len(m.src) || !m.single(m.src[s], p, end) {
				return noMatch
			}
			s, p = s+1, end
		}
	}
	return s
}

// classEnd returns the end of the single-character class at pattern[p:].
func (m *matcher) classEnd(p int) int {
	c := m.pattern[p]
	p++
	if c == '%' {
		if p >= len(m.pattern) {
			m.c.refuse("malformed pattern (ends with '%%')")
		}
		return p + 1
	}
	if c != '[' {
		return p
	}
	if p < len(m.pattern) && m.pattern[p] == '^' {
		p++
	}
	for first := true; first || m.pattern[p] != ']'; first = false {
		if p >= len(m.pattern) {
			break
		}
		p++
		if m.pattern[p-1] == '%' {
			p++
		}
		if p >= len(m.pattern) {
			break
		}
	}
	if p >= len(m.pattern) {
		m.c.refuse("malformed pattern (missing ']')")
	}
	return p + 1
}

// single reports whether the byte is in the class pattern[p:end].
func (m *matcher) single(b byte, p, end int) bool {
	switch m.pattern[p] {
	case '.':
		return true
	case '%':
		return inClass(b, m.pattern[p+1])
	case '[':
		return m.inSet(b, p, end-1)
	}
	return m.pattern[p] == b
}

// inSet reports whether the byte is in the set that begins at pattern[p] and whose ] is at pattern[end].
func (m *matcher) inSet(b byte, p, end int) bool {
	result := true
	if p++; m.pattern[p] == '^' {
		result = false
		p++
	}
	for ; p < end; p++ {
		switch {
		case m.pattern[p] == '%':
			p++
			if inClass(b, m.pattern[p]) {
				return result
			}
		case p+2 < end && m.pattern[p+1] == '-':
			if m.pattern[p] <= b && b <= m.pattern[p+2] {
				return result
			}
			p += 2
		case m.pattern[p] == b:
			return result
		}
	}
	return !result
}

// inClass reports whether the byte is in the class %a, %d, …; a capital letter is the complement, anything else itself.
func inClass(b, class byte) bool {
	var in bool
	switch class | 0x20 {
	case 'a':
		in = isLetter(b)
	case 'c':
		in = b < 32 || b == 127
	case 'd':
		in = '0' <= b && b <= '9'
	case 'l':
		in = 'a' <= b && b <= 'z'
	case 'p':
		in = 32 < b && b < 127 && !isLetter(b) && (b < '0' || b > '9')
	case 's':
		in = b == ' ' || 9 <= b && b <= 13
	case 'u':
		in = 'A' <= b && b <= 'Z'
	case 'w':
		in = isLetter(b) || '0' <= b && b <= '9'
	case 'x':
		in = '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f'
	case 'z':
		in = b == 0
	default:
		return class == b
	}
	if !isLetter(class) {
		return class == b
	}
	return in == (class >= 'a')
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// longest matches as many of the class as it can, then the rest.
func (m *matcher) longest(s, p, end int) int {
	n := 0
	for s+n < len(m.src) && m.single(m.src[s+n], p, end) {
		m.step()
		n++
	}
	for ; n >= 0; n-- {
		if e := m.match(s+n, end+1); e >= 0 {
			return e
		}
	}
	return noMatch
}

// shortest matches as few of the class as it can, then the rest.
func (m *matcher) shortest(s, p, end int) int {
	for {
		if e := m.match(s, end+1); e >= 0 {
			return e
		}
		if s >= len(m.src) || !m.single(m.src[s], p, end) {
			return noMatch
		}
		s++
	}
}

// balance matches %bxy and returns its end.
func (m *matcher) balance(s, p int) int {
	if p+1 >= len(m.pattern) {
		m.c.refuse("malformed pattern (missing arguments to '%%b')")
	}
	if s >= len(m.src) || m.src[s] != m.pattern[p] {
		return noMatch
	}
	open, closing, depth := m.pattern[p], m.pattern[p+1], 1
	for i := s + 1; i < len(m.src); i++ {
		m.step()
		switch m.src[i] {
		case closing:
			if depth--; depth == 0 {
				return i + 1
			}
		case open:
			depth++
		}
	}
	return noMatch
}

// frontier matches %f[set]: the place where the set begins. It returns the end of the set in the pattern.
func (m *matcher) frontier(s, p int) (end int, ok bool) {
	if p >= len(m.pattern) || m.pattern[p] != '[' {
		m.c.refuse("missing '[' after '%%f' in pattern")
	}
	end = m.classEnd(p)
	before, here := byte(0), byte(0)
	if s > 0 {
		before = m.src[s-1]
	}
	if s < len(m.src) {
		here = m.src[s]
	}
	return end, !m.inSet(before, p, end-1) && m.inSet(here, p, end-1)
}
