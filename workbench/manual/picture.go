package manual

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/workbench/host"
)

// Pictures are drawn by the Lua that the manual shows: ![caption](name.png) in a
// guide is the file that its code writes, and an example shows the figure that
// it leaves in the variable fig, or that it displays.

// An image is a PNG on a page. Width and height are in units of the page, half
// a pixel each, so that it is sharp on dense screens.
type image struct {
	URL           string
	Width, Height int
	Caption       string // in words, for those who do not see it
}

// drawGuide runs a guide that has pictures and writes them.
func (s *site) drawGuide(ctx context.Context, g *guide) (map[string]image, error) {
	images := map[string]image{}
	var d *drawing
	for _, b := range g.blocks {
		if b.kind != figure {
			continue
		}
		if d == nil {
			var err error
			if d, err = s.run(ctx, g.name+".md", g.program()); err != nil {
				return nil, err
			}
			defer d.close()
		}
		data, err := os.ReadFile(filepath.Join(d.dir, b.name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s.md:%d: no code of the guide writes %s", g.name, b.line, b.name)
		}
		if err != nil {
			return nil, err
		}
		if images[b.name], err = s.image(g.name+"-"+b.name, data, plainText(b.text)); err != nil {
			return nil, err
		}
	}
	return images, nil
}

// drawExample runs an example that plots something, and writes what it drew.
func (s *site) drawExample(ctx context.Context, name, source string) (images []image, err error) {
	plots := false
	for _, t := range tokens(source) {
		plots = plots || t.class == "name" && strings.HasPrefix(t.text, "plot.")
	}
	if !plots {
		return nil, nil
	}
	d, err := s.run(ctx, "the example of "+name, source)
	if err != nil {
		return nil, err
	}
	defer d.close()
	for i, fig := range d.figures {
		var data bytes.Buffer
		if err := plot.Encode(&data, fig, "png", plot.Size{}); err != nil {
			return nil, fmt.Errorf("the example of %s: %w", name, err)
		}
		file := strings.ReplaceAll(name, ":", "-") + ".png"
		if i > 0 {
			file = fmt.Sprintf("%s-%d.png", strings.TrimSuffix(file, ".png"), i+1)
		}
		img, err := s.image(file, data.Bytes(), "Picture drawn by the example of "+name)
		if err != nil {
			return nil, err
		}
		images = append(images, img)
	}
	return images, nil
}

// image writes a PNG file below pictures.
func (s *site) image(file string, data []byte, caption string) (image, error) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return image{}, fmt.Errorf("picture %s: %w", file, err)
	}
	url := "pictures/" + file
	return image{url, config.Width / 2, config.Height / 2, caption}, s.file(url, data)
}

// A drawing is what a script drew: the figures it showed, or else left in the
// variable fig, and the files it wrote into dir.
type drawing struct {
	figures []plot.Figure
	dir     string
}

func (d *drawing) close() { os.RemoveAll(d.dir) }

// scriptTime is how long a script of the manual may run.
const scriptTime = 2 * time.Minute

// run runs a script whose files go to a folder of their own.
func (s *site) run(ctx context.Context, name, source string) (*drawing, error) {
	dir, err := os.MkdirTemp("", "manual")
	if err != nil {
		return nil, err
	}
	d := &drawing{dir: dir}
	ctx = bindings.WithDisplay(ctx, func(_ io.Writer, f plot.Figure) error {
		d.figures = append(d.figures, f)
		return nil
	})
	h, err := host.New(host.Options{Out: io.Discard, Err: io.Discard, Modules: s.reg, Timeout: scriptTime})
	if err != nil {
		d.close()
		return nil, err
	}
	defer h.Close()
	if err := h.Run(ctx, name, redirect(source, dir)); err != nil {
		d.close()
		return nil, err
	}
	if u, ok := h.L.GetGlobal("fig").(*lua.LUserData); ok && d.figures == nil {
		if fig, ok := u.Value.(plot.Figure); ok {
			d.figures = append(d.figures, fig)
		}
	}
	return d, nil
}

var fileName = regexp.MustCompile(`^[\w-]+\.(png|svg|pdf|npz|npy|csv|tsv|txt|mat|h5|nc|xlsx|html)$`)

// redirect puts the files that a script names without a folder into dir, and
// leaves out the lines that are there to fail.
func redirect(source, dir string) string {
	var out strings.Builder
	for line := range strings.Lines(source) {
		var kept strings.Builder
		for _, t := range tokens(line) {
			if file, err := strconv.Unquote(t.text); t.class == "s" && err == nil && fileName.MatchString(file) {
				t.text = strconv.Quote(filepath.ToSlash(filepath.Join(dir, file)))
			}
			if t.class == "e" {
				kept.Reset()
				break
			}
			kept.WriteString(t.text)
		}
		out.WriteString(strings.TrimSuffix(kept.String(), "\n") + "\n")
	}
	return out.String()
}
