package fit

import (
	"testing"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// The functions of a family are held once for all parameters, between which products mix besides: neither time nor
// memory grows with the square of all their points.
func TestExpectedCostOfAFamily(t *testing.T) {
	const points, parameters, my = 60, 150, 40
	of := work{pairs: parameters, mx: points * parameters, my: my, rows: parameters, axes: 2, output: []float64{my}, terms: gram.UsualTerms, parameters: parameters}
	mixing := 2. * parameters * of.mx * my * linop.PerFlop
	if got, want := of.product(), parameters*gram.ProductTime(points, my, of.terms, 2)+mixing; got != want {
		t.Errorf("product: %g s, want %g", got, want)
	}
	alone := of
	alone.parameters = 0
	one, all := of.plan(), alone.plan()
	if !(one.setup <= all.setup/20) || !(one.bytes <= all.bytes/20) || !(of.product() <= alone.product()/20) {
		t.Errorf("of a family %.2g s, %.2g s a product and %.2g bytes; with as many points %.2g s, %.2g s and %.2g bytes", one.setup, of.product(), one.bytes, all.setup, alone.product(), all.bytes)
	}
}
