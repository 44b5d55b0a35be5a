package manual

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Text of every colour can be read on the page and on panels, in both schemes:
// the contrast is at least 4.5, as the Web Content Accessibility Guidelines
// (WCAG 2.2, 1.4.3) ask.
func TestContrast(t *testing.T) {
	css, err := themeFiles.ReadFile("theme/manual.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(string(css), "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("no dark scheme")
	}
	dark, _, _ = strings.Cut(dark, "* { box-sizing")
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		colors := map[string]float64{}
		for _, m := range regexp.MustCompile(`--(\w+): #(\w{6});`).FindAllStringSubmatch(text, -1) {
			colors[m[1]] = luminance(t, m[2])
		}
		for _, front := range []string{"text", "quiet", "accent", "keyword", "string", "number", "comment", "output", "error"} {
			for _, back := range []string{"page", "panel"} {
				a, b := colors[front], colors[back]
				if c := (max(a, b) + 0.05) / (min(a, b) + 0.05); !(c >= 4.5) {
					t.Errorf("%s: %s on %s has a contrast of %.2f", scheme, front, back, c)
				}
			}
		}
	}
}

// luminance is the relative luminance of a colour rrggbb (WCAG 2.2, glossary).
func luminance(t *testing.T, rgb string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(rgb[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}
