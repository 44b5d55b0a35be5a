package bindings

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
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
	Show *bool  `arg:"show" doc:"show in the terminal; by default when there is no file. Figures for plot.grid want false"`
	plot.Size
}

// styleKey is where the registry of a Lua state keeps the sizes that plot.style has set.
const styleKey = "workbench plot style"

// styleOf returns the sizes that were set for the session.
func styleOf(c *bind.Call) plot.Size {
	if u, ok := c.L.G.Registry.RawGetString(styleKey).(*lua.LUserData); ok {
		if size, ok := u.Value.(plot.Size); ok {
			return size
		}
	}
	return plot.Size{}
}

func setStyle(c *bind.Call, size plot.Size) (bind.None, error) {
	if err := size.Check(); err != nil {
		return bind.None{}, err
	}
	u := c.L.NewUserData()
	u.Value = size
	c.L.G.Registry.RawSetString(styleKey, u)
	return bind.None{}, nil
}

// styled fills in what the call has left open.
func styled(c *bind.Call, size plot.Size) plot.Size {
	style := styleOf(c)
	return plot.Size{
		Width: cmp.Or(size.Width, style.Width), Height: cmp.Or(size.Height, style.Height),
		DPI: cmp.Or(size.DPI, style.DPI), Scale: cmp.Or(size.Scale, style.Scale),
	}
}

