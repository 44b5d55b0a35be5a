package testmain

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// ofCases are the functions, of this package and of progresstest, that ask whether every case is
// tried.
var ofCases = []string{"testmain.EveryCase", "testmain.Long", "testmain.StopsAnywhere", "testmain.Stride", "progresstest.Ends"}

// runOfCases leaves out, among the tests in a folder, those that do the same in every run, unless
// some are named by -run.
func runOfCases(folder fs.FS) error {
	run := flag.Lookup("test.run")
	if run == nil || run.Value.String() != "" {
		return nil
	}
	names, err := withCases(folder)
	if err != nil {
		return err
	}
	return run.Value.Set("^(" + strings.Join(names, "|") + ")$")
}

// withCases are the names of the tests and fuzz tests in a folder that try more cases where every
// case is asked for: those that call one of ofCases, also through other functions, methods or
// variables of the tests.
func withCases(folder fs.FS) ([]string, error) {
	uses, err := namesUsed(folder)
	if err != nil {
		return nil, err
	}
	reached := map[string]bool{}
	for _, name := range ofCases {
		reached[name] = true
	}
	for more := true; more; {
		more = false
		for name, used := range uses {
			if !reached[name] && slices.ContainsFunc(used, func(u string) bool { return reached[u] }) {
				reached[name], more = true, true
			}
		}
	}
	var names []string
	for name := range reached {
		if _, name, _ = strings.Cut(name, "."); regexp.MustCompile(`^(Test|Fuzz)[^a-z]`).MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// namesUsed are the names that each declaration at the top level of the test files in a folder
// uses, each as "package.name", and ".name" for a method of whichever type.
func namesUsed(folder fs.FS) (map[string][]string, error) {
	files, err := fs.Glob(folder, "*_test.go")
	if err != nil {
		return nil, err
	}
	set, packages := token.NewFileSet(), map[string][]*ast.File{}
	for _, name := range files {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("which tests have cases: %w", err)
		}
		packages[file.Name.Name] = append(packages[file.Name.Name], file)
	}
	uses := map[string][]string{}
	for name, files := range packages {
		info := scopes(set, name, files)
		for _, file := range files {
			for _, d := range file.Decls {
				used := namesIn(d, info)
				for _, declared := range declared(d, name) {
					uses[declared] = append(uses[declared], used...)
				}
			}
		}
	}
	return uses, nil
}

// scopes says what each name in files stands for, as far as that can be known without what they
// import: enough to tell the names of a package from those of its functions.
func scopes(set *token.FileSet, name string, files []*ast.File) *types.Info {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: none{}, Error: func(error) {}}
	_, _ = config.Check(name, set, files, info) // what is imported is missing: every file has errors
	return info
}

// none imports nothing.
type none struct{}

func (none) Import(string) (*types.Package, error) { return nil, errors.ErrUnsupported }

// declared are the names of a function, a method, or of constants, types or variables of a package.
func declared(d ast.Decl, of string) (names []string) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Recv != nil {
			of = ""
		}
		return []string{of + "." + f.Name.Name}
	}
	for _, s := range d.(*ast.GenDecl).Specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names = append(names, of+"."+n.Name)
			}
		case *ast.TypeSpec:
			names = append(names, of+"."+s.Name.Name)
		}
	}
	return names
}

// namesIn are the names in a declaration that may stand for what is declared at the top level.
func namesIn(d ast.Decl, info *types.Info) (names []string) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			of := ""
			if x, ok := n.X.(*ast.Ident); ok {
				if p, ok := info.Uses[x].(*types.PkgName); ok {
					of = path.Base(p.Imported().Path())
				}
			}
			names = append(names, of+"."+n.Sel.Name)
		case *ast.Ident:
			if o := info.Uses[n]; o != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
				names = append(names, o.Pkg().Name()+"."+n.Name)
			}
		}
		return true
	})
	return names
}
