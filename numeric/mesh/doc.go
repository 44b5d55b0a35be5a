// Package mesh says where functions are sampled and how they are integrated.
//
// An [Axis] is one block of coordinates with quadrature weights: an interval
// ([Uniform], [Periodic], [Gauss], [Chebyshev], [Simpson], [Trapezoid],
// [Axis.Right]) or a cloud of scattered points in any dimension ([Scattered]). A [Mesh] is the
// tensor product of axes; its first axis varies slowest, its last fastest, so
// a function on a mesh is a row-major array.
//
// Every rule states the polynomial degree that it integrates exactly, and the
// tests hold it to that for every number of points from 2 to 200.
//
// To add a rule of quadrature, write a file as gauss.go and a line in [Rules].
package mesh
