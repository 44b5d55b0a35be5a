package sheet

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/arrays"
)

// Save writes the sheet as text, with the units in the header and all digits, so that reading
// it gives the same sheet: .csv with commas, .tsv and .txt with tabs. The file is replaced as a
// whole or not at all.
func (s *Sheet) Save(ctx context.Context, path string) error {
	if err := arrays.CheckEnding(path, "sheets", ".csv", ".tsv", ".txt", ".dat"); err != nil {
		return err
	}
	separator := byte('\t')
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		separator = ','
	}
	return arrays.WriteAtomic(path, func(w io.Writer) error { return s.write(ctx, w, separator) })
}

func (s *Sheet) write(ctx context.Context, w io.Writer, separator byte) error {
	var line []byte
	for k, c := range s.Columns {
		if k > 0 {
			line = append(line, separator)
		}
		head := c.Name
		if _, unit := splitUnit(head); c.Unit != "" && unit == "" {
			head += " [" + c.Unit + "]"
		}
		line = appendWord(line, head, separator)
	}
	for i := range s.N {
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
		if i%(1<<12) == 0 && ctx.Err() != nil {
			return stopped(ctx)
		}
		line = line[:0]
		if !slices.ContainsFunc(s.Columns, func(c *Column) bool { return !c.Missing(i) }) {
			line = append(line, "NA"...) // a line without a word is none
		}
		for k, c := range s.Columns {
			if k > 0 {
				line = append(line, separator)
			}
			line = c.append(line, i, separator)
		}
	}
	_, err := w.Write(append(line, '\n'))
	return err
}

// append writes row i.
func (c *Column) append(line []byte, i int, separator byte) []byte {
	switch {
	case c.Missing(i):
		return line
	case c.Kind == Number:
		return strconv.AppendFloat(line, c.Numbers[i], 'g', -1, 64)
	}
	return appendWord(line, c.Word(i), separator)
}

// appendWord puts quotes around what would be read as something else.
func appendWord(line []byte, word string, separator byte) []byte {
	special := strings.IndexByte(word, separator) >= 0 || strings.ContainsAny(word, "\"\n\r") ||
		strings.TrimSpace(word) != word || slices.Contains([]byte("#%"), (word + " ")[0])
	if !special {
		return append(line, word...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(word, `"`, `""`)...)
	return append(line, '"')
}
