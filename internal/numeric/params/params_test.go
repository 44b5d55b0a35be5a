package params_test

import (
	"testing"

	"github.com/greenbench/workbench/internal/numeric/params"
)

// What a struct is written as are its arguments alone: not what has no tag or the tag -, nor flags that are not set.
func TestText(t *testing.T) {
	of := struct {
		Inner error   `arg:"-"`
		Size  float64 `arg:"size"`
		Off   bool    `arg:"off"`
		On    bool    `arg:"on"`
		Own   int
	}{Size: .5, On: true, Own: 3}
	if got, want := params.Text("box", of), "box{size=0.5, on=true}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
