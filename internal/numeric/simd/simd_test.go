package simd

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

// vectorLevels are the levels of this machine other than plain Go.
func vectorLevels(t testing.TB) []Kernels {
	t.Helper()
	var all []Kernels
	for _, k := range everyLevel(t) {
		if k.Level() != Plain {
			all = append(all, k)
		}
	}
	return all
}

func everyLevel(t testing.TB) []Kernels {
	t.Helper()
	var all []Kernels
	for _, l := range Levels() {
		k, err := New(l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, k)
	}
	return all
}

func random(seed uint64, n int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func TestLevels(t *testing.T) {
	levels := Levels()
	if levels[0] != Plain {
		t.Fatalf("levels %v: the first must be plain", levels)
	}
	if best := Best().Level(); best != levels[len(levels)-1] {
		t.Errorf("the best of %v is not %v", levels, best)
	}
	if _, err := New(Level(17)); err == nil {
		t.Error("level 17 was accepted")
	}
}

// TestAssemblyConventions reads the generated files: registers 16 to 31 need AVX-512 and must not appear in AVX2
// functions, and vector code which returns without VZEROUPPER makes later scalar code slow.
func TestAssemblyConventions(t *testing.T) {
	high := regexp.MustCompile(`\b[XYZ](1[6-9]|2[0-9]|3[01])\b|\bZ[0-9]|\bK[0-7]\b`)
	functions := 0
	for _, name := range []string{"elementwise_amd64.s", "radial_amd64.s", "product_amd64.s", "fourier_amd64.s"} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		function, before := "", ""
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			line := strings.TrimSpace(lines.Text())
			switch {
			case strings.HasPrefix(line, "TEXT"):
				function = line
				functions++
			case line == "RET" && before != "VZEROUPPER":
				t.Errorf("%s: %s: RET after %q", name, function, before)
			case strings.Contains(function, "AVX2(SB)") && high.MatchString(line):
				t.Errorf("%s: %s: %q needs AVX-512", name, function, line)
			}
			before = line
		}
	}
	if functions < 100 {
		t.Errorf("only %d functions found", functions)
	}
}

// The levels are those that GODEBUG leaves, so that make test-levels tests what it says.
func TestLevelsWithoutInstructions(t *testing.T) {
	for option, level := range map[string]Level{"cpu.avx512f=off": AVX512, "cpu.avx2=off": AVX2} {
		if !strings.Contains(os.Getenv("GODEBUG"), option) {
			continue
		}
		for _, l := range Levels() {
			if l >= level {
				t.Errorf("GODEBUG has %s, and level %v is used", option, l)
			}
		}
	}
}
