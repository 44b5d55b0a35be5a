package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A program is the sources with many mutants in them, each of which lives when it is asked to
// (package mutation): each package of tests is built once for all mutants.
type program struct {
	sites []site // by the number that a mutant has
	// alone are the mutants that have to be built by themselves: constants, and what is
	// changed by another mutant, too. Where they are in a function, that is noted.
	alone   map[int]bool
	overlay string // the file for go build
}

// alias is what the sources call package mutation by.
const alias = "mutation__"

// newProgram writes mutants into copies of the files below work.
func newProgram(c *checker, work string, all []site) (*program, error) {
	p := &program{sites: all, alone: map[int]bool{}, overlay: filepath.Join(work, "overlay.json")}
	var dirs []string
	for _, s := range all {
		if dir := path.Dir(s.file); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	replace := map[string]string{}
	for _, dir := range dirs {
		files, err := p.mutate(c, dir)
		if err != nil {
			return nil, err
		}
		for name, text := range files {
			copied := filepath.Join(work, strings.ReplaceAll(name, "/", "-"))
			if err := os.WriteFile(copied, text, 0o600); err != nil {
				return nil, err
			}
			replace[filepath.Join(c.root, name)] = copied
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return p, os.WriteFile(p.overlay, text, 0o600)
}

// mutate writes the mutants of one package; those that its types forbid are built alone.
func (p *program) mutate(c *checker, dir string) (map[string][]byte, error) {
	files, info, _, err := c.check(dir, nil)
	if err != nil {
		return nil, err
	}
	for {
		changed := map[string][]byte{}
		written := map[int][2]int{} // lines of the mutants that are not alone, by number
		for name, f := range files {
			text, lines, err := p.rewrite(c, name, f, info)
			if err != nil {
				return nil, err
			}
			if text != nil {
				changed[name] = text
			}
			for id, l := range lines {
				written[id] = l
			}
		}
		_, _, wrong, err := c.check(dir, changed)
		if err != nil || len(wrong) == 0 {
			return changed, err
		}
		found := false
		for id, lines := range written {
			for _, at := range wrong {
				if at.file == p.sites[id].file && lines[0] <= at.line && at.line <= lines[1] {
					p.alone[id], found = true, true
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("%s:%d: %s", wrong[0].file, wrong[0].line, wrong[0].what)
		}
	}
}

// An edit replaces bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// rewrite is the text of a file with its mutants, nil if it has none, and the lines of each
// that is not alone.
func (p *program) rewrite(c *checker, name string, f *ast.File, info *types.Info) ([]byte, map[int][2]int, error) {
	var edits []edit
	lines := map[int][2]int{}
	source, err := os.ReadFile(filepath.Join(c.root, name))
	if err != nil {
		return nil, nil, err
	}
	for id, s := range p.sites {
		if s.file != name {
			continue
		}
		w := writer{c.fset, source, info, s, id, f.Name.Name}
		if !p.alone[id] {
			e, ok := w.find(f)
			overlaps := slices.ContainsFunc(edits, func(o edit) bool { return e.start < o.end && o.start < e.end })
			if ok && !overlaps {
				edits = append(edits, e)
				from := 1 + strings.Count(string(source[:e.start]), "\n")
				lines[id] = [2]int{from, from + strings.Count(e.text, "\n")}
				continue
			}
			p.alone[id] = true
		}
		if at, ok := w.entry(f); ok {
			edits = append(edits, edit{at, at, fmt.Sprintf(" %s.Reach(%d); ", alias, id)})
		}
	}
	if edits == nil {
		return nil, nil, nil
	}
	at := c.fset.Position(f.Name.End()).Offset
	edits = append(edits, edit{at, at, fmt.Sprintf("; import %s %q", alias, c.module+"/tools/mutate/mutation")})
	slices.SortStableFunc(edits, func(x, y edit) int { return y.start - x.start })
	text := string(source)
	for _, e := range edits {
		text = text[:e.start] + e.text + text[e.end:]
	}
	return []byte(text), lines, nil
}

// A writer writes one mutant.
type writer struct {
	fset   *token.FileSet
	source []byte
	info   *types.Info
	site   site
	id     int
	pkg    string // its name
}

func (w writer) at(p token.Pos) int { return w.fset.Position(p).Offset }

func (w writer) text(n ast.Node) string { return string(w.source[w.at(n.Pos()):w.at(n.End())]) }

// entry is where the body of the function begins in which the mutant is.
func (w writer) entry(f *ast.File) (at int, ok bool) {
	for _, decl := range f.Decls {
		if fn, is := decl.(*ast.FuncDecl); is && fn.Body != nil && w.at(fn.Pos()) <= w.site.start && w.site.end <= w.at(fn.End()) {
			return w.at(fn.Body.Lbrace) + 1, true
		}
	}
	return 0, false
}

// find is the edit that makes the site a call of package mutation, if there is one.
func (w writer) find(f *ast.File) (e edit, ok bool) {
	var above []ast.Node // the nodes that the present one is in
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		above = append(above, n)
		if from, length := w.place(n); !ok && from.IsValid() && w.at(from) == w.site.start && w.site.end-w.site.start == length {
			e, ok = w.edit(n, above)
		}
		return true
	})
	return e, ok
}

// place is where a site of the node is, and how long what is replaced there.
func (w writer) place(n ast.Node) (token.Pos, int) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.OpPos, len(n.Op.String())
	case *ast.AssignStmt:
		return n.TokPos, len(n.Tok.String())
	case *ast.IncDecStmt:
		return n.TokPos, len(n.Tok.String())
	case *ast.UnaryExpr:
		if w.site.new == "" {
			return n.OpPos, 1
		}
	case *ast.BasicLit:
		return n.Pos(), len(n.Value)
	case *ast.IfStmt:
		if strings.HasPrefix(w.site.new, "!(") {
			return n.Cond.Pos(), int(n.Cond.End() - n.Cond.Pos())
		}
	}
	return token.NoPos, 0
}

// operators are the functions of package mutation, by what they stand for.
func operators() map[token.Token]string {
	return map[token.Token]string{
		token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Quo",
		token.LSS: "Less", token.LEQ: "LessEqual", token.GTR: "Greater", token.GEQ: "GreaterEqual",
		token.ADD_ASSIGN: "AddTo", token.SUB_ASSIGN: "SubFrom", token.MUL_ASSIGN: "MulBy", token.QUO_ASSIGN: "QuoBy",
		token.INC: "AddTo", token.DEC: "SubFrom", token.LAND: "And", token.LOR: "Or",
	}
}

func (w writer) edit(n ast.Node, above []ast.Node) (edit, bool) {
	call := func(of ast.Node, name, format string, args ...any) (edit, bool) {
		text := fmt.Sprintf("%s.%s(%d, ", alias, name, w.id) + fmt.Sprintf(format, args...) + ")"
		return edit{w.at(of.Pos()), w.at(of.End()), text}, true
	}
	if whole := w.constant(above); whole != nil {
		from := w.at(whole.Pos())
		other := w.text(whole)
		other = other[:w.site.start-from] + w.site.new + other[w.site.end-from:]
		return call(whole, "Pick["+w.typeOf(whole)+"]", "%s, %s", w.text(whole), other)
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		x, y := w.text(n.X), w.text(n.Y)
		rows := strings.Repeat("\n", strings.Count(string(w.source[w.at(n.X.End()):w.at(n.Y.Pos())]), "\n"))
		switch n.Op {
		case token.EQL, token.NEQ:
			return call(n, "Flip", "%s", w.text(n))
		case token.LAND, token.LOR:
			return call(n, operators()[n.Op], "%s, %sfunc() bool { return %s }", x, rows, y)
		}
		name := operators()[n.Op]
		if w.site.new == contraries()[n.Op].String() {
			name = "Not" + name
		}
		return call(n, name, "%s, %s%s", x, rows, y)
	case *ast.AssignStmt:
		return call(n, operators()[n.Tok], "&%s, %s", w.text(n.Lhs[0]), w.text(n.Rhs[0]))
	case *ast.IncDecStmt:
		return call(n, operators()[n.Tok], "&%s, 1", w.text(n.X))
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			return call(n, "Flip", "!%s", w.text(n.X))
		}
		return call(n, "Neg", "%s", w.text(n.X))
	case *ast.IfStmt:
		return call(n.Cond, "Flip", "%s", w.text(n.Cond))
	}
	return edit{}, false
}

