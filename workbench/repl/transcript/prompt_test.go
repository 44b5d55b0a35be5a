package transcript

import (
	"slices"
	"testing"
)

func TestTranscript(t *testing.T) {
	in := []string{"> for i = 1, 2 do", ">>   print(i)", ">> end", "1", "2", "> x = 3", "> x", "3", ""}
	want := []string{"for i = 1, 2 do", "  print(i)", "end", "x = 3", "x"}
	if got := Inputs(in); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	code := []string{"", "x = 1", "y = 2"}
	if got := Inputs(code); !slices.Equal(got, code) {
		t.Errorf("plain code changed to %q", got)
	}
}
