package main

const module = "github.com/greenbench/workbench/"

// once are packages whose functions are not copied to where they are called: those that scripts
// and the prompt call, that draw, that read files and that set computations up, and what draws and
// talks to notebooks of others; not those that compute. The program is more than a megabyte
// smaller; the start takes no longer, scripts and small fits one to three percent. Without copies in all of the standard
// library, or in what chooses lambda, they do.
func once() (list []string) {
	for _, own := range []string{
		"bindings/...", "workbench/...", "syntax", "lua", "internal/numeric/plot", "internal/numeric/prepare",
		"internal/numeric/sheet", "internal/numeric/records", "internal/numeric/remedy", "internal/numeric/pde",
		"internal/numeric/assess", "internal/numeric/network/...", "internal/numeric/hdf5", "internal/numeric/zarr",
		"internal/numeric/netcdf", "internal/numeric/xlsx", "internal/numeric/noise", "internal/numeric/adam",
		"internal/numeric/theory", "internal/numeric/interp", "internal/numeric/poly", "internal/numeric/stats",
		"internal/numeric/ode", "internal/numeric/optimize", "numeric/dataset", "numeric/fit/...",
		"numeric/model/...", "numeric/constraint", "internal/numeric/kernels", "internal/numeric/laws",
		"internal/numeric/written", "internal/numeric/families", "internal/numeric/outputs", "internal/numeric/integrate",
	} {
		list = append(list, module+own)
	}
	return append(list,
		"golang.org/x/image/...", "golang.org/x/text/...", "git.sr.ht/~sbinet/gg", "github.com/golang/freetype/...",
		"gonum.org/v1/plot/...", "github.com/soniakeys/quant/...", "github.com/go-zeromq/...", "github.com/mattn/...",
		"github.com/chzyer/readline", "gonum.org/v1/gonum/optimize/...", "gonum.org/v1/gonum/stat/...",
		"gonum.org/v1/gonum/lapack/...", "gonum.org/v1/gonum/mathext/...",
		"image/...", "net", "net/netip", "encoding/json", "encoding/xml", "time", "os", "archive/zip", "math/big",
		"log", "html", "os/exec", "regexp/...",
	)
}

// compilation are the flags of the compiler.
func compilation() (flags []string) {
	for _, p := range once() {
		flags = append(flags, "-gcflags="+p+"=-l")
	}
	return flags
}
