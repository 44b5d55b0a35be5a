package solve

import (
	"context"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// narrow returns an order of the unknowns with a narrow band, nil for the one
// given, and how far entries then are below and above the diagonal.
func narrow(ctx context.Context, a *linop.Sparse) (order []int, lower, upper int, err error) {
	lower, upper = bandwidths(a, nil)
	if lower+upper <= 2 {
		return nil, lower, upper, nil
	}
	if order, err = cuthillMcKee(ctx, a); err != nil {
		return nil, 0, 0, err
	}
	l, u := bandwidths(a, order)
	if l+u < lower+upper {
		return order, l, u, nil
	}
	return nil, lower, upper, linop.Stopped(ctx)
}

func bandwidths(a *linop.Sparse, order []int) (lower, upper int) {
	n, _ := a.Dims()
	place := make([]int, n)
	for k := range place {
		if order == nil {
			place[k] = k
		} else {
			place[order[k]] = k
		}
	}
	for i := range n {
		cols, _ := a.Row(i)
		for _, j := range cols {
			lower = max(lower, place[i]-place[j])
			upper = max(upper, place[j]-place[i])
		}
	}
	return lower, upper
}

// cuthillMcKee numbers unknowns by distance from an end of the graph of the matrix,
// neighbours with few neighbours first (Cuthill and McKee, ACM 1969): a grid is
// swept by its diagonals, a circle from both sides at once.
func cuthillMcKee(ctx context.Context, a *linop.Sparse) ([]int, error) {
	neighbours, err := graph(ctx, a)
	if err != nil {
		return nil, err
	}
	n := len(neighbours)
	order := make([]int, 0, n)
	done := make([]bool, n)
	for start := range n {
		if done[start] {
			continue
		}
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		order = sweep(neighbours, farEnd(ctx, neighbours, start), done, order)
	}
	return order, linop.Stopped(ctx)
}

// graph lists the neighbours of every unknown, increasing, in either direction.
func graph(ctx context.Context, a *linop.Sparse) ([][]int, error) {
	n, _ := a.Dims()
	t, g, all := a.Transpose(), make([][]int, n), make([]int, 0, 2*a.Len())
	for i := range n {
		if i%shortSteps == 0 && ctx.Err() != nil {
			return nil, linop.Stopped(ctx)
		}
		from := len(all)
		right, _ := a.Row(i)
		below, _ := t.Row(i)
		for len(right)+len(below) > 0 {
			next := 0
			if len(below) == 0 || len(right) > 0 && right[0] < below[0] {
				next, right = right[0], right[1:]
			} else {
				if len(right) > 0 && right[0] == below[0] {
					right = right[1:]
				}
				next, below = below[0], below[1:]
			}
			if next != i {
				all = append(all, next)
			}
		}
		g[i] = all[from:len(all):len(all)]
	}
	return g, nil
}

// farEnd walks to an unknown that is as far as possible from others, and no farther once the
// context has ended.
func farEnd(ctx context.Context, g [][]int, start int) int {
	depth := -1
	for range 10 {
		far, d := last(g, start)
		if d <= depth || ctx.Err() != nil {
			break
		}
		start, depth = far, d
	}
	return start
}

// last returns the unknown of fewest neighbours among the farthest from start, and
// its distance.
func last(g [][]int, start int) (far, depth int) {
	level := make([]int, len(g)) // plus one; 0: not reached
	level[start] = 1
	queue := []int{start}
	far = start
	for k := 0; k < len(queue); k++ {
		i := queue[k]
		if d := level[i] - 1; d > depth || len(g[i]) < len(g[far]) {
			far, depth = i, d
		}
		for _, j := range g[i] {
			if level[j] == 0 {
				level[j] = level[i] + 1
				queue = append(queue, j)
			}
		}
	}
	return far, depth
}

// sweep appends everything connected to start, breadth first.
func sweep(g [][]int, start int, done []bool, order []int) []int {
	first := len(order)
	order = append(order, start)
	done[start] = true
	for k := first; k < len(order); k++ {
		from := len(order)
		for _, j := range g[order[k]] {
			if !done[j] {
				done[j] = true
				order = append(order, j)
			}
		}
		slices.SortStableFunc(order[from:], func(p, q int) int { return len(g[p]) - len(g[q]) })
	}
	return order
}
