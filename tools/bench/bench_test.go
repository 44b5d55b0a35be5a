package main

import (
	"bytes"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
)

func TestStatistics(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"median of three", median([]float64{3, 1, 2}), 2},
		{"median of four", median([]float64{4, 1, 3, 2}), 2.5},
		{"least", least([]float64{3, 1, 2}), 1},
		{"power of a cube", power([]float64{1, 2, 5}, []float64{2, 16, 250}), 3},
		{"apart", apart([]float64{1, 2}, []float64{1, 4}), .5},
		{"apart, equal zeros", apart([]float64{0}, []float64{0}), 0},
		{"spread of equal ones", spread([]float64{2, 2, 2}), 0},
		// Logarithms -1, 0, 1: the median distance is 1.
		{"spread", spread([]float64{1 / math.E, 1, math.E}), 1.4826 * math.Sqrt(math.Pi/6)},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, not %v", c.name, c.got, c.want)
		}
	}
	if !math.IsNaN(median(nil)) || !math.IsNaN(least(nil)) || !math.IsInf(spread([]float64{1, 1}), 1) || !math.IsInf(apart([]float64{1}, nil), 1) {
		t.Error("of nothing, something is known")
	}
	if got := pairs([]float64{2, 9, 1}, []float64{1, 3}); !slices.Equal(got, []float64{2, 3}) {
		t.Errorf("pairs %v", got)
	}
	for _, c := range []struct {
		ratio, se float64
		want      bool
	}{{1.5, .1, true}, {1 / 1.5, .1, true}, {1.5, .2, false}, {1.02, 0, false}, {2, math.Inf(1), false}} {
		if differs(c.ratio, c.se) != c.want {
			t.Errorf("differs(%v, %v) is not %v", c.ratio, c.se, c.want)
		}
	}
}

// What Go's benchmarks write is read with its metrics, judged and summed up.
func TestBenchmarksAreRead(t *testing.T) {
	b := benchmarks()[0]
	text := `goos: linux
BenchmarkAnnounced/poisson,_λ         	       1	         0.84 bytes-said	         0.0301 cpu-s	         4.6 MB	         1.9 times-said
BenchmarkAnnounced/heat,_causal-2     	       1	         2.5 bytes-said	         0.0301 cpu-s	         4.6 MB	         0.5 times-said
BenchmarkAnnouncedModels/groups       	       1	         1 bytes-said	         0.4 times-said
BenchmarkOther/x                      	       1	         1 ns/op
PASS`
	b.Lines = b.parse(text)
	if len(b.Lines) != 3 || b.Lines[0].Name != "poisson,_λ" || b.Lines[0].Metrics["MB"] != 4.6 {
		t.Fatalf("%+v", b.Lines)
	}
	var out bytes.Buffer
	b.print(&out)
	for _, want := range []string{"bytes-said: 2 of 3 within, median 1: not met\n    not: heat,_causal-2 2.5", "times-said: 2 of 3 within, median 0.5: not met"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
}

// example is a run with rows of each kind of verdict.
func example() run {
	known := func(residual float64) map[string][]float64 {
		return map[string][]float64{"residual": {residual}, "iterations": {12}, "answer": {2}, "said_seconds": {.9}}
	}
	d := 1e-13
	of := func(name string, r reach, ours []times, peers ...side) result {
		out := result{Row: name, Level: "avx512", Threads: 2, Ours: side{Name: "workbench", Times: ours, Bytes: 42e6, Accuracy: known(1e-11)}, Reach: r, Peers: peers}
		out.judge(false)
		return out
	}
	ours := []times{{.6, .9}, {.5, .8}, {.7, 1}}
	peer := side{Name: "NumPy", Times: []times{{.2, .2}, {.25, .25}, {.2, .2}}, Apart: &d}
	failed := result{Row: "fails", Level: "avx512", Threads: 2, Error: "ended after 3 s"}
	failed.judge(false)
	return run{Machine: machine{Commit: "0123", Processor: "a processor", Number: 2, Memory: "8 kB", Go: "go1", System: "linux/amd64", Before: "0 0 0", After: "1 0 0"}, Results: []result{
		of("within", reach{Seconds: .5, Most: "residual", Bound: 1e-10}, ours, peer),
		of("too slow", reach{Seconds: .4}, ours),
		of("too slow beside", reach{Ratio: 2.5}, ours, peer),
		of("no peer", reach{Ratio: 2.5}, ours, side{Name: "OpenBLAS", Missing: "a python3 with NumPy and SciPy"}),
		of("by the processor", reach{Seconds: .4}, []times{{.5, .3}}),
		of("too large, not exact", reach{Bytes: 40e6, Most: "residual", Bound: 1e-12}, ours),
		of("nothing is asked", reach{}, ours),
		failed,
	}}
}

var update = flag.Bool("update", false, "rewrite the golden files")

func TestTable(t *testing.T) {
	var out bytes.Buffer
	example().print(&out)
	printChanges(&out, []change{
		{"slower", 1, 2, 2, .1, 1.9, ""}, {"faster", 2, 1, .5, .1, .6, " iterations 12 was 11"}, {"noise", 1, 1.2, 1.2, .1, 1, ""}, {"once", 1, 3, 3, math.Inf(1), 2.5, ""},
	})
	golden := filepath.Join("testdata", "table.txt")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the table is\n%s\nnot\n%s", out.String(), want)
	}
}

