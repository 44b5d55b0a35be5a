package bind_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"gonum.org/v1/gonum/mat"
)

func boxFunc() bind.Func {
	return bind.Fn("box", "A box of things.", func(_ *bind.Call, p *struct {
		Names []string `arg:"names" pos:"1" doc:"of the things"`
	},
	) (box, error) {
		b := box{}
		for i, name := range p.Names {
			b[name] = i + 1
		}
		return b, nil
	}, bind.Example("toy.box(\"a\").full  --> true"), bind.Returns("a box"))
}

func fitFunc() bind.Func {
	return bind.Fn("fit", "Fits something. And says how.\n\nA second paragraph.", func(_ *bind.Call, p *struct {
		Data      *vec                     `arg:"data" doc:"what to fit"`
		Kernel    kern                     `arg:"kernel" doc:"the kernel"`
		Bias      bind.OrFalse[kern]       `arg:"bias" doc:"kernel of the bias" default:"false"`
		Lambda    bind.Auto[float64]       `arg:"lambda" doc:"penalty" default:"auto" allow:">0"`
		Criterion string                   `arg:"criterion" doc:"how lambda is chosen" default:"reml" allow:"reml|gcv|loo"`
		Tolerance float64                  `arg:"tolerance" doc:"relative" default:"1e-8" allow:"(0,1)"`
		Rows      *span                    `arg:"rows" doc:"which rows" default:"nil"`
		Steps     *int                     `arg:"steps" doc:"at most" allow:">=1"`
		Extra     map[string]float64       `arg:"extra" doc:"anything else" default:"nil"`
		Input     bind.Either[*vec, input] `arg:"input" doc:"inputs, or how to draw them" default:"nil"`
	},
	) (report, error) {
		r := report{Method: p.Criterion, Residual: 1.0 / 3e7, Iterations: 12, Path: []float64{1, 0.5}}
		if !p.Lambda.Auto {
			r.Method = fmt.Sprintf("lambda %g", p.Lambda.Value)
		}
		if p.Bias.Value != nil {
			r.Method += " with bias " + p.Bias.Value.String()
		}
		if p.Input.IsB {
			r.Method += fmt.Sprintf(" input %s x %g", p.Input.B.Kernel, p.Input.B.Scale)
		}
		return r, nil
	}, bind.Example("toy.fit{data={1,2}, kernel=toy.se{}}.method  --> reml"), bind.Returns("how it went"),
		bind.Errors("data is empty"), bind.See("toy.se", "vec:sum"), bind.Keywords("regress"))
}

