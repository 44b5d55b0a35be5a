package decimal

import "testing"

// Numbers as people write them are numbers, whatever the marks; dates, versions, addresses and
// quantities with units are none.
func TestAlike(t *testing.T) {
	for _, text := range []string{"1", "-1.5", "1,5", "+,5", "5,", "1,500", "1.500,25", "1,500.25", "1,234,567", "1.234.567", "1 000", "1 000,5", "1'000", "1’000.5", "1_000", "12\u202f500", "−1,5", "−2.5", "1,5e3", "1.5D-3"} {
		if !Alike([]byte(text)) {
			t.Errorf("%q is meant as a number", text)
		}
	}
	for _, text := range []string{"", "-", "x", "1.2.3", "1.2.2024", "192.168.1.10", "1234,567,8", "1,23,456", "1.5mm", "50 %", "--1", "1 2", "12:30", "e3", "030 123 456", "1,5 2,5", "inf", "NA", "1.5 # x"} {
		if Alike([]byte(text)) {
			t.Errorf("%q is no number", text)
		}
	}
}

// One sign is the decimal sign; two of them, or commas that may all be between thousands, are
// asked about, whatever the order in which parts of a text are joined.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		fields    []string
		separator byte
		sign      byte // 0: refused
	}{
		{[]string{"1", "2"}, ' ', '.'},
		{[]string{"1.5", "2"}, ';', '.'},
		{[]string{"1,5", "2,500"}, '\t', ','},
		{[]string{"1,500", "2,500"}, '\t', 0},
		{[]string{"1,500", "2,500"}, ';', ','},
		{[]string{"0,500", "2,500"}, '\t', ','},
		{[]string{"1,500", "2.5"}, ';', 0},
		{[]string{"1,5", "2.5"}, '\t', 0},
		{[]string{"1,5", "2"}, ',', 0},
		{[]string{"1.234.567", "NA"}, ';', '.'},
	} {
		var all, a, b Marks
		for i, f := range c.fields {
			all.Add([]byte(f), i+1)
			part := []*Marks{&b, &a}[i%2]
			part.Add([]byte(f), i+1)
		}
		a.Join(b)
		if all != a {
			t.Errorf("%q: joined %+v, want %+v", c.fields, a, all)
		}
		sign, err := all.Sign(c.separator, "line")
		if (err == nil) != (c.sign != 0) || err == nil && sign != c.sign {
			t.Errorf("%q: sign %q, %v, want %q", c.fields, sign, err, c.sign)
		}
	}
}
