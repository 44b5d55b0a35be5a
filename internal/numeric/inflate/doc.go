// Package inflate undoes deflate (RFC 1951) from memory to memory, with the checks of zlib
// (RFC 1950) on request.
//
// The standard library's package compress/flate goes from stream to stream, byte by byte
// and through a window that is copied out. Files of numbers are read whole; from memory to
// memory takes half the time. Output grows by what the input gives, so that a file that
// promises more than it holds takes no memory for it: see [All]. A [Stream] goes piece by
// piece, into memory that its caller has.
package inflate
