package theory

import (
	"context"
	"fmt"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Diagonalisation is the simultaneous diagonalisation of Σ_F ⊗ I and K (paper,
// theorem 4.2), Σ_F the second moment of the inputs: G = Σ g_k Ω_k has
// ‖G‖²_ΣF = Σ g_k² and ‖G‖²_K = Σ g_k² / γ_k.
type Diagonalisation struct {
	Gamma []float64    // largest first
	Omega []*mat.Dense // mx × my each, of the first few
}

// Simultaneous diagonalises the inputs of a dataset and a kernel. γ are the
// eigenvalues of S K Sᵀ, S f the inputs' response to f, and Ω = K Sᵀ z / γ for unit
// eigenvectors z. functions says how many Ω are wanted. For a separable kernel it
// costs what a fit does, otherwise O((n my)³) for at most 2,500 unknowns.
func Simultaneous(ctx context.Context, d *dataset.Dataset, k kernel.Kernel, functions int) (*Diagonalisation, error) {
	g, err := fit.NewDataGram(ctx, d, k)
	if err != nil {
		return nil, err
	}
	out, vector, err := eigen(ctx, g)
	if err != nil {
		return nil, err
	}
	n, _ := g.Dims()
	for k := range min(functions, n) {
		if !(out.Gamma[k] > 0) {
			break
		}
		omega := g.Represent(ctx, vector(k))
		omega.Scale(1/out.Gamma[k], omega)
		out.Omega = append(out.Omega, omega)
	}
	return out, linop.Stopped(ctx)
}

// eigen is γ, and the unit eigenvectors by their number.
func eigen(ctx context.Context, g *fit.DataGram) (out *Diagonalisation, vector func(k int) []float64, err error) {
	n, _ := g.Dims()
	out = &Diagonalisation{}
	if values := g.Diagonal(ctx); values != nil {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		sort.SliceStable(order, func(i, j int) bool { return values[order[i]] > values[order[j]] })
		for _, i := range order {
			out.Gamma = append(out.Gamma, values[i])
		}
		return out, func(k int) []float64 {
			z := make([]float64, n)
			z[order[k]] = 1
			return z
		}, nil
	}
	if n > maxSpectrum {
		return nil, nil, fmt.Errorf("data: %d unknowns, must be at most %d for a kernel that is not separable; use coarser meshes or fewer pairs", n, maxSpectrum)
	}
	a, e := mat.NewDense(n, n, nil), make([]float64, n)
	for i := range n {
		if ctx.Err() != nil {
			return nil, nil, fmt.Errorf("simultaneous stopped: %w", context.Cause(ctx))
		}
		clear(e)
		e[i] = 1
		g.Apply(ctx, a.RawRowView(i), e)
	}
	values, v, err := spectrum(ctx, a, true)
	out.Gamma = values
	return out, func(k int) []float64 { return mat.Col(nil, k, v) }, err
}
