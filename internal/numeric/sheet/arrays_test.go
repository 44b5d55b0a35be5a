package sheet

import (
	"strings"
	"testing"
)

// A file of arrays is no sheet, and another function reads it; a file of nothing known is not said to be one.
func TestFilesOfArraysAreNoSheets(t *testing.T) {
	for path, arrays := range map[string]bool{"pairs.npz": true, "runs.h5": true, "text.doc": false, "text": false} {
		_, err := Load(t.Context(), path, Options{})
		if err == nil || !strings.Contains(err.Error(), "want .csv") || strings.Contains(err.Error(), "reads arrays") != arrays {
			t.Errorf("%s: %v, want that it is no sheet, and what reads arrays: %v", path, err, arrays)
		}
	}
}
