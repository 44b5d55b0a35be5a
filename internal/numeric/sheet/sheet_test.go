package sheet_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/sheet"
)

func read(t *testing.T, text string, o sheet.Options) *sheet.Sheet {
	t.Helper()
	s, err := sheet.Read(context.Background(), "x.csv", []byte(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A long text in many parts gives the same on one processor and on several, and the same as in
// pieces that are read alone.
func TestPartsAreReadAlike(t *testing.T) {
	text := longText(8_000)
	before := runtime.GOMAXPROCS(1)
	one := read(t, string(text), sheet.Options{})
	runtime.GOMAXPROCS(4)
	four := read(t, string(text), sheet.Options{})
	runtime.GOMAXPROCS(before)
	lines := bytes.SplitAfter(text, []byte("\n"))
	row := 0
	for from := 1; from < one.N; from += 3000 {
		piece := append(slices.Clone(lines[0]), bytes.Join(lines[from:min(from+3000, len(lines))], nil)...)
		s := read(t, string(piece), sheet.Options{})
		for i := range s.N {
			for k, c := range s.Columns {
				if a, b := c.Word(i), one.Columns[k].Word(row); a != b || a != four.Columns[k].Word(row) {
					t.Fatalf("row %d, column %s: %q alone, %q and %q in all", row, c.Name, a, b, four.Columns[k].Word(row))
				}
			}
			row++
		}
	}
	if row != 8_000 || one.Where(7_999) != "line 8001" {
		t.Errorf("%d rows, the last on %s", row, one.Where(7_999))
	}
}

// A sheet that was saved is read as it was, to the bit, with units, words and times.
func TestSavedAndReadAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	n := 500
	words, numbers := make([]string, n), make([]float64, n)
	for i := range n {
		words[i] = []string{"", "a", "a b", "x,y", `5"`, `"q"`, "#no comment", "%", "tab\there", "two\nlines", "ü"}[rng.IntN(11)]
		if numbers[i] = math.Float64frombits(rng.Uint64()); rng.IntN(5) == 0 {
			numbers[i] = math.NaN()
		}
	}
	made, err := sheet.New(sheet.NewText("some words", words), sheet.NewColumn("f", numbers))
	if err != nil {
		t.Fatal(err)
	}
	made.Columns[1].Unit = "W/m^2"
	times := read(t, "t,f\n2024-03-01T12:00:00.25Z,1\nNA,2\n2024-03-02T12:00:00Z,3\n", sheet.Options{})
	alone, _ := sheet.New(sheet.NewColumn("f", []float64{math.NaN(), 1, math.NaN()}))
	for _, s := range []*sheet.Sheet{made, times, alone} {
		for _, name := range []string{"a.csv", "a.tsv", "a.txt"} {
			path := filepath.Join(t.TempDir(), name)
			if err := s.Save(context.Background(), path); err != nil {
				t.Fatal(err)
			}
			got, err := sheet.Load(context.Background(), path, sheet.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := described(s), described(got); a != b {
				t.Errorf("%s: saved\n%.300s\nread\n%.300s", name, a, b)
			}
		}
	}
}

// Whoever does not wait any longer, or has not the memory, is told so.
func TestLimits(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	text := longText(5000)
	if _, err := sheet.Read(ctx, "x.csv", text, sheet.Options{}); err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("after the end of its context: %v", err)
	}
	narrow := []byte(strings.Repeat("1,2,3,4,5,6,7,8,9,0\n", 400_000))
	runtime.GC()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(30 << 20))
	if _, err := sheet.Read(context.Background(), "x.csv", narrow, sheet.Options{}); err == nil || !strings.Contains(err.Error(), "the limit is") {
		t.Errorf("with too little memory: %v", err)
	}
}

// A quote that is never closed is found in time that does not grow with the square of what
// follows it.
func TestOpenQuote(t *testing.T) {
	text := "a,b\n\"x,1\n" + strings.Repeat("1\n", 400_000)
	if _, err := sheet.Read(context.Background(), "x.csv", []byte(text), sheet.Options{}); err == nil || !strings.Contains(err.Error(), "line 2: a field begins with a quote") {
		t.Errorf("%v", err)
	}
}

// seeds are the texts that mutations and fuzzing start from.
func seeds() (all []string) {
	for _, f := range files {
		all = append(all, f.text[:min(len(f.text), 400)])
	}
	return all
}

// whole checks what holds for every sheet.
func whole(s *sheet.Sheet) error {
	for i, c := range s.Columns {
		if c.Len() != s.N || c.Name == "" {
			return fmt.Errorf("column %q has %d rows of %d", c.Name, c.Len(), s.N)
		}
		if got, err := s.Column(c.Name); err != nil || got != c && slices.Index(s.Columns, got) > i {
			return fmt.Errorf("column %q is not found: %v", c.Name, err)
		}
		for k := range s.N {
			_ = c.Word(k)
		}
	}
	_ = s.String()
	return nil
}

// Two thousand damaged files are read or refused.
func TestMutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	bytesOf := []byte(",;\t \"\n\r#%.-e0123456789:/TZNax\xff\x00\xef")
	texts := seeds()
	for k := range 2000 {
		text := []byte(texts[k%len(texts)])
		for range 1 + rng.IntN(6) {
			at := rng.IntN(len(text) + 1)
			switch rng.IntN(4) {
			case 0:
				text = slices.Insert(text, at, bytesOf[rng.IntN(len(bytesOf))])
			case 1:
				text = slices.Delete(text, at, min(len(text), at+1+rng.IntN(3)))
			case 2:
				if at < len(text) {
					text[at] = bytesOf[rng.IntN(len(bytesOf))]
				}
			default:
				text = append(text, text[at:]...)
			}
		}
		o := sheet.Options{SkipBad: rng.IntN(2) == 0, Skip: rng.IntN(2)}
		s, err := sheet.Read(context.Background(), "x.csv", text, o)
		if err == nil {
			err = whole(s)
		} else if strings.HasPrefix(err.Error(), "x.csv: ") {
			err = nil
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range seeds() {
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, skip bool) {
		if s, err := sheet.Read(context.Background(), "x.csv", text, sheet.Options{SkipBad: skip}); err == nil {
			if err := whole(s); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Files with all that goes wrong in files are read as pandas reads them when it is told what is
// found here: the same words, and the same numbers to the bit.
func TestAgainstPandas(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import importlib.util as i; exit(i.find_spec('pandas') is None)").Run() == nil {
			python = name
			break
		}
	}
	if python == "" || testing.Short() {
		t.Skip("no python3 with pandas here, or not to be started: nothing to compare with")
	}
	dir := t.TempDir()
	var script bytes.Buffer
	script.WriteString("import pandas, struct\n")
	rng := rand.New(rand.NewPCG(13, 14))
	var want []string
	for k := range 40 {
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", k))
		text, separator, decimal := dirtyText(rng)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "d = pandas.read_csv(%q, sep=%q, decimal=%q, float_precision='round_trip', encoding='utf-8-sig', skipinitialspace=True, na_values=['.', '-'])\n", path, separator, decimal)
		script.WriteString("for c in d.columns:\n  for x in d[c]: print('–' if x != x else x if isinstance(x, str) else struct.pack('>d', x).hex())\n")
		s, err := sheet.Load(context.Background(), path, sheet.Options{})
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for _, c := range s.Columns {
			for i := range s.N {
				switch {
				case c.Missing(i):
					want = append(want, "–")
				case c.Kind == sheet.Text:
					want = append(want, c.Word(i))
				default:
					want = append(want, hex.EncodeToString(binary.BigEndian.AppendUint64(nil, math.Float64bits(c.Numbers[i]))))
				}
			}
		}
	}
	cmd := exec.Command(python, "-")
	cmd.Stdin = &script
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(got) != len(want) {
		t.Fatalf("pandas reads %d values, we %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("value %d: pandas %q, we %q", i, got[i], want[i])
		}
	}
}

// dirtyText is a table of words and numbers in many notations, with missing ones.
func dirtyText(rng *rand.Rand) (text, separator, decimal string) {
	separator = []string{",", ";", "\t"}[rng.IntN(3)]
	if decimal = "."; separator != "," && rng.IntN(2) == 0 {
		decimal = ","
	}
	end := []string{"\n", "\r\n"}[rng.IntN(2)]
	columns := 2 + rng.IntN(5)
	var b strings.Builder
	if rng.IntN(3) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	b.WriteString("name")
	for k := range columns {
		fmt.Fprintf(&b, "%scolumn %d", separator, k)
	}
	for range 5 + rng.IntN(60) {
		b.WriteString(end + []string{"run", "\"a " + separator + " b\"", "\"q\"\"q\"", "µ-7"}[rng.IntN(4)])
		for range columns {
			x := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
			field := strings.Replace(fmt.Sprintf([]string{"%v", "%.3f", "%e", "%.20g", "%+.1f"}[rng.IntN(5)], x), ".", decimal, 1)
			switch rng.IntN(8) {
			case 0:
				field = []string{"", "NA", "NaN", "null", "N/A", ".", "-"}[rng.IntN(7)]
			case 1:
				field = "\"" + field + "\""
			case 2:
				field = " " + field
			}
			b.WriteString(separator + field)
		}
	}
	return b.String() + end, separator, decimal
}
