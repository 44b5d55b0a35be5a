package kernel

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Vanishing is φ(p) φ(q) base(p, q) with φ(p) = Π (p_c - place), over the coordinates
// c and places of Where: functions that are zero there, as Green's functions are on a
// boundary with Dirichlet values. It keeps the structure of base.
type Vanishing struct {
	Base  Kernel               `arg:"base" doc:"kernel of what remains after division by the factors"`
	Where map[string][]float64 `arg:"where" doc:"places where the functions are zero, by coordinate: {x = {0, 1}, y = {0, 1}}" allow:"nonempty"`
}

func (Vanishing) isKernel() {}

func (k Vanishing) check() error {
	if len(k.Where) == 0 {
		return fmt.Errorf("where: must name a coordinate and its places")
	}
	for name, places := range k.Where {
		if len(places) == 0 {
			return fmt.Errorf("where.%s: must hold at least one place", name)
		}
		for _, v := range places {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("where.%s %g: must be finite", name, v)
			}
		}
	}
	return checkAll([]Kernel{k.Base})
}

func (k Vanishing) String() string {
	var where []string
	for _, name := range slices.Sorted(maps.Keys(k.Where)) {
		var places []string
		for _, v := range k.Where[name] {
			places = append(places, strconv.FormatFloat(v, 'g', -1, 64))
		}
		where = append(where, name+"={"+strings.Join(places, ", ")+"}")
	}
	return fmt.Sprintf("vanishing{base=%s, where={%s}}", k.Base, strings.Join(where, ", "))
}
