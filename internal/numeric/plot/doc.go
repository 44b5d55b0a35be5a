// Package plot makes pictures from plain data: values over two coordinates, lines,
// samples, vectors, and grids of them, ready for a paper (PNG, SVG, PDF, GIF).
//
// A figure is a parameter struct: Heatmap, Contour, Surface, Picture, Lines, Scatter,
// BarChart, Histogram, BoxPlot, Quiver, Stream or Grid. Fill in the
// data, and what should differ from the defaults, and hand it to
//
//	Save      to a file, the format by its extension
//	Encode    the same to a writer
//	Image     to an image.Image
//	Resolve   to a Sheet, for a renderer of your own
//
// and figures one after another to SaveAnimation.
//
// Arrays over two coordinates are indexed [x][y] everywhere: the first index
// goes to the right, the second upwards. Labels may contain mathematics between
// dollar signs: "$\hat{G}(x,y)$", "$10^{-4}$"; see parseLabel. In messages, rows,
// columns, points and series are counted from one.
//
// The same figure always gives the same bytes: no dates, no random order.
//
// Inside, a figure first becomes a sheet of panels, where ranges, colours and
// styles are decided: fields by heatmap.go and contour.go, everything that consists of
// lines, markers, filled shapes and arrows between two axes by axes.go. On paper, the
// layout gives everything its place (layout.go, legend.go), and the painter
// draws it on a surface (draw.go, surface_*.go). Renderers for other media
// start from the sheet (sheet.go). To add a kind of figure, write a struct whose sheet
// method makes panels; a file format is a surface listed in formats; a palette
// is a line in palettes.
package plot
