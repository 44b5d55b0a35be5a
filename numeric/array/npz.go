package array

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

// A .npz file is a zip archive of .npy files, stored or deflated. Parts with
// other names are texts.
func openNPZ(r io.ReaderAt, size int64, _ string) (*contents, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, zipError(r, err)
	}
	c := &contents{}
	for _, m := range z.File {
		if name, ok := strings.CutSuffix(m.Name, ".npy"); ok {
			c.names = append(c.names, name)
		}
	}
	member := func(name string, read func(r io.Reader, size, believable int64) error) error {
		return withMember(z, name+".npy", func(m *zip.File, r io.Reader) error {
			believable := int64(0)
			if m.Method == zip.Store {
				believable = min(size, int64(min(m.UncompressedSize64, 1<<62)))
			}
			return read(r, int64(min(m.UncompressedSize64, 1<<62)), believable)
		})
	}
	c.read = func(name string) (a *Array, err error) {
		err = member(name, func(r io.Reader, size, believable int64) error {
			a, err = readNPY(r, size, believable)
			return err
		})
		return a, err
	}
	c.complex = func(name string) (z *Complex, err error) {
		err = member(name, func(r io.Reader, size, believable int64) error {
			z, err = readComplexNPY(r, size, believable)
			return err
		})
		return z, err
	}
	c.text = func(name string) (text []byte, err error) {
		err = withMember(z, name, func(_ *zip.File, r io.Reader) error {
			const limit = 64 << 20
			text, err = io.ReadAll(io.LimitReader(r, limit+1))
			if len(text) > limit {
				return fmt.Errorf("longer than %s", byteString(limit))
			}
			return err
		})
		return text, err
	}
	return c, nil
}

// withMember reads one member to its end, so that its checksum is verified.
func withMember(z *zip.Reader, name string, read func(m *zip.File, r io.Reader) error) error {
	i := slices.IndexFunc(z.File, func(m *zip.File) bool { return m.Name == name })
	if i < 0 {
		return fs.ErrNotExist
	}
	m := z.File[i]
	r, err := m.Open()
	if err != nil {
		return memberError(m, err)
	}
	defer r.Close()
	if err := read(m, r); err != nil {
		return memberError(m, err)
	}
	if _, err := io.CopyN(io.Discard, r, 1<<16); err != nil && err != io.EOF {
		return memberError(m, err)
	}
	return nil
}

func memberError(m *zip.File, err error) error {
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return &unsupportedError{What: fmt.Sprintf("zip compression method %d: want stored or deflated", m.Method)}
	case errors.Is(err, zip.ErrFormat):
		return errors.New("corrupt: the member is not where the zip directory says")
	}
	return readError(err, "the zip member ends early")
}

// zipError explains an archive that has no directory, which is at its end.
func zipError(r io.ReaderAt, err error) error {
	var begin [4]byte
	if _, e := r.ReadAt(begin[:], 0); e == nil && string(begin[:]) == "PK\x03\x04" {
		return errors.New("truncated: the zip directory at its end is missing")
	}
	if errors.Is(err, zip.ErrFormat) {
		return errors.New("not a .npz file (a zip archive of .npy files)")
	}
	return err
}

func saveNPZ(w io.Writer, _ string, m Members) error {
	z := zip.NewWriter(w)
	create := func(name string) (io.Writer, error) {
		return z.CreateHeader(&zip.FileHeader{
			Name:     name,
			Method:   zip.Store,
			Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), // fixed: same members, same bytes
		})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Arrays)) {
		if err := saveMember(create, name, func(w io.Writer) error { return writeNPY(w, m.Arrays[name]) }); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Complex)) {
		if err := saveMember(create, name, func(w io.Writer) error { return writeComplexNPY(w, m.Complex[name]) }); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Texts)) {
		if name == "" || strings.HasSuffix(name, ".npy") {
			return fmt.Errorf("text %q: want a name that does not end in .npy", name)
		}
		part, err := create(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, m.Texts[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

func saveMember(create func(name string) (io.Writer, error), name string, write func(io.Writer) error) error {
	if name == "" {
		return errors.New("an array in a .npz file must have a name")
	}
	part, err := create(name + ".npy")
	if err != nil {
		return err
	}
	if err := write(part); err != nil {
		return fmt.Errorf("array %q: %w", name, err)
	}
	return nil
}
