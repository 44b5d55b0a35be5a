package dataset

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// agrees refuses a mesh that is not where the file says that the functions in an array are sampled: along an axis
// that decreases in the file a mesh that increases would turn them round. Coordinates agree up to the rounding of
// float32, another unit and another zero. Meshes whose axes are not those of the array are not compared.
func (src source) agrees(argument, name string, m mesh.Mesh, a *array.Array, columns bool) error {
	described, err := src.axes(name, columns)
	axes := m.Axes()
	if err != nil || len(described) != len(a.Shape) || len(described) != len(axes)+1 {
		return err
	}
	for k, d := range described[1:] {
		if d.Coordinates == "" || axes[k].Dim() != 1 || axes[k].Size() != a.Shape[k+1] {
			continue
		}
		x, err := src.file.Read(d.Coordinates)
		if err != nil {
			return err
		}
		given := axes[k].Coordinates
		if len(x.Shape) != 1 || x.Size() != len(given) || sameUpToUnit(x.Data, given) {
			continue
		}
		err = fmt.Errorf("%s: %s goes from %g to %g along axis %d of %s, and the file's coordinates %s from %g to %g%s", src.path,
			argument, given[0], given[len(given)-1], k+2, name, d.Coordinates, x.Data[0], x.Data[x.Size()-1], between(x.Data, given))
		return remedy.OwnMesh.For(err)
	}
	return nil
}

// sameUpToUnit reports whether given may be the coordinates x of a file, in another unit and from another zero: in the same order
// and with the same ratios of distances.
func sameUpToUnit(x, given []float64) bool {
	last := len(x) - 1
	if last == 0 || samePlaces(x, given, 1, 0) {
		return true
	}
	slope := (given[last] - given[0]) / (x[last] - x[0])
	return slope > 0 && samePlaces(x, given, slope, given[0]-slope*x[0])
}

// float32Rounding is the relative error of numbers that were computed as float32, in a few steps.
const float32Rounding = 4.0 / (1 << 24)

// samePlaces reports whether given is slope times x plus offset, up to rounding and in the same order.
func samePlaces(x, given []float64, slope, offset float64) bool {
	largest := 0.0
	for i, v := range x {
		largest = max(largest, math.Abs(slope*v), math.Abs(given[i]), math.Abs(offset))
	}
	for i, v := range x {
		if math.Abs(slope*v+offset-given[i]) > float32Rounding*largest || i > 0 && (v-x[i-1])*(given[i]-given[i-1]) < 0 {
			return false
		}
	}
	return true
}

// between says where coordinates differ whose ends are alike.
func between(x, given []float64) string {
	last := len(x) - 1
	if !samePlaces([]float64{x[0], x[last]}, []float64{given[0], given[last]}, 1, 0) {
		return ""
	}
	at := 0
	for i := range x {
		if math.Abs(x[i]-given[i]) > math.Abs(x[at]-given[at]) {
			at = i
		}
	}
	return fmt.Sprintf(", but point %d is %g and %g", at+1, given[at], x[at])
}