// What a run saves is read again, and does not differ from itself; one that takes twice as long does.
func TestDiff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.json")
	before := example()
	if err := before.save(path); err != nil {
		t.Fatal(err)
	}
	after, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes(before, after) {
		if c.ratio != 1 || c.accuracy != "" {
			t.Errorf("%+v", c)
		}
	}
	r := &after.Results[0]
	for i := range r.Ours.Times {
		r.Ours.Times[i].Wall *= 4
	}
	r.Ours.Accuracy["residual"][0] = 1e-9
	c := changes(before, after)[0]
	if math.Abs(c.ratio-4) > 1e-12 || !differs(c.ratio, c.se) || !strings.Contains(c.accuracy, "residual 1e-09 was 1e-11") {
		t.Errorf("%+v", c)
	}
	if all := before.inTurn(); len(all) != 2 || math.Abs(all[0].ratio-3) > 1e-12 {
		t.Errorf("in turn: %+v", all)
	}
}

func TestGrowth(t *testing.T) {
	r := run{}
	for _, w := range []float64{1e3, 1e4, 1e5} {
		r.Results = append(r.Results, result{Level: "plain", Threads: 1, Growth: "lines", Weights: w, Ours: side{Times: []times{{1, w * w}}}})
	}
	if g := r.growths(); len(g) != 1 || g[0].String() != "growth of lines with the weights: power 2.00; by interval 2.00, 2.00" {
		t.Errorf("%v", g)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []options{{rows: "no such row", threads: "1"}, {rows: "(", threads: "1"}, {threads: "none"}, {threads: "0"}, {threads: "1", levels: "sse"}} {
		if _, _, _, err := o.chosen(); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
	seen := map[string]bool{}
	for _, r := range rows() {
		if seen[r.name] || r.what == "" || (r.code == "") == (r.command == nil) {
			t.Errorf("row %q stands twice, or says neither what nor how", r.name)
		}
		seen[r.name] = true
	}
}

// Every row runs on a small problem, and its answer is that of the peers which are installed here.
func TestEveryRowRuns(t *testing.T) {
	t.Chdir("../..")
	program := filepath.Join(t.TempDir(), "workbench")
	if text, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "./workbench").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	o := options{setting: setting{workbench: program, folder: t.TempDir(), quick: true, budget: 1, limit: 120, python: python()}, threads: "1", out: filepath.Join(t.TempDir(), "bench.json")}
	if !testmain.EveryCase() {
		o.rows = "lines 316$|^symmetric|eigh 1000|additions|next solve|npz|Gibbs"
	}
	run, err := o.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range run.Results {
		if r.Error != "" && !strings.Contains(r.Error, "not measured") {
			t.Errorf("%s: %s", r.Row, r.Error)
		}
		for _, p := range r.Peers {
			switch {
			case p.Missing != "":
				t.Logf("LEFT OUT: %s beside %s: %s is not installed", r.Row, p.Name, p.Missing)
			case *p.Apart > 1e-8:
				t.Errorf("%s: %s has another answer, by %.2g", r.Row, p.Name, *p.Apart)
			}
		}
	}
}
