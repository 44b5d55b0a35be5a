package gram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/mesh"
)

// choose takes the first structure that is the kernel.
func (g *chooser) choose() (Product, string, error) {
	var refused []string
	for _, s := range g.among {
		if !s.apt(g) {
			continue
		}
		p, wrong, err := g.try(s)
		switch {
		case err != nil:
			return nil, "", err
		case wrong != "":
			refused = append(refused, fmt.Sprintf("structure %s %s", s.name, wrong))
		case p != nil:
			return p, strings.Join(append([]string{s.why(g, p)}, refused...), "; "), nil
		}
	}
	return nil, "", fmt.Errorf("gram: no structure for %s", g.f.Kernel)
}

// try makes a structure and holds it against the kernel; p is nil when there is no
// such structure, or when it is wrong.
func (g *chooser) try(s structure) (p Product, wrong string, err error) {
	p, err = s.make(g)
	c, ok := p.(candidate)
	if err != nil || !ok {
		return p, "", err
	}
	check, wrong, err := g.check(c)
	if err != nil || wrong != "" {
		return nil, wrong, err
	}
	c.set(check)
	return p, "", nil
}

// insist makes the structure that was asked for.
func (g *chooser) insist(name Structure) (Product, string, error) {
	g.asked = true
	for _, s := range g.among {
		if s.name != name {
			continue
		}
		p, wrong, err := g.try(s)
		switch {
		case err != nil:
			return nil, "", err
		case wrong != "":
			return nil, "", fmt.Errorf("structure %s: %s; leave the choice of the structure to the program", name, wrong)
		case p == nil:
			return nil, "", fmt.Errorf("structure %s: %s", name, s.lacks(g))
		}
		return p, "asked for", nil
	}
	return nil, "", fmt.Errorf("structure %q: must be one of %v", name, names(g.among))
}

// ofTerm is the structure of a term of a sum, not held against the kernel: the sum
// will be. It is nil when nothing is better than to evaluate the kernel.
func (g *chooser) ofTerm() (candidate, error) {
	for _, s := range g.among {
		if !s.term || !s.apt(g) {
			continue
		}
		if p, err := s.make(g); p != nil || err != nil {
			c, _ := p.(candidate)
			return c, err
		}
	}
	return nil, nil
}

// names are those of structures that can be asked for.
func names(among []structure) (names []Structure) {
	for _, s := range among {
		if !s.given && !slices.Contains(names, s.name) {
			names = append(names, s.name)
		}
	}
	return names
}

// ofPart is the operator of a part of the kernel on meshes of its own, with the structure that is best for it.
func (g *chooser) ofPart(f *kernels.Function, x, y mesh.Mesh) (Product, error) {
	part, err := newChooser(g.ctx, f, x, y, g.among)
	if err != nil {
		return nil, err
	}
	p, _, err := part.choose()
	return p, err
}
