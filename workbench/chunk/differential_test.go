package chunk_test

import (
	"context"
	"flag"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/greenbench/workbench/workbench/chunk/luafuzz"
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
		f       luafuzz.Features
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
					programs[i] = luafuzz.Program(j.first+uint64(i), j.f)
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				want, err := luafuzz.Reference(ctx, j.command, programs)
				cancel()
				if err != nil {
					t.Error(err)
					continue
				}
				for i, p := range programs {
					path := luafuzz.LoadPaths()[(j.first+uint64(i))%uint64(len(luafuzz.LoadPaths()))]
					got := luafuzz.Run(path, p)
					mutex.Lock()
					total++
					if j.f.Goto && got != want[i] && luafuzz.RoundTies(got) == luafuzz.RoundTies(want[i]) {
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
