package gram

import (
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// UsualTerms is how many Kronecker products kernels take as a rule that are neither products nor
// functions of lags: Matérn kernels 20 to 34.
const UsualTerms = 28

// Outlook is how many Kronecker products Self will most likely hold a kernel by, before it is tried:
// 0 where it is Fourier transforms.
func Outlook(f *kernel.Function, x, y mesh.Mesh) int {
	g := &chooser{reference: &reference{f: f}, x: x, y: y}
	if g.allLags() {
		return 0
	}
	return UsualTerms
}