// finish checks, saves and shows a figure as its destination says.
func (d destination) finish(c *bind.Call, f plot.Figure) (plot.Figure, error) {
	if err := plot.Check(f); err != nil {
		return nil, err
	}
	if d.File != "" {
		if err := mayWrite(c, d.File); err != nil {
			return nil, err
		}
		if err := plot.Save(f, d.File, styled(c, d.Size)); err != nil {
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
	return bind.Module{
		Name:     "plot",
		Doc:      "Pictures, to files (PNG, SVG, PDF) and to the terminal.\n\nLabels may hold mathematics between dollar signs. Values over two coordinates are indexed [x][y]: x to the right, y upwards.",
		Types:    []bind.Type{figureType()},
		Adapters: []bind.Adapter{bind.Adapt("number[]|number[][]", samplesFrom, func(s plot.Samples) any { return [][]float64(s) })},
		Funcs:    slices.Concat(fieldFigures(), lineFigures(), sampleFigures(), vectorFigures(), composedFigures()),
	}
}

// samplesFrom takes one sample or a list of them.
func samplesFrom(c *bind.Call, v lua.LValue) (plot.Samples, error) {
	if a, err := bind.Decode[*array.Array](c, v); err == nil {
		switch a.Rank() {
		case 1:
			return plot.Samples{a.Data}, nil
		case 2:
			samples := make(plot.Samples, a.Shape[0])
			for i := range samples {
				samples[i] = a.Data[i*a.Shape[1] : (i+1)*a.Shape[1]]
			}
			return samples, nil
		}
		return nil, fmt.Errorf("an array of rank %d: must be 1, for one sample, or 2, with a sample in each row", a.Rank())
	}
	list, err := bind.Decode[[]*array.Array](c, v)
	if err != nil {
		return nil, bind.ErrKind
	}
	samples := make(plot.Samples, len(list))
	for i, a := range list {
		if a.Rank() != 1 {
			return nil, fmt.Errorf("sample %d has rank %d: must be a list of numbers", i+1, a.Rank())
		}
		samples[i] = a.Data
	}
	return samples, nil
}

// drawn is what all functions that make figures return.
func drawn() bind.Option { return bind.Returns("the figure") }

// fieldFigures show values over two coordinates.
func fieldFigures() []bind.Func {
	return []bind.Func{
		bind.Fn("heatmap", "Values on a rectangular grid as colours.", func(c *bind.Call, p *struct {
			plot.Heatmap
			destination
		},
		) (plot.Figure, error) {
			onAxes(c, &p.Heatmap.X, &p.Heatmap.Y)
			return p.finish(c, p.Heatmap)
		}, bind.Example(`fig = plot.heatmap({{0, 1}, {2, 3}}, {title = "four cells", show = false})`+"\nprint(fig)  --> heat map, 2 × 2"), drawn(),
			bind.Keywords("imagesc", "imshow", "colormap", "pcolor"), bind.See("plot.contour", "plot.surface", "plot.grid")),
		bind.Fn("contour", "Lines of equal value; at least two rows and columns of values.", func(c *bind.Call, p *struct {
			plot.Contour
			destination
		},
		) (plot.Figure, error) {
			onAxes(c, &p.Contour.X, &p.Contour.Y)
			return p.finish(c, p.Contour)
		}, bind.Example(`fig = plot.contour({{0, 1}, {2, 3}}, {filled = true, show = false})`+"\nprint(fig)  --> contours, 2 × 2"), drawn(), bind.See("plot.heatmap", "plot.grid")),
		bind.Fn("surface", "Values on a rectangular grid as a shaded surface in space.", func(c *bind.Call, p *struct {
			plot.Surface
			destination
		},
		) (plot.Figure, error) {
			onAxes(c, &p.Surface.X, &p.Surface.Y)
			return p.finish(c, p.Surface)
		}, bind.Example(`fig = plot.surface({{0, 1}, {1, 0}}, {azimuth = 30, show = false})`+"\nprint(fig)  --> surface, 2 × 2"), drawn(),
			bind.Keywords("surf", "plot_surface", "mesh", "3d", "wireframe"), bind.See("plot.heatmap")),
		bind.Fn("image", "A picture of red, green and blue, its first row on top.", func(c *bind.Call, p *struct {
			plot.Picture
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.Picture)
		}, bind.Example("red, white = {1, 0, 0}, {1, 1, 1}\nfig = plot.image({{red, white}, {white, red}}, {show = false})\nprint(fig)  --> image, 2 × 2"), drawn(),
			bind.Keywords("imshow", "rgb", "photograph"), bind.See("plot.heatmap")),
	}
}

// lineFigures show numbers against numbers.
func lineFigures() []bind.Func {
	return []bind.Func{
		bind.Fn("lines", "One or more lines over common axes; a series may also be drawn in steps, on stalks, as bars or filled.", func(c *bind.Call, p *struct {
			plot.Lines
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.Lines)
		}, bind.Example(`squares = {x = {1, 2, 3}, y = {1, 4, 9}, label = "squares"}
fig = plot.lines{squares, logy = true, show = false}`+"\nprint(fig)  --> lines, 1 series"), drawn(),
			bind.Keywords("loglog", "semilogy", "curve", "step", "stem", "errorbar", "fill_between", "twinx", "symlog", "annotate"), bind.See("plot.scatter", "plot.bar", "plot.grid", "figure:save")),
		bind.Fn("scatter", "Points, coloured and sized by further numbers.", func(c *bind.Call, p *struct {
			plot.Scatter
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.Scatter)
		}, bind.Example(`fig = plot.scatter({1, 2, 3}, {2, 1, 3}, {values = {0, 1, 2}, show = false})`+"\nprint(fig)  --> scatter, 3 points"), drawn(),
			bind.Keywords("points", "bubble"), bind.See("plot.lines")),
		bind.Fn("bar", "Bars, beside each other or stacked.", func(c *bind.Call, p *struct {
			plot.BarChart
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.BarChart)
		}, bind.Example(`fig = plot.bar{ {y = {3, 5}}, names = {"before", "after"}, show = false }`+"\nprint(fig)  --> bars, 1 series"), drawn(),
			bind.Keywords("column chart", "bar chart"), bind.See("plot.lines", "plot.histogram")),
	}
}

// sampleFigures show how numbers are distributed.
func sampleFigures() []bind.Func {
	return []bind.Func{
		bind.Fn("histogram", "How many numbers of one or more samples lie where.", func(c *bind.Call, p *struct {
			plot.Histogram
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.Histogram)
		}, bind.Example(`fig = plot.histogram({{1, 2, 2, 3}}, {bins = 3, show = false})`+"\nprint(fig)  --> histogram, 1 sample"), drawn(),
			bind.Keywords("hist", "distribution", "density"), bind.See("plot.boxplot", "plot.bar")),
		bind.Fn("boxplot", "Medians, quartiles and outliers of one or more samples.", func(c *bind.Call, p *struct {
			plot.BoxPlot
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.BoxPlot)
		}, bind.Example(`fig = plot.boxplot({{1, 2, 4}, {2, 3, 9}}, {names = {"a", "b"}, show = false})`+"\nprint(fig)  --> box plot, 2 samples"), drawn(),
			bind.Keywords("box", "whisker", "quartile"), bind.See("plot.histogram")),
	}
}

// vectorFigures show vector fields.
func vectorFigures() []bind.Func {
	return []bind.Func{
		bind.Fn("quiver", "Vectors on a rectangular grid as arrows.", func(c *bind.Call, p *struct {
			plot.Quiver
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.Quiver)
		}, bind.Example(`fig = plot.quiver({{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}, {show = false})`+"\nprint(fig)  --> arrows, 2 × 2"), drawn(),
			bind.Keywords("vector field", "arrows"), bind.See("plot.stream")),
		bind.Fn("stream", "Lines that follow a vector field.", func(c *bind.Call, p *struct {
			plot.Stream
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.Stream)
		}, bind.Example(`fig = plot.stream({{1, 1}, {1, 1}}, {{0, 1}, {0, 1}}, {show = false})`+"\nprint(fig)  --> streamlines, 2 × 2"), drawn(),
			bind.Keywords("streamplot", "flow", "streamlines"), bind.See("plot.quiver")),
	}
}

// composedFigures put figures together.
func composedFigures() []bind.Func {
	return []bind.Func{
		bind.Fn("grid", "Figures side by side, row by row.", func(c *bind.Call, p *struct {
			plot.Grid
			destination
		},
		) (plot.Figure, error) {
			return p.finish(c, p.Grid)
		}, bind.Example(`a = plot.heatmap({{0, 1}, {2, 3}}, {show = false})`+"\nfig = plot.grid{ {a, a}, {a, a}, title = \"four times\", show = false }\nprint(fig)  --> grid, 2 rows"), drawn(),
			bind.Keywords("subplot", "tiledlayout", "panels"), bind.See("plot.heatmap", "plot.lines", "figure:save")),
		bind.Fn("animation", "Figures one after another, as a moving picture in a file.", func(c *bind.Call, p *struct {
			plot.Animation
			File string `arg:"file" doc:"file to write: .gif, or .png for an animated PNG"`
			plot.Size
		},
		) (bind.None, error) {
			if err := mayWrite(c, p.File); err != nil {
				return bind.None{}, err
			}
			return bind.None{}, plot.SaveAnimation(c, p.Animation, p.File, styled(c, p.Size))
		}, bind.Example(`frames = {}
for k = 1, 3 do frames[k] = plot.lines{ {y = {0, k, 0}}, ymax = 3, show = false } end
path = os.tmpname() .. ".gif"
plot.animation(frames, {file = path, fps = 5})
print(io.open(path, "rb"):read(6))  --> GIF89a
os.remove(path)`), bind.Keywords("movie", "video", "gif", "apng", "animate"), bind.See("plot.grid")),
		bind.Fn("style", "Sets what files of this session are like where a figure does not say: their size, their resolution, and how large lines and texts are. Without arguments all is as at the start.", func(c *bind.Call, p *struct {
			plot.Size
		},
		) (bind.None, error) {
			return setStyle(c, p.Size)
		}, bind.Example(`plot.style{dpi = 300, scale = 1.5}
path = os.tmpname() .. ".png"
print(plot.lines{ {y = {1, 4, 9}}, file = path })  --> lines, 1 series
os.remove(path)
plot.style{}`), bind.Keywords("rcParams", "defaults", "theme", "font size", "resolution"), bind.See("figure:save")),
	}
}

func figureType() bind.Type {
	return bind.TypeOf[plot.Figure]("figure", "A picture that can be shown, saved, or put into a grid.",
		bind.ToString(describeFigure),
		bind.Methods(
			bind.Fn("save", "Writes the picture to a file.", func(c *bind.Call, p *struct {
				Figure plot.Figure `arg:"self"`
				Path   string      `arg:"path" pos:"1" doc:"file name ending in .png, .svg or .pdf"`
				plot.Size
			},
			) (bind.None, error) {
				if err := mayWrite(c, p.Path); err != nil {
					return bind.None{}, err
				}
				return bind.None{}, plot.Save(p.Figure, p.Path, styled(c, p.Size))
			}, bind.Example(`fig = plot.lines{ {y = {1, 4, 9}}, show = false }
path = os.tmpname() .. ".svg"
fig:save(path)
print(io.open(path):read(5))  --> <?xml
os.remove(path)`)),
			bind.Fn("show", "Shows the picture in the terminal.", func(c *bind.Call, p *struct {
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
	case plot.Surface:
		return fmt.Sprintf("surface, %d × %d", len(f.Values), len(f.Values[0]))
	case plot.Picture:
		return fmt.Sprintf("image, %d × %d", len(f.Pixels), len(f.Pixels[0]))
	case plot.Scatter:
		return "scatter, " + spelling.Count(len(f.X), "point")
	case plot.BarChart:
		return fmt.Sprintf("bars, %d series", len(f.Series))
	case plot.Histogram:
		return "histogram, " + spelling.Count(len(f.Samples), "sample")
	case plot.BoxPlot:
		return "box plot, " + spelling.Count(len(f.Samples), "sample")
	case plot.Quiver:
		return fmt.Sprintf("arrows, %d × %d", len(f.U), len(f.U[0]))
	case plot.Stream:
		return fmt.Sprintf("streamlines, %d × %d", len(f.U), len(f.U[0]))
	case plot.Grid:
		return "grid, " + spelling.Count(len(f.Figures), "row")
	}
	return "figure"
}
