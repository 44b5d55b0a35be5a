package spelling

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"U", []string{"f", "u"}, `; did you mean "u"?`},
		{"u_nose20", []string{"u", "u_noise20", "u_noise50"}, `; did you mean "u_noise20"?`},
		{"x", []string{"f", "u"}, ""},
		{"velocity", []string{"pressure"}, ""},
		{"a", nil, ""},
	} {
		if got := Nearest(c.name, c.known); got != c.want {
			t.Errorf("Nearest(%q, %v) = %q, want %q", c.name, c.known, got, c.want)
		}
	}
	// kitten → sitting: the example of every textbook, 3.
	if d := Distance("kitten", "sitting"); d != 3 {
		t.Errorf("distance = %d, want 3", d)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "runs.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := File(filepath.Join(dir, "run.csv")); got != `; did you mean "runs.csv"?` {
		t.Error(got)
	}
	if got, want := File(filepath.Join(dir, "nowhere", "run.csv")), fmt.Sprintf("; there is no folder %q", filepath.Join(dir, "nowhere")); got != want {
		t.Error(got)
	}
	if got, want := File(filepath.Join(dir, "pairs.csv")), fmt.Sprintf("; the folder %q holds runs.csv", dir); got != want {
		t.Error(got)
	}
	if got, want := File(filepath.Join(dir, "pairs.npz")), fmt.Sprintf("; the folder %q holds no .npz file", dir); got != want {
		t.Error(got)
	}
}
