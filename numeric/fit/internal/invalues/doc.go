// Package invalues is the problem in the space of the values that were observed, where these are
// few of pairs × points, as those of curves on points of their own: one unknown for each, and the
// matrix of their covariances, by which it is solved and λ is chosen.
package invalues
