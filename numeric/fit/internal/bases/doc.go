// Package bases finds orthonormal bases in which a kernel on a mesh is about diagonal: for each
// axis the eigenvectors of the kernel on that axis, the other coordinates held in the middle.
package bases
