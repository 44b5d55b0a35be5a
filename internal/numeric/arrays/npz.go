package arrays

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/inflate"
	"github.com/greenbench/workbench/numeric/array"
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
		if name, ok := strings.CutSuffix(m.Name, ".npy"); ok && !slices.Contains(c.names, name) {
			c.names = append(c.names, name)
		}
	}
	c.read = func(name string) (*array.Array, error) {
		b, err := memberOf(r, z, name+".npy")
		if err != nil {
			return nil, err
		}
		return readNPY(contextOf(r), b)
	}
	c.complex = func(name string) (*Complex, error) {
		b, err := memberOf(r, z, name+".npy")
		if err != nil {
			return nil, err
		}
		return readComplexNPY(contextOf(r), b)
	}
	c.text = func(name string) ([]byte, error) { return memberOf(r, z, name) }
	return c, nil
}

// memberOf reads one member and verifies its checksum; of several with one name the last, as NumPy does, for
// a program that appends to an archive replaces so. Of what the archive says of the
// length, only as much is believed as the compressed bytes can give.
func memberOf(r io.ReaderAt, z *zip.Reader, name string) ([]byte, error) {
	var m *zip.File
	for _, other := range z.File {
		if other.Name == name {
			m = other
		}
	}
	if m == nil {
		return nil, fs.ErrNotExist
	}
	if m.Method != zip.Store && m.Method != zip.Deflate {
		return nil, &unsupportedError{What: fmt.Sprintf("zip compression method %d: want stored or deflated", m.Method)}
	}
	at, err := m.DataOffset()
	if err != nil {
		return nil, errors.New("corrupt: the member is not where the zip directory says")
	}
	if m.Flags&1 != 0 {
		return nil, &unsupportedError{What: "a member with a password"}
	}
	packed, size := m.CompressedSize64, m.UncompressedSize64
	if room := make([]byte, 1); packed > 0 {
		if _, err := r.ReadAt(room, at+int64(min(packed, 1<<62))-1); err != nil {
			return nil, readError(err, "the zip member ends early")
		}
	}
	b, err := bytesOf(r, at, int64(packed))
	if err != nil {
		return nil, err
	}
	sum := uint32(0)
	if m.Method == zip.Store {
		sum = crc32.ChecksumIEEE(b)
	} else {
		if b, err = inflated(contextOf(r), b, size, &sum); err != nil {
			return nil, err
		}
	}
	switch {
	case uint64(len(b)) < size:
		return nil, fmt.Errorf("truncated: the zip member ends early: want %d bytes, found %d", size, len(b))
	case uint64(len(b)) != size || sum != m.CRC32:
		return nil, errors.New("corrupt: wrong checksum")
	}
	return b, nil
}

// inflated undoes deflate, of which size bytes are promised, and sums them up.
func inflated(ctx context.Context, b []byte, size uint64, sum *uint32) ([]byte, error) {
	most := min(size, inflate.Most*uint64(len(b)))
	if err := dense.CheckSize(fmt.Sprintf("a member of %d bytes", most), float64(most)/8); err != nil {
		return nil, err
	}
	out, _, err := new(inflate.Stream).All(ctx, b, int(most), roomForBytes, func(piece []byte) {
		*sum = crc32.Update(*sum, crc32.IEEETable, piece)
	})
	return out, err
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
