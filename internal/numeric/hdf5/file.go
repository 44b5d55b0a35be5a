package hdf5

import (
	"io"
	"io/fs"
	"slices"
	"strings"
)

// A File is an open HDF5 file. It is used by one goroutine at a time.
type File struct {
	m     *image
	root  uint64
	names []string
	// groups holds the links of every group by the address of its header, paths the first path of every dataset.
	groups map[uint64][]link
	paths  map[uint64]string
	// lengths are those of unlimited dimensions by the address of their scale; nil before they are needed.
	lengths map[uint64]int
}

// Open reads the structure of a file of the given size: which groups and datasets there are. Their numbers are read
// later from r, which stays in use. Errors say whether the file is of another kind, truncated or damaged.
func Open(r io.ReaderAt, size int64) (*File, error) { return open(r, size, false) }

func open(r io.ReaderAt, size int64, lax bool) (*File, error) {
	m, root, err := newImage(r, size, lax)
	if err != nil {
		return nil, err
	}
	f := &File{m: m, root: root, groups: map[uint64][]link{}, paths: map[uint64]string{}}
	h, err := m.header(root)
	if err != nil {
		return nil, err
	}
	return f, f.walk(h, "", 0)
}

// Names lists the datasets of all groups by path, such as "run1/f", in the order in which they were made if the file
// knows it, otherwise by name; those of kinds that are not read too. Left out are datasets that only name a dimension
// of NetCDF, and what MATLAB keeps for itself.
func (f *File) Names() []string { return slices.Clone(f.names) }

// walk lists what is below a group.
func (f *File) walk(h *header, path string, depth int) error {
	links, err := h.links()
	if err != nil {
		return err
	}
	f.groups[h.at] = links
	for _, l := range links {
		if path == "" && (l.name == "#refs#" || l.name == "#subsystem#") {
			continue
		}
		inner := path + l.name
		if f.m.budget -= int64(len(inner)); f.m.budget < 0 || depth > 1000 {
			return corrupt("the groups refer to one another")
		}
		if err := f.visit(l, inner, depth); err != nil {
			return err
		}
	}
	return nil
}

// visit lists what a link stands for. An object that cannot be read is listed: whoever asks for it learns why.
func (f *File) visit(l link, path string, depth int) error {
	if l.kind != linkHard {
		f.names = append(f.names, path)
		return nil
	}
	if _, known := f.groups[l.at]; known {
		return nil
	}
	h, err := f.m.header(l.at)
	switch {
	case err != nil:
		f.names = append(f.names, path)
	case h.isGroup():
		return f.walk(h, path+"/", depth+1)
	case f.shown(h):
		f.names = append(f.names, path)
		if _, known := f.paths[l.at]; !known {
			f.paths[l.at] = path
		}
	}
	return nil
}

// shown says whether an object is a dataset that is more than the name of a dimension.
func (f *File) shown(h *header) bool {
	if !slices.ContainsFunc(h.messages, func(g message) bool { return g.kind == msgLayout }) {
		return false
	}
	all, err := h.attributes()
	name := find(all, "NAME")
	return err != nil || name == nil || !strings.HasPrefix(name.text(), notVariable)
}

// notVariable begins the NAME of a dimension of NetCDF that has no coordinates.
const notVariable = "This is a netCDF dimension but not a netCDF variable"

// find follows a path from the root, through soft links, to the header of an object.
func (f *File) find(path string) (*header, error) {
	f.m.fresh()
	at, err := f.follow(f.root, path, 0)
	if err != nil {
		return nil, err
	}
	return f.m.header(at)
}

// mostSteps bounds how many soft links may be followed.
const mostSteps = 64

// follow returns the address of the header that a path leads to from a group.
func (f *File) follow(group uint64, path string, steps int) (uint64, error) {
	if strings.HasPrefix(path, "/") {
		group = f.root
	}
	at := group
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." {
			continue
		}
		links := f.groups[at]
		i := slices.IndexFunc(links, func(l link) bool { return l.name == name })
		if i < 0 {
			return 0, fs.ErrNotExist
		}
		switch l := links[i]; l.kind {
		case linkHard:
			at = l.at
		case linkSoft:
			if steps++; steps > mostSteps {
				return 0, corrupt("soft links that lead in a circle")
			}
			next, err := f.follow(at, l.target, steps)
			if err == fs.ErrNotExist {
				err = unsupported("a soft link to %q, which is not in the file", l.target)
			}
			if err != nil {
				return 0, err
			}
			at = next
		case linkExternal:
			return 0, unsupported("an external link to the file %q: open that one", l.target)
		default:
			return 0, unsupported("a link of kind %d", l.kind)
		}
	}
	return at, nil
}
