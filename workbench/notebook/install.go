package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"github.com/greenbench/workbench/internal/numeric/arrays"
)

// A Spec is how Jupyter finds and starts a kernel.
type Spec struct {
	Name    string   // of the folder, "workbench"
	Title   string   // in menus
	Command []string // to which the file of the connection is added
}

// kernelsFolder is where Jupyter looks for the kernels of a user, or below a prefix, as that of
// a virtual environment.
func kernelsFolder(prefix string, getenv func(string) string) (string, error) {
	data := getenv("JUPYTER_DATA_DIR")
	switch {
	case prefix != "":
		data = filepath.Join(prefix, "share", "jupyter")
	case data != "":
	case runtime.GOOS == "windows":
		data = filepath.Join(getenv("APPDATA"), "jupyter")
	default:
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		data = filepath.Join(home, ".local", "share", "jupyter")
		if runtime.GOOS == "darwin" {
			data = filepath.Join(home, "Library", "Jupyter")
		} else if xdg := getenv("XDG_DATA_HOME"); xdg != "" {
			data = filepath.Join(xdg, "jupyter")
		}
	}
	return filepath.Join(data, "kernels"), nil
}

// Install writes what Jupyter needs to start the kernel, for the user or below a prefix, and
// returns the folder.
func Install(s Spec, prefix string, getenv func(string) string) (string, error) {
	kernels, err := kernelsFolder(prefix, getenv)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(kernels, s.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	spec, err := json.MarshalIndent(map[string]any{
		"argv": append(append([]string{}, s.Command...), "{connection_file}"), "display_name": s.Title, "language": "lua",
		"interrupt_mode": "message", "metadata": map[string]any{"debugger": false},
	}, "", "  ")
	if err != nil {
		return "", err
	}
	files := map[string][]byte{"kernel.json": append(spec, '\n')}
	for _, size := range []int{32, 64} {
		var b bytes.Buffer
		if err := png.Encode(&b, logo(size)); err != nil {
			return "", err
		}
		files[fmt.Sprintf("logo-%dx%[1]d.png", size)] = b.Bytes()
	}
	for name, data := range files {
		write := func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		}
		if err := arrays.WriteAtomic(filepath.Join(dir, name), write); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// Remove takes away what Install wrote, and returns the folder.
func Remove(name, prefix string, getenv func(string) string) (string, error) {
	kernels, err := kernelsFolder(prefix, getenv)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(kernels, name)
	if _, err := os.Stat(filepath.Join(dir, "kernel.json")); err != nil {
		return "", fmt.Errorf("no kernel of this name is installed: %w", err)
	}
	return dir, os.RemoveAll(dir)
}

// logo is the Green's function of the Laplacian on an interval, min(x, y)(1 − max(x, y)), in the
// colours of the pictures.
func logo(size int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	low, high := [3]float64{68, 1, 84}, [3]float64{253, 231, 37}
	for i := range size {
		for j := range size {
			x, y := (float64(i)+.5)/float64(size), 1-(float64(j)+.5)/float64(size)
			g := 4 * math.Min(x, y) * (1 - math.Max(x, y))
			var c [3]uint8
			for k := range c {
				c[k] = uint8(low[k] + g*(high[k]-low[k]))
			}
			img.Set(i, j, color.NRGBA{c[0], c[1], c[2], 255})
		}
	}
	return img
}
