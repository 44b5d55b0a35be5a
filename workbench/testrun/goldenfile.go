package testrun

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/numeric/array"
)

// writeScalars writes "key value" lines after the header.
func writeScalars(w io.Writer, header string, values map[string]any) error {
	b := bufio.NewWriter(w)
	b.WriteString(header)
	for _, key := range slices.SortedFunc(maps.Keys(values), compareKeys) {
		fmt.Fprintf(b, "%s %s\n", plainKey(key), scalarText(values[key]))
	}
	return b.Flush()
}

// compareKeys orders keys so that sigma[2] comes before sigma[10].
func compareKeys(a, b string) int {
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m > 0 && n > 0 {
			x, _ := strconv.ParseUint(a[:m], 10, 64)
			y, _ := strconv.ParseUint(b[:n], 10, 64)
			if x != y {
				if x < y {
					return -1
				}
				return 1
			}
		}
		m, n = max(m, 1), max(n, 1)
		if a[:m] != b[:n] {
			return strings.Compare(a, b)
		}
		a, b = a[m:], b[n:]
	}
	return len(a) - len(b)
}

// plainKey quotes a key that would not read back as one word.
func plainKey(key string) string {
	if key == "" || strings.ContainsAny(key, " \"#\\") || strconv.Quote(key) != `"`+key+`"` {
		return strconv.Quote(key)
	}
	return key
}

func scalarText(v any) string {
	switch v := v.(type) {
	case float64:
		return digits17(v)
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

// readScalars reads what writeScalars wrote.
func readScalars(path string) (map[string]any, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, err := readScalar(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		if _, ok := values[key]; ok {
			return nil, fmt.Errorf("%s:%d: key %s: is there twice", path, i+1, plainKey(key))
		}
		values[key] = value
	}
	return values, nil
}

func readScalar(line string) (key string, value any, err error) {
	key, text, ok := strings.Cut(line, " ")
	if quoted, err := strconv.QuotedPrefix(line); err == nil {
		key, _ = strconv.Unquote(quoted)
		text, ok = strings.CutPrefix(line[len(quoted):], " ")
	}
	text = strings.TrimSpace(text)
	switch {
	case !ok || text == "":
		return "", nil, fmt.Errorf("%q: want a key and a value", line)
	case text == "true" || text == "false":
		return key, text == "true", nil
	case text[0] == '"':
		s, err := strconv.Unquote(text)
		if err != nil {
			return "", nil, fmt.Errorf("value %s: not a quoted text", text)
		}
		return key, s, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", nil, fmt.Errorf("value %q: want a number, true, false or a quoted text", text)
	}
	return key, v, nil
}

// diffScalars returns the failure of a golden text file, or "".
func diffScalars(path string, got, want map[string]any, tol Tolerance) string {
	var list []string
	for _, key := range allKeys(got, want) {
		if text := diffScalar(got[key], want[key], tol); text != "" {
			list = append(list, plainKey(key)+":\n"+indent(text, "  "))
		}
	}
	if list == nil {
		return ""
	}
	const most = 5
	text := fmt.Sprintf("%s: %d of %d values differ\n", path, len(list), len(allKeys(got, want)))
	text += strings.Join(list[:min(most, len(list))], "\n")
	if len(list) > most {
		text += fmt.Sprintf("\nand %d more", len(list)-most)
	}
	return text
}

func diffScalar(got, want any, tol Tolerance) string {
	switch {
	case want == nil:
		return "got " + scalarText(got) + ", the golden file does not have it"
	case got == nil:
		return "expected " + scalarText(want) + ", the value does not have it"
	}
	g, ok := got.(float64)
	w, both := want.(float64)
	if ok && both {
		return diffNumbers(g, w, tol)
	}
	if got == want {
		return ""
	}
	return fmt.Sprintf("got       %s\nexpected  %s", scalarText(got), scalarText(want))
}

// changedScalars says what an update changes: one entry per value whose bits differ.
func changedScalars(got, want map[string]any) []string {
	var list []string
	for _, key := range allKeys(got, want) {
		g, w := got[key], want[key]
		gn, ok := g.(float64)
		wn, both := w.(float64)
		switch {
		case w == nil:
			list = append(list, plainKey(key)+" = "+scalarText(g)+" (new)")
		case g == nil:
			list = append(list, plainKey(key)+" removed")
		case ok && both && math.Float64bits(gn) != math.Float64bits(wn) && !(math.IsNaN(gn) && math.IsNaN(wn)):
			list = append(list, fmt.Sprintf("%s %s -> %s (relative change %s)", plainKey(key), digits17(wn), digits17(gn), relError(gn, wn)))
		case !(ok && both) && g != w:
			list = append(list, fmt.Sprintf("%s %s -> %s", plainKey(key), scalarText(w), scalarText(g)))
		}
	}
	return list
}

func allKeys(a, b map[string]any) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return slices.SortedFunc(maps.Keys(all), compareKeys)
}

// writeTable writes an array as csv, a row for each line of its last axis,
// after the header and a comment with its shape.
func writeTable(w io.Writer, header string, a *array.Array) error {
	b := bufio.NewWriter(w)
	b.WriteString(header)
	b.WriteString("# shape")
	cols := 1
	for _, n := range a.Shape {
		fmt.Fprintf(b, " %d", n)
		cols = n
	}
	b.WriteByte('\n')
	for i, v := range a.Data {
		b.WriteString(digits17(v))
		if (i+1)%cols == 0 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(',')
		}
	}
	return b.Flush()
}

// readTable reads what writeTable wrote.
func readTable(path string) (*array.Array, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var shape []int
	var values []float64
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "# shape"); ok {
			for _, f := range strings.Fields(rest) {
				n, err := strconv.Atoi(f)
				if err != nil {
					return nil, fmt.Errorf("%s:%d: shape %q: want whole numbers", path, i+1, f)
				}
				shape = append(shape, n)
			}
		}
		if line == "" || line[0] == '#' {
			continue
		}
		for _, f := range strings.Split(line, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: value %q: want a number", path, i+1, f)
			}
			values = append(values, v)
		}
	}
	a, err := array.Of(values, shape...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// changedArray says in one entry what an update changes.
func changedArray(got, want *array.Array) []string {
	if want == nil {
		return nil
	}
	if !slices.Equal(got.Shape, want.Shape) {
		return []string{fmt.Sprintf("shape %s -> %s", array.ShapeString(want.Shape), array.ShapeString(got.Shape))}
	}
	count, worst := 0, 0.0
	for i, g := range got.Data {
		if w := want.Data[i]; g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
			count++
			worst = max(worst, math.Abs(g-w))
		}
	}
	return []string{fmt.Sprintf("%d of %d elements, largest change %.3g", count, got.Size(), worst)}
}

// indent puts the prefix before every line.
func indent(text, prefix string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
}
