package complete

import (
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		before string
		kind   Kind
		prefix string
		owner  string // names joined by dots
		call   string
		arg    string
		used   string
	}{
		{"", Word, "", "", "", "", ""},
		{"ker", Word, "ker", "", "", "", ""},
		{"x = ke", Word, "ke", "", "", "x", ""},
		{"kernel.", Member, "", "kernel", "", "", ""},
		{"kernel.mat", Member, "mat", "kernel", "", "", ""},
		{"a.b.c", Member, "c", "a.b", "", "", ""},
		{"k:gr", Method, "gr", "k", "", "", ""},
		{"f().x", Member, "x", "", "", "", ""},
		{"a:b().c", Member, "c", "", "", "", ""},
		{"t[1]:x", Method, "x", "", "", "", ""},
		{"kernel.matern{", Option, "", "", "kernel.matern", "", ""},
		{"kernel.matern{ le", Option, "le", "", "kernel.matern", "", ""},
		{"kernel.matern{nu=2.5, le", Option, "le", "", "kernel.matern", "", "nu"},
		{"kernel.matern{nu=", Word, "", "", "kernel.matern", "nu", "nu"},
		{"kernel.matern{nu=x.", Member, "", "x", "kernel.matern", "", "nu"},
		{"green.fit({data=d,\n  -- the kernel\n  ke", Option, "ke", "", "green.fit", "", "data"},
		{"green.fit{criterion=\"re", Text, "re", "", "green.fit", "criterion", "criterion"},
		{"est:error{da", Option, "da", "", "est:error", "", ""},
		{"mesh.uniform(0, 1, n", Word, "n", "", "mesh.uniform", "", ""},
		{"mesh.uniform(0, f{a=1}, n", Word, "n", "", "mesh.uniform", "", ""},
		{"f{a={b=1, c", Word, "c", "", "", "", "b"},
		{"data.load(\"da", Text, "da", "", "data.load", "", ""},
		{"x = 1 -- comment ke", Nothing, "", "", "", "", ""},
		{"x = [[ text ke", Nothing, "", "", "", "", ""},
		{"x = 12", Nothing, "", "", "", "", ""},
		{"s = 'a' .. 'b", Text, "b", "", "", "", ""},
		{"print(x) en", Word, "en", "", "", "", ""},
	} {
		s := Find(c.before)
		if s.Kind != c.kind || s.Prefix != c.prefix || strings.Join(s.Owner, ".") != c.owner ||
			s.Call.String() != c.call || s.Arg != c.arg || strings.Join(s.Used, ",") != c.used {
			t.Errorf("%q: %+v", c.before, s)
		}
		if s.Kind != Nothing && c.before[s.From:] != s.Prefix {
			t.Errorf("%q: From %d is not where %q begins", c.before, s.From, s.Prefix)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"kernel.matern{nu=", "a.b:c(", "x='", "}}}", "f({{[(", "--[[", "a.:b.", "\\", "λ.", "est:error{da", ":x{"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, before string) {
		s := Find(before)
		if s.From < 0 || s.From > len(before) || s.Kind != Nothing && before[s.From:] != s.Prefix {
			t.Fatalf("%q: %+v", before, s)
		}
		if slices.Contains(s.Owner, "") || slices.Contains(s.Used, "") {
			t.Fatalf("%q: empty names in %+v", before, s)
		}
	})
}
