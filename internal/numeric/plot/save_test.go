package plot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A figure that cannot be drawn leaves the old file as it was and no rubbish.
func TestSaveIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "figure.png")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Save(Heatmap{}, path, Size{}); err == nil {
		t.Error("an empty heat map was saved")
	}
	if got := readFile(t, path); got != "old" {
		t.Errorf("the file is %q now", got)
	}
	if err := Save(Heatmap{Values: [][]float64{{1, 2}}}, path, Size{}); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, path); !strings.HasPrefix(got, "\x89PNG") {
		t.Errorf("the file is %q", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("%d files in the directory, want 1", len(entries))
	}
}

func TestSaveErrors(t *testing.T) {
	good := Heatmap{Values: [][]float64{{1, 2}, {3, 4}}}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	blocked := filepath.Join(file, "figure.png")
	for _, c := range []struct {
		fig  Figure
		path string
		size Size
		want string
	}{
		{good, "figure.gif", Size{}, `figure.gif: extension ".gif": figures are saved as .png, .svg or .pdf`},
		{good, "figure", Size{}, `figure: has no extension: figures are saved as .png, .svg or .pdf`},
		{good, blocked, Size{}, "its folder cannot be made"},
		{nil, "figure.png", Size{}, "figure: missing: must be a Heatmap, Lines, Scatter, Grid or another"},
		{good, "figure.png", Size{Width: -1}, "width -1: must be between 0 and 200 inches"},
		{good, "figure.png", Size{DPI: 1e6}, "dpi 1e+06: must be between 0 and 2400"},
		{good, "figure.png", Size{Width: 100, DPI: 1200}, "million pixels: must be at most 200"},
		{good, "figure.png", Size{Width: 0.5}, "width 0.5: must be at least"},
		{good, "figure.png", Size{Width: 3, Height: 0.2}, "height 0.2: must be at least"},
	} {
		err := Save(c.fig, c.path, c.size)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// The least size that an error names is allowed.
func TestLeastSizeIsAllowed(t *testing.T) {
	x := linspace(0, 1, 5)
	fig := Heatmap{Values: table(x, x, poisson), X: x, Y: x, XLabel: "x", YLabel: "y"}
	_, err := Image(fig, 50, 50)
	if err != nil {
		t.Error(err)
	}
	if err := Save(fig, filepath.Join(t.TempDir(), "a.svg"), Size{Width: 2, Height: 2}); err != nil {
		t.Error(err)
	}
}
