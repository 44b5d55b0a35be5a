package xlsx

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// A part is one file of XML in the archive. next gives its tags and texts one by one;
// prefixes of names are left off, as the names are unique without.
type part struct {
	ctx     context.Context
	name    string
	decoder *xml.Decoder
	steps   int
	close   func() error
}

// maxPart is how large a part may be, unpacked: beyond the largest sheets there are.
const maxPart = 4 << 30

func (b *book) open(name string) (*part, error) {
	for _, f := range b.files {
		if !strings.EqualFold(strings.TrimPrefix(f.Name, "/"), name) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, unzipError(err))
		}
		d := xml.NewDecoder(io.LimitReader(r, maxPart))
		d.Strict = true
		return &part{b.ctx, name, d, 0, r.Close}, nil
	}
	return nil, fmt.Errorf("damaged: there is no %s in it", name)
}

// next is the next token, io.EOF at the end.
func (p *part) next() (xml.Token, error) {
	if p.steps++; p.steps%4096 == 0 {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
	}
	t, err := p.decoder.RawToken()
	if err == nil || err == io.EOF {
		return t, err
	}
	return nil, fmt.Errorf("%s: %w", p.name, unzipError(err))
}

// unzipError explains what packages zip and xml say of damaged archives.
func unzipError(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return errors.New("packed in a way that is not read")
	case errors.As(err, &syntax):
		return fmt.Errorf("damaged: line %d: %s", syntax.Line, syntax.Msg)
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("damaged or cut off")
	}
	return err
}

// each calls do with every tag that begins; parts without such a name have none.
func (b *book) each(name string, do func(tag xml.StartElement, p *part) error) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	defer p.close()
	for {
		t, err := p.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if tag, ok := t.(xml.StartElement); ok {
			if err := do(tag, p); err != nil {
				return err
			}
		}
	}
}

// attribute is the value of an attribute, "" where there is none.
func attribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// text reads to the end of a tag and returns what its <t> hold, or all its characters
// where all is true. What says how to pronounce a word (rPh) does not count.
func (p *part) text(end string, all bool) (string, error) {
	var s strings.Builder
	within, spoken := all, false
	for {
		t, err := p.next()
		if err == io.EOF {
			return "", fmt.Errorf("%s: damaged or cut off", p.name)
		}
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			within = all || t.Name.Local == "t"
			spoken = spoken || t.Name.Local == "rPh"
		case xml.CharData:
			if within && !spoken {
				s.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case end:
				return s.String(), nil
			case "rPh":
				spoken = false
			case "t":
				within = all
			}
		}
	}
}

// relation is where a part is that another names by id or kind.
type relation struct{ id, kind, target string }

// relations reads the relations of a part; none where there is no file of them.
func (b *book) relations(of string) ([]relation, error) {
	var list []relation
	dir, base := path.Split(of)
	err := b.each(dir+"_rels/"+base+".rels", func(tag xml.StartElement, _ *part) error {
		if tag.Name.Local != "Relationship" {
			return nil
		}
		target := attribute(tag, "Target")
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		list = append(list, relation{attribute(tag, "Id"), path.Base(attribute(tag, "Type")), strings.TrimPrefix(path.Clean(target), "/")})
		return nil
	})
	return list, err
}
