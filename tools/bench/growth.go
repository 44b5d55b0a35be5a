package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A growth is how the time of the processors grows with the weights: rows of one structure.
type growth struct {
	name             string
	weights, seconds []float64
}

// growths are of the rows with the largest level and most threads, least weights first; of one size there is none.
func (run run) growths() (all []growth) {
	if run.Quick {
		return nil // sizes are others
	}
	for _, r := range run.Results {
		if r.Growth == "" || len(r.Ours.Times) == 0 || r.Level != run.Results[0].Level || r.Threads != run.Results[0].Threads {
			continue
		}
		at := slices.IndexFunc(all, func(g growth) bool { return g.name == r.Growth })
		if at < 0 {
			at, all = len(all), append(all, growth{name: r.Growth})
		}
		all[at].weights = append(all[at].weights, r.Weights)
		all[at].seconds = append(all[at].seconds, least(processors(r.Ours.Times)))
	}
	all = slices.DeleteFunc(all, func(g growth) bool { return len(g.weights) < 2 })
	slices.SortStableFunc(all, func(a, b growth) int { return cmp.Compare(a.name, b.name) })
	return all
}

// String is the exponent over all sizes, and that of each interval.
func (g growth) String() string {
	var parts []string
	for i := 1; i < len(g.weights); i++ {
		parts = append(parts, fmt.Sprintf("%.2f", power(g.weights[i-1:i+1], g.seconds[i-1:i+1])))
	}
	return fmt.Sprintf("growth of %s with the weights: power %.2f; by interval %s", g.name, power(g.weights, g.seconds), strings.Join(parts, ", "))
}

// draw has the workbench draw seconds over weights.
func (run run) draw(ctx context.Context, workbench, path string) error {
	all := run.growths()
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("plot.lines{\n")
	for _, g := range all {
		fmt.Fprintf(&b, "  {x = {%s}, y = {%s}, label = %q, style = \"o-\"},\n", list(g.weights), list(g.seconds), fmt.Sprintf("%s: power %.2f", g.name, power(g.weights, g.seconds)))
	}
	fmt.Fprintf(&b, "  logx = true, logy = true, xlabel = \"weights\", ylabel = \"seconds of the processors\", title = \"Growth of fits\", show = false, file = %q,\n}\n", path)
	script := filepath.Join(filepath.Dir(path), "bench-growth.lua")
	if err := os.WriteFile(script, []byte(b.String()), 0o644); err != nil {
		return err
	}
	if text, err := exec.CommandContext(ctx, workbench, "--no-init", script).CombinedOutput(); err != nil {
		return fmt.Errorf("the growth plot: %s", text)
	}
	return nil
}

func list(x []float64) string {
	var parts []string
	for _, v := range x {
		parts = append(parts, fmt.Sprintf("%.6g", v))
	}
	return strings.Join(parts, ", ")
}
