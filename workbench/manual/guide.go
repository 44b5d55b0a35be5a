package manual

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"unicode"
)

//go:embed guide/*.md
var guideFiles embed.FS

// guideGroups list the guides in the order in which they are read, by what readers come for. The
// front page, index, is not among them.
func guideGroups() []guideGroup {
	return []guideGroup{
		{"Learn", []string{"getting-started", "tutorial"}},
		{"How to", []string{"data-files", "error-bars", "constraints", "own-kernels", "space-and-time", "several-inputs", "nonlinear", "troubleshooting", "publish"}},
		{"Understand", []string{"method", "kernel-and-lambda", "comparison", "gallery"}},
		{"Look up", []string{"from-elsewhere", "numerics", "prompt", "scripts-and-tests", "notebooks", "editors", "embedding", "lua"}},
	}
}

type guideGroup struct {
	title string
	names []string
}

func guideNames() (names []string) {
	for _, g := range guideGroups() {
		names = append(names, g.names...)
	}
	return names
}

// A guide is a hand-written page.
type guide struct {
	name    string // of its file and its page
	title   string
	summary string // the first paragraph
	blocks  []block
}

type blockKind int

const (
	paragraph blockKind = iota
	heading
	bullets
	numbers
	table
	code
	figure
)

// A block is a paragraph, a heading, a list, a table, code, or a picture.
type block struct {
	kind  blockKind
	level int        // of a heading: 2 or 3
	text  string     // of a paragraph or heading; code; the caption of a picture
	items []string   // of a list
	rows  [][]string // of a table, the first being its head
	lang  string     // of code: "lua", "lua fragment" if it cannot run by itself, "go", "sh", "yaml", "text"; "math": a formula
	name  string     // of a picture: the file that the code of the guide writes
	line  int        // in the file, from 1; of code, the line of its first line
}

func readGuide(name string) (*guide, error) {
	file := path.Join("guide", name+".md")
	src, err := guideFiles.ReadFile(file)
	if err != nil {
		return nil, err
	}
	g, err := parseGuide(string(src))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	g.name = name
	return g, nil
}

// parseGuide reads the part of Markdown that guides use: # headings, paragraphs,
// lists of "- " or "1. ", | tables |, fenced code, and ![caption](picture).
// Errors begin with the number of the line.
func parseGuide(src string) (*guide, error) {
	p := &guideParser{lines: strings.Split(strings.TrimRight(src, "\n"), "\n")}
	title, ok := strings.CutPrefix(p.lines[0], "# ")
	if !ok {
		return nil, fmt.Errorf("1: a guide begins with # and its title")
	}
	g := &guide{title: title}
	for p.at = 1; p.at < len(p.lines); {
		if strings.TrimSpace(p.lines[p.at]) == "" {
			p.at++
			continue
		}
		b, err := p.block()
		if err != nil {
			return nil, err
		}
		if g.summary == "" && b.kind == paragraph {
			g.summary = plainText(b.text)
		}
		g.blocks = append(g.blocks, b)
	}
	return g, nil
}

type guideParser struct {
	lines []string
	at    int
}

// block reads the block that begins at the current line.
func (p *guideParser) block() (block, error) {
	line := p.lines[p.at]
	b := block{line: p.at + 1}
	switch {
	case strings.HasPrefix(line, "#"):
		marks, text, _ := strings.Cut(line, " ")
		b.kind, b.level, b.text = heading, len(marks), text
		if b.level < 2 || b.level > 3 || text == "" {
			return b, fmt.Errorf("%d: want a heading of level 2 or 3", b.line)
		}
		p.at++
	case strings.HasPrefix(line, "```"):
		return p.code()
	case strings.HasPrefix(line, "!["):
		caption, rest, ok1 := strings.Cut(line[2:], "](")
		name, ok2 := strings.CutSuffix(rest, ")")
		if !ok1 || !ok2 {
			return b, fmt.Errorf("%d: want ![caption](picture)", b.line)
		}
		b.kind, b.text, b.name = figure, caption, name
		p.at++
	case strings.HasPrefix(line, "|"):
		b.kind = table
		for _, l := range p.take(func(l string) bool { return strings.HasPrefix(l, "|") }) {
			if cells := tableRow(l); strings.Trim(strings.Join(cells, ""), "-") != "" {
				b.rows = append(b.rows, cells)
			}
		}
	case isItem(line):
		b.kind = bullets
		if !strings.HasPrefix(line, "- ") {
			b.kind = numbers
		}
		for _, l := range p.take(func(l string) bool { return isItem(l) || strings.HasPrefix(l, "  ") }) {
			if isItem(l) {
				_, text, _ := strings.Cut(l, " ")
				b.items = append(b.items, text)
			} else {
				b.items[len(b.items)-1] += " " + strings.TrimSpace(l)
			}
		}
	default:
		b.text = strings.Join(p.take(func(l string) bool {
			return strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "```") && !strings.HasPrefix(l, "#")
		}), " ")
	}
	return b, nil
}

func (p *guideParser) code() (block, error) {
	b := block{kind: code, lang: strings.TrimPrefix(p.lines[p.at], "```"), line: p.at + 2}
	p.at++
	lines := p.take(func(l string) bool { return l != "```" })
	if p.at == len(p.lines) {
		return b, fmt.Errorf("%d: the code has no end", b.line-1)
	}
	p.at++
	b.text = strings.Join(lines, "\n")
	return b, nil
}

// take returns the lines from here on that belong.
func (p *guideParser) take(belongs func(line string) bool) []string {
	from := p.at
	for p.at < len(p.lines) && belongs(p.lines[p.at]) {
		p.at++
	}
	return p.lines[from:p.at]
}

func isItem(line string) bool {
	if strings.HasPrefix(line, "- ") {
		return true
	}
	number, _, ok := strings.Cut(line, ". ")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// tableRow splits | a | b |; a bar inside code does not separate.
func tableRow(line string) []string {
	var cells []string
	var cell strings.Builder
	quoted := false
	for _, r := range strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|") {
		switch {
		case r == '`':
			quoted = !quoted
			cell.WriteRune(r)
		case r == '|' && !quoted:
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteRune(r)
		}
	}
	return append(cells, strings.TrimSpace(cell.String()))
}

// program is the Lua of a guide that can run, on the lines where it stands in
// the file.
func (g *guide) program() string {
	var out strings.Builder
	line := 1
	for _, b := range g.blocks {
		if b.kind != code || b.lang != "lua" {
			continue
		}
		out.WriteString(strings.Repeat("\n", b.line-line) + b.text + "\n")
		line = b.line + strings.Count(b.text, "\n") + 1
	}
	return out.String()
}

// slug is the anchor of a heading: "The report" is #the-report.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(plainText(text)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
