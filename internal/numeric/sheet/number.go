package sheet

import (
	"bytes"
	"strconv"

	"github.com/greenbench/workbench/internal/numeric/decimal"
)

func parseNumber(b []byte, sign byte) (float64, bool) { return decimal.Parse(b, sign) }

// formatNumber writes all digits that reading back takes.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// meantAsNumber reports whether a field is a number written otherwise than this file's, or one
// with a comment behind it.
func meantAsNumber(field []byte) bool {
	before, _, _ := bytes.Cut(field, []byte("#"))
	return decimal.Alike(trim(before))
}
