package main

import (
	"os"
	"strings"
	"testing"
)

// Every module in the program, on every system, is named with its version and its licence:
// the file is what the modules say today.
func TestNoticesAreComplete(t *testing.T) {
	data, err := os.ReadFile("../../THIRD_PARTY_NOTICES")
	if err != nil {
		t.Fatal(err)
	}
	file := strings.ReplaceAll(string(data), "\r\n", "\n")
	list, err := components()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 10 {
		t.Errorf("only %d modules were found", len(list))
	}
	for _, c := range append(list, component{name: "the standard library of", version: "Go"}) {
		if !strings.Contains(file, "\n"+c.name+" "+c.version+"\n") {
			t.Errorf("THIRD_PARTY_NOTICES does not name %s %s", c.name, c.version)
		}
	}
	want, err := notices()
	if err != nil {
		t.Fatal(err)
	}
	if file != want {
		t.Error("THIRD_PARTY_NOTICES is not what the modules say: go run ./tools/notices > THIRD_PARTY_NOTICES")
	}
	for _, licence := range []string{"SIL OPEN FONT LICENSE", "The FreeType Project LICENSE", "Moshier"} {
		if !strings.Contains(file, licence) {
			t.Errorf("no %s", licence)
		}
	}
}
