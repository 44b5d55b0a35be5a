// Package arrays computes with arrays as scripts do, element by element, along axes and by
// broadcasting, and reads and writes files of them; complex numbers and truth values are here,
// too. Programs in Go have gonum for that: what they need is in package array.
//
// Whatever takes long takes a context first and ends with it. What shares memory says so;
// everything else returns new numbers.
//
// [Open], [Load] and [Save] read and write files. To add a file format, write
// one file with an open function beside npz.go and list it in formats (file.go).
package arrays
