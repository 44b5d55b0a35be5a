package notebook

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image/png"
	"reflect"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/workbench/repl/bar"
)

// textWidth is how many columns results have as text.
const textWidth = 100

// show sends the values of a cell. A figure that the cell has drawn is not shown again.
func (k *Kernel) show(c *cell) {
	values := c.values
	if len(values) == 1 {
		if f, ok := figure(values[0]); ok && slices.ContainsFunc(c.drawn, func(g plot.Figure) bool { return reflect.DeepEqual(f, g) }) {
			return
		}
	}
	if len(values) == 0 || len(values) == 1 && values[0] == lua.LNil {
		if hint := k.Desk.Meant(k.Host.L, c.Code); hint != "" {
			fmt.Fprintln(k.stderr, hint)
		}
		return
	}
	k.flush()
	data, metadata := k.rich(values)
	k.publish(c.message, "execute_result", fields{"execution_count": k.count, "data": data, "metadata": metadata})
}

// rich is a result in all its forms.
func (k *Kernel) rich(values []lua.LValue) (data, metadata fields) {
	data, metadata = fields{}, fields{}
	if len(values) == 1 {
		if f, ok := figure(values[0]); ok {
			if forms, size, err := k.pictures(f); err == nil {
				data, metadata = forms, size
			}
		}
		if table, ok := k.htmlOf(values[0]); ok {
			data["text/html"] = table
		}
		if k, ok := valueOf[kernel.Kernel](values[0]); ok {
			if formula, err := kernels.Latex(k); err == nil {
				data["text/latex"] = `$\displaystyle ` + formula + "$"
			}
		}
	}
	data["text/plain"] = strings.TrimRight(k.printer.Values(values), "\n")
	return data, metadata
}

// figure is the figure that a value is.
func figure(v lua.LValue) (plot.Figure, bool) { return valueOf[plot.Figure](v) }

// valueOf is the value of the library that a value of Lua holds, if it is one of a type.
func valueOf[T any](v lua.LValue) (held T, ok bool) {
	if u, is := v.(*lua.LUserData); is {
		held, ok = u.Value.(T)
	}
	return held, ok
}

// picture shows a figure among the output.
func (k *Kernel) picture(m message, f plot.Figure) error {
	data, metadata, err := k.pictures(f)
	if err != nil {
		return err
	}
	data["text/plain"] = "figure"
	k.flush()
	k.publish(m, "display_data", fields{"data": data, "metadata": metadata, "transient": fields{}})
	return nil
}

// pixelsPerDot is how many pixels of a picture are one of the page, so that it is sharp on dense
// screens too.
const pixelsPerDot = 1.6

// pictures is a figure as notebooks show it, and its size on the page. Vector graphics are sent
// only where they were asked for: of both, exports to HTML take these, and nbconvert before
// version 7 loses what is in them.
func (k *Kernel) pictures(f plot.Figure) (data, metadata fields, err error) {
	var b bytes.Buffer
	if err := plot.Encode(&b, f, "png", plot.Size{}); err != nil {
		return nil, nil, err
	}
	size, err := png.DecodeConfig(bytes.NewReader(b.Bytes()))
	if err != nil {
		return nil, nil, err
	}
	data = fields{"image/png": base64.StdEncoding.EncodeToString(b.Bytes())}
	metadata = fields{"image/png": fields{"width": int(float64(size.Width) / pixelsPerDot), "height": int(float64(size.Height) / pixelsPerDot)}}
	if !k.SVG {
		return data, metadata, nil
	}
	b.Reset()
	if err := plot.Encode(&b, f, "svg", plot.Size{}); err != nil {
		return nil, nil, err
	}
	text := b.String() // within a page, it must not begin with a declaration of its own
	data["image/svg+xml"] = text[max(strings.Index(text, "<svg"), 0):]
	return data, metadata, nil
}

// meter shows the progress of a cell in one place, which is empty at the end.
func (k *Kernel) meter(m message) *bar.Meter {
	id, begun := newID(), false
	return bar.On(func(line string) {
		kind := "update_display_data"
		if !begun {
			kind, begun = "display_data", true
		}
		data := fields{"text/plain": line}
		if line != "" {
			data["text/html"] = "<pre>" + html.EscapeString(line) + "</pre>"
		} else {
			data["text/html"] = ""
		}
		k.publish(m, kind, fields{"data": data, "metadata": fields{}, "transient": fields{"display_id": id}})
	}, func() int { return textWidth }).Notes(func(text string) {
		k.publish(m, "stream", fields{"name": "stderr", "text": "note: " + text + "\n"})
	})
}
