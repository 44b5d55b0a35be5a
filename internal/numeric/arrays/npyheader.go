package arrays

import (
	"fmt"
	"strconv"
	"strings"
)

// npyDict is what a .npy header says.
type npyDict struct {
	descr   string
	fortran bool
	shape   []int
}

// parseNPYHeader reads the Python dictionary of a .npy header:
//
//	{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//
// The keys may come in any order, and each must come once.
func parseNPYHeader(text string) (npyDict, error) {
	p := &literal{rest: text}
	var h npyDict
	seen := map[string]bool{}
	p.expect('{')
	for p.err == nil && !p.accept('}') {
		key := p.quoted()
		p.expect(':')
		if seen[key] {
			p.fail("two entries " + key)
		}
		seen[key] = true
		switch key {
		case "descr":
			h.descr = p.dtype()
		case "fortran_order":
			h.fortran = p.truth()
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail(fmt.Sprintf("unknown entry %q", key))
		}
		if !p.accept(',') {
			p.expect('}')
			break
		}
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if p.err == nil && !seen[key] {
			p.fail("no entry " + key)
		}
	}
	return h, p.err
}

// A literal is read from left to right; after the first error everything is empty.
type literal struct {
	rest string
	err  error
}

func (p *literal) fail(what string) {
	if p.err == nil {
		p.err = fmt.Errorf("bad .npy header: %s", what)
	}
	p.rest = ""
}

// accept skips c after white space if it comes next.
func (p *literal) accept(c byte) bool {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *literal) expect(c byte) {
	if !p.accept(c) {
		p.fail(fmt.Sprintf("want %q before %.20q", c, p.rest))
	}
}

func (p *literal) quoted() string {
	for _, quote := range []byte{'\'', '"'} {
		if p.accept(quote) {
			s, rest, ok := strings.Cut(p.rest, string(quote))
			if !ok {
				p.fail("a string does not end")
				return ""
			}
			p.rest = rest
			return s
		}
	}
	p.fail(fmt.Sprintf("want a string before %.20q", p.rest))
	return ""
}

func (p *literal) truth() bool {
	p.accept(' ')
	for _, word := range []string{"True", "False"} {
		if rest, ok := strings.CutPrefix(p.rest, word); ok {
			p.rest = rest
			return word == "True"
		}
	}
	p.fail(fmt.Sprintf("want True or False before %.20q", p.rest))
	return false
}

func (p *literal) tuple() []int {
	var shape []int
	p.expect('(')
	for p.err == nil && !p.accept(')') {
		p.accept(' ')
		end := strings.IndexFunc(p.rest, func(c rune) bool { return c < '0' || c > '9' })
		n, err := strconv.Atoi(p.rest[:max(end, 0)])
		if err != nil || len(shape) >= 64 {
			p.fail(fmt.Sprintf("want a length before %.20q", p.rest))
			return nil
		}
		shape = append(shape, n)
		p.rest = strings.TrimPrefix(p.rest[end:], "L") // Python 2 wrote long integers so
		if !p.accept(',') {
			p.expect(')')
			break
		}
	}
	return shape
}

// dtype returns the type string, or that of a record type as it is written,
// which is then refused as unsupported.
func (p *literal) dtype() string {
	if !p.accept('[') {
		return p.quoted()
	}
	depth := 1
	for i := range len(p.rest) {
		switch p.rest[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
		if depth == 0 {
			s := "[" + p.rest[:i+1]
			p.rest = p.rest[i+1:]
			return s
		}
	}
	p.fail("a list does not end")
	return ""
}
