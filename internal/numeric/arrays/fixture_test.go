package arrays

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// npyBytes is a .npy file with the given header dictionary, of any version.
func npyBytes(version byte, dict string, payload []byte) []byte {
	b := []byte(npyMagic + string([]byte{version, 0}))
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(dict)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(dict)))
	}
	return append(append(b, dict...), payload...)
}

// npyDictOf is the header dictionary as NumPy writes it.
func npyDictOf(descr string, fortran bool, shape string) string {
	order := map[bool]string{true: "True", false: "False"}[fortran]
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
}

// pack is the numbers in binary; each is a Go number of fixed size or a slice of them.
func pack(order binary.ByteOrder, values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, order, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// member is one part of a zip archive.
type member struct {
	name   string
	method uint16
	data   []byte
}

func zipBytes(members ...member) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method})
		if err == nil {
			_, err = w.Write(m.data)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// A matWriter writes MAT-files, level 5, as the format's documentation says.
type matWriter struct{ order binary.ByteOrder }

func (w matWriter) file(elements ...[]byte) []byte {
	head := make([]byte, matHeader)
	copy(head, "MATLAB 5.0 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024"+strings.Repeat(" ", 60)[:40])
	w.order.PutUint16(head[124:], 0x0100)
	w.order.PutUint16(head[126:], 'M'<<8|'I')
	return append(head, bytes.Join(elements, nil)...)
}

// element is a tag, data and padding; short data goes into the tag.
func (w matWriter) element(kind uint32, data []byte) []byte {
	if n := len(data); n > 0 && n <= 4 {
		return append(pack(w.order, uint32(n)<<16|kind), append(data[:n:n], make([]byte, 4-n)...)...)
	}
	b := append(pack(w.order, kind, uint32(len(data))), data...)
	return append(b, make([]byte, (8-len(data)%8)%8)...)
}

// array is an array element; numbers are those of its real part, of type kind.
func (w matWriter) array(name string, class, flags uint32, dims []int32, kind uint32, numbers []byte) []byte {
	return w.element(miMatrix, bytes.Join([][]byte{
		w.element(6, pack(w.order, class|flags<<8, uint32(0))),
		w.element(5, pack(w.order, dims)),
		w.element(1, []byte(name)),
		w.element(kind, numbers),
	}, nil))
}

// compressed is an element, compressed.
func (w matWriter) compressed(element []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(element); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return append(pack(w.order, uint32(miCompressed), uint32(b.Len())), b.Bytes()...)
}

// The fixtures that the tests of the readers and the fuzz corpora share.

func npyFixtures() map[string][]byte {
	f := map[string][]byte{
		"matrix": npyBytes(1, npyDictOf("<f8", false, "(2, 3)"), pack(binary.LittleEndian, []float64{1, 2, 3, 4, 5, math.NaN()})),
		"fortran": npyBytes(2, npyDictOf(">f4", true, "(2, 3)"),
			pack(binary.BigEndian, []float32{0, 3, 1, 4, 2, 5})),
		"scalar": npyBytes(3, npyDictOf("|b1", false, "()"), []byte{1}),
		"empty":  npyBytes(1, npyDictOf("<i8", false, "(0, 4)"), nil),
		"lying":  npyBytes(1, npyDictOf("<f8", false, "(10000, 1000)"), make([]byte, 16)),
		"record": npyBytes(1, "{'descr': [('a', '<f8'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }", make([]byte, 12)),
		"text":   npyBytes(1, npyDictOf("<U3", false, "(2,)"), make([]byte, 24)),
	}
	f["truncated"] = f["matrix"][:len(f["matrix"])-3]
	f["headless"] = f["matrix"][:20]
	return f
}

func npzFixtures() map[string][]byte {
	npy := npyFixtures()
	zeros := npyBytes(1, npyDictOf("<f8", false, "(500, 20)"), make([]byte, 80000))
	f := map[string][]byte{
		"stored":   zipBytes(member{"f.npy", zip.Store, npy["matrix"]}, member{"u.npy", zip.Store, npy["fortran"]}),
		"deflated": zipBytes(member{"zeros.npy", zip.Deflate, zeros}, member{"meta.json", zip.Deflate, []byte(`{"version": 1}`)}),
		"lying":    zipBytes(member{"f.npy", zip.Deflate, npy["lying"]}),
		"text":     zipBytes(member{"f.npy", zip.Store, npy["matrix"]}, member{"names.npy", zip.Store, npy["text"]}),
	}
	f["truncated"] = f["stored"][:len(f["stored"])/2]
	damaged := bytes.Clone(f["stored"])
	damaged[bytes.Index(damaged, []byte("(2, 3)"))+30] ^= 0x10
	f["damaged"] = damaged
	return f
}

func csvFixtures() map[string][]byte {
	return map[string][]byte{
		"header":    []byte("x, u\n0,1.5\n0.5,nan\n1,-2e3\n"),
		"semicolon": []byte("\xef\xbb\xbf\"a;b\";c\r\n1,5;2\r\n-0,25;3\r\n"),
		"spaces":    []byte("# from a Fortran program\n  1.0D+00  2.0d-1 \n\n 3 4 # last\n"),
		"tabs":      []byte("1\t2\t\n3\t4\t\n"),
		"column":    []byte("1\n2\n3"),
		"ragged":    []byte("1,2\n3,4\n5\n"),
		"word":      []byte("1,2\n3,four\n"),
	}
}

func matFixtures() map[string][]byte {
	le, be := matWriter{binary.LittleEndian}, matWriter{binary.BigEndian}
	f8 := func(w matWriter, x ...float64) []byte { return pack(w.order, x) }
	f := map[string][]byte{
		// A is [[1 2 3] [4 5 6]], stored by columns. W is whole numbers, stored as
		// bytes within the tag, as MATLAB does.
		"little": le.file(
			le.array("A", 6, 0, []int32{2, 3}, 9, f8(le, 1, 4, 2, 5, 3, 6)),
			le.array("W", 6, 0, []int32{1, 3}, 2, []byte{7, 8, 255}),
			le.array("name", 4, 0, []int32{1, 2}, 16, []byte("hi")),
			le.array("z", 6, 8, []int32{1, 1}, 9, f8(le, 1)),
			le.array("", 9, 0, []int32{1, 1}, 2, []byte{1}),
		),
		"big":        be.file(be.array("A", 6, 0, []int32{2, 3}, 9, f8(be, 1, 4, 2, 5, 3, 6))),
		"compressed": le.file(le.compressed(le.array("longer_name", 7, 0, []int32{3, 1}, 7, pack(le.order, []float32{.5, -1, 2})))),
		"integers":   le.file(le.array("k", 12, 0, []int32{2, 2, 2}, 3, pack(le.order, []int16{0, 1, 2, 3, 4, 5, 6, -7}))),
		"lying":      le.file(le.compressed(le.array("L", 6, 0, []int32{1 << 12, 1 << 11}, 9, f8(le, 1)))),
		"v73":        append([]byte("MATLAB 7.3 MAT-file, Platform: GLNXA64"), make([]byte, 600)...),
	}
	f["truncated"] = f["little"][:len(f["little"])-100]
	damaged := bytes.Clone(f["compressed"])
	damaged[len(damaged)-1] ^= 1
	f["damaged"] = damaged
	return f
}

// put writes a file for a test and returns its path.
func put(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
