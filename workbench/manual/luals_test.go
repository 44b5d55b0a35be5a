package manual_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/manual"
)

func writeDefinitions(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := manual.WriteLuaLS(registry(), dir); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "workbench-luals", "*.lua"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no definitions", err)
	}
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(text)
	}
	return files
}

// The definitions are Lua: there is no language server here to read them.
func TestDefinitionsAreLua(t *testing.T) {
	files := writeDefinitions(t)
	for name, text := range files {
		if _, err := chunk.Parse(name, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	for m := range registry().Modules() {
		if files[m.Name+".lua"] == "" {
			t.Errorf("no definitions of module %s", m.Name)
		}
	}
}

var (
	annotation = regexp.MustCompile(`^---@(param|return|field|type|operator|overload|alias|class|see|meta) ?(.*)$`)
	typeName   = regexp.MustCompile(`[A-Za-z_][\w.]*`)
	quoted     = regexp.MustCompile(`"[^"]*"`)
	notTypes   = regexp.MustCompile(`\w+\??: |\.\.\.: |\w+: any`)
)

// Every type that an annotation names is declared by another, or is Lua's own;
// every annotation is one that the language server knows.
func TestDefinitionsNameDeclaredTypes(t *testing.T) {
	files := writeDefinitions(t)
	declared := []string{"any", "nil", "boolean", "number", "integer", "string", "table", "function", "true", "false", "fun"}
	for _, text := range files {
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, "---@class "); ok {
				declared = append(declared, strings.Fields(strings.TrimPrefix(rest, "(exact) "))[0])
			}
			if rest, ok := strings.CutPrefix(line, "---@alias "); ok {
				declared = append(declared, strings.Fields(rest)[0])
			}
		}
	}
	for name, text := range files {
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "---@") {
				continue
			}
			m := annotation.FindStringSubmatch(strings.TrimRight(line, "\n"))
			if m == nil {
				t.Errorf("%s: %s", name, line)
				continue
			}
			for _, used := range typeName.FindAllString(annotatedType(m[1], m[2]), -1) {
				if !slices.Contains(declared, used) {
					t.Errorf("%s: type %q is declared nowhere: %s", name, used, line)
				}
			}
		}
	}
}

// annotatedType is the type that an annotation gives, without names of
// parameters, literals and what is said about it.
func annotatedType(tag, rest string) string {
	switch tag {
	case "see", "meta", "class":
		return ""
	case "param", "field", "alias":
		if strings.HasPrefix(rest, "[") { // ---@field [integer] type
			rest = strings.TrimPrefix(rest, "[integer] ")
		} else {
			_, rest, _ = strings.Cut(rest, " ")
		}
	case "operator":
		_, rest, _ = strings.Cut(strings.NewReplacer("(", " ", ")", " ", ":", " ").Replace(rest), " ")
	}
	rest, _, _ = strings.Cut(rest, " # ")
	rest = quoted.ReplaceAllString(rest, "")
	if tag == "overload" || tag == "return" || strings.HasPrefix(rest, "fun(") {
		return notTypes.ReplaceAllString(rest, "")
	}
	kind := ""
	for depth := 0; rest != ""; rest = rest[1:] { // up to the first blank outside brackets
		switch rest[0] {
		case '(', '{', '<', '[':
			depth++
		case ')', '}', '>', ']':
			depth--
		case ' ':
			if depth == 0 {
				return kind
			}
		}
		kind += rest[:1]
	}
	return kind
}

// What an editor needs to complete kernel.matern{ and est: is there.
func TestDefinitions(t *testing.T) {
	files := writeDefinitions(t)
	for name, wants := range map[string][]string{
		"kernel.lua": {
			"---@meta kernel\n", "---@class kernel\n", "---@class kernel.module\nkernel = {}\n", "\nreturn kernel\n",
			"---@class (exact) kernel.matern.Args\n---@field nu? number ",
			"---@param args? kernel.matern.Args named arguments\n---@return kernel",
			"function kernel.matern(args) end", "---@operator add(kernel): kernel", "---@operator mul(number|kernel): kernel",
			"function kernel_methods:gram(p, q) end", "---@overload fun(p: number|",
		},
		"array.lua": {
			"---@alias array.Like array|table|number", "---@overload fun(table: array.Like): array", "---@operator unm: array",
			"---@field [integer|table|array|mask] number|array", "---@overload fun(n: (integer[]|array)): array", "---@param ... integer",
			"function array.zeros(...) end",
		},
		"data.lua":       {"---@field output_mesh? mesh", "---@param path string", "---@param args? data.load.Args", "function data.load(path, args) end"},
		"green.lua":      {"---@return green.path.Result[]", "---@class green.path.Result\n---@field objective number"},
		"plot.lua":       {"---@field [integer] plot.lines.series", "---@class (exact) plot.lines.series\n---@field x? (number[]|array)"},
		"everywhere.lua": {"---@meta _\n", "function help(what) end", "---@type string\nversion = nil"},
		"math.lua":       {"---@param x array.Like\n---@return array\nfunction math.exp(x) end"},
	} {
		for _, want := range wants {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s does not contain %q", name, want)
			}
		}
	}
}

// Settings of an existing .luarc.json stay, and writing twice changes nothing.
func TestLuarc(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".luarc.json")
	if err := os.WriteFile(path, []byte(`{"hover.enable": false, "workspace.library": ["other"]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := manual.WriteLuaLS(registry(), dir); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Hover   *bool    `json:"hover.enable"`
		Library []string `json:"workspace.library"`
	}
	if err := json.Unmarshal(text, &settings); err != nil {
		t.Fatal(err)
	}
	if settings.Hover == nil || *settings.Hover || !slices.Equal(settings.Library, []string{"other", "workbench-luals"}) {
		t.Errorf("%s", text)
	}
	if err := os.WriteFile(path, []byte("{ // mine\n}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := manual.WriteLuaLS(registry(), dir); err == nil || !strings.Contains(err.Error(), `add "workbench-luals" to workspace.library`) {
		t.Errorf("a file with comments: %v", err)
	}
}
