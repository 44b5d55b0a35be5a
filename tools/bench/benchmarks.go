package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A benchmark is a list of measurements that Go's benchmarks make, with what is asked of each and of how many.
type benchmark struct {
	Name    string                `json:"name"`
	Asked   string                `json:"asked"`
	Metrics map[string][2]float64 `json:"-"`
	Share   float64               `json:"share"` // of the lines that are to be within all bounds
	Lines   []measured            `json:"lines"`
	Error   string                `json:"error,omitempty"`

	folder, bench, trial, repeats, processors string
}

// A measured line of a benchmark: its metrics by their units.
type measured struct {
	Name    string             `json:"name"`
	Metrics map[string]float64 `json:"metrics"`
	Within  map[string]bool    `json:"within"`
}

// benchmarks are what is asked of many problems at once: announcements, growth, and two threads beside one.
func benchmarks() []benchmark {
	return []benchmark{
		{
			Name: "announced", Asked: "seconds and bytes said beforehand over those taken: a factor of 2 in 90 % of cases",
			Metrics: map[string][2]float64{"times-said": {.5, 2}, "bytes-said": {.5, 2}}, Share: .9, folder: "bindings", bench: "Announced", trial: "Announced$/^poisson$", repeats: "1x", processors: "1",
		},
		{
			Name: "growth", Asked: "power of the weights by which seconds grow: at most 1.15",
			Metrics: map[string][2]float64{"power": {-9, 1.15}}, Share: 1, folder: "bindings", bench: "Growth", trial: "Growth/^huber$", repeats: "1x", processors: "1",
		},
		{
			Name: "threads", Asked: "time of one thread over that of two: at least 0.97",
			Metrics: map[string][2]float64{"times": {.97, 99}}, Share: 1, folder: "bindings", bench: "Threads", trial: "Threads/^dot_30$", repeats: "5x", processors: "2",
		},
		{
			Name: "pairs", Asked: "million products a second of a kernel without a family, one processor: at least 300",
			Metrics: map[string][2]float64{"tape-Mpairs/s": {300, 1e6}}, Share: 1, folder: "internal/numeric/kernels", bench: "Product", trial: "Product/plain", repeats: "5x", processors: "1",
		},
	}
}

// measure runs the benchmark.
func (b benchmark) measure(ctx context.Context, quick bool) benchmark {
	bench, repeats := b.bench, b.repeats
	if quick {
		bench, repeats = b.trial, "1x"
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", bench, "-benchtime", repeats, "-timeout", "30m", "./"+b.folder)
	cmd.Env = append(cmd.Environ(), "GOMAXPROCS="+b.processors)
	text, err := cmd.CombinedOutput()
	if err != nil {
		b.Error = fmt.Sprintf("%v: %s", err, text[max(0, len(text)-longest):])
	}
	b.Lines = b.parse(string(text))
	if err == nil && len(b.Lines) == 0 {
		b.Error = "no benchmark was found"
	}
	return b
}

// parse reads the lines of go test -bench that have the metrics.
func (b benchmark) parse(text string) (lines []measured) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		m := measured{Name: f[0], Metrics: map[string]float64{}, Within: map[string]bool{}}
		if _, name, ok := strings.Cut(f[0], "/"); ok {
			m.Name = name
		}
		if b.processors != "1" { // which go test writes behind the name
			m.Name = strings.TrimSuffix(m.Name, "-"+b.processors)
		}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				m.Metrics[f[i+1]] = v
			}
		}
		for unit, within := range b.Metrics {
			if v, ok := m.Metrics[unit]; ok {
				m.Within[unit] = v >= within[0] && v <= within[1]
			}
		}
		if len(m.Within) == len(b.Metrics) {
			lines = append(lines, m)
		}
	}
	return lines
}

// print writes how many lines are within, and those that are not.
func (b benchmark) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s: %s\n", b.Name, b.Asked)
	if b.Error != "" {
		fmt.Fprintln(w, "  "+b.Error)
	}
	if len(b.Lines) == 0 {
		return
	}
	for _, unit := range slices.Sorted(maps.Keys(b.Lines[0].Within)) {
		within, values := 0, []float64{}
		var without []string
		for _, l := range b.Lines {
			values = append(values, l.Metrics[unit])
			if l.Within[unit] {
				within++
			} else {
				without = append(without, l.Name+" "+number(l.Metrics[unit]))
			}
		}
		met := "met"
		if float64(within) < b.Share*float64(len(b.Lines)) {
			met = "not met"
		}
		fmt.Fprintf(w, "  %s: %d of %d within, median %s: %s\n", unit, within, len(b.Lines), number(median(values)), met)
		if len(without) > 0 {
			fmt.Fprintln(w, "    not: "+strings.Join(without, ", "))
		}
	}
}
