package bind_test

import (
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// A Wave is a parameter struct: its tags are the arguments of its constructor.
type Wave struct {
	Omega float64 `arg:"omega" doc:"angular frequency" allow:">0"`
	Shape string  `arg:"shape" doc:"sine or square" default:"sine" allow:"sine|square"`
}

// At is the value at time t.
func (w Wave) At(t float64) float64 {
	v := math.Sin(w.Omega * t)
	if w.Shape == "square" {
		return math.Copysign(1, v)
	}
	return v
}

func (w Wave) String() string { return fmt.Sprintf("wave.new{omega=%g, shape=%q}", w.Omega, w.Shape) }

// One declaration per function: the module below has checked arguments, help
// and error texts without another line.
func Example() {
	wave := bind.Module{
		Name: "wave",
		Doc:  "Periodic functions of time.",
		Funcs: []bind.Func{
			bind.Make("new", "A wave of amplitude 1.", Wave{Omega: 2, Shape: "sine"}, nil),
			bind.Fn("beat", "Sum of two waves at a time.", func(_ *bind.Call, p *struct {
				A    Wave    `arg:"a" pos:"1" doc:"a wave"`
				B    Wave    `arg:"b" pos:"2" doc:"another"`
				Time float64 `arg:"time" doc:"in seconds" default:"0"`
			},
			) (float64, error) {
				return p.A.At(p.Time) + p.B.At(p.Time), nil
			}, bind.Example("wave.beat(wave.new{omega=1}, wave.new{omega=2}, {time=0})  --> 0")),
		},
		Types: []bind.Type{bind.TypeOf[Wave]("wave", "A periodic function of time.",
			bind.Properties(bind.Prop("period", "length of a period", func(w Wave) float64 { return 2 * math.Pi / w.Omega })),
			bind.CallMeta(bind.Fn("__call", "The value at a time.", func(_ *bind.Call, p *struct {
				Self Wave    `arg:"self"`
				Time float64 `arg:"time" pos:"1" doc:"in seconds"`
			},
			) (float64, error) {
				return p.Self.At(p.Time), nil
			})),
		)},
	}
	L := lua.NewState()
	defer L.Close()
	reg := bind.New(wave)
	reg.Open(L, bind.Env{})
	for _, code := range []string{
		`w = wave.new{omega = math.pi}  print(w, w.period, w(0.5))`,
		`print(wave.beat(w, w, {time = 0.5}))`,
		`wave.new{omega = -1}`,
		`wave.new{omega = 1, shape = "sqare"}`,
		`wave.beat(w)`,
	} {
		if err := L.DoString(code); err != nil {
			text, _, _ := strings.Cut(err.Error(), "\nstack traceback")
			fmt.Println(text)
		}
	}
	page, _ := reg.Page("wave.beat", 60)
	fmt.Print(page)

	// Output:
	// wave.new{omega=3.141592653589793, shape="sine"}	2	1
	// 2
	// <string>:1: wave.new: omega -1: must be > 0
	//   usage: wave.new{omega, shape="sine"}
	// <string>:1: wave.new: shape "sqare": must be "sine" or "square"; did you mean "square"?
	//   usage: wave.new{omega, shape="sine"}
	// <string>:1: wave.beat: b: missing; want a wave
	//   usage: wave.beat(a, b [, {time=0}])
	// wave.beat(a, b [, {time=0}]) -> number
	//
	//   Sum of two waves at a time.
	//
	// Arguments
	//   a     wave
	//         a wave
	//   b     wave
	//         another
	//   time  number, default 0
	//         in seconds
	//
	// Example
	//   wave.beat(wave.new{omega=1}, wave.new{omega=2}, {time=0})  --> 0
}
