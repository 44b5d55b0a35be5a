// Package elementary computes powers, the exponential and logarithms to the last digit, and remainders fast. Results are
// the same on every machine: package math has assembly of its own for each, which is up to 10^6 units in the last place
// off (powers), wrong for denormal numbers (the logarithm) or 0 too early (the exponential).
//
// A logarithm and an exponential are computed in two parts, high + low with |low| at most half an ulp of high, whose errors
// are below 2^-70. Every product that is added to something is a math.FMA or rounded by a conversion, since compilers may
// otherwise fuse it on some machines and not on others.
//
// To add a function, write it and put it into a list of elementary_test.go, which compares it with arithmetic in high
// precision.
package elementary
