// Package stats has probability distributions ([New]), the usual tests, and least squares
// with standard errors.
package stats
