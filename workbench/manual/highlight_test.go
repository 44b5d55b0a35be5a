package manual

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for source, want := range map[string]string{
		`local x = 1.5e-3`:         "k:local|: |name:x|: = |n:1.5e-3",
		`f{nu=2, "a\"b", 'c'}`:     `name:f|:{|name:nu|:=|n:2|:, |s:"a\"b"|:, |s:'c'|:}`,
		"a.b.c:d(0x1F)":            "name:a.b.c:d|:(|n:0x1F|:)",
		`s = a .. "x"`:             `name:s|: = |name:a|: .. |s:"x"`,
		"for i = 1, 3 do end":      "k:for|: |name:i|: = |n:1|:, |n:3|: |k:do|: |k:end",
		"f()  --> 3\n--! no\n-- c": "name:f|:()  |x:--> 3|:\n|e:--! no|:\n|c:-- c",
		"--[[ a\nb ]] x":           "c:--[[ a\nb ]]|: |name:x",
		"[==[ ]] ]==] .. [[ open":  "s:[==[ ]] ]==]|: .. |s:[[ open",
		`"not closed`:              `s:"not closed`,
		"goto done ::done::":       "k:goto|: |name:done|: ::|name:done|:::",
		"x×3×y — λ":                "name:x|:×|n:3|:×|name:y|: — |name:λ",
		"number|number[]|\"auto\"": `name:number|:||name:number|:[]||s:"auto"`,
		"t[a[1]]":                  "name:t|:[|name:a|:[|n:1|:]]",
		"and_more = not nil":       "name:and_more|: = |k:not|: |k:nil",
		"3 .. 4":                   "n:3|: .. |n:4",
		"a.":                       "name:a|:.",
		"":                         "",
	} {
		var parts []string
		for _, tok := range tokens(source) {
			parts = append(parts, tok.class+":"+tok.text)
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%q:\n got  %q\n want %q", source, got, want)
		}
	}
}

// Whatever the source, the tokens are the source again.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"local x = [[a]] --[==[ b", "\"\\", "0x.p1e+", "a:b.c::d::", "--", "[=", "é\xff'\\\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		var b strings.Builder
		for _, tok := range tokens(source) {
			if tok.text == "" {
				t.Fatal("an empty token")
			}
			b.WriteString(tok.text)
		}
		if b.String() != source {
			t.Errorf("%q became %q", source, b.String())
		}
	})
}

func TestHighlight(t *testing.T) {
	link := func(name string) (string, bool) { return "kernel.html#se", name == "kernel.se" }
	got := string(highlight(`k = kernel.se{x="<&>"} -- <b>`, link))
	want := `k = <a href="kernel.html#se">kernel.se</a>{x=<span class="s">&#34;&lt;&amp;&gt;&#34;</span>} <span class="c">-- &lt;b&gt;</span>`
	if got != want {
		t.Errorf("\n got  %s\n want %s", got, want)
	}
}
