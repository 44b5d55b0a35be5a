package hdf5

import (
	"bytes"
	"compress/zlib"
	"io"
)

// An inflater undoes deflate.
type inflater struct{ r io.ReadCloser }

func (f *inflater) all(dst, src []byte) ([]byte, error) {
	var err error
	if f.r == nil {
		f.r, err = zlib.NewReader(bytes.NewReader(src))
	} else {
		err = f.r.(zlib.Resetter).Reset(bytes.NewReader(src), nil)
	}
	if err != nil {
		return nil, corrupt("a chunk whose compressed data make no sense")
	}
	n, err := io.ReadFull(f.r, dst)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil, corrupt("a chunk whose compressed data make no sense")
	}
	return dst[:n], nil
}
