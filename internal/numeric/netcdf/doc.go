// Package netcdf reads NetCDF classic files: formats CDF-1, CDF-2 (64-bit offsets) and CDF-5 (64-bit data), without
// the C library. NetCDF-4 files are HDF5 files, for package hdf5.
//
// [Open] reads the header; [Variable.Read] reads all rows of a variable or some of them as float64:
//
//	f, err := netcdf.Open(file, size)
//	v, err := f.Variable("temperature")
//	numbers, err := v.Read(ctx, 0, v.Rows())
//
// Numbers are as they are stored: what the attributes scale_factor, add_offset and _FillValue say is left to the
// caller. Memory is bounded by what the file holds, whatever it claims.
//
// The format is that of "The NetCDF Classic Format Specification", Unidata.
package netcdf
