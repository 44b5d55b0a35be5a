package everywhere

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
)

//go:embed demos/*.lua
var demoFiles embed.FS

// A Demo is a runnable example; the first line of its text, a comment, says
// what it is about.
type Demo struct{ Name, About, Text string }

// Demos lists the demonstrations, by name.
func Demos() []Demo {
	entries, err := demoFiles.ReadDir("demos")
	if err != nil {
		return nil // embedded files are there
	}
	var out []Demo
	for _, e := range entries {
		text, err := demoFiles.ReadFile(path.Join("demos", e.Name()))
		if err != nil {
			continue
		}
		first, _, _ := strings.Cut(string(text), "\n")
		out = append(out, Demo{
			Name:  strings.TrimSuffix(e.Name(), ".lua"),
			About: strings.TrimPrefix(first, "-- "),
			Text:  string(text),
		})
	}
	return out
}

// runDemo shows the text of the demo and runs it.
func (d *Desk) runDemo(c *bind.Call, demo Demo) error {
	fmt.Fprintln(c.Out, strings.TrimRight(demo.Text, "\n"))
	fmt.Fprintln(c.Out)
	_, err := d.run(c, "demo "+demo.Name, []byte(demo.Text), nil)
	return err
}
