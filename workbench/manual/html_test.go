package manual_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A document is what the tests look at in a page.
type document struct {
	ids, links []string // links: href and src
	text       string
}

// parsePage reads a page as XML, which is stricter than HTML: every element is
// closed, every attribute is quoted.
func parsePage(path string) (document, error) {
	file, err := os.Open(path)
	if err != nil {
		return document{}, err
	}
	defer file.Close()
	var doc document
	var text strings.Builder
	for d := xml.NewDecoder(file); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			doc.text = text.String()
			return doc, nil
		}
		if err != nil {
			return document{}, err
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			if token.Name.Local != "span" && token.Name.Local != "a" {
				text.WriteByte(' ')
			}
		case xml.StartElement:
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "id":
					doc.ids = append(doc.ids, a.Value)
				case "href", "src":
					doc.links = append(doc.links, a.Value)
				}
			}
		}
	}
}

func parsePages(t *testing.T) (dir string, docs map[string]document) {
	t.Helper()
	dir, names := pages(t)
	docs = map[string]document{}
	for _, name := range names {
		doc, err := parsePage(filepath.Join(dir, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		docs[name] = doc
	}
	return dir, docs
}

// Every link leads to a page, an anchor on it, or a file that was written;
// nothing but a few links in the text leaves the manual. Anchors are unique.
func TestLinks(t *testing.T) {
	outside := []string{"https://www.lua.org/manual/5.1/", "https://luals.github.io"}
	dir, docs := parsePages(t)
	for name, doc := range docs {
		for i, id := range doc.ids {
			if slices.Contains(doc.ids[:i], id) {
				t.Errorf("%s: two elements have the id %q", name, id)
			}
		}
		for _, link := range doc.links {
			if slices.Contains(outside, link) || strings.HasPrefix(link, "data:") {
				continue
			}
			if err := follow(dir, docs, name, link); err != nil {
				t.Errorf("%s: link %s: %v", name, link, err)
			}
		}
	}
}

// follow finds what a link on a page leads to.
func follow(dir string, docs map[string]document, page, link string) error {
	u, err := url.Parse(strings.ReplaceAll(link, ":", "%3A"))
	if err != nil {
		return err
	}
	file := u.Path
	if file == "" {
		file = page
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file))); err != nil {
		return err
	}
	if u.Fragment == "" || slices.Contains(docs[file].ids, u.Fragment) {
		return nil
	}
	return errors.New("no such anchor")
}

// Addresses that other pages and people may have written down.
func TestAnchorsAreStable(t *testing.T) {
	dir, docs := parsePages(t)
	for _, link := range []string{
		"kernel.html#matern", "kernel.html#kernel:gram", "kernel.html#type-kernel", "kernel.html#kernel:__add",
		"array.html#array", "array.html#array:sum", "array.html#sum", "mesh.html#mesh.size", "everywhere.html#help",
		"green.html#fit", "green.html#estimate:predict", "kernel-and-lambda.html#the-certificate", "getting-started.html",
	} {
		err := follow(dir, docs, "index.html", link)
		if broken := link == "array.html#sum"; (err != nil) != broken {
			t.Errorf("%s: %v", link, err)
		}
	}
}

// A section shows everything that is declared.
func TestFunctionSection(t *testing.T) {
	_, docs := parsePages(t)
	text := strings.Join(strings.Fields(docs["kernel.html"].text), " ")
	for _, want := range []string{
		"kernel.matern kernel.matern{nu=2.5, lengthscale=", // heading, signature
		"→ kernel", "Matérn kernel of any order nu", // result, text
		"Argument Type Default Meaning nu number > 0 2.5",    // table
		"Example k = kernel.matern{nu=2.5, lengthscale=0.3}", // example
	} {
		if !strings.Contains(text, want) {
			t.Errorf("kernel.html does not say %q", want)
		}
	}
	if text := docs["data.html"].text; !strings.Contains(text, "required") || !strings.Contains(text, "optional") || !strings.Contains(text, "Errors") {
		t.Error("data.html: required, optional or errors are missing")
	}
	if text := docs["plot.html"].text; !strings.Contains(text, ".label") {
		t.Error("plot.html: the fields of a table are missing")
	}
}

// searchIndex reads the index in manual.js: name and address of every entry.
func searchIndex(t *testing.T) (entries [][]string) {
	t.Helper()
	dir, _ := pages(t)
	script, err := os.ReadFile(filepath.Join(dir, "manual.js"))
	if err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(string(script), "const manualIndex = ")
	text, _, end := strings.Cut(text, ",\n];")
	if !ok || !end {
		t.Fatal("manual.js does not begin with the index")
	}
	if err := json.Unmarshal([]byte(text+"]"), &entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

// The index knows every function, and its addresses exist.
func TestSearchIndex(t *testing.T) {
	dir, docs := parsePages(t)
	urls := map[string]string{}
	for _, e := range searchIndex(t) {
		urls[e[0]] = e[2]
		if err := follow(dir, docs, "index.html", e[2]); err != nil {
			t.Errorf("%s: %s: %v", e[0], e[2], err)
		}
	}
	if urls["kernel.matern"] != "kernel.html#matern" {
		t.Errorf("kernel.matern is at %q", urls["kernel.matern"])
	}
	for f := range registry().Functions() {
		if f.Kind != "operator" && urls[f.FullName] == "" {
			t.Errorf("%s is not in the index", f.FullName)
		}
	}
}

// Guides and examples that plot show what they drew.
func TestPictures(t *testing.T) {
	dir, docs := parsePages(t)
	for _, want := range []struct{ page, picture string }{
		{"index.html", "pictures/index-learned.png"},
		{"getting-started.html", "pictures/getting-started-compare.png"},
		{"kernel-and-lambda.html", "pictures/kernel-and-lambda-valley.png"},
		{"plot.html", "pictures/plot.heatmap.png"},
	} {
		if !slices.Contains(docs[want.page].links, want.picture) {
			t.Errorf("%s does not show %s", want.page, want.picture)
		}
		info, err := os.Stat(filepath.Join(dir, want.picture))
		if err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v, %v", want.picture, info, err)
		}
	}
}
