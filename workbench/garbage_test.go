package main

import (
	"strings"
	"testing"
)

// TestCollectsSeldom: a script of small arrays that nobody holds collects far less often than with
// a percentage near Go's, and no less once much lives.
func TestCollectsSeldom(t *testing.T) {
	dir := files(t, "waste.lua", "for i = 1, 3000 do local a = array.zeros(1e4) end\n",
		"hold.lua", "held = {} for i = 1, 100 do held[i] = array.zeros(1e5) end for i = 1, 3000 do local a = array.zeros(1e5) end\n")
	collections := func(script, percent string) int {
		cmd := program(dir, "--no-init", script)
		cmd.Env = append(cmd.Env, "GOGC="+percent, "GODEBUG=gctrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return strings.Count("\n"+string(out), "\ngc ")
	}
	if seldom, often := collections("waste.lua", "100"), collections("waste.lua", "99"); seldom > often/2 {
		t.Errorf("%d collections, where Go itself would collect %d times: want less than half", seldom, often)
	}
	if seldom, often := collections("hold.lua", "100"), collections("hold.lua", "99"); seldom < often/2 {
		t.Errorf("where much lives %d collections, where Go itself would collect %d times: want as many", seldom, often)
	}
}
