//go:build !amd64

package simd

// Levels lists what this machine has, in order of preference.
func Levels() []Level { return []Level{Plain} }

func tableOf(Level) *table { return plainTable() }
