package plot

import "gonum.org/v1/plot/vg"

// onSide is how far beyond a side a point may be to count as on it: more than rounding, and
// less than can be seen.
const onSide vg.Length = 3e-8

// within is how far p lies within each side of r; negative where it is beyond that side.
func within(r vg.Rectangle, p vg.Point) [4]vg.Length {
	return [4]vg.Length{p.X - r.Min.X + onSide, r.Max.X - p.X + onSide, p.Y - r.Min.Y + onSide, r.Max.Y - p.Y + onSide}
}

// pointOn is the point of r at the fraction t of the way from p to q, at t = 1 q to the last digit.
func pointOn(r vg.Rectangle, p, q vg.Point, t vg.Length) vg.Point {
	if t == 1 {
		return q
	}
	return vg.Point{
		X: min(max(p.X+(q.X-p.X)*t, r.Min.X), r.Max.X),
		Y: min(max(p.Y+(q.Y-p.Y)*t, r.Min.Y), r.Max.Y),
	}
}

// clippedLine returns the pieces of a line that lie in r, each of two points or more. A segment
// stays from where it has entered past all sides to where it leaves past the first.
func clippedLine(r vg.Rectangle, line []vg.Point) (pieces [][]vg.Point) {
	var piece []vg.Point
	end := func() {
		if len(piece) > 0 {
			pieces = append(pieces, piece)
		}
		piece = nil
	}
	for i := 1; i < len(line); i++ {
		p, q := line[i-1], line[i]
		var enters, leaves vg.Length = 0, 1
		after := within(r, q)
		for k, before := range within(r, p) {
			switch {
			case before < 0 && after[k] < 0:
				leaves = 0
			case before < 0:
				enters = max(enters, before/(before-after[k]))
			case after[k] < 0:
				leaves = min(leaves, before/(before-after[k]))
			}
		}
		if enters >= leaves {
			end()
			continue
		}
		if enters > 0 || piece == nil {
			end()
			piece = append(piece, pointOn(r, p, q, enters))
		}
		if piece = append(piece, pointOn(r, p, q, leaves)); leaves < 1 {
			end()
		}
	}
	end()
	return pieces
}

// clippedPolygon returns the part of a polygon that lies in r, cut at one side after the other
// (Sutherland and Hodgman, Reentrant polygon clipping, 1974).
func clippedPolygon(r vg.Rectangle, corners []vg.Point) []vg.Point {
	for side := range 4 {
		var kept []vg.Point
		for i, p := range corners {
			q := corners[(i+1)%len(corners)]
			here, next := within(r, p)[side], within(r, q)[side]
			if here >= 0 {
				kept = append(kept, p)
			}
			if (here < 0) != (next < 0) {
				kept = append(kept, p.Add(q.Sub(p).Scale(here/(here-next))))
			}
		}
		corners = kept
	}
	return corners
}
