package sparse

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// pattern is the pattern of A + Aᵀ without its diagonal, of a square matrix.
func pattern(a *Matrix) [][]int32 {
	t := a.Transpose()
	out := make([][]int32, a.rows)
	all := make([]int32, 0, 2*len(a.col))
	for i := range a.rows {
		from := len(all)
		p, q := a.start[i], t.start[i]
		for p < a.start[i+1] || q < t.start[i+1] {
			j := a.cols
			if p < a.start[i+1] {
				j = a.col[p]
			}
			if q < t.start[i+1] {
				j = min(j, t.col[q])
			}
			if p < a.start[i+1] && a.col[p] == j {
				p++
			}
			if q < t.start[i+1] && t.col[q] == j {
				q++
			}
			if j != i {
				all = append(all, int32(j))
			}
		}
		out[i] = all[from:len(all):len(all)]
	}
	return out
}

// products is the pattern of AᵀA without its diagonal. Rows with more entries than many are
// left out: each would join all its columns.
func products(a *Matrix, many int) ([][]int32, error) {
	total := 0.0
	for i := range a.rows {
		if k := a.start[i+1] - a.start[i]; k <= many {
			total += float64(k) * float64(k)
		}
	}
	if err := dense.CheckSize("the pattern of the normal equations", total/2); err != nil {
		return nil, err
	}
	t := a.Transpose()
	seen := make([]int32, a.cols)
	out := make([][]int32, a.cols)
	for j := range a.cols {
		seen[j] = int32(j) + 1
		for p := t.start[j]; p < t.start[j+1]; p++ {
			i := t.col[p]
			if a.start[i+1]-a.start[i] > many {
				continue
			}
			for _, k := range a.col[a.start[i]:a.start[i+1]] {
				if seen[k] != int32(j)+1 {
					seen[k] = int32(j) + 1
					out[j] = append(out[j], int32(k))
				}
			}
		}
	}
	return out, nil
}

// lower is the lower triangle of the symmetric pattern a, renumbered: row k has the places,
// before k, of the neighbours of order[k].
func lower(adjacent [][]int32, order []int32) [][]int32 {
	place := make([]int32, len(order))
	for k, i := range order {
		place[i] = int32(k)
	}
	out := make([][]int32, len(order))
	for k, i := range order {
		for _, j := range adjacent[i] {
			if place[j] < int32(k) {
				out[k] = append(out[k], place[j])
			}
		}
	}
	return out
}

// eliminationTree returns the parent of each column of the factor of a symmetric pattern:
// the first row below the diagonal that is not zero, or -1 (Liu 1990, SIAM J. Matrix Anal.
// Appl. 11).
func eliminationTree(low [][]int32) []int32 {
	parent, ancestor := make([]int32, len(low)), make([]int32, len(low))
	for k := range low {
		parent[k], ancestor[k] = -1, -1
		for _, i := range low[k] {
			for i >= 0 && i < int32(k) {
				next := ancestor[i]
				if ancestor[i] = int32(k); next < 0 {
					parent[i] = int32(k)
				}
				i = next
			}
		}
	}
	return parent
}

// postorder numbers children before their parents, subtrees together.
func postorder(parent []int32) []int32 {
	n := len(parent)
	head, next := make([]int32, n), make([]int32, n)
	for i := range head {
		head[i] = -1
	}
	for i := n - 1; i >= 0; i-- {
		if p := parent[i]; p >= 0 {
			next[i], head[p] = head[p], int32(i)
		}
	}
	order, stack := make([]int32, 0, n), []int32{}
	for root := range n {
		if parent[root] >= 0 {
			continue
		}
		for stack = append(stack, int32(root)); len(stack) > 0; {
			i := stack[len(stack)-1]
			if c := head[i]; c >= 0 {
				head[i] = next[c]
				stack = append(stack, c)
				continue
			}
			order = append(order, i)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// A plan is an order of the unknowns of a symmetric pattern, and what its factor will be.
type plan struct {
	order  []int32 // order[k] is the unknown at place k
	low    [][]int32
	parent []int32
	counts []int // entries of each column of the factor, with the diagonal
	fill   float64
}

// newPlan finds an order for a symmetric pattern, and says whether its factor fits into
// memory: each entry takes words of 8 bytes.
func newPlan(ctx context.Context, adjacent [][]int32, words float64) (*plan, error) {
	copies := make([][]int32, len(adjacent))
	for i, list := range adjacent {
		copies[i] = append([]int32(nil), list...)
	}
	order, err := minimumDegree(ctx, copies)
	if err != nil {
		return nil, err
	}
	p := &plan{order: order}
	first := eliminationTree(lower(adjacent, order))
	after := make([]int32, len(order))
	for k, i := range postorder(first) {
		after[k] = order[i]
	}
	p.order = after
	p.low = lower(adjacent, after)
	p.parent = eliminationTree(p.low)
	return p, p.count(ctx, words)
}

// count walks the rows of the factor: row k is the paths in the tree from its entries to k.
func (p *plan) count(ctx context.Context, words float64) error {
	n := len(p.order)
	p.counts = make([]int, n)
	mark := make([]int32, n)
	total, checked := 0, 1<<20
	for k := range n {
		mark[k] = int32(k) + 1
		p.counts[k]++
		total++
		for _, i := range p.low[k] {
			for ; mark[i] != int32(k)+1; i = p.parent[i] {
				mark[i] = int32(k) + 1
				p.counts[i]++
				total++
			}
		}
		if total > checked || k == n-1 {
			if err := linop.Stopped(ctx); err != nil {
				return err
			}
			if err := dense.CheckSize(fmt.Sprintf("the factor of a sparse matrix of %d × %d", n, n), words*float64(total)); err != nil {
				return err
			}
			checked = 2 * total
		}
	}
	p.fill = float64(total)
	return nil
}
