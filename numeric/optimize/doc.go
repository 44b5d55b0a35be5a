// Package optimize finds zeros and minima of functions.
package optimize