func toyModule() bind.Module {
	return bind.Module{
		Name: "toy", Doc: "Every style of declaration. For tests.",
		Funcs: []bind.Func{
			boxFunc(),
			bind.Make[kern]("se", "Squared exponential kernel exp(-d²/2).", se{lengths{1}}, nil, bind.Keywords("rbf", "gaussian")),
			bind.Make[kern]("matern", "Matérn kernel of any order.", matern{2.5, lengths{1}}, func(k kern) error { return k.(matern).Check() }),
			bind.Make[kern]("white", "A constructor without arguments.", white{}, nil),
			fitFunc(),
			bind.Fn("uniform", "Equally spaced points.", func(_ *bind.Call, p *struct {
				A    float64 `arg:"a" pos:"1" doc:"left end"`
				B    float64 `arg:"b" pos:"2" doc:"right end"`
				N    int     `arg:"n" pos:"3" doc:"how many" allow:">=2"`
				Name string  `arg:"name" pos:"4" doc:"of the axis" default:"x"`
			},
			) (string, error) {
				return fmt.Sprintf("%s: %g..%g/%d", p.Name, p.A, p.B, p.N), nil
			}, bind.Example("toy.uniform(0, 1, 3)  --> x: 0..1/3")),
			bind.Fn("zeros", "A vector of zeros.", func(_ *bind.Call, p *struct {
				Shape []int `arg:"n" pos:"..." doc:"lengths" allow:">=0 nonempty"`
			},
			) ([]int, error) {
				return p.Shape, nil
			}, bind.Example("#toy.zeros(2, 3)  --> 2")),
			bind.Fn("heatmap", "Draws.", func(_ *bind.Call, p *struct {
				Array *vec `arg:"array" pos:"1" doc:"what"`
				common
			},
			) (string, error) {
				return fmt.Sprintf("%v %q %v", p.Array.x, p.File, p.Log), nil
			}, bind.Example(`toy.heatmap({1}, {log=true})  --> [1] "" true`)),
			bind.Fn("lines", "Draws lines.", func(_ *bind.Call, p *struct {
				Lines []line `arg:"lines" pos:"list" doc:"the lines"`
				common
			},
			) (string, error) {
				return fmt.Sprintf("%d lines to %q", len(p.Lines), p.File), nil
			}, bind.Example(`toy.lines{ {x={1}, y={2}}, file="a.png" }  --> 1 lines to "a.png"`)),
			bind.Fn("symmetric", "Names.", func(_ *bind.Call, p *struct {
				Names []string `arg:"names" pos:"list" doc:"the axes" allow:"x|y|t"`
			},
			) (string, error) {
				return strings.Join(p.Names, "+"), nil
			}, bind.Example(`toy.symmetric{"x", "y"}  --> x+y`)),
			bind.Fn("apply", "f(x).", func(c *bind.Call, p *struct {
				F bind.Function `arg:"f" pos:"1" doc:"any function"`
				X float64       `arg:"x" pos:"2" doc:"its argument"`
			},
			) (float64, error) {
				return p.F.Number(c, p.X)
			}, bind.Example("toy.apply(function(x) return 2*x end, 4)  --> 8")),
			bind.Fn("two", "Quotient and remainder.", func(_ *bind.Call, p *struct {
				A int `arg:"a" pos:"1" doc:"dividend"`
				B int `arg:"b" pos:"2" doc:"divisor"`
			},
			) (bind.Results, error) {
				return bind.Results{p.A / p.B, p.A % p.B}, nil
			}, bind.ReturnsAs("integer", "quotient"), bind.ReturnsAs("integer", "remainder"), bind.Example("toy.two(7, 2)  --> 3\t1")),
			bind.Fn("where", "Position of the call.", func(c *bind.Call, _ *struct{}) (string, error) { return c.Where(), nil },
				bind.Example("toy.where()  --> x:1")),
			bind.Fn("say", "Prints.", func(c *bind.Call, p *struct {
				What []bind.Any `arg:"what" pos:"..." doc:"anything"`
			},
			) (bind.None, error) {
				for _, w := range p.What {
					fmt.Fprint(c.Out, w, ";")
				}
				return bind.None{}, nil
			}, bind.Example("toy.say()  -->")),
			bind.Fn("seed", "Takes what few do.", func(_ *bind.Call, p *struct {
				Seed   uint64      `arg:"seed" doc:"for the draw" default:"1"`
				Byte   uint8       `arg:"byte" doc:"small" default:"0"`
				Nan    float64     `arg:"nan" doc:"may be NaN" default:"0" allow:"nan"`
				Fin    float64     `arg:"fin" doc:"not infinite" default:"0" allow:"finite"`
				Range  span        `arg:"range" doc:"interval" default:"all"`
				Ends   []float64   `arg:"ends" doc:"of the interval" default:"{0, 1}"`
				Nested [][]float64 `arg:"nested" doc:"rows" default:"{}"`
			},
			) (string, error) {
				return fmt.Sprint(p.Seed, p.Byte, p.Nan, p.Fin, p.Range, p.Ends, p.Nested), nil
			}, bind.Example("toy.seed{}  --> 1 0 0 0 {-Inf +Inf} [0 1] []")),
			bind.Fn("gadget", "Makes a gadget.", func(_ *bind.Call, _ *struct{}) (*gadget, error) { return &gadget{3}, nil },
				bind.Example("toy.gadget()  --> gadget")),
			bind.Fn("fail", "Fails in a given way.", func(c *bind.Call, p *struct {
				How string `arg:"how" pos:"1" doc:"which way"`
			},
			) (bind.None, error) {
				return bind.None{}, fail(c, p.How)
			}, bind.Example("toy.fail('not')  -->")),
		},
		Types: []bind.Type{
			bind.TypeOf[*vec]("vec", "Numbers.",
				bind.From("table|number", vecFrom),
				bind.As(func(_ *bind.Call, v *vec) ([]float64, error) { return v.x, nil }),
				bind.Methods(
					bind.Fn("sum", "Sum of the elements.", func(_ *bind.Call, p *struct {
						Self *vec `arg:"self"`
						From int  `arg:"from" pos:"1" doc:"first element" default:"1" allow:">=1"`
					},
					) (float64, error) {
						total := 0.0
						for _, x := range p.Self.x[min(p.From-1, len(p.Self.x)):] {
							total += x
						}
						return total, nil
					}, bind.Example("toy.vec{1,2}:sum()  --> 3")),
					bind.Fn("dot", "Inner product.", func(_ *bind.Call, p *struct {
						Self  *vec `arg:"self"`
						Other *vec `arg:"other" pos:"1" doc:"as long"`
					},
					) (float64, error) {
						return mat.Dot(mat.NewVecDense(len(p.Self.x), p.Self.x), mat.NewVecDense(len(p.Other.x), p.Other.x)), nil
					}, bind.Example("toy.vec{1,2}:dot{3,4}  --> 11")),
					bind.Fn("scale", "Multiplied.", func(_ *bind.Call, p *struct {
						Self *vec    `arg:"self"`
						By   float64 `arg:"by" doc:"factor"`
					},
					) (*vec, error) {
						out := &vec{}
						for _, x := range p.Self.x {
							out.x = append(out.x, p.By*x)
						}
						return out, nil
					}, bind.Example("toy.vec{1,2}:scale{by=2}  --> [2 4]")),
				),
				bind.Properties(
					bind.Prop("shape", "lengths of the axes", func(v *vec) []int { return []int{len(v.x)} }),
					bind.Prop("me", "the same value", func(v *vec) *vec { return v }),
				),
				bind.Operators(
					bind.Binary("__add", "Sum.", func(_ *bind.Call, a, b bind.Either[float64, *vec]) (*vec, error) { return vecAdd(a, b) }),
					bind.Unary("__unm", "Negative.", func(_ *bind.Call, a *vec) (*vec, error) {
						out := &vec{}
						for _, x := range a.x {
							out.x = append(out.x, -x)
						}
						return out, nil
					}),
				),
				bind.Index("Element i.", func(_ *bind.Call, v *vec, i int) (float64, error) {
					if i < 1 || i > len(v.x) {
						return 0, fmt.Errorf("index %d: must be in 1 … %d", i, len(v.x))
					}
					return v.x[i-1], nil
				}),
				bind.NewIndex("Sets element i.", func(_ *bind.Call, v *vec, i int, x float64) error {
					if i < 1 || i > len(v.x) {
						return fmt.Errorf("index %d: must be in 1 … %d", i, len(v.x))
					}
					v.x[i-1] = x
					return nil
				}),
				bind.Len("Number of elements.", func(v *vec) int { return len(v.x) }),
			),
			bind.TypeOf[box]("box", "Things by name.",
				bind.Methods(bind.Fn("count", "How many.", func(_ *bind.Call, p *struct {
					Self box `arg:"self"`
				},
				) (int, error) {
					return len(p.Self), nil
				}, bind.Example("toy.box{\"a\", \"b\"}:count()  --> 2"))),
				bind.Properties(bind.Prop("full", "whether it holds anything", func(b box) bool { return len(b) > 0 })),
				bind.Members("things", "A thing of the box.", box.names, func(b box, name string) bind.Either[*vec, kern] {
					if b[name] == 1 {
						return bind.First[*vec, kern](&vec{[]float64{1}})
					}
					return bind.Second[*vec, kern](white{})
				}, bind.Example("toy.box{\"a\", \"b\"}.a:sum()  --> 1"), bind.Example("print(toy.box{\"a\", \"b\"}.b)  --> toy.white{}")),
			),
			bind.TypeOf[kern]("kernel", "A kernel.",
				bind.Operators(
					bind.Binary("__add", "Sum of kernels.", func(_ *bind.Call, a, b kern) (kern, error) { return sum{a, b}, nil }),
					bind.Binary("__mul", "Scaled kernel.", func(_ *bind.Call, a, b bind.Either[float64, kern]) (kern, error) {
						if a.IsB == b.IsB {
							return nil, errors.New("want a number on one side")
						}
						if a.IsB {
							return scaled{b.A, a.B}, nil
						}
						return scaled{a.A, b.B}, nil
					}),
				),
				bind.CallMeta(bind.Fn("__call", "k(d).", func(_ *bind.Call, p *struct {
					Self kern    `arg:"self"`
					D    float64 `arg:"d" pos:"1" doc:"distance"`
				},
				) (float64, error) {
					return p.Self.At(p.D), nil
				})),
			),
			bind.TypeOf[*gadget]("gadget", "A thing.",
				bind.Operators(
					bind.Binary("__add", "Any sum with a gadget.", func(_ *bind.Call, a, b bind.Either[*gadget, *vec]) (string, error) {
						return "gadget sum", nil
					}),
				)),
		},
		Values:   []bind.Value{{Name: "version", Doc: "of the toy", Value: "1.2"}},
		Adapters: []bind.Adapter{bind.Adapt(`number|number[]|"auto"`, lengthsFrom, func(l lengths) any { return []float64(l) })},
	}
}

