package stdlib

import lua "github.com/yuin/gopher-lua"

// tableSort (table [, before]) sorts items 1 to n in place. The algorithm is that of ltablib.c: it notices an order that
// contradicts itself where a careless one would run out of the table, and compares the same pairs as Lua 5.1.
func tableSort(c call) int {
	table := c.table(1)
	s := sorter{c: c, items: make([]lua.LValue, table.Len())}
	if c.has(2) {
		s.before = c.function(2)
	}
	for i := range s.items {
		s.items[i] = table.RawGetInt(i + 1)
	}
	s.sort(0, len(s.items)-1)
	for i, v := range s.items {
		table.RawSetInt(i+1, v)
	}
	return 0
}

type sorter struct {
	c           call
	items       []lua.LValue
	before      *lua.LFunction // nil: <
	comparisons int
}

func (s *sorter) less(a, b lua.LValue) bool {
	if s.before != nil {
		return lua.LVAsBool(invoke(s.c.LState, s.before, a, b))
	}
	if s.comparisons++; s.comparisons%pollEvery == 0 {
		if err := s.c.lib.session.Err(); err != nil {
			s.c.refuse("%v", err)
		}
	}
	return s.c.LessThan(a, b)
}

func (s *sorter) swap(i, j int) { s.items[i], s.items[j] = s.items[j], s.items[i] }

// sort sorts items[l:u+1] by quicksort with the median of three, the larger part last and without recursion.
func (s *sorter) sort(l, u int) {
	for l < u {
		if s.less(s.items[u], s.items[l]) {
			s.swap(l, u)
		}
		if u-l == 1 {
			return
		}
		m := (l + u) / 2
		if s.less(s.items[m], s.items[l]) {
			s.swap(m, l)
		} else if s.less(s.items[u], s.items[m]) {
			s.swap(m, u)
		}
		if u-l == 2 {
			return
		}
		pivot := s.items[m]
		s.swap(m, u-1)
		i := s.partition(l, u, pivot)
		s.swap(u-1, i)
		if i-l < u-i {
			s.sort(l, i-1)
			l = i + 1
		} else {
			s.sort(i+1, u)
			u = i - 1
		}
	}
}

// partition moves what is less than the pivot to the left, what is greater to the right, and returns the border.
func (s *sorter) partition(l, u int, pivot lua.LValue) int {
	i, j := l, u-1
	for {
		for i++; s.less(s.items[i], pivot); i++ {
			if i > u-1 {
				s.c.refuse("invalid order function for sorting")
			}
		}
		for j--; s.less(pivot, s.items[j]); j-- {
			if j < l+1 {
				s.c.refuse("invalid order function for sorting")
			}
		}
		if j < i {
			return i
		}
		s.swap(i, j)
	}
}
