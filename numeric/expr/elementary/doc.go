// Package elementary computes what package math computes slowly: powers and
// remainders.
// (Sine, cosine and logarithm were tried too: in plain Go they gain nothing.)
//
// To add a function, write it and put it into the list of elementary_test.go,
// which compares it with arithmetic in high precision.
package elementary