func vecModule() bind.Module {
	call := bind.Fn("vec", "Makes a vec.", func(_ *bind.Call, p *struct {
		X *vec `arg:"x" pos:"1" doc:"the numbers"`
	},
	) (*vec, error) {
		return p.X, nil
	}, bind.Example("vec{1,2}  --> [1 2]"))
	return bind.Module{Name: "vec", Doc: "A module that can be called.", Call: &call, Funcs: []bind.Func{
		bind.Fn("ones", "Ones.", func(_ *bind.Call, p *struct {
			N int `arg:"n" pos:"1" doc:"how many" allow:">=0"`
		},
		) (*vec, error) {
			v := &vec{make([]float64, p.N)}
			for i := range v.x {
				v.x[i] = 1
			}
			return v, nil
		}, bind.Example("vec.ones(2)  --> [1 1]")),
	}}
}

func globalModule() bind.Module {
	return bind.Module{Name: "globals", Doc: "Functions without a module.", Global: true, Funcs: []bind.Func{
		bind.Fn("choose", "One of two.", func(_ *bind.Call, p *struct {
			If   bool     `arg:"condition" pos:"1" doc:"which"`
			Then bind.Any `arg:"a" pos:"2" doc:"if true"`
			Else bind.Any `arg:"b" pos:"3" doc:"if false"`
		},
		) (bind.Any, error) {
			if p.If {
				return p.Then, nil
			}
			return p.Else, nil
		}, bind.Example("choose(true, 1, 2)  --> 1")),
	}}
}
