// Package pose writes a fit as a problem: one table of ways, tried in order ([Ways]), of which
// the first that can be taken is. To add one, write the problem in a package of its own beside
// this one, and a line in [Ways]. The dense matrix of kernel values, to which all are compared, and
// pairs with their images are short enough to stand here.
package pose
