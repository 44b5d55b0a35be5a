package assess_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	found "github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/fit"
)

// patient is a context that ends when it was asked so often whether it has.
type patient struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func (p *patient) ask() {
	if p.left.Add(-1) == 0 {
		p.end()
	}
}

func (p *patient) Err() error            { p.ask(); return p.Context.Err() }
func (p *patient) Done() <-chan struct{} { p.ask(); return p.Context.Done() }

// Everything that says what an estimate is worth ends when it is asked to, wherever it is then, with
// the word that it was and no result; and it looks often.
func TestEndsOnRequest(t *testing.T) {
	m := line(10)
	d := simulated(t, m, 12, pde.Poisson{Mesh: m}, white(.2), 5)
	s := fit.Spec{Data: d, Kernel: se(.3)}
	e := fitted(t, s)
	f, _ := d.Matrices()
	for name, run := range map[string]func(ctx context.Context) (bool, error){
		"check": func(ctx context.Context) (bool, error) {
			c, err := assess.Run(ctx, e, assess.Options{NoKernels: true})
			return c == nil, err
		},
		"summary":  func(ctx context.Context) (bool, error) { c, err := assess.Summarise(ctx, e, 1); return c == nil, err },
		"portrait": func(ctx context.Context) (bool, error) { c, err := assess.Portray(ctx, e, 1); return c == nil, err },
		"crossvalidate": func(ctx context.Context) (bool, error) {
			c, err := assess.CrossValidate(ctx, s, found.Choice{}, assess.Split{})
			return c == nil, err
		},
		"with noise": func(ctx context.Context) (bool, error) {
			c, err := assess.CrossValidate(ctx, s, found.Choice{Kind: found.Diagonal}, assess.Split{Folds: 2})
			return c == nil, err
		},
		"learning": func(ctx context.Context) (bool, error) {
			c, err := assess.Learn(ctx, s, found.Choice{}, nil, 1)
			return c == nil, err
		},
		"next": func(ctx context.Context) (bool, error) { c, err := assess.Next(ctx, e, f, 3); return c == nil, err },
		"draw": func(ctx context.Context) (bool, error) { c, err := e.Draw(ctx, fit.Draws{N: 50}); return c == nil, err },
		"intervals": func(ctx context.Context) (bool, error) {
			c, err := e.Intervals(ctx, mat.DenseCopyOf(f), d.InputMesh, d.OutputMesh, fit.Interval{Level: .9, Simultaneous: true})
			return c == nil, err
		},
	} {
		asked := 0
		for often := int64(1); ; often *= 7 {
			ctx := &patient{}
			ctx.Context, ctx.end = context.WithCancel(t.Context())
			ctx.left.Store(often)
			nothing, err := run(ctx)
			ctx.end()
			if ctx.left.Load() > 0 { // it was not asked to end
				break
			}
			asked++
			if !errors.Is(err, context.Canceled) || !nothing {
				t.Errorf("%s, asked %d times: %v, nothing %v", name, often, err, nothing)
			}
		}
		if asked < 2 {
			t.Errorf("%s does not look whether it is to end", name)
		}
	}
}
