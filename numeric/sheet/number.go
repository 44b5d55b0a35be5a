package sheet

import (
	"strconv"

	"github.com/greenbench/workbench/numeric/internal/decimal"
)

func parseNumber(b []byte, sign byte) (float64, bool) { return decimal.Parse(b, sign) }

// formatNumber writes all digits that reading back takes.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
