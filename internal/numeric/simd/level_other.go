//go:build !amd64

package simd

// Levels lists what this machine has, in order of preference.
func Levels() []Level { return []Level{Plain} }

func tableOf(Level) *table { return plainTable() }

// plainTile is the micro-kernel of plain Go for the registers of this machine.
func plainTile() tile { return wholeTile(4, 4, plainTile4x4) }
