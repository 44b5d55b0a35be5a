package bind_test

import (
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
)

func TestSuggest(t *testing.T) {
	names := []string{"lengthscale", "nu", "lambda", "rho", "kernel", "max_iterations", "tolerance", "x", "y", "log", "logx", "file"}
	for word, want := range map[string]string{
		"lenghtscale":   "lengthscale", // swapped
		"lengthscal":    "lengthscale", // missing
		"lengthscalee":  "lengthscale", // extra
		"lengthscole":   "lengthscale", // wrong
		"lenghtsclae":   "lengthscale", // two slips in a long word
		"LengthScale":   "lengthscale", // case
		"length_scale":  "lengthscale",
		"maxiterations": "max_iterations",
		"length":        "lengthscale", // a beginning
		"lenght":        "lengthscale", // a misspelt beginning
		"len":           "lengthscale",
		"tol":           "tolerance",
		"lamda":         "lambda",
		"lambada":       "lambda",
		"kernal":        "kernel",
		"roh":           "rho",
		"Nu":            "nu",
		"logy":          "log",  // ties go to the first
		"z":             "",     // x and y are not misspelt z
		"mu":            "",     // too short to tell
		"sigma":         "",     // another word
		"fiel":          "file", // swapped in a short word
		"flie":          "file",
		"fool":          "",
		"":              "",
		"a very long word that is nothing like any of the names": "",
	} {
		if got := bind.Suggest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := bind.Suggest("nu", []string{"nu"}); got != "" {
		t.Errorf("a correct word is no misspelling of itself, got %q", got)
	}
	if got := bind.DidYouMean("kernal", names); got != "; did you mean 'kernel'?" {
		t.Errorf("%q", got)
	}
}

// A suggestion is one of the candidates, and one edit of a long name finds it.
func FuzzSuggest(f *testing.F) {
	f.Add("lengthscale", uint(3), byte('x'))
	f.Add("é", uint(1), byte(0))
	f.Fuzz(func(t *testing.T, word string, at uint, letter byte) {
		candidates := []string{"lengthscale", "kernel", "max_iterations", "x"}
		if got := bind.Suggest(word, candidates); got != "" {
			found := false
			for _, c := range candidates {
				found = found || c == got
			}
			if !found {
				t.Fatalf("%q suggests %q", word, got)
			}
		}
		edited := []byte("lengthscale")
		edited[at%uint(len(edited))] = 'a' + letter%26
		if got := bind.Suggest(string(edited), candidates); got != "lengthscale" && string(edited) != "lengthscale" {
			t.Errorf("%s: %q", edited, got)
		}
	})
}
