// Command gen writes the assembly of package simd with avo. It is a module of its own, so that avo is no dependency of
// the library; run it with `go generate` in the folder above.
//
// A part (one .s file) is a list of functions, each emitted for AVX-512 and for AVX2 by the same code: unit (vector.go)
// hides what differs. To add an elementwise operation, add a line to the list in elementwise.go; to add a part, a case
// here and a go:generate line in simd.go.
package main

import (
	"flag"
	"log"

	"github.com/mmcloughlin/avo/build"
)

var units = []unit{{zmm: true}, {zmm: false}}

func main() {
	parts := map[string]func(unit){"elementwise": elementwise, "radial": radial, "product": matrixProduct, "fourier": fourier}
	part := flag.String("part", "", "which `file` to generate: elementwise, radial, product or fourier")
	flag.Parse()
	emit := parts[*part]
	if emit == nil {
		log.Fatalf("part %q: must be elementwise, radial, product or fourier", *part)
	}
	build.ConstraintExpr("amd64")
	for _, u := range units {
		emit(u)
	}
	build.Generate()
}
