package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/sorting"
)

// Record is the result of one task.
type Record struct {
	Values  map[string]any `json:"values"`
	Seed    uint64         `json:"seed"` // of the task
	Code    string         `json:"code"` // digest of the computation
	Seconds float64        `json:"seconds"`
	Result  map[string]any `json:"result"`

	Err error `json:"-"` // why there is no result
}

// isOf reports whether a record says itself that it is of a task: a file may have been copied.
func (r Record) isOf(t Task) bool {
	own, err := json.Marshal(finite(r.Values))
	asked, other := json.Marshal(finite(t.Values))
	return err == nil && other == nil && r.Seed == t.Seed && bytes.Equal(own, asked)
}

// Store is a directory with a file for each result.
type Store string

const extension = ".json"

// errDamaged is of a file that ends before its result does, as when the machine failed while it was written.
var errDamaged = errors.New("is not the result of a task")

func (s Store) path(key string) string { return filepath.Join(string(s), key+extension) }

// Get reads the record of a task; ok is false if there is none.
func (s Store) Get(key string) (r Record, ok bool, err error) {
	r, err = s.read(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	return r, err == nil, err
}

// Put writes the record of a task, as a whole or not at all.
func (s Store) Put(key string, r Record) error {
	r.Values = finite(r.Values).(map[string]any)
	r.Result = finite(r.Result).(map[string]any)
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return arrays.WriteAtomic(s.path(key), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// All reads every record, in the order of their values.
func (s Store) All() ([]Record, error) {
	entries, err := os.ReadDir(string(s))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("no such directory")
		}
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	var records []Record
	var damaged []error
	for _, e := range entries {
		if !isResult(e.Name()) {
			continue
		}
		r, err := s.read(filepath.Join(string(s), e.Name()))
		switch {
		case errors.Is(err, errDamaged):
			damaged = append(damaged, err)
		case err != nil:
			return nil, err
		default:
			records = append(records, r)
		}
	}
	if len(damaged) > 0 {
		return nil, fmt.Errorf("%w; run the sweep again, which computes what is damaged, or remove the files", errors.Join(damaged...))
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no results of a sweep here", s)
	}
	sorting.By(records, byValues)
	return records, nil
}

// isResult tells the files of results by their names, 16 hexadecimal digits.
func isResult(name string) bool {
	key, ok := strings.CutSuffix(name, extension)
	if !ok || len(key) != 16 {
		return false
	}
	_, err := strconv.ParseUint(key, 16, 64)
	return err == nil
}

func (s Store) read(path string) (r Record, err error) {
	text, err := arrays.ReadRegular(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w (%w)", path, errDamaged, err)
	}
	r.Values, _ = restored(r.Values).(map[string]any)
	r.Result, _ = restored(r.Result).(map[string]any)
	return r, nil
}

// Mixed says, in words, what records of a directory are not of one sweep; "" where they may be.
func Mixed(records []Record) string {
	versions, seen, repeated := map[string]bool{}, map[string]bool{}, 0
	for _, r := range records {
		versions[r.Code] = true
		values, err := json.Marshal(finite(r.Values))
		if err == nil && seen[string(values)] {
			repeated++
		}
		seen[string(values)] = true
	}
	var parts []string
	if len(versions) > 1 {
		parts = append(parts, fmt.Sprintf("of %d versions of run", len(versions)))
	}
	if repeated > 0 {
		parts = append(parts, fmt.Sprintf("%d of them of combinations that others are of, with another seed", repeated))
	}
	return strings.Join(parts, ", ")
}

// byValues orders numbers by size and everything else as text.
func byValues(a, b Record) int {
	var names []string
	for name := range a.Values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		x, xn := a.Values[name].(float64)
		y, yn := b.Values[name].(float64)
		switch {
		case xn && yn && x < y:
			return -1
		case xn && yn && x > y:
			return 1
		case xn && yn:
			continue
		}
		if c := strings.Compare(fmt.Sprint(a.Values[name]), fmt.Sprint(b.Values[name])); c != 0 {
			return c
		}
	}
	return 0
}

// special is the key of numbers that JSON does not have.
const special = "number"

// finite replaces the numbers that JSON does not have.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return map[string]any{special: strconv.FormatFloat(v, 'g', -1, 64)}
		}
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = finite(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = finite(e)
		}
		return out
	}
	return v
}

// restored undoes finite.
func restored(v any) any {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			v[i] = restored(e)
		}
	case map[string]any:
		if text, ok := v[special].(string); ok && len(v) == 1 {
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				return x
			}
		}
		for k, e := range v {
			v[k] = restored(e)
		}
	}
	return v
}
