package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// print writes the table: a line a row, and what was said of failures below.
func (run run) print(w io.Writer) {
	fmt.Fprintln(w, run.Machine)
	for _, level := range run.levels() {
		for _, threads := range run.threads() {
			run.table(w, level, threads)
		}
	}
	for _, r := range run.Results {
		if r.Error != "" {
			fmt.Fprintf(w, "%s (%s): %s\n", r.Row, r.Level, r.Error)
		}
		for _, p := range r.Peers {
			if p.Missing != "" {
				fmt.Fprintf(w, "%s: %s is missing, %s is not installed\n", r.Row, p.Name, p.Missing)
			}
		}
	}
	for _, g := range run.growths() {
		fmt.Fprintln(w, g)
	}
	for _, b := range run.Benchmarks {
		b.print(w)
	}
}

func (run run) levels() (levels []string) {
	for _, r := range run.Results {
		if !slices.Contains(levels, r.Level) {
			levels = append(levels, r.Level)
		}
	}
	return levels
}

func (run run) threads() (numbers []int) {
	for _, r := range run.Results {
		numbers = append(numbers, r.Threads)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

const heading = "row\tseconds\tleast\tprocessor\trounds\tpeer\tits seconds\tratio\tof processor\tapart\tMB\tknown of the result\tasked\tmet"

// table writes the rows of a level and a number of threads. Rows of one thread stand with those of the others.
func (run run) table(w io.Writer, level string, threads int) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	some := false
	for _, r := range run.Results {
		if r.Level != level || r.Threads != threads {
			continue
		}
		if !some {
			fmt.Fprintf(w, "\n%s, %d threads; seconds are medians\n", level, threads)
			fmt.Fprintln(t, heading)
			some = true
		}
		fmt.Fprintln(t, r.line())
	}
	_ = t.Flush()
}

func (out result) line() string {
	peer, seconds, apart := "", "", ""
	for _, p := range out.Peers {
		peer, seconds = p.Name, number(median(walls(p.Times)))
		if p.Missing != "" {
			seconds = "missing"
		}
		if p.Apart != nil {
			apart = number(*p.Apart)
		}
	}
	wall, processor, _ := out.ratio()
	return strings.Join([]string{
		out.Row, number(median(walls(out.Ours.Times))), number(least(walls(out.Ours.Times))), number(median(processors(out.Ours.Times))), fmt.Sprint(len(out.Ours.Times)),
		peer, seconds, number(wall), number(processor), apart, megabytes(out.Ours.Bytes), out.known(), out.Reach.String(), out.Met,
	}, "\t")
}

// known is what is known of our result: residual, gap, iterations.
func (out result) known() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(out.Ours.Accuracy)) {
		if name != "answer" && !strings.HasPrefix(name, "said_") {
			parts = append(parts, name+" "+number(out.Ours.Accuracy[name][0]))
		}
	}
	took := min(least(walls(out.Ours.Times)), least(processors(out.Ours.Times))) // of two, the one that others lengthen less
	if said := out.Ours.Accuracy["said_seconds"]; len(said) > 0 && took > 0 {
		parts = append(parts, "said "+number(said[0]/took)+" of the time")
	}
	return strings.Join(parts, ", ")
}

// String is what is asked, in words.
func (r reach) String() string {
	var parts []string
	if r.Seconds > 0 {
		parts = append(parts, number(r.Seconds)+" s")
	}
	if r.Ratio > 0 {
		parts = append(parts, number(r.Ratio)+" × the peer")
	}
	if r.Bytes > 0 {
		parts = append(parts, number(r.Bytes/1e6)+" MB")
	}
	if r.Most != "" {
		parts = append(parts, r.Most+" "+number(r.Bound))
	}
	return strings.Join(parts, ", ")
}

func megabytes(bytes float64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", bytes/1e6)
}

// number writes a number with three digits, nothing of none.
func number(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return ""
	case math.Abs(v) >= 1000 && math.Abs(v) < 1e6:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
