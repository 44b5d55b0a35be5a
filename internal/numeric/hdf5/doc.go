// Package hdf5 reads HDF5 files, and writes simple ones, without the C library. Files of MATLAB from version 7.3 on
// and NetCDF-4 files are HDF5 files, and are read as such.
//
// [Open] lists the datasets of all groups by path, such as "run1/f"; [File.Dataset] tells shape, type, names of
// dimensions and attributes of one without reading its numbers; [Dataset.Read] reads all rows or some of them as
// float64:
//
//	f, err := hdf5.Open(file, size)
//	d, err := f.Dataset("run1/f")
//	numbers, err := d.Read(ctx, 0, d.Rows())
//
// What is read: superblocks 0 to 3 behind a user block of any size; object headers 1 and 2; groups as symbol tables,
// as links in the header and in fractal heaps; soft links; compact, contiguous and chunked layouts with every index
// of chunks there is; the filters deflate, shuffle, fletcher32 and lzf; integers of 1 to 8 bytes, floating point of
// 16, 32 and 64 bits, truth values and enumerations, in both byte orders; complex numbers as compounds of two real
// ones; strings of fixed and variable length; members of compounds (by path "table.member"); fill values;
// attributes; dimension scales.
//
// What is not: external links and files, virtual datasets, references, sequences of variable length, opaque bytes,
// and other filters. Such a dataset is listed, and refused with what it is: see [Unsupported].
//
// Memory and time are bounded by what the file holds, whatever it claims: a file that is damaged, or made to do harm,
// gives an error.
//
// The format is that of "HDF5 File Format Specification Version 3.0", The HDF Group; terms in comments are from there.
package hdf5
