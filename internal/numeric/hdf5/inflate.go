package hdf5

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/inflate"
)

// An inflater undoes deflate.
type inflater struct{ stream inflate.Stream }

// all returns what src was made from, at most len(dst) bytes, in dst.
func (f *inflater) all(ctx context.Context, dst, src []byte) ([]byte, error) {
	return f.stream.Zlib(ctx, src, len(dst), func(n int) []byte { return dst[:n] })
}
