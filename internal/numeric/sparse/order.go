package sparse

import (
	"context"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// minimumDegree returns an order of the unknowns of a symmetric pattern in which a factor
// fills in little: the unknown eliminated next has the least approximate degree in the graph
// that the elimination has left (Amestoy, Davis and Duff 1996, SIAM J. Matrix Anal. Appl. 17).
// The graph is kept as a quotient graph, in which an eliminated unknown is an element that
// joins all its neighbours. adjacent[i] are the neighbours of i, in any order, without i; it
// is used up.
func minimumDegree(ctx context.Context, adjacent [][]int32) ([]int32, error) {
	g := newQuotientGraph(adjacent)
	for g.eliminated < g.n {
		if g.pivots++; g.pivots%256 == 0 {
			if err := linop.Stopped(ctx); err != nil {
				return nil, err
			}
		}
		g.eliminate(g.least())
	}
	order := make([]int32, 0, len(adjacent))
	for _, p := range g.order {
		for i := p; i >= 0; i = g.follower[i] {
			order = append(order, i)
		}
	}
	return append(order, g.dense...), nil
}

// quotientGraph is the state of an elimination. A node is a variable, an element (an
// eliminated variable), or gone: merged into another variable or absorbed by an element.
type quotientGraph struct {
	n          int // variables to be eliminated, by weight
	eliminated int
	pivots     int

	variables [][]int32 // of a variable its neighbours; of an element those that it joins
	elements  [][]int32 // of a variable
	weight    []int32   // how many unknowns a variable stands for; 0: gone or an element
	degree    []int32   // approximate, of a variable; of an element its weight
	alive     []bool    // an element
	outside   []int64   // of an element: stamp + the weight of what it joins outside of the pivot's
	mark      []int32   // the pivot whose element a variable is in

	head, next, previous []int32 // variables of each degree
	lowest               int32

	follower, last []int32 // unknowns that are ordered right after another
	order          []int32 // pivots
	dense          []int32 // unknowns with so many neighbours that they come last
	stamp          int64
	hash           []uint64 // of the lists of a variable
	bucket         []int32  // the first variable of a hash; the others follow by next
}

func newQuotientGraph(adjacent [][]int32) *quotientGraph {
	n := len(adjacent)
	numbers := func(v int32) []int32 {
		s := make([]int32, n)
		for i := range s {
			s[i] = v
		}
		return s
	}
	g := &quotientGraph{
		n: n, variables: adjacent, elements: make([][]int32, n), weight: numbers(1), degree: numbers(0), alive: make([]bool, n),
		outside: make([]int64, n), mark: numbers(-1), head: numbers(-1), next: numbers(-1), previous: numbers(-1),
		follower: numbers(-1), last: numbers(0), stamp: 1, hash: make([]uint64, n), bucket: numbers(-1),
	}
	many := max(16, int(10*math.Sqrt(float64(n))))
	for i := range g.last {
		g.last[i] = int32(i)
		if len(adjacent[i]) > many {
			g.weight[i] = 0
			g.dense = append(g.dense, int32(i))
		}
	}
	g.n -= len(g.dense)
	for i, list := range adjacent {
		if len(g.dense) > 0 {
			list = slices.DeleteFunc(list, func(j int32) bool { return g.weight[j] == 0 })
			g.variables[i] = list
		}
		if g.weight[i] > 0 {
			g.degree[i] = int32(len(list))
			g.insert(int32(i))
		}
	}
	return g
}

func (g *quotientGraph) insert(i int32) {
	d := g.degree[i]
	g.next[i], g.previous[i] = g.head[d], -1
	if g.head[d] >= 0 {
		g.previous[g.head[d]] = i
	}
	g.head[d] = i
	g.lowest = min(g.lowest, d)
}

func (g *quotientGraph) remove(i int32) {
	if g.next[i] >= 0 {
		g.previous[g.next[i]] = g.previous[i]
	}
	if g.previous[i] >= 0 {
		g.next[g.previous[i]] = g.next[i]
	} else {
		g.head[g.degree[i]] = g.next[i]
	}
}

func (g *quotientGraph) least() int32 {
	for g.head[g.lowest] < 0 {
		g.lowest++
	}
	return g.head[g.lowest]
}

// eliminate makes an element of variable p.
func (g *quotientGraph) eliminate(p int32) {
	g.remove(p)
	joined := g.join(p)
	g.order = append(g.order, p)
	g.eliminated += int(g.weight[p])
	g.weight[p] = 0
	total := int32(0)
	for _, i := range joined {
		g.remove(i)
		total += g.weight[i]
	}
	g.measure(joined)
	kept := joined[:0]
	for _, i := range joined {
		if g.update(p, i) {
			b := g.hash[i] % uint64(len(g.bucket))
			g.next[i], g.bucket[b] = g.bucket[b], i
			kept = append(kept, i)
			continue
		}
		// Nothing but this element is left of i: it may as well be eliminated now.
		g.eliminated += int(g.weight[i])
		total -= g.weight[i]
		g.weight[i] = 0
		g.append(p, i)
	}
	for _, i := range kept {
		if g.weight[i] > 0 {
			g.merge(i)
		}
	}
	for _, i := range kept {
		g.bucket[g.hash[i]%uint64(len(g.bucket))] = -1
	}
	kept = slices.DeleteFunc(kept, func(i int32) bool { return g.weight[i] == 0 })
	for _, i := range kept {
		g.degree[i] = max(0, min(g.degree[i]+total-g.weight[i], int32(g.n-g.eliminated)-g.weight[i]))
		g.insert(i)
	}
	g.variables[p], g.elements[p] = kept, nil
	g.degree[p], g.alive[p] = total, len(kept) > 0
}

// append orders unknown i, and those after it, after p.
func (g *quotientGraph) append(p, i int32) {
	g.follower[g.last[p]] = i
	g.last[p] = g.last[i]
	g.variables[i], g.elements[i] = nil, nil
}

// join returns the neighbours of p, marked by it; the elements that p is in are absorbed.
func (g *quotientGraph) join(p int32) []int32 {
	var joined []int32
	g.mark[p] = p
	collect := func(list []int32) {
		for _, i := range list {
			if g.weight[i] > 0 && g.mark[i] != p {
				g.mark[i] = p
				joined = append(joined, i)
			}
		}
	}
	for _, e := range g.elements[p] {
		if g.alive[e] {
			collect(g.variables[e])
			g.alive[e], g.variables[e] = false, nil
		}
	}
	collect(g.variables[p])
	return joined
}

// measure finds, for each element that shares variables with the pivot, the weight of those
// it does not share: outside - stamp.
func (g *quotientGraph) measure(joined []int32) {
	g.stamp += int64(len(g.weight)) + 1
	for _, i := range joined {
		for _, e := range g.elements[i] {
			if !g.alive[e] {
				continue
			}
			if g.outside[e] < g.stamp {
				g.outside[e] = g.stamp + int64(g.degree[e])
			}
			g.outside[e] -= int64(g.weight[i])
		}
	}
}

// update prunes the lists of variable i after the elimination of p, bounds its degree outside
// of p's element, and hashes the lists; left is false where there is nothing outside.
func (g *quotientGraph) update(p, i int32) (left bool) {
	degree, hash := int64(0), uint64(0)
	own := g.elements[i][:0]
	for _, e := range g.elements[i] {
		if !g.alive[e] {
			continue
		}
		outside := g.outside[e] - g.stamp
		if outside <= 0 { // all of it is in the new element
			g.alive[e], g.variables[e] = false, nil
			continue
		}
		degree += outside
		own = append(own, e)
		hash += uint64(e)
	}
	near := g.variables[i][:0]
	for _, j := range g.variables[i] {
		if g.weight[j] > 0 && g.mark[j] != p {
			degree += int64(g.weight[j])
			near = append(near, j)
			hash += uint64(j)
		}
	}
	g.elements[i], g.variables[i] = append(own, p), near
	g.degree[i] = int32(min(int64(g.degree[i]), degree))
	g.hash[i] = hash
	return degree > 0
}

// merge lets variable i stand for those of the same neighbours, which stay the same for ever.
func (g *quotientGraph) merge(i int32) {
	first := g.bucket[g.hash[i]%uint64(len(g.bucket))]
	if first == i && g.next[i] < 0 {
		return
	}
	g.stamp += int64(len(g.weight)) + 1
	count := 0
	for _, list := range [][]int32{g.elements[i], g.variables[i]} {
		for _, k := range list {
			g.outside[k] = g.stamp
			count++
		}
	}
	same := func(j int32) bool {
		if len(g.elements[j])+len(g.variables[j]) != count || len(g.elements[j]) != len(g.elements[i]) {
			return false
		}
		for _, list := range [][]int32{g.elements[j], g.variables[j]} {
			for _, k := range list {
				if g.outside[k] != g.stamp {
					return false
				}
			}
		}
		return true
	}
	for j := first; j >= 0; j = g.next[j] {
		if j != i && g.weight[j] > 0 && g.hash[j] == g.hash[i] && same(j) {
			g.weight[i] += g.weight[j]
			g.weight[j] = 0
			g.append(i, j)
		}
	}
}
