package files_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/files"
)

// Two arrays are saved into one file, as NumPy's savez does, and read by name and all at once.
func Example() {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "waves.npz")
	x, err := array.Of([]float64{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	if err := files.SaveAll(path, map[string]*array.Array{"x": x, "v": array.Vector([]float64{5, 6})}); err != nil {
		log.Fatal(err)
	}
	v, err := files.Load(path, "v")
	if err != nil {
		log.Fatal(err)
	}
	all, err := files.LoadAll(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Data, len(all), all["x"].At(1, 0))
	if err := files.Save(filepath.Join(dir, "v.npy"), v); err != nil {
		log.Fatal(err)
	}
	// Output: [5 6] 2 3
}
