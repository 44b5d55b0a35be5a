package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
)

// neutrality finds in the source of the numerical core what only users of the workbench
// know: Lua, and terminals.
type neutrality struct {
	word     *regexp.Regexp // of the language itself, in names and comments too
	literals []*regexp.Regexp
}

// newNeutrality knows the functions of scripts from their declarations.
func newNeutrality() neutrality {
	var functions, methods []string
	for f := range bind.New(bindings.All()...).Functions() {
		switch owner, method, ok := strings.Cut(f.FullName, ":"); {
		case ok && owner != "" && !strings.HasPrefix(method, "__"):
			methods = append(methods, regexp.QuoteMeta(method))
		case strings.Contains(f.FullName, "."):
			functions = append(functions, regexp.QuoteMeta(f.FullName))
		}
	}
	return neutrality{
		word: regexp.MustCompile(`(?i:\blua)|Lua([A-Z]|\b)`),
		literals: []*regexp.Regexp{
			regexp.MustCompile(`\x1b|\x9b`),                                // what terminals obey
			regexp.MustCompile(`\bnil\b`),                                  // no value
			regexp.MustCompile(`\bfunction ?\(|\bend\)|\breturn\b.*\bend`), // a function written out
			regexp.MustCompile(`\b(` + strings.Join(functions, "|") + `)\b`),
			regexp.MustCompile(`\w:(` + strings.Join(methods, "|") + `)\b`),
			regexp.MustCompile(`\{\w+ = `),                                       // named arguments with spaces, as scripts are written
			regexp.MustCompile(`\b[a-z_]+ = (true|false|\{|"|input\b|output\b)`), // one of them
		},
	}
}

// check calls report with everything in a file that is not neutral.
func (n neutrality) check(file *ast.File, report func(what string)) {
	for _, group := range file.Comments {
		if n.word.MatchString(group.Text()) {
			report("the comment " + strconv.Quote(group.Text()))
		}
	}
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if node.Tag != nil {
				tags[node.Tag] = true
			}
		case *ast.Ident:
			if n.word.MatchString(node.Name) {
				report("the name " + node.Name)
			}
		case *ast.BasicLit:
			if node.Kind == token.STRING || node.Kind == token.CHAR {
				n.literal(node, tags[node], report)
			}
		}
		return true
	})
}

// literal looks at text. Tags document fields of Go, whose zero may be nil, and examples of
// what to give, so that only their key matters.
func (n neutrality) literal(l *ast.BasicLit, tag bool, report func(string)) {
	text, err := strconv.Unquote(l.Value)
	if err != nil {
		report(l.Value + ", which is no text")
		return
	}
	if n.word.MatchString(text) {
		report("the text " + l.Value)
	}
	for _, pattern := range n.literals {
		if !tag && pattern.MatchString(text) {
			report("the text " + l.Value + ", with " + strconv.Quote(pattern.FindString(text)))
		}
	}
}

// TestTheCoreIsNeutral: packages under numeric and internal/numeric are libraries of Go. What they say is in terms
// of their fields; the words of scripts are in bindings/remedies.go and luatext.go.
func TestTheCoreIsNeutral(t *testing.T) {
	n := newNeutrality()
	files := 0
	eachFile(t, parser.ParseComments, func(rel string, file *ast.File) error {
		if numerical(rel) {
			files++
			n.check(file, func(what string) { t.Errorf("%s has %s: the core knows neither Lua nor terminals", rel, what) })
		}
		return nil
	})
	if files < 600 {
		t.Errorf("%d files were looked at", files)
	}
}

// TestNeutralityIsNoticed plants each kind of word that has no place in the core.
func TestNeutralityIsNoticed(t *testing.T) {
	n := newNeutrality()
	for source, want := range map[string]bool{
		"// String is the Lua expression.\nvar x int":             true,
		"type s struct{ A int `lua:\"a\"` }":                      true,
		"type s struct{ A *int `arg:\"a\" doc:\"nil: none\"` }":   false,
		"func luaText() string { return \"\" }":                   true,
		"var evaluation = \"evaluate\"":                           false,
		`var e = "lambda 0: must be > 0"`:                         false,
		`var e = "a mesh, as mesh.uniform makes it"`:              true,
		`var e = "est:save(path) writes one"`:                     true,
		`var e = "give {x = {0, 1}}"`:                             true,
		`var e = "take bias = false away"`:                        true,
		`var e = "the paper's is function(x) return x end"`:       true,
		`var e = "nil where it is not known"`:                     true,
		`var e = "\x1b[0m"`:                                       true,
		`var e = "matern{nu=2.5, lengthscale=0.1}"`:               false,
		`var e = "k(p, q) = %g at p = %v"`:                        false,
		"import \"github.com/greenbench/workbench/numeric/mesh\"": false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "planted.go", "package planted\n"+source, parser.ParseComments)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		found := false
		n.check(file, func(string) { found = true })
		if found != want {
			t.Errorf("%s: found to be not neutral: %t, want %t", source, found, want)
		}
	}
}
