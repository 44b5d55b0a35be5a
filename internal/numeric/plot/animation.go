package plot

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/sorting"
)

// Animation shows figures one after another, all of one size.
type Animation struct {
	Frames []Figure `arg:"frames" pos:"1" doc:"figures in the order in which they are shown"`
	FPS    float64  `arg:"fps" doc:"figures shown in a second" default:"10" allow:"(0,50]"`
	Once   bool     `arg:"once" doc:"stop at the last figure instead of beginning again" default:"false"`
}

// SaveAnimation writes an animation to a file: .gif, with at most 255 colours, or .png,
// with all of them (an animated PNG, which browsers show). The file appears complete or not at
// all. Cost: about 60 ms a figure; the context ends it between figures.
func SaveAnimation(ctx context.Context, a Animation, path string, size Size) error {
	if err := arrays.CheckEnding(path, "animations", ".gif", ".png"); err != nil {
		return fmt.Errorf("file: %w", err) // the argument of whoever draws
	}
	encode := encodeGIF
	if strings.EqualFold(filepath.Ext(path), ".png") {
		encode = encodeAPNG
	}
	frames, err := a.images(ctx, size)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := encode(&b, frames, a); err != nil {
		return err
	}
	return arrays.WriteAtomic(path, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// images draws the figures in the size of the first.
func (a Animation) images(ctx context.Context, size Size) ([]image.Image, error) {
	if len(a.Frames) == 0 {
		return nil, fmt.Errorf("frames: empty: must hold at least one figure")
	}
	if !(a.FPS > 0 && a.FPS <= 50) {
		return nil, fmt.Errorf("fps %v: must be in (0, 50]", a.FPS)
	}
	if size.DPI == 0 {
		size.DPI = 100 // of a screen
	}
	var frames []image.Image
	for i, f := range a.Frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := render(f, format{"frame", func(p page) surface { return newRasterSurface(p) }}, size)
		if err != nil {
			return nil, fmt.Errorf("frames: figure %d: %w", i+1, err)
		}
		img := s.(*rasterSurface).pixels
		frames = append(frames, img)
		if i == 0 { // figures of other natural sizes are laid out in that of the first
			size.Width, size.Height = float64(img.Bounds().Dx())/size.DPI, float64(img.Bounds().Dy())/size.DPI
		}
		if frames[0].Bounds() != img.Bounds() {
			return nil, fmt.Errorf("frames: figure %d has %v pixels, the first %v: give width and height", i+1, img.Bounds().Size(), frames[0].Bounds().Size())
		}
	}
	return frames, nil
}

// encodeGIF gives all figures one palette, so that a colour does not change its meaning.
func encodeGIF(w io.Writer, frames []image.Image, a Animation) error {
	palette := commonPalette(frames)
	nearest := make(map[color.NRGBA]uint8)
	g := &gif.GIF{}
	if a.Once {
		g.LoopCount = -1
	}
	delay := max(2, int(math.Round(100/a.FPS)))
	for _, f := range frames {
		p := image.NewPaletted(f.Bounds(), palette)
		eachPixel(f, func(x, y int, c color.NRGBA) {
			i, ok := nearest[c]
			if !ok {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			p.SetColorIndex(x, y, i)
		})
		g.Image, g.Delay = append(g.Image, p), append(g.Delay, delay)
	}
	return gif.EncodeAll(w, g)
}

func eachPixel(img image.Image, visit func(x, y int, c color.NRGBA)) {
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			visit(x, y, nrgba(img.At(x, y)))
		}
	}
}

// commonPalette returns all colours of the figures where these are at most 256, otherwise
// the means of as many groups of similar ones, by median cut (P. Heckbert, 1982).
func commonPalette(frames []image.Image) color.Palette {
	const most = 256
	counts := make(map[color.NRGBA]int)
	for _, f := range frames {
		eachPixel(f, func(_, _ int, c color.NRGBA) { counts[c]++ })
	}
	all := make([]weighted, 0, len(counts))
	for c, n := range counts {
		all = append(all, weighted{[3]uint8{c.R, c.G, c.B}, n})
	}
	sorting.By(all, func(a, b weighted) int { return slices.Compare(a.rgb[:], b.rgb[:]) })
	groups := [][]weighted{all}
	for len(groups) < min(most, len(all)) {
		i, channel := widest(groups)
		g := groups[i]
		sorting.By(g, func(a, b weighted) int { return int(a.rgb[channel]) - int(b.rgb[channel]) })
		cut := median(g)
		groups[i] = g[:cut]
		groups = append(groups, g[cut:])
	}
	palette := make(color.Palette, len(groups))
	for i, g := range groups {
		palette[i] = meanColor(g)
	}
	return palette
}

