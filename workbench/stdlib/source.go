package stdlib

import (
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/workbench/chunk"
)

// maxSources is how many texts are remembered. Files are forgotten last.
const maxSources = 1000

// source is the text of a chunk that was loaded.
type source struct {
	text   string
	sites  map[int][]ast.Expr // expressions by the line their instructions have; nil until needed
	tree   *chunk.Tree
	locals map[string]bool // names that are local somewhere in it
}

// remember keeps the text of a chunk for messages.
func (lib *Library) remember(name string, text []byte) {
	if len(lib.sources) >= maxSources {
		for other := range lib.sources {
			if strings.HasPrefix(other, "[string") || len(lib.sources) >= 2*maxSources {
				delete(lib.sources, other)
			}
		}
	}
	lib.sources[name] = &source{text: string(text)}
}

// Source returns the text of a chunk by the name that messages use for it.
func (lib *Library) Source(name string) (text string, ok bool) {
	if s := lib.sources[name]; s != nil {
		return s.text, true
	}
	return "", false
}

// at returns the expressions whose instructions have a line.
func (s *source) at(name string, line int) []ast.Expr {
	if s.sites == nil {
		s.sites = map[int][]ast.Expr{}
		tree, err := chunk.ParseInput(name, []byte(s.text))
		if err != nil {
			return nil
		}
		s.tree, s.locals = tree, map[string]bool{}
		chunk.Inspect(tree.Block, func(node ast.PositionHolder) bool {
			if e, ok := node.(ast.Expr); ok {
				s.sites[e.Line()] = append(s.sites[e.Line()], e)
			}
			for _, name := range declared(node) {
				s.locals[name] = true
			}
			return true
		})
	}
	return s.sites[line]
}

// write returns an expression as it stands in the text, "" if it is longer than a name for something should be.
func (s *source) write(e ast.Expr) string {
	switch e.(type) {
	case *ast.IdentExpr, *ast.AttrGetExpr, *ast.FuncCallExpr:
	default:
		return ""
	}
	span, ok := s.tree.Span(e)
	if !ok {
		return ""
	}
	text := s.tree.Source[span.Start:span.End]
	if len(text) > 60 || strings.ContainsAny(text, "\n\r") {
		return ""
	}
	return text
}

// sourceAt splits "file:12: message" at the name of a chunk that is known.
func (lib *Library) sourceAt(text string) (s *source, name string, line int, message string) {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], ':')
		if i < 0 {
			return nil, "", 0, text
		}
		from += i + 1
		digits := 0
		for from+digits < len(text) && '0' <= text[from+digits] && text[from+digits] <= '9' && digits < 9 {
			line = line*10 + int(text[from+digits]-'0')
			digits++
		}
		if digits > 0 && strings.HasPrefix(text[from+digits:], ": ") {
			name = text[:from-1]
			if s = lib.sources[name]; s == nil {
				if data, err := readSource(name); err == nil {
					s = &source{text: string(data)}
					lib.sources[name] = s
				}
			}
			if s != nil {
				return s, name, line, text[from+digits+2:]
			}
		}
		line = 0
	}
}

// readSource reads a file that a message may be about.
func readSource(name string) ([]byte, error) {
	if !strings.HasSuffix(name, ".lua") || !ordinary(name) {
		return nil, os.ErrNotExist
	}
	return os.ReadFile(name)
}

// declared returns the names of locals that a part of a chunk declares.
func declared(node ast.PositionHolder) []string {
	switch node := node.(type) {
	case *ast.LocalAssignStmt:
		return node.Names
	case *ast.NumberForStmt:
		return []string{node.Name}
	case *ast.GenericForStmt:
		return node.Names
	case *ast.FunctionExpr:
		return node.ParList.Names
	}
	return nil
}

// SplitPosition splits "file:12: message". Without a position, file is "" and line 0.
func (lib *Library) SplitPosition(text string) (file string, line int, message string) {
	if s, name, line, message := lib.sourceAt(text); s != nil {
		return name, line, message
	}
	if m := position.FindStringSubmatch(text); m != nil {
		line, _ := strconv.Atoi(m[2])
		return m[1], line, text[len(m[0]):]
	}
	return "", 0, text
}

// position is what stands before a message when its chunk is not known.
var position = regexp.MustCompile(`^([^\n:]+|\[string "[^\n]*"\]):(\d{1,9}): `)
