// Package sweep runs a computation for every combination of the values of some
// parameters, and keeps each result in a file of its own: [Sweep.Run] takes up
// where an earlier run ended. A [Part] of it is what one of several machines does;
// [Batch] submits all parts to a cluster.
//
// Values are what JSON knows: numbers, which may be infinite or NaN, text, booleans,
// lists and maps of them.
package sweep

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Parameter is a name and the values it takes.
type Parameter struct {
	Name   string
	Values []any
}

// Task is one combination of values.
type Task struct {
	Index  int            // from 0, in the order of the grid
	At     []int          // place of each value in its parameter
	Values map[string]any // by the parameters' names
	Key    string         // tells the combination and the seed from all others
	Seed   uint64         // of this task: below 2³¹, the same whatever else is in the grid
}

// Tasks lists all combinations: the last parameter changes fastest. Two combinations
// that are the same are an error.
func Tasks(grid []Parameter, seed uint64) ([]Task, error) {
	if len(grid) == 0 {
		return nil, fmt.Errorf("grid: names no parameter; {lambda = {1e-6, 1e-4}, n = {10, 100}} has two")
	}
	count := 1
	for _, p := range grid {
		if len(p.Values) == 0 {
			return nil, fmt.Errorf("grid: %s: has no values", p.Name)
		}
		if count *= len(p.Values); count > maxTasks {
			return nil, fmt.Errorf("grid: has more than %d combinations", maxTasks)
		}
	}
	tasks, seen := make([]Task, count), map[string]int{}
	for i := range tasks {
		t := &tasks[i]
		t.Index, t.At, t.Values = i, make([]int, len(grid)), map[string]any{}
		rest := i
		for k, p := range slices.Backward(grid) {
			t.At[k] = rest % len(p.Values)
			rest /= len(p.Values)
			t.Values[p.Name] = p.Values[t.At[k]]
		}
		if err := t.identify(seed); err != nil {
			return nil, err
		}
		if j, ok := seen[t.Key]; ok {
			return nil, fmt.Errorf("grid: combinations %d and %d are the same: %s", j+1, i+1, t)
		}
		seen[t.Key] = i
	}
	return tasks, nil
}

const maxTasks = 1_000_000

func (t *Task) identify(seed uint64) error {
	text, err := json.Marshal(map[string]any{"values": finite(t.Values), "seed": seed})
	if err != nil {
		return fmt.Errorf("grid: %s: %w", t, err)
	}
	sum := sha256.Sum256(text)
	t.Key = hex.EncodeToString(sum[:8])
	t.Seed = uint64(binary.LittleEndian.Uint32(sum[8:]) >> 1)
	return nil
}

// String is the values by name.
func (t Task) String() string {
	names := make([]string, 0, len(t.Values))
	for name := range t.Values {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s = %v", name, t.Values[name])
	}
	return strings.Join(names, ", ")
}
