package bindings_test

import (
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/dataset"
)

// No name of an input or output hides what models and outputs have by themselves.
func TestReservedNames(t *testing.T) {
	checked := 0
	for _, m := range all().Manual().Modules {
		for _, typ := range m.Types {
			if typ.Name != "model" && typ.Name != "output" {
				continue
			}
			var own []string
			for _, p := range typ.Properties {
				own = append(own, p.Name)
			}
			for _, f := range typ.Methods {
				own = append(own, f.Name)
			}
			for _, name := range own {
				checked++
				if !slices.Contains(dataset.Reserved(), name) {
					t.Errorf("%s has %s, which an input may be called: reserve it", typ.Name, name)
				}
			}
		}
	}
	if checked < 12 {
		t.Errorf("only %d names were looked at", checked)
	}
}
