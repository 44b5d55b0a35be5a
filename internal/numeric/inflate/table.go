package inflate

import "math/bits"

// Tables turn the next bits of the input into a symbol. An entry is
//
//	literal:   isLiteral | byte << 16 | bits of the code
//	length:    base << 16 | bits of the code << 8 | bits of the code and the extra ones
//	distance:  the same
//	other:     isOther | what << 16 | bits
//	longer:    isOther | isLonger | start of a second table << 16 | bits of its index << 8 | bits of the first
const (
	isLiteral = 1 << 31
	isOther   = 1 << 15
	isLonger  = 1 << 14

	endOfBlock = isOther
	noCode     = isOther | 1<<16

	litBits  = 11
	distBits = 8
	longest  = 15 // bits of a code

	// Second tables are as large as the longest code with their beginning needs. For
	// complete codes of 288 and 32 symbols, no more than 2342 and 402 entries are in use.
	litSize  = 1 << 12
	distSize = 1 << 10
)

// lengthBase and lengthExtra are those of the symbols 257 to 285; what 286 and 287 stand
// for is not defined.
var (
	lengthBase  = [...]uint32{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [...]uint32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
)

// litEntry is the entry of a symbol of literals and lengths, of which the code has n bits.
func litEntry(symbol, n uint32) uint32 {
	switch {
	case symbol < 256:
		return isLiteral | symbol<<16 | n
	case symbol == 256:
		return endOfBlock | n
	case symbol-257 < uint32(len(lengthBase)):
		return lengthBase[symbol-257]<<16 | n<<8 | (n + lengthExtra[symbol-257])
	}
	return noCode
}

func distEntry(symbol, n uint32) uint32 {
	switch {
	case symbol < 4:
		return (symbol+1)<<16 | n<<8 | n
	case symbol < 30:
		extra := symbol/2 - 1
		return ((2+symbol&1)<<extra+1)<<16 | n<<8 | (n + extra)
	}
	return noCode
}

// numberEntry is that of the codes in which the lengths of codes are written.
func numberEntry(symbol, n uint32) uint32 { return symbol<<16 | n<<8 | n }

// build fills a table of which the first 1 << first entries are indexed by the next bits.
// It is false for lengths that are those of no code; of an incomplete one only a single
// symbol is allowed, as in the standard library, and none at all, if none is read.
func build(table []uint32, first uint32, lengths []uint8, entry func(symbol, n uint32) uint32) bool {
	var count, from [longest + 2]uint32
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	left, most := 1, 0
	for n := 1; n <= longest; n++ {
		from[n+1] = from[n] + count[n]
		if left = 2*left - int(count[n]); left < 0 {
			return false
		}
		if count[n] > 0 {
			most = n
		}
	}
	if left > 0 && most > 0 && !(most == 1 && count[1] == 1) {
		return false
	}
	var sorted [320]uint16 // symbols by the length of their codes
	for symbol, n := range lengths {
		if n > 0 {
			sorted[from[n]] = uint16(symbol)
			from[n]++
		}
	}
	for i := range table[:1<<first] {
		table[i] = noCode
	}
	// Codes of one length follow each other; the next length goes on with twice the code.
	code, n, used := uint32(0), uint32(0), uint32(1)<<first
	for _, symbol := range sorted[:from[most]] {
		for count[n] == 0 {
			code <<= 1
			n++
		}
		reversed := uint32(bits.Reverse16(uint16(code))) >> (16 - n)
		if n <= first {
			spread(table[:1<<first], reversed, n, entry(uint32(symbol), n))
		} else {
			begin := reversed & (1<<first - 1)
			if table[begin]&isLonger == 0 {
				width := secondBits(count[:], first, n)
				table[begin] = isOther | isLonger | used<<16 | width<<8 | first
				used += 1 << width
			}
			start, width := table[begin]>>16, table[begin]>>8&15
			spread(table[start:start+1<<width], reversed>>first, n-first, entry(uint32(symbol), n-first))
		}
		code++
		count[n]--
	}
	return true
}

// spread writes an entry wherever the last n bits of the index are the code.
func spread(table []uint32, code, n, entry uint32) {
	for i := int(code); i < len(table); i += 1 << n {
		table[i] = entry
	}
}

// secondBits is how many bits the index of a second table needs for what is left of the
// code from length n on.
func secondBits(count []uint32, first, n uint32) uint32 {
	left := 1 << (n - first)
	for {
		if left -= int(count[n]); left <= 0 || n == longest {
			return n - first
		}
		left <<= 1
		n++
	}
}
