package manual

import (
	"fmt"
	"strings"
	"testing"
)

// parsed writes a guide as one line for each block.
func parsed(g *guide) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", g.title, g.summary)
	for _, x := range g.blocks {
		fmt.Fprintf(&b, "%d %d %q %q %q %q %q\n", x.kind, x.line, x.text, x.items, x.rows, x.lang, x.name)
	}
	return b.String()
}

func TestParseGuide(t *testing.T) {
	const source = `# Title

One *paragraph*
of two lines.
## Heading
- item
  more
- other

1. first
2. second

| a | b |
|---|---|
| ` + "`x|y`" + ` | z |

` + "```lua" + `
f()

g()
` + "```" + `
![A caption](a.png)
`
	const want = `Title: One paragraph of two lines.
0 3 "One *paragraph* of two lines." [] [] "" ""
1 5 "Heading" [] [] "" ""
2 6 "" ["item more" "other"] [] "" ""
3 10 "" ["first" "second"] [] "" ""
4 13 "" [] [["a" "b"] ["` + "`x|y`" + `" "z"]] "" ""
5 18 "f()\n\ng()" [] [] "lua" ""
6 22 "A caption" [] [] "" "a.png"
`
	g, err := parseGuide(source)
	if err != nil {
		t.Fatal(err)
	}
	if got := parsed(g); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := g.program(); got != strings.Repeat("\n", 17)+"f()\n\ng()\n" {
		t.Errorf("program %q", got)
	}
}

func TestParseGuideErrors(t *testing.T) {
	for source, want := range map[string]string{
		"no title":              "1: a guide begins with # and its title",
		"# T\n\n#### deep":      "3: want a heading of level 2 or 3",
		"# T\n```lua\nf()":      "2: the code has no end",
		"# T\n\n![caption] (x)": "3: want ![caption](picture)",
	} {
		if _, err := parseGuide(source); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
	}
}

func TestSpans(t *testing.T) {
	for text, want := range map[string]string{
		"a `b * c` d":               "0:a |1:b * c|0: d",
		"*a* **b** 2*3*4":           "2:a|0: |3:b|0: 2*3*4",
		"2 * 3 and * 4":             "0:2 * 3 and * 4",
		"see [the *x*](page#y), ok": "0:see |4:the *x*→page#y|0:, ok",
		"a [1] (2)":                 "0:a [1] (2)",
		"open ` and [x](":           "0:open ` and [x](",
		"":                          "",
	} {
		var parts []string
		for _, s := range spans(text) {
			part := fmt.Sprintf("%d:%s", s.kind, s.text)
			if s.target != "" {
				part += "→" + s.target
			}
			parts = append(parts, part)
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Names in prose become links, with what follows them left alone.
func TestNames(t *testing.T) {
	known := func(name string) bool { return name == "linalg.solve" || name == "a:dot" }
	var parts []string
	for _, s := range names("Use linalg.solve, not linalg.inv; a:dot(b). See linalg.solve.", known) {
		parts = append(parts, fmt.Sprintf("%d:%s", s.kind, s.text))
	}
	want := "0:Use |4:linalg.solve|0:, not linalg.inv; |4:a:dot|0:(b). See |4:linalg.solve|0:."
	if got := strings.Join(parts, "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRedirect(t *testing.T) {
	got := redirect("a:save(\"x.npz\") -- \"y.npz\"\nb(\"dir/x.png\", \"not a file\")\nf() --! fails\ng()", "kept")
	want := "a:save(\"kept/x.npz\") -- \"y.npz\"\nb(\"dir/x.png\", \"not a file\")\n\ng()\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
