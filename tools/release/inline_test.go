package main

import (
	"os/exec"
	"strings"
	"testing"
)

// Every pattern of the compiler's flags names a package of the program: one that was moved
// would be compiled otherwise without a word.
func TestCompilationNamesPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../../workbench").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	for _, pattern := range once() {
		found := false
		root, below := strings.CutSuffix(pattern, "/...")
		for _, p := range packages {
			found = found || p == root || below && strings.HasPrefix(p, root+"/")
		}
		if !found {
			t.Errorf("the program has no package %s", pattern)
		}
	}
}
