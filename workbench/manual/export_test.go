package manual

import "github.com/greenbench/workbench/bindings/bind"

// Guides are the names of all guides and the front page.
func Guides() []string { return append(guideNames(), "index") }

// Program is the Lua of a guide.
func Program(name string) (string, error) {
	g, err := readGuide(name)
	if err != nil {
		return "", err
	}
	return g.program(), nil
}

// Code is what a guide has in a language, block by block.
func Code(name, language string) (blocks []string, err error) {
	g, err := readGuide(name)
	if err != nil {
		return nil, err
	}
	for _, b := range g.blocks {
		if b.kind == code && b.lang == language {
			blocks = append(blocks, b.text)
		}
	}
	return blocks, nil
}

// Formula typesets a formula.
func Formula(source string, display bool) (string, error) {
	markup, err := formula(source, display)
	return string(markup), err
}

// Answers are the addresses of the first answers to a question.
func Answers(reg *bind.Registry, question string) (urls []string) {
	b, err := newBook(reg)
	if err != nil {
		return nil
	}
	for _, e := range b.answers(question) {
		urls = append(urls, e.url)
	}
	return urls
}
