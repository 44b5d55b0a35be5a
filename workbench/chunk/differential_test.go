package chunk_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	fuzzLua  = flag.Int("fuzzlua", 0, "programs to generate and compare with lua5.1 and luajit")
	fuzzSeed = flag.Uint64("fuzzseed", 1<<32, "number of the first program")
)

// TestDifferential generates programs and compares what the workbench makes of them with lua5.1, and with luajit those
// that use goto. It runs with -fuzzlua=N, as make fuzz-lua does.
func TestDifferential(t *testing.T) {
	if *fuzzLua == 0 {
		return
	}
	const batch = 250
	type job struct {
		first   uint64
		command string
		f       Features
	}
	jobs := make(chan job)
	var mutex sync.Mutex
	total, differ, ties := 0, 0, 0
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for j := range jobs {
				programs := make([]string, batch)
				for i := range programs {
					programs[i] = Program(j.first+uint64(i), j.f)
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				want, err := Reference(ctx, j.command, programs)
				cancel()
				if err != nil {
					t.Error(err)
					continue
				}
				for i, p := range programs {
					path := LoadPaths()[(j.first+uint64(i))%uint64(len(LoadPaths()))]
					got := Run(path, p)
					mutex.Lock()
					total++
					if j.f.Goto && got != want[i] && RoundTies(got) == RoundTies(want[i]) {
						ties++
					} else if got != want[i] {
						differ++
						if differ <= 20 {
							t.Errorf("program %d (%s, %s) differs\n got %.300s\nwant %.300s", j.first+uint64(i), j.command, path.Name, got, want[i])
						}
					}
					mutex.Unlock()
				}
			}
		})
	}
	for n := 0; n < *fuzzLua; n += batch {
		j := job{first: *fuzzSeed + uint64(n), command: "lua5.1"}
		if n/batch%4 == 3 {
			j.command, j.f.Goto = "luajit -joff", true
		}
		if _, err := exec.LookPath(strings.Fields(j.command)[0]); err != nil {
			t.Fatalf("%s is not installed (Debian: apt-get install lua5.1 luajit)", j.command)
		}
		jobs <- j
	}
	close(jobs)
	workers.Wait()
	t.Logf("%d programs, %d differ (%d more because luajit rounds ties in %%.14g up, and C to even)", total, differ, ties)
}

// TestPowersLikeC compares powers, exponentials and logarithms of random numbers with those of the C library, by lua5.1:
// they are at most one unit in the last place apart. It runs with -fuzzlua=N, N numbers.
func TestPowersLikeC(t *testing.T) {
	const batch = 100
	rng := rand.New(rand.NewPCG(*fuzzSeed, 7))
	var programs []string
	for range *fuzzLua / batch {
		var p strings.Builder
		for range batch {
			x := math.Exp(float64(1+rng.IntN(700)) * (2*rng.Float64() - 1))
			y := 740 / math.Log(x) * rng.NormFloat64() / 2
			if rng.IntN(3) == 0 {
				x, y = float64(1+rng.IntN(40)), float64(rng.IntN(300)-150)
			}
			fmt.Fprintf(&p, "do local x, y = %.17g, %.17g; P(x ^ y, x ^ 2, x ^ 3, x ^ -7, x ^ 0.5, math.pow(x, y), %.17g ^ %.17g, math.exp(y), math.log(x), math.log10(x)) end\n", x, y, x, y)
		}
		programs = append(programs, p.String())
	}
	if len(programs) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	want, err := Reference(ctx, "lua5.1", programs)
	if err != nil {
		t.Fatal(err)
	}
	other, all := 0, 0
	for i, p := range programs {
		got := strings.FieldsFunc(Run(LoadPaths()[0], p), between)
		for k, text := range strings.FieldsFunc(want[i], between) {
			a, err1 := strconv.ParseFloat(got[k], 64)
			b, err2 := strconv.ParseFloat(text, 64)
			all++
			switch {
			case got[k] == text:
			case err1 == nil && err2 == nil && (math.Nextafter(a, b) == b):
				other++
			default:
				t.Errorf("%s, to C %s, in result %d of %s", got[k], text, k%10+1, strings.Split(p, "\n")[k/10])
			}
		}
	}
	t.Logf("%d numbers, %d with another last digit", all, other)
}

func between(r rune) bool { return r == ' ' || r == '|' }
