package arrays

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// matName are the names that MATLAB's variables may have.
var matName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,62}$`)

// matWords are those that MATLAB keeps for itself.
var matWords = []string{
	"break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for", "function", "global", "if",
	"otherwise", "parfor", "persistent", "return", "spmd", "switch", "try", "while",
}

func checkMATName(name string) error {
	if !matName.MatchString(name) || slices.Contains(matWords, name) {
		return fmt.Errorf("the name %q: in a .mat file it must be a letter, then letters, digits and _, 63 in all, and no word of MATLAB's", name)
	}
	return nil
}

// matNameOf makes a name of that of a file.
func matNameOf(base string) string {
	if checkMATName(base) == nil {
		return base
	}
	return "data"
}

// saveMAT writes level 5, without compression, which everything reads: MATLAB from 5 on,
// Octave, SciPy. Vectors are columns. The same members give the same bytes.
func saveMAT(w io.Writer, _ string, m Members) error {
	if len(m.Texts) > 0 {
		return errors.New("a .mat file holds arrays: save texts to .npz")
	}
	head := make([]byte, 0, matHeader)
	head = append(head, "MATLAB 5.0 MAT-file, written by the workbench"...)
	head = append(head, strings.Repeat(" ", 116-len(head))...)
	head = append(head, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 'I', 'M')
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(m.Arrays)) {
		a := m.Arrays[name]
		if err := writeMAT(w, name, a.Shape, len(a.Data), func(i int) float64 { return a.Data[i] }, nil); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Complex)) {
		z := m.Complex[name]
		re, im := func(i int) float64 { return real(z.Data[i]) }, func(i int) float64 { return imag(z.Data[i]) }
		if err := writeMAT(w, name, z.Shape, len(z.Data), re, im); err != nil {
			return err
		}
	}
	return nil
}

// writeMAT writes one array; im is nil for real numbers.
func writeMAT(w io.Writer, name string, shape []int, n int, re, im func(i int) float64) error {
	if err := checkMATName(name); err != nil {
		return err
	}
	for len(shape) < 2 {
		shape = append(slices.Clone(shape), 1)
	}
	little := binary.LittleEndian
	class, parts := uint32(matDouble), 1
	if im != nil {
		class, parts = class|0x800, 2
	}
	head := append(little.AppendUint32(little.AppendUint32(nil, 6), 8), little.AppendUint32(little.AppendUint32(nil, class), 0)...)
	head = little.AppendUint32(little.AppendUint32(head, 5), uint32(4*len(shape)))
	for _, k := range shape {
		if k > math.MaxInt32 {
			return fmt.Errorf("array %q: an axis of %d: more than a .mat file can have; save .npz", name, k)
		}
		head = little.AppendUint32(head, uint32(k))
	}
	head = padded(head)
	head = append(little.AppendUint32(little.AppendUint32(head, 1), uint32(len(name))), name...)
	head = padded(head)
	size := int64(len(head)) + int64(parts)*(8+8*int64(n))
	if size > math.MaxInt32 {
		return fmt.Errorf("array %q: %s: a .mat file holds arrays of up to 2 GiB; save .npz", name, dense.Bytes(float64(size)))
	}
	if _, err := w.Write(append(little.AppendUint32(little.AppendUint32(nil, miMatrix), uint32(size)), head...)); err != nil {
		return err
	}
	for _, number := range []func(int) float64{re, im}[:parts] {
		if err := writeMATNumbers(w, shape, n, number); err != nil {
			return err
		}
	}
	return nil
}

func padded(b []byte) []byte { return append(b, make([]byte, (8-len(b)%8)%8)...) }

// writeMATNumbers writes numbers by columns: the first index fastest.
func writeMATNumbers(w io.Writer, shape []int, n int, number func(i int) float64) error {
	little := binary.LittleEndian
	buf := little.AppendUint32(little.AppendUint32(make([]byte, 0, 1<<15), miDouble), uint32(8*n))
	index, step := make([]int, len(shape)), strides(shape)
	at := 0
	for range n {
		if len(buf) == cap(buf) {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
		buf = little.AppendUint64(buf, math.Float64bits(number(at)))
		for k := range index {
			index[k]++
			at += step[k]
			if index[k] < shape[k] {
				break
			}
			at -= index[k] * step[k]
			index[k] = 0
		}
	}
	_, err := w.Write(buf)
	return err
}
