package plot

import (
	"fmt"
	"image/color"
	"math"
	"strings"
)

// colors is the number of colours of a palette. It is odd, so that a diverging
// palette has one for zero, and leaves one of a byte's 256 values for "no number".
const colors = 255

// Missing is the index of the colour of cells that hold no number.
const Missing = colors

// missingColor is a grey that none of the palettes passes through.
func missingColor() color.NRGBA { return color.NRGBA{200, 200, 200, 255} }

// A paletteSpec names a palette and gives it by colours at equal distances.
// The colours between are interpolated in Oklab, so that equal steps in value
// look like equal steps in colour. To add a palette, add it to the list.
type paletteSpec struct {
	name      string
	diverging bool // has a neutral middle, for data of both signs
	anchors   []uint32
}

func palettes() []paletteSpec {
	return []paletteSpec{
		// viridis, magma, plasma and inferno: S. van der Walt and N. Smith, matplotlib (CC0);
		// cividis, the same to people who see no red or no green: J. Nuñez and others (2018, CC0).
		{"viridis", false, []uint32{
			0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6dcd59, 0xb4de2c, 0xfde725,
		}},
		{"magma", false, []uint32{
			0x000004, 0x180f3e, 0x451077, 0x721f81, 0x9f2f7f, 0xcd4071, 0xf1605d, 0xfd9567, 0xfec98d, 0xfcfdbf,
		}},
		{"plasma", false, []uint32{
			0x0d0887, 0x46039f, 0x7201a8, 0x9c179e, 0xbd3786, 0xd8576b, 0xed7953, 0xfb9f3a, 0xfdca26, 0xf0f921,
		}},
		{"inferno", false, []uint32{
			0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4,
		}},
		{"cividis", false, []uint32{
			0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838,
		}},
		{"grey", false, []uint32{0x111111, 0xf8f8f8}},
		// Blue for negative, red for positive, the same lightness at the same distance from zero.
		{"bluered", true, divergingAnchors(255, 27)},
		{"purplegreen", true, divergingAnchors(312, 148)},
	}
}

// paletteNames returns the names that Heatmap.Palette and its like accept.
func paletteNames() []string {
	var names []string
	for _, p := range palettes() {
		names = append(names, p.name)
	}
	return names
}

// divergingAnchors builds a diverging palette from two hues (degrees in
// Oklab): white in the middle, lightness falling and chroma rising and falling
// again towards both ends in the same way.
func divergingAnchors(negative, positive float64) []uint32 {
	lightness := []float64{0.975, 0.915, 0.82, 0.70, 0.57, 0.44, 0.32}
	chroma := []float64{0, 0.035, 0.085, 0.135, 0.165, 0.150, 0.105}
	n := len(lightness) - 1
	anchors := make([]uint32, 2*n+1)
	for i := range lightness {
		anchors[n-i] = polar(lightness[i], chroma[i], negative).hex()
		anchors[n+i] = polar(lightness[i], chroma[i], positive).hex()
	}
	return anchors
}

// findPalette returns the palette of that name, or an error listing them all.
func findPalette(name string) (paletteSpec, error) {
	for _, p := range palettes() {
		if p.name == name {
			return p, nil
		}
	}
	return paletteSpec{}, fmt.Errorf("palette %q: must be one of %s", name, strings.Join(paletteNames(), ", "))
}

// at returns the colour at t in [0, 1].
func (p paletteSpec) at(t float64) color.NRGBA {
	x := min(max(t, 0), 1) * float64(len(p.anchors)-1)
	i := min(int(x), len(p.anchors)-2)
	a, b := oklabOf(p.anchors[i]), oklabOf(p.anchors[i+1])
	return unhex(a.mix(b, x-float64(i)).hex())
}

// table returns the palette as the colours of an image: `colors` of them, then
// the one for missing cells.
func (p paletteSpec) table() color.Palette {
	t := make(color.Palette, colors+1)
	for i := range colors {
		t[i] = p.at(float64(i) / (colors - 1))
	}
	t[Missing] = missingColor()
	return t
}

func unhex(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// oklab is a colour in B. Ottosson's perceptual space (2020): l is lightness
// from 0 to 1, a and b are green–red and blue–yellow.
type oklab struct{ l, a, b float64 }

// polar returns the colour of a lightness, chroma and hue in degrees.
func polar(l, chroma, hue float64) oklab {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	return oklab{l, chroma * cos, chroma * sin}
}

func oklabOf(rgb uint32) oklab {
	r, g, b := linear(uint8(rgb>>16)), linear(uint8(rgb>>8)), linear(uint8(rgb))
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return oklab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// hex returns the nearest displayable colour, 0xrrggbb.
func (c oklab) hex() uint32 {
	l := c.l + 0.3963377774*c.a + 0.2158037573*c.b
	m := c.l - 0.1055613458*c.a - 0.0638541728*c.b
	s := c.l - 0.0894841775*c.a - 1.2914855480*c.b
	l, m, s = l*l*l, m*m*m, s*s*s
	r := gamma(4.0767416621*l - 3.3077115913*m + 0.2309699292*s)
	g := gamma(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s)
	b := gamma(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s)
	return uint32(r)<<16 | uint32(g)<<8 | uint32(b)
}

func (c oklab) mix(d oklab, t float64) oklab {
	return oklab{c.l + t*(d.l-c.l), c.a + t*(d.a-c.a), c.b + t*(d.b-c.b)}
}

// linear undoes the sRGB transfer curve; gamma applies it.
func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func gamma(x float64) uint8 {
	x = min(max(x, 0), 1)
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * x))
}
