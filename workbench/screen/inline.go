package screen

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/mattn/go-sixel"
)

// The functions below show a picture inside a terminal, at the cursor, in one
// of three protocols. Which of them a terminal speaks is for the caller to find
// out; a terminal that does not speak it shows rubbish. Each ends the line.

// WriteKitty writes a picture in the graphics protocol of kitty (also Ghostty,
// WezTerm, Konsole): PNG in pieces of 4096 bytes, with the answers of the
// terminal suppressed, because they would arrive as input.
func WriteKitty(w io.Writer, img image.Image) error {
	file, err := encodePNG(img)
	if err != nil {
		return err
	}
	data := base64.StdEncoding.EncodeToString(file)
	const piece = 4096
	var b bytes.Buffer
	for first := true; first || len(data) > 0; first = false {
		n := min(piece, len(data))
		more := 0
		if n < len(data) {
			more = 1
		}
		b.WriteString("\x1b_G")
		if first {
			b.WriteString("a=T,f=100,q=2,")
		}
		fmt.Fprintf(&b, "m=%d;%s\x1b\\", more, data[:n])
		data = data[n:]
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

// WriteITerm writes a picture as iTerm2 takes it (also WezTerm, VS Code).
func WriteITerm(w io.Writer, img image.Image) error {
	file, err := encodePNG(img)
	if err != nil {
		return err
	}
	size := img.Bounds().Size()
	_, err = fmt.Fprintf(w, "\x1b]1337;File=inline=1;width=%dpx;height=%dpx;size=%d:%s\a\n",
		size.X, size.Y, len(file), base64.StdEncoding.EncodeToString(file))
	return err
}

// WriteSixel writes a picture as sixels (xterm, foot, mlterm, Windows
// Terminal), reduced to 255 colours.
func WriteSixel(w io.Writer, img image.Image) error {
	if err := checkImage(img); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := sixel.NewEncoder(&b).Encode(img); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

func checkImage(img image.Image) error {
	if img == nil || img.Bounds().Empty() {
		return fmt.Errorf("img: empty: must have at least one pixel")
	}
	return nil
}

func encodePNG(img image.Image) ([]byte, error) {
	if err := checkImage(img); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
