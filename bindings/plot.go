package bindings

import (
	"context"
	"fmt"
	"io"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/plot"
)

// Display shows a figure to the person at the terminal. out is where the script prints.
type Display func(out io.Writer, f plot.Figure) error

type displayKey struct{}

// WithDisplay returns a context whose figures without a file go to display. Without
// one a line where printing goes says what they are.
func WithDisplay(ctx context.Context, display Display) context.Context {
	return context.WithValue(ctx, displayKey{}, display)
}

// DisplayOf returns the display of a context, nil where it has none.
func DisplayOf(ctx context.Context) Display {
	d, _ := ctx.Value(displayKey{}).(Display)
	return d
}

// destination is where a figure goes.
type destination struct {
	File string `arg:"file" doc:"file to write, .png, .svg or .pdf; without one the figure is shown in the terminal" default:""`
	Show *bool  `arg:"show" doc:"show in the terminal; by default when there is no file. Use false for figures that go into plot.grid"`
	plot.Size
}

// finish checks, saves and shows a figure as its destination says.
func (d destination) finish(c *bind.Call, f plot.Figure) (plot.Figure, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if d.File != "" {
		if err := mayWrite(c, d.File); err != nil {
			return nil, err
		}
		if err := plot.Save(f, d.File, d.Size); err != nil {
			return nil, err
		}
	}
	if d.Show != nil && *d.Show || d.Show == nil && d.File == "" {
		return f, show(c, f)
	}
	return f, nil
}

// onAxes takes the coordinates from the values to be shown, the first argument,
// if it knows them and none are given.
func onAxes(c *bind.Call, x, y *[]float64) {
	u, ok := c.L.Get(1).(*lua.LUserData)
	if !ok || *x != nil || *y != nil {
		return
	}
	if a, ok := u.Value.(*array.Array); ok && len(a.Axes) == 2 && a.Size() > 0 && increasing(a.Axes[0]) && increasing(a.Axes[1]) {
		*x, *y = a.Axes[0], a.Axes[1]
	}
}

func increasing(v []float64) bool {
	for i := range v[1:] {
		if !(v[i] < v[i+1]) {
			return false
		}
	}
	return true
}

func show(c *bind.Call, f plot.Figure) error {
	if display := DisplayOf(c); display != nil {
		return display(c.Out, f)
	}
	_, err := fmt.Fprintln(c.Out, describeFigure(f))
	return err
}

// Plot is the Lua module plot.
func Plot() bind.Module {
	figure := bind.Returns("the figure")
	return bind.Module{
		Name:  "plot",
		Doc:   "Pictures, to files (PNG, SVG, PDF) and to the terminal.\n\nLabels may hold mathematics between dollar signs. Values over two coordinates are indexed [x][y]: x to the right, y upwards.",
		Types: []bind.Type{figureType()},
		Funcs: []bind.Func{
			bind.Fn("heatmap", "Values on a rectangular grid as colours.", func(c *bind.Call, p struct {
				plot.Heatmap
				destination
			},
			) (plot.Figure, error) {
				onAxes(c, &p.Heatmap.X, &p.Heatmap.Y)
				return p.finish(c, p.Heatmap)
			}, bind.Example(`fig = plot.heatmap({{0, 1}, {2, 3}}, {title = "four cells", show = false})`+"\nprint(fig)  --> heat map, 2 × 2"), figure,
				bind.Keywords("image", "imagesc", "imshow", "colormap"), bind.See("plot.contour", "plot.grid")),
			bind.Fn("contour", "Lines of equal value; at least two rows and columns of values.", func(c *bind.Call, p struct {
				plot.Contour
				destination
			},
			) (plot.Figure, error) {
				onAxes(c, &p.Contour.X, &p.Contour.Y)
				return p.finish(c, p.Contour)
			}, bind.Example(`fig = plot.contour({{0, 1}, {2, 3}}, {filled = true, show = false})`+"\nprint(fig)  --> contours, 2 × 2"), figure, bind.See("plot.heatmap", "plot.grid")),
			bind.Fn("lines", "One or more lines over common axes.", func(c *bind.Call, p struct {
				plot.Lines
				destination
			},
			) (plot.Figure, error) {
				return p.finish(c, p.Lines)
			}, bind.Example(`squares = {x = {1, 2, 3}, y = {1, 4, 9}, label = "squares"}
fig = plot.lines{squares, logy = true, show = false}`+"\nprint(fig)  --> lines, 1 series"), figure,
				bind.Keywords("loglog", "semilogy", "curve", "scatter"), bind.See("plot.grid", "figure:save")),
			bind.Fn("grid", "Figures side by side, row by row.", func(c *bind.Call, p struct {
				plot.Grid
				destination
			},
			) (plot.Figure, error) {
				return p.finish(c, p.Grid)
			}, bind.Example(`a = plot.heatmap({{0, 1}, {2, 3}}, {show = false})`+"\nfig = plot.grid{ {a, a}, {a, a}, title = \"four times\", show = false }\nprint(fig)  --> grid, 2 rows"), figure, bind.See("plot.heatmap", "plot.lines", "figure:save")),
		},
	}
}

func figureType() bind.Type {
	return bind.TypeOf[plot.Figure]("figure", "A picture that can be shown, saved, or put into a grid.",
		bind.ToString(describeFigure),
		bind.Methods(
			bind.Fn("save", "Writes the picture to a file.", func(c *bind.Call, p struct {
				Figure plot.Figure `arg:"self"`
				Path   string      `arg:"path" pos:"1" doc:"file name ending in .png, .svg or .pdf"`
				plot.Size
			},
			) (bind.None, error) {
				if err := mayWrite(c, p.Path); err != nil {
					return bind.None{}, err
				}
				return bind.None{}, plot.Save(p.Figure, p.Path, p.Size)
			}, bind.Example(`fig = plot.lines{ {y = {1, 4, 9}}, show = false }
path = os.tmpname() .. ".svg"
fig:save(path)
print(io.open(path):read(5))  --> <?xml
os.remove(path)`)),
			bind.Fn("show", "Shows the picture in the terminal.", func(c *bind.Call, p struct {
				Figure plot.Figure `arg:"self"`
			},
			) (bind.None, error) {
				return bind.None{}, show(c, p.Figure)
			}, bind.Example(`fig = plot.lines{ {y = {1, 4, 9}}, show = false }
print(type(fig.show))  --> function`)),
		),
	)
}

func describeFigure(f plot.Figure) string {
	switch f := f.(type) {
	case plot.Heatmap:
		return fmt.Sprintf("heat map, %d × %d", len(f.Values), len(f.Values[0]))
	case plot.Contour:
		return fmt.Sprintf("contours, %d × %d", len(f.Values), len(f.Values[0]))
	case plot.Lines:
		return fmt.Sprintf("lines, %d series", len(f.Series))
	case plot.Grid:
		return fmt.Sprintf("grid, %d rows", len(f.Figures))
	}
	return "figure"
}
