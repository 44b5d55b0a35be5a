package everywhere

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

func (d *Desk) time() bind.Func {
	return bind.Fn("time", "Run a function once, print how long it took and how much memory it allocated, and return its results.",
		func(c *bind.Call, a *struct {
			Fn   bind.Function `arg:"fn" pos:"1" doc:"what to run"`
			Args []bind.Any    `arg:"args" pos:"..." doc:"given to the function"`
		},
		) (bind.Results, error) {
			took, bytes, results, err := measure(c, &a.Fn, a.Args)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(c.Out, "%s, %s allocated\n", Duration(took), Bytes(bytes))
			return results, nil
		},
		bind.ReturnsAs("any", "what the function returns"), bind.See("bench"),
		bind.Example(`x = time(function() return 1 + 1 end)`))
}

func measure(c *bind.Call, fn *bind.Function, args []bind.Any) (time.Duration, uint64, bind.Results, error) {
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a.LValue
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	values, err := fn.Call(c, list...)
	took := time.Since(start)
	if err != nil {
		return 0, 0, nil, err
	}
	runtime.ReadMemStats(&after)
	results := make(bind.Results, len(values))
	for i, v := range values {
		results[i] = v
	}
	return took, after.TotalAlloc - before.TotalAlloc, results, nil
}

// Benchmark is the result of bench; times in seconds.
type Benchmark struct {
	Min    float64 `arg:"min" doc:"fastest run in seconds"`
	Median float64 `arg:"median" doc:"middle run in seconds"`
	Max    float64 `arg:"max" doc:"slowest run in seconds"`
	Runs   int     `arg:"runs" doc:"number of measured runs"`
	Bytes  float64 `arg:"bytes" doc:"memory allocated by one run"`
}

func (d *Desk) bench() bind.Func {
	return bind.Fn("bench", "Run a function again and again, and return its times. Short functions are run in batches; the first run is not counted.",
		func(c *bind.Call, a *struct {
			Fn      bind.Function `arg:"fn" pos:"1" doc:"what to run"`
			Seconds float64       `arg:"seconds" doc:"how long to measure" default:"1" allow:"(0,3600]"`
		},
		) (Benchmark, error) {
			return benchmark(c, &a.Fn, time.Duration(a.Seconds*float64(time.Second)))
		},
		bind.Example(`bench(function() return math.sin(1) end, {seconds = 0.01}).runs > 0  --> true`), bind.See("time"))
}

func benchmark(c *bind.Call, fn *bind.Function, limit time.Duration) (Benchmark, error) {
	first, _, _, err := measure(c, fn, nil)
	if err != nil {
		return Benchmark{}, err
	}
	batch := max(1, int(100*time.Microsecond/max(first, time.Nanosecond)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var times []float64
	for start := time.Now(); time.Since(start) < limit || len(times) < 3; {
		if err := c.Err(); err != nil {
			return Benchmark{}, err
		}
		begin := time.Now()
		for range batch {
			if _, err := fn.Call(c); err != nil {
				return Benchmark{}, err
			}
		}
		times = append(times, time.Since(begin).Seconds()/float64(batch))
		progress.Report(c, progress.Step{Task: "bench", Done: min(time.Since(start).Seconds(), limit.Seconds()), Total: limit.Seconds()})
	}
	runtime.ReadMemStats(&after)
	slices.Sort(times)
	runs := len(times) * batch
	return Benchmark{
		Min: times[0], Median: times[len(times)/2], Max: times[len(times)-1], Runs: runs,
		Bytes: float64(after.TotalAlloc-before.TotalAlloc) / float64(runs),
	}, nil
}

func (d *Desk) progress() bind.Func {
	return bind.Fn("progress", "Count to n in a loop that shows a progress bar: for i in progress(100) do … end.",
		func(c *bind.Call, a *struct {
			N    int    `arg:"n" pos:"1" doc:"number of steps" allow:">=0"`
			Name string `arg:"name" pos:"2" doc:"shown before the bar" default:"loop"`
		},
		) (lua.LValue, error) {
			i := 0
			step := c.L.NewFunction(func(L *lua.LState) int {
				if ctx := L.Context(); ctx != nil {
					progress.Report(ctx, progress.Step{Task: a.Name, Done: float64(min(i, a.N)), Total: float64(a.N)})
				}
				if i >= a.N {
					return 0
				}
				i++
				L.Push(lua.LNumber(i))
				return 1
			})
			return step, nil
		},
		bind.ReturnsAs("function", "an iterator; each call returns the next number, in the end nothing"),
		bind.Example("s = 0\nfor i in progress(4) do s = s + i end\nprint(s)  --> 10"))
}

func (d *Desk) seed() bind.Func {
	return bind.Fn("seed", "Make math.random start again from a seed, so that a script repeats its numbers. Functions of the workbench take their seed as an argument.",
		func(c *bind.Call, a *struct {
			N int `arg:"n" pos:"1" doc:"the seed"`
		},
		) (bind.None, error) {
			f, ok := LookUp(c.L, "math.randomseed").(*lua.LFunction)
			if !ok {
				return bind.None{}, fmt.Errorf("math.randomseed is not a function")
			}
			err := c.L.CallByParam(lua.P{Fn: f, NRet: 0, Protect: false}, lua.LNumber(a.N))
			return bind.None{}, err
		},
		bind.Example("seed(1)\na = math.random()\nseed(1)\nprint(a == math.random())  --> true"))
}

// Duration writes a time with three digits and its unit.
func Duration(d time.Duration) string {
	switch s := d.Seconds(); {
	case s >= 60:
		return fmt.Sprintf("%d min %.0f s", int(s)/60, s-60*float64(int(s)/60))
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.3g ms", s*1e3)
	case s >= 1e-6:
		return fmt.Sprintf("%.3g µs", s*1e6)
	}
	return fmt.Sprintf("%d ns", d.Nanoseconds())
}

// Bytes writes an amount of memory with three digits and its unit.
func Bytes(n uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(n), 0
	for x >= 1024 && i < len(units)-1 {
		x, i = x/1024, i+1
	}
	return fmt.Sprintf("%.3g %s", x, units[i])
}
