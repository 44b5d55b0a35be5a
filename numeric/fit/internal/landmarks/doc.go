// Package landmarks takes data on many scattered points to few of them, the landmarks, between
// which functions are interpolated by the kernel: [Spread] finds them, [Reduce] makes of the data
// what they say on them, and a [Reduction] gives G and predictions back everywhere.
package landmarks
