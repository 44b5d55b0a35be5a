package runner

import (
	"context"
	"image"
	"io"
	"strings"
	"sync"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/workbench/repl/terminal"
	"github.com/greenbench/workbench/workbench/screen"
)

// maxPicture is the width of a picture in the terminal, in pixels: readable,
// and not much for a slow line.
const maxPicture = 900

// display lets figures appear in the terminal: as pictures where it shows
// them, in coloured blocks and braille elsewhere. What the terminal can do is
// found out at the first figure.
func (p *program) display(ctx context.Context) context.Context {
	if !p.terminal.Out {
		return ctx
	}
	protocol := sync.OnceValue(p.terminal.Picture)
	return bindings.WithDisplay(ctx, func(_ io.Writer, f plot.Figure) error { return p.show(f, protocol()) })
}

// A pictureWriter sends a picture in the language of a terminal.
type pictureWriter = func(io.Writer, image.Image) error

func (p *program) show(f plot.Figure, protocol terminal.Protocol) error {
	if p.transcript != nil {
		if err := p.transcript.Picture(f); err != nil {
			return err
		}
	}
	write := map[terminal.Protocol]pictureWriter{
		terminal.Kitty: screen.WriteKitty, terminal.ITerm: screen.WriteITerm, terminal.Sixel: screen.WriteSixel,
	}[protocol]
	columns, rows := p.terminal.Size()
	if write == nil {
		text, err := screen.Text(f, screen.Options{
			Width: min(columns, 100), Height: max(rows-4, 12), Color: p.colors(), Unicode: p.unicode(),
		})
		if err != nil {
			return err
		}
		_, err = io.WriteString(p.pictures, text)
		return err
	}
	img, err := plot.Image(f, min(maxPicture, max(columns*8, 200)), 0)
	if err != nil {
		return err
	}
	return write(p.pictures, img)
}

func (p *program) colors() screen.ColorMode {
	switch {
	case !p.terminal.Color:
		return screen.NoColor
	case p.getenv("COLORTERM") == "truecolor" || p.getenv("COLORTERM") == "24bit":
		return screen.TrueColor
	}
	return screen.Color256
}

// unicode says whether the terminal shows more than ASCII; only a locale that
// says so is taken not to.
func (p *program) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := p.getenv(name); v != "" {
			return v != "C" && v != "POSIX" && !strings.HasSuffix(v, ".ISO-8859-1")
		}
	}
	return true
}
