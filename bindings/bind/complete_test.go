package bind_test

import (
	"io"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	_, reg := newState(t, io.Discard)
	typeOf := func(path string) string {
		return map[string]string{"v": "vec", "p.mesh": "vec", "k": "kernel"}[path]
	}
	for _, tt := range []struct{ text, word, want string }{
		// names
		{"to", "to", "toy"},
		{"x = ve", "ve", "vec"},
		{"choo", "choo", "choose"},
		{"", "", "toy vec choose"},
		{"print(t", "t", "toy"},
		{"toy.ma", "toy.ma", "toy.matern"},
		{"local k = 3*toy.ma", "toy.ma", "toy.matern"},
		{"toy.v", "toy.v", "toy.version"},
		{"vec.", "vec.", "vec.ones"},
		{"return vec.", "vec.", "vec.ones"},
		{"nothing.", "nothing.", ""},
		// fields and methods of variables
		{"v:", "v:", "v:sum v:dot v:scale"},
		{"v:s", "v:s", "v:sum v:scale"},
		{"v.sh", "v.sh", "v.shape"},
		{"p.mesh:d", "p.mesh:d", "p.mesh:dot"},
		{"vec{1,2}:d", ":d", ":dot"},
		{"vec.ones(3):d", ":d", ":dot"},
		// options
		{"toy.matern{", "", "nu= lengthscale="},
		{"toy.matern{ ", "", "nu= lengthscale="},
		{"toy.matern{le", "le", "lengthscale="},
		{"toy.matern {nu=1, ", "", "lengthscale="},
		{"toy.matern{nu=1;\n  l", "l", "lengthscale="},
		{"toy.matern{nu=math.max(1, 2), -- {\n", "", "lengthscale="},
		{"toy.fit{kernel=toy.matern{nu=1, l", "l", "lengthscale="},
		{"toy.fit{kernel=toy.matern{nu=1}, d", "d", "data="},
		{"toy.fit{input={", "", "kernel= scale="},
		{"toy.fit{input={kernel=toy.se{}, s", "s", "scale="},
		{"toy.lines{ {x=1, ", "", "y= label="},
		{"toy.lines{ {x=1}, f", "f", "file="},
		{"toy.heatmap(v, {", "", "file= log="},
		{"toy.heatmap({1,2}, {l", "l", "log="},
		{"v:scale{", "", "by="},
		{"toy.uniform(0, 1, {", "", "n= name="},
		{"toy.matern{nu=to", "to", "toy"},
		// words
		{`toy.fit{criterion="`, "", "reml gcv loo"},
		{`toy.fit{criterion='g`, "g", "gcv"},
		{`toy.fit{criterion = `, "", `"reml" "gcv" "loo"`},
		{`toy.fit{lambda=`, "", `"auto"`},
		{`print("toy.ma`, "toy.ma", ""},
		{`toy.fit{"re`, "re", ""},
		// not fooled by strings and comments
		{`x = "toy.matern{"; to`, "to", "toy"},
		{"-- toy.matern{\nto", "to", "toy"},
		{"[[ toy.matern{ ]]; to", "to", "toy"},
	} {
		got := reg.CompleteIn(tt.text, typeOf)
		var texts []string
		for _, item := range got.Items {
			texts = append(texts, item.Text)
		}
		if got.Word != tt.word || strings.Join(texts, " ") != tt.want {
			t.Errorf("%q: %q → %q, want %q → %q", tt.text, got.Word, texts, tt.word, tt.want)
		}
	}
}

func TestCompletionShowsTheSignatureOfTheCall(t *testing.T) {
	_, reg := newState(t, io.Discard)
	for text, want := range map[string]string{
		"toy.matern{nu=":        "toy.matern{nu=2.5, lengthscale}",
		"toy.uniform(0, ":       "toy.uniform(a, b, n [, name])",
		"print(toy.uniform(0, ": "toy.uniform(a, b, n [, name])",
		"toy.uniform(0, 1, 2)":  "",
		"x = ":                  "",
	} {
		if got := reg.Complete(text).Signature; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever is typed, completion answers, and every item continues what is there.
func FuzzComplete(f *testing.F) {
	for _, s := range []string{"toy.", "toy.matern{nu=1, le", `toy.fit{criterion="re`, "a[b", "}}})(", "[==[ x", "--[[ toy", `"\`, "x.y:z", "vec{1}:", "\x00", "é.ü{"} {
		f.Add(s)
	}
	_, reg := newState(f, io.Discard)
	f.Fuzz(func(t *testing.T, text string) {
		got := reg.CompleteIn(text, func(string) string { return "vec" })
		if !strings.HasSuffix(text, got.Word) {
			t.Fatalf("%q: the word %q is not its end", text, got.Word)
		}
		for _, item := range got.Items {
			if !strings.HasPrefix(strings.TrimPrefix(item.Text, `"`), strings.TrimPrefix(got.Word, `"`)) {
				t.Errorf("%q: %q does not continue %q", text, item.Text, got.Word)
			}
		}
	})
}