// weighted is a colour and how many pixels have it.
type weighted struct {
	rgb [3]uint8
	n   int
}

// widest returns the group with the widest range in one channel, and the channel.
func widest(groups [][]weighted) (group, channel int) {
	best := -1
	for i, g := range groups {
		for k := range 3 {
			lo, hi := 255, 0
			for _, c := range g {
				lo, hi = min(lo, int(c.rgb[k])), max(hi, int(c.rgb[k]))
			}
			if hi-lo > best && len(g) > 1 {
				best, group, channel = hi-lo, i, k
			}
		}
	}
	return group, channel
}

// median is where half of the logarithmic weight of a group lies on either side: the
// background has most pixels, but needs only one colour.
func median(g []weighted) int {
	total := 0.0
	for _, c := range g {
		total += math.Log1p(float64(c.n))
	}
	sum := 0.0
	for i, c := range g {
		if sum += math.Log1p(float64(c.n)); sum >= total/2 {
			return min(max(i, 1), len(g)-1)
		}
	}
	return 1
}

func meanColor(g []weighted) color.NRGBA {
	var sum [3]int
	n := 0
	for _, c := range g {
		for k := range sum {
			sum[k] += int(c.rgb[k]) * c.n
		}
		n += c.n
	}
	mean := func(k int) uint8 { return uint8((sum[k] + n/2) / n) }
	return color.NRGBA{mean(0), mean(1), mean(2), 255}
}

// encodeAPNG writes an animated PNG (PNG specification, third edition, 11.3.6): the first
// figure is the picture of viewers that know no animation.
func encodeAPNG(w io.Writer, frames []image.Image, a Animation) error {
	const signature = "\x89PNG\r\n\x1a\n"
	out := []byte(signature)
	plays := uint32(0) // for ever
	if a.Once {
		plays = 1
	}
	sequence := uint32(0)
	for i, f := range frames {
		chunks, err := pngChunks(f)
		if err != nil {
			return err
		}
		if i == 0 {
			out = appendChunk(out, "IHDR", chunks["IHDR"])
			out = appendChunk(out, "acTL", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(frames))), plays))
		}
		out = appendChunk(out, "fcTL", frameControl(sequence, f, a.FPS))
		sequence++
		if i == 0 {
			out = appendChunk(out, "IDAT", chunks["IDAT"])
			continue
		}
		out = appendChunk(out, "fdAT", append(binary.BigEndian.AppendUint32(nil, sequence), chunks["IDAT"]...))
		sequence++
	}
	_, err := w.Write(appendChunk(out, "IEND", nil))
	return err
}

// frameControl says when and where the next picture is shown.
func frameControl(sequence uint32, f image.Image, fps float64) []byte {
	b := binary.BigEndian.AppendUint32(nil, sequence)
	b = binary.BigEndian.AppendUint32(b, uint32(f.Bounds().Dx()))
	b = binary.BigEndian.AppendUint32(b, uint32(f.Bounds().Dy()))
	b = append(b, make([]byte, 8)...) // at the upper left corner
	b = binary.BigEndian.AppendUint16(b, uint16(math.Round(1000/fps)))
	b = binary.BigEndian.AppendUint16(b, 1000)
	return append(b, 0, 0) // stays until the next one replaces it
}

// pngChunks encodes a picture without transparency and returns its chunks by name, those
// of one name joined.
func pngChunks(f image.Image) (map[string][]byte, error) {
	opaque := image.NewNRGBA(f.Bounds())
	eachPixel(f, func(x, y int, c color.NRGBA) { opaque.SetNRGBA(x, y, color.NRGBA{c.R, c.G, c.B, 255}) })
	var b bytes.Buffer
	if err := png.Encode(&b, opaque); err != nil {
		return nil, err
	}
	chunks := make(map[string][]byte)
	for rest := b.Bytes()[8:]; len(rest) >= 12; {
		n := binary.BigEndian.Uint32(rest)
		name := string(rest[4:8])
		chunks[name] = append(chunks[name], rest[8:8+n]...)
		rest = rest[12+n:]
	}
	return chunks, nil
}

func appendChunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	from := len(out)
	out = append(append(out, name...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
}