// constant is the outermost expression around the site that is computed when compiled, nil if
// there is none.
func (w writer) constant(above []ast.Node) (whole ast.Expr) {
	for _, n := range above {
		if x, ok := n.(ast.Expr); ok && whole == nil {
			if v := w.info.Types[x].Value; v != nil && v.Kind() != constant.Unknown && w.at(x.Pos()) <= w.site.start && w.site.end <= w.at(x.End()) {
				whole = x
			}
		}
	}
	return whole
}

// typeOf is the type of an expression as it is written in its own package.
func (w writer) typeOf(x ast.Expr) string {
	return types.TypeString(types.Default(w.info.TypeOf(x)), func(p *types.Package) string {
		if p.Name() == w.pkg {
			return ""
		}
		return p.Name()
	})
}

// A checker finds the types in packages, from what the compiler keeps of those they import.
type checker struct {
	root, module string
	fset         *token.FileSet
	from         types.Importer
	files        map[string][]string // of a package, by its folder
}

func newChecker(ctx context.Context, root, module string, dirs []string) (*checker, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{join .GoFiles \" \"}}", "./tools/mutate/mutation"}
	for _, d := range dirs {
		args = append(args, "./"+d)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	c := &checker{root: root, module: module, fset: token.NewFileSet(), files: map[string][]string{}}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		exports[f[0]] = f[1]
		c.files[strings.TrimPrefix(f[0], module+"/")] = strings.Fields(f[2])
	}
	c.from = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New(path + ": no export data")
		}
		return os.Open(exports[path])
	})
	return c, nil
}

// A mistake is what is no Go.
type mistake struct {
	file string // below the root
	line int
	what string
}

// check finds the types in a package, some of whose files have another text.
func (c *checker) check(dir string, changed map[string][]byte) (map[string]*ast.File, *types.Info, []mistake, error) {
	files, list, wrong := map[string]*ast.File{}, []*ast.File{}, []mistake{}
	for _, base := range c.files[dir] {
		name := dir + "/" + base
		var source any
		if text, ok := changed[name]; ok {
			source = text
		}
		f, err := parser.ParseFile(c.fset, filepath.Join(c.root, name), source, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, nil, nil, err
		}
		files[name], list = f, append(list, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: c.from, Error: func(err error) {
		e, ok := err.(types.Error)
		if !ok {
			return
		}
		at := c.fset.Position(e.Pos)
		file, err := filepath.Rel(c.root, at.Filename)
		if err != nil {
			file = at.Filename
		}
		wrong = append(wrong, mistake{filepath.ToSlash(file), at.Line, e.Msg})
	}}
	if _, err := config.Check(c.module+"/"+dir, c.fset, list, info); err != nil && len(wrong) == 0 {
		return nil, nil, nil, err
	}
	return files, info, wrong, nil
}
