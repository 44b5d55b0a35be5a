package screen

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mattn/go-sixel"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/plottest"
)

func picture(t *testing.T) image.Image {
	t.Helper()
	img, err := plot.Image(plottest.Gallery()[0].Figure, 300, 0)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// sameImage decodes base64 PNG and compares it with the picture, pixel by pixel.
func sameImage(t *testing.T, data string, want image.Image) {
	t.Helper()
	file, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds().Size() != want.Bounds().Size() {
		t.Fatalf("size %v, want %v", got.Bounds(), want.Bounds())
	}
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			if nrgba(got.At(x, y)) != nrgba(want.At(x, y)) {
				t.Fatalf("pixel %d, %d differs", x, y)
			}
		}
	}
}

// The pieces of the kitty protocol, put together, are the picture. The first
// says what comes, all but the last that more follows, none is above 4096
// bytes (kitty, "Terminal graphics protocol").
func TestWriteKitty(t *testing.T) {
	img := picture(t)
	var b bytes.Buffer
	if err := WriteKitty(&b, img); err != nil {
		t.Fatal(err)
	}
	pieces := regexp.MustCompile(`\x1b_G([^;]*);([^\x1b]*)\x1b\\`).FindAllStringSubmatch(b.String(), -1)
	if len(pieces) < 2 {
		t.Fatalf("%d pieces", len(pieces))
	}
	data, total := "", 0
	for i, p := range pieces {
		want := "m=1"
		if i == 0 {
			want = "a=T,f=100,q=2,m=1"
		} else if i == len(pieces)-1 {
			want = "m=0"
		}
		if p[1] != want {
			t.Errorf("piece %d has control data %q, want %q", i, p[1], want)
		}
		if len(p[2]) > 4096 || i < len(pieces)-1 && len(p[2])%4 != 0 {
			t.Errorf("piece %d has %d bytes", i, len(p[2]))
		}
		data += p[2]
		total += len(p[0])
	}
	if total+1 != b.Len() {
		t.Errorf("%d bytes between the pieces", b.Len()-total-1)
	}
	sameImage(t, data, img)
}

func TestWriteITerm(t *testing.T) {
	img := picture(t)
	var b bytes.Buffer
	if err := WriteITerm(&b, img); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`^\x1b\]1337;File=inline=1;width=300px;height=(\d+)px;size=(\d+):([^\a]*)\a\n$`).FindStringSubmatch(b.String())
	if m == nil {
		t.Fatalf("%q…", b.String()[:80])
	}
	if want := strconv.Itoa(img.Bounds().Dy()); m[1] != want {
		t.Errorf("height %s, want %s", m[1], want)
	}
	if size := base64.StdEncoding.DecodedLen(len(m[3])) - strings.Count(m[3], "="); m[2] != strconv.Itoa(size) {
		t.Errorf("size %s, want %d", m[2], size)
	}
	sameImage(t, m[3], img)
}

// The sixels decode to the picture, up to the 1 % steps of sixel colours and
// the reduction to 255 of them.
func TestWriteSixel(t *testing.T) {
	img := picture(t)
	var b, again bytes.Buffer
	for _, w := range []io.Writer{&b, &again} {
		if err := WriteSixel(w, img); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two encodings differ")
	}
	var got image.Image
	if err := sixel.NewDecoder(&b).Decode(&got); err != nil {
		t.Fatal(err)
	}
	far := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if difference(got.At(x, y), img.At(x, y)) > 40 {
				far++
			}
		}
	}
	if all := img.Bounds().Dx() * img.Bounds().Dy(); far > all/50 {
		t.Errorf("%d of %d pixels are far off", far, all)
	}
}

func difference(a, b color.Color) int {
	p, q := nrgba(a), nrgba(b)
	return max(abs(int(p.R)-int(q.R)), abs(int(p.G)-int(q.G)), abs(int(p.B)-int(q.B)))
}

func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

func TestInlineErrors(t *testing.T) {
	for _, write := range []func(io.Writer, image.Image) error{WriteKitty, WriteITerm, WriteSixel} {
		for _, img := range []image.Image{nil, image.NewRGBA(image.Rect(0, 0, 0, 5))} {
			if err := write(io.Discard, img); err == nil || err.Error() != "img: empty: must have at least one pixel" {
				t.Errorf("error %v", err)
			}
		}
	}
}
