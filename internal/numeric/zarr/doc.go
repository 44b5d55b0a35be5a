// Package zarr reads Zarr stores of versions 2 and 3: folders with an array in each, cut into
// chunks that are files, and what they are in JSON.
//
// [Open] lists the arrays of all groups by path, such as "run1/f"; [Store.Array] tells shape,
// type, names of dimensions and attributes of one; [Array.Read] reads all rows or some as float64:
//
//	s, err := zarr.Open(os.DirFS("x.zarr"))
//	a, err := s.Array("run1/f")
//	numbers, err := a.Read(ctx, 0, a.Rows())
//
// What is read: integers of 1 to 8 bytes, floating point of 16, 32 and 64 bits and truth values in
// both byte orders; chunks as they are, or compressed by zlib, gzip or Blosc (LZ4 or zlib, bytes
// shuffled or not), in the order of rows, of columns or of any transposition; the filter shuffle;
// checksums crc32c; fill values for chunks that were never written. What is not (Zstandard, LZ4 by
// itself, chunks in shards, other filters, text, dates, complex numbers) is listed, and refused with
// what it is: see [Unsupported].
//
// Memory and time are bounded by what the chunks hold, whatever the description claims.
//
// The formats are those of "Zarr Storage Specification Version 2", "Zarr core specification
// (version 3)" and "Blosc Chunk Format" (c-blosc 1).
package zarr
