package transcript

import (
	_ "embed"
	"encoding/base64"
	"io"
	"regexp"
	"time"

	"github.com/greenbench/workbench/workbench/hypertext"
)

//go:embed page.css
var style string

// escapes are the codes that colour a terminal.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")

// Write writes the page. It holds everything up to the running input, which asks for
// it. About says how the session can be repeated: versions, seed, machine.
func (l *Log) Write(w io.Writer, title string, about []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	page := hypertext.Format(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<h1>%s</h1>
%s<footer>%s</footer>
</body>
</html>
`, title, hypertext.HTML(style), title, hypertext.Each(l.entries[:max(0, len(l.entries)-1)], (*entry).page),
		hypertext.Each(about, func(line string) hypertext.HTML { return hypertext.Format("<p>%s</p>\n", line) }))
	_, err := io.WriteString(w, string(page))
	return err
}

// page is the input with what came of it.
func (e *entry) page() hypertext.HTML {
	out := hypertext.HTML("<section>\n")
	if e.failed {
		out = "<section class=\"failed\">\n"
	}
	if e.took >= time.Millisecond {
		out += hypertext.Format(`<span class="took">%s</span>`, e.took.Round(time.Millisecond))
	}
	out += hypertext.Format("<pre class=\"input\">%s</pre>\n", e.input)
	if e.output.Len() > 0 {
		out += hypertext.Format("<pre>%s%s</pre>", escapes.ReplaceAllString(e.output.String(), ""), hypertext.If(e.cut, "\n… the rest of the output is not kept"))
	}
	out += "\n"
	for _, svg := range e.images {
		out += hypertext.Format("<img src=\"data:image/svg+xml;base64,%s\" alt=\"figure\">\n", base64.StdEncoding.EncodeToString(svg))
	}
	return out + "</section>\n"
}
