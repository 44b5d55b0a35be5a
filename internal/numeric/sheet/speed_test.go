package sheet_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// BenchmarkRead reads a million rows of an identifier, a time and eight numbers with all digits;
// SHEET_FILE is a file to read instead.
func BenchmarkRead(b *testing.B) {
	data, err := os.ReadFile(os.Getenv("SHEET_FILE"))
	if err != nil {
		data = longText(1_000_000)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := sheet.Read(context.Background(), "x.csv", data, sheet.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func longText(rows int) []byte {
	var text bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	text.WriteString("id,t [s],a,b,c,d,e,f,g,h\n")
	var line []byte
	for i := range rows {
		line = append(line[:0], "run"...)
		line = strconv.AppendInt(line, int64(i/1000), 10)
		line = append(line, ',')
		line = strconv.AppendFloat(line, float64(i%1000)/1000, 'g', -1, 64)
		for range 8 {
			line = append(line, ',')
			line = strconv.AppendFloat(line, rng.NormFloat64(), 'g', -1, 64)
		}
		text.Write(append(line, '\n'))
	}
	return text.Bytes()
}
