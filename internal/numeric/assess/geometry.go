package assess

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// distances are couples of points of a mesh in classes of distance.
type distances struct {
	couples [][][2]int
	at      []float64 // mean distance of each class
}

const (
	mostCouples = 600 // in a class, that are looked at
	mostPoints  = 1500
	nearest     = 1.5 // times the distance to the nearest neighbour: the first class
)

// newDistances finds the couples: nearest neighbours, then classes of twice the distance each,
// up to half of the mesh. Coordinates of several axes are relative to the lengths of these.
func newDistances(y mesh.Mesh) distances {
	points, scale := coordinates(y)
	var d distances
	if len(points) < 2 {
		return d
	}
	unit := 0.0 // median distance to the nearest neighbour
	for i := range points {
		best := math.Inf(1)
		for j := range points {
			if i != j {
				best = min(best, distance(points[i], points[j]))
			}
		}
		points[i] = append(points[i], best)
	}
	near := make([]float64, len(points))
	for i, p := range points {
		near[i], points[i] = p[len(p)-1], p[:len(p)-1]
	}
	slices.Sort(near)
	if unit = near[len(near)/2]; !(unit > 0) {
		return d
	}
	farthest := 0.0
	for _, p := range points {
		farthest = max(farthest, distance(points[0], p))
	}
	for hi, lo := nearest*unit, 0.0; lo == 0 || hi <= farthest/2; lo, hi = hi, 2*hi {
		couples, mean := within(points, lo, hi)
		if len(couples) > 0 {
			d.couples, d.at = append(d.couples, couples), append(d.at, mean*scale)
		}
	}
	return d
}

// coordinates are points relative to the axes' lengths, and what their distances are multiplied by:
// the length of the only axis. Of many points the first are taken, which lie next to each other.
func coordinates(y mesh.Mesh) (points [][]float64, scale float64) {
	points, scale = relative(y), 1
	if columns := y.Columns(); len(columns) == 1 {
		scale = slices.Max(columns[0]) - slices.Min(columns[0])
	}
	return points[:min(len(points), mostPoints)], scale
}

// relative are the points with each coordinate from 0 to 1.
func relative(y mesh.Mesh) [][]float64 {
	points := make([][]float64, y.Size())
	for _, c := range y.Columns() {
		lo, hi := slices.Min(c), slices.Max(c)
		length := hi - lo
		if length == 0 {
			length = 1
		}
		for i, v := range c {
			points[i] = append(points[i], (v-lo)/length)
		}
	}
	return points
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return math.Sqrt(sum)
}

// within are couples whose distance is in (lo, hi], and the mean of that.
func within(points [][]float64, lo, hi float64) (couples [][2]int, mean float64) {
	for i := range points {
		for j := range i {
			if d := distance(points[i], points[j]); d > lo && d <= hi {
				couples = append(couples, [2]int{j, i})
			}
		}
	}
	if len(couples) > mostCouples {
		rng := rand.New(rand.NewPCG(1, 5))
		rng.Shuffle(len(couples), func(i, j int) { couples[i], couples[j] = couples[j], couples[i] })
		couples = couples[:mostCouples]
	}
	for _, c := range couples {
		mean += distance(points[c[0]], points[c[1]]) / float64(len(couples))
	}
	return couples, mean
}

// correlations are those of the classes.
func (d distances) correlations(v *mat.Dense) []float64 {
	n, _ := v.Dims()
	out := make([]float64, len(d.couples))
	for c, couples := range d.couples {
		out[c] = correlation(func(add func(a, b float64)) {
			for i := range n {
				row := v.RawRowView(i)
				for _, p := range couples {
					add(row[p[0]], row[p[1]])
				}
			}
		})
	}
	return out
}

// partsOf divides a mesh along each of its coordinates into at most six parts of as many points:
// for each coordinate the part of each point, and names of all parts.
func partsOf(y mesh.Mesh) (parts [][]int, names []string) {
	for c, column := range y.Columns() {
		order := make([]int, len(column))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case column[a] < column[b]:
				return -1
			case column[a] > column[b]:
				return 1
			}
			return 0
		})
		groups := min(6, len(column))
		of := make([]int, len(column))
		for g := range groups {
			from, to := g*len(order)/groups, (g+1)*len(order)/groups
			for _, k := range order[from:to] {
				of[k] = g
			}
			names = append(names, fmt.Sprintf("for %s from %.3g to %.3g", y.Names()[c], column[order[from]], column[order[to-1]]))
		}
		parts = append(parts, of)
	}
	return parts, names
}
