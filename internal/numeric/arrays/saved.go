package arrays

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// The texts by which files are known that hold something saved, with its arrays. The header of a part
// has a prefix, but for the data of a model, whose file has the header of a dataset, too.
const (
	ModelHeader      = "model.json"
	NetworkHeader    = "network.json"
	JointHeader      = "joint.json"
	PropagatorHeader = "propagator.json"
	EstimateHeader   = "estimate.json"
	DatasetHeader    = "dataset.json"
)

// What files hold that [Saved] knows.
const (
	SavedEstimate = "a saved estimate"
	SavedPairs    = "saved pairs"
)

// Saved says what a file holds that something was saved into, such as "a saved model", by its header; "" for other files.
func Saved(f Parts) (string, error) {
	for _, kind := range []struct{ header, what string }{
		{ModelHeader, "a saved model"},
		{NetworkHeader, "a saved network"},
		{JointHeader, "a saved network"},
		{PropagatorHeader, "a saved propagator"},
		{EstimateHeader, SavedEstimate},
		{DatasetHeader, SavedPairs},
	} {
		if _, ok, err := f.Text(kind.header); ok || err != nil {
			return kind.what, err
		}
	}
	return "", nil
}

// CheckEnding refuses a path to save to that does not end as one of the files that what is saved, such as "estimates",
// may be written to, and says how the path may be called. The endings are in small letters, the usual one first.
func CheckEnding(path, what string, endings ...string) error {
	extension := filepath.Ext(path)
	if slices.Contains(endings, strings.ToLower(extension)) {
		return nil
	}
	last := len(endings) - 1
	allowed := strings.TrimPrefix(strings.Join(endings[:last], ", ")+" or "+endings[last], " or ")
	base, name := strings.TrimSuffix(filepath.Base(path), extension), "results"+endings[0]
	switch {
	case path == "":
		return fmt.Errorf("the name of the file is empty: %s are saved as %s; give one such as %q", what, allowed, name)
	case strings.Trim(filepath.Base(path), "./\\") == "" || strings.HasSuffix(path, "/"):
		return fmt.Errorf("%s: is a folder: %s are saved as %s; give a file in it, such as %q", path, what, allowed, name)
	case extension == "":
		return fmt.Errorf("%s: has no extension: %s are saved as %s; give one such as %q", path, what, allowed, base+endings[0])
	}
	return fmt.Errorf("%s: extension %q: %s are saved as %s; give one such as %q", path, extension, what, allowed, base+endings[0])
}
