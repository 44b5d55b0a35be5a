package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
)

// A prepared is a type of samples whose preparation is that of tables.
type prepared[T any] struct {
	of     func(T) *dataset.Table
	seen   func(T) *dataset.Table       // to be looked at
	pick   func(T, []int) (T, error)    // samples, counted from 0
	join   func(...T) (T, error)        // one after the other
	common func(d T, what string) error // refuses inputs on points of their own
	parts  func(d T, train int, seed uint64) (first, rest T, err error)
	back   func(from T, t *dataset.Table) (T, error)
	name   string // of the type
	sample string // code that makes d
	one    string // what a sample is called
}

func preparedPairs() prepared[*dataset.Dataset] {
	return prepared[*dataset.Dataset]{
		of: (*dataset.Dataset).Table, seen: prepare.Measured, pick: (*dataset.Dataset).Select, join: prepare.ConcatPairs,
		common: func(d *dataset.Dataset, what string) error {
			if d.Curves == nil {
				return nil
			}
			return fmt.Errorf("the inputs each have points of their own, and %s takes inputs on one mesh: resample them", what)
		},
		back: func(from *dataset.Dataset, t *dataset.Table) (*dataset.Dataset, error) {
			d, err := t.Pair("input", "output")
			if err != nil {
				return nil, err
			}
			d.NoiseLevel = from.NoiseLevel
			if from.Curves != nil { // the inputs have not changed
				d.Curves = from.Curves
			}
			return d, nil
		},
		parts: (*dataset.Dataset).Split, name: "dataset", sample: sampleData, one: "pair",
	}
}

func preparedFrames() prepared[frame] {
	return prepared[frame]{
		of: func(t frame) *dataset.Table { return t }, seen: func(t frame) *dataset.Table { return t },
		pick: frame.Select, join: prepare.Concat, common: func(frame, string) error { return nil },
		back:  func(_ frame, t frame) (frame, error) { return t, nil },
		parts: frame.Split, name: "frame", sample: sampleFrame, one: "sample",
	}
}

// change is the way to a table, through a preparation, and back.
func (p prepared[T]) change(d T, how func(*dataset.Table) (*dataset.Table, error)) (T, error) {
	t, err := how(p.of(d))
	if err != nil {
		var none T
		return none, err
	}
	return p.back(d, t)
}

// methods are those that datasets and frames have in common.
func (p prepared[T]) methods() []bind.Func {
	return []bind.Func{
		p.summary(), p.plot(), p.detrend(), p.average(), p.concat(), p.shuffle(), p.without(), p.window(), p.split(),
	}
}

func (p prepared[T]) see(methods ...string) bind.Option {
	for i, m := range methods {
		methods[i] = p.name + ":" + m
	}
	return bind.See(methods...)
}

func (p prepared[T]) summary() bind.Func {
	return bind.Fn("summary", `What the data look like before a fit: ranges, spread, missing values, repeats, outliers, and what looks like a mistake. It prints as a table with notes.

The spread is by how much functions differ between samples, at the same point. Outliers are judged against medians: a sample is one as a whole when its distance from the median sample is more than 8 robust standard deviations above the usual, and more than 7 times the usual; a value when it is 6 from the median at its point and 8 from its neighbours. With fewer than 5 samples nothing is called an outlier. Nothing is changed: d:without leaves samples out.`, func(c *bind.Call, a *struct {
		Data T `arg:"self"`
	},
	) (*prepare.Summary, error) {
		return prepare.Summarize(c, p.seen(a.Data))
	}, bind.Example(p.sample+`s = d:summary()
print(s.n, #s.notes, #s.repeats)  --> `+map[string]string{"dataset": "20", "frame": "15"}[p.name]+"\t0\t0"), bind.ReturnsAs("summary", "what there is, by name"),
		bind.Keywords("describe", "info", "overview", "outlier", "check data", "quality", "duplicates"), p.see("plot", "without", "average"))
}

func (p prepared[T]) plot() bind.Func {
	return bind.Fn("plot", "A picture of the data: all "+p.one+"s as curves in grey and some in colour, those with the smallest, the middle and the largest output unless said otherwise; functions on a grid as heat maps.", func(c *bind.Call, a *struct {
		Data T     `arg:"self"`
		Some []int `arg:"some" doc:"the ones in colour, counted from 1" default:"nil"`
		destination
	},
	) (plot.Figure, error) {
		f, err := prepare.Figure(p.seen(a.Data), fromOne(a.Some))
		if err != nil {
			return nil, fmt.Errorf("some: %w", err)
		}
		return a.finish(c, f)
	}, bind.Example(p.sample+"print(d:plot{some = {1, 2}, show = false})  --> grid, 1 row"), drawn(), p.see("summary"))
}

func (p prepared[T]) detrend() bind.Func {
	return bind.Fn("detrend", "Takes from each function its own polynomial of least squares, such as a drift of the instrument. Missing outputs stay missing.", func(c *bind.Call, a *struct {
		Data  T      `arg:"self"`
		Order int    `arg:"order" doc:"of the polynomial: 0 takes the mean, 1 a straight line" default:"1" allow:"[0,10]"`
		Of    string `arg:"of" doc:"which functions" default:"output" allow:"output|input|both"`
	},
	) (T, error) {
		if err := p.common(a.Data, "detrending inputs"); err != nil && a.Of != "output" {
			return a.Data, err
		}
		return p.change(a.Data, func(t *dataset.Table) (*dataset.Table, error) {
			return prepare.Detrend(c, t, prepare.Trend{Order: a.Order, Inputs: a.Of != "output", Output: a.Of != "input"})
		})
	}, bind.Example(p.sample+map[string]string{
		"dataset": "flat = d:detrend{order = 0}\nprint(math.abs(flat.output:sum()) < 1e-12, flat.input == d.input)  --> true\ttrue",
		"frame":   "flat = d:detrend{order = 0}\nprint(math.abs(flat.output.u:sum()) < 1e-12)  --> true",
	}[p.name]), bind.ReturnsAs(p.name, "a new one"), bind.Errors("a function has no more values than the polynomial has coefficients"),
		bind.Keywords("drift", "baseline", "trend"), p.see("map"))
}

func (p prepared[T]) average() bind.Func {
	return bind.Fn("average", "Averages repeated measurements: "+p.one+`s with the same inputs become one, with the mean of their outputs, in the order of the first of each; or so many in a row, with block.

A mean is over the values that were observed at each point. Outputs averaged over k repeats have noise 1/√k as large, so that unequal counts mean unequal noise, which a fit takes as equal.`, func(_ *bind.Call, a *struct {
		Data      T       `arg:"self"`
		Block     *int    `arg:"block" doc:"takes so many in a row together, whatever their inputs, with the mean of these; the last block is what is left" allow:">=1"`
		Tolerance float64 `arg:"tolerance" doc:"by how much inputs may differ and be the same, as a fraction of the largest value of the inputs" default:"0" allow:"[0,1)"`
	},
	) (bind.Results, error) {
		if err := p.common(a.Data, "average"); err != nil {
			return nil, err
		}
		how := prepare.Averaging{Tolerance: a.Tolerance}
		if a.Block != nil {
			how.Block = *a.Block
		}
		var counts []int
		out, err := p.change(a.Data, func(t *dataset.Table) (out *dataset.Table, err error) {
			out, counts, err = prepare.Average(t, how)
			return out, err
		})
		if err != nil {
			return nil, err
		}
		of := make([]float64, len(counts))
		for i, n := range counts {
			of[i] = float64(n)
		}
		return bind.Results{out, array.Vector(of)}, nil
	}, bind.Example(p.sample+"both, counts = d:concat(d):average()\nprint(both.n == d.n, counts:max())  --> true\t2"),
		bind.ReturnsAs(p.name, "the means"), bind.ReturnsAs("array", "of how many each is the mean"),
		bind.Errors("a block mixes labels or parameters"), bind.Keywords("repeats", "replicates", "mean"), p.see("summary", "concat"))
}

func (p prepared[T]) concat() bind.Func {
	return bind.Fn("concat", "The "+p.one+"s of this and of others, one after the other, on the same meshes.", func(_ *bind.Call, a *struct {
		Data   T   `arg:"self"`
		Others []T `arg:"other" pos:"..." doc:"what comes after" allow:"nonempty"`
	},
	) (T, error) {
		return p.join(append([]T{a.Data}, a.Others...)...)
	}, bind.Example(p.sample+"print(d:take(1, 5):concat(d:take(11, 13)).n)  --> 8"), bind.ReturnsAs(p.name, "a new one"),
		bind.Errors("meshes or names differ"), bind.Keywords("append", "join", "merge", "stack"), p.see("take", "shuffle"))
}

func (p prepared[T]) shuffle() bind.Func {
	return bind.Fn("shuffle", "The same "+p.one+"s in a random order.", func(_ *bind.Call, a *struct {
		Data T      `arg:"self"`
		Seed uint64 `arg:"seed" doc:"of the order" default:"1"`
	},
	) (T, error) {
		return p.pick(a.Data, prepare.Shuffled(p.of(a.Data).N(), a.Seed))
	}, bind.Example(p.sample+"print(d:shuffle{seed = 3}.n == d.n)  --> true"), bind.ReturnsAs(p.name, "a new one"), bind.Keywords("permute", "random order"), p.see("split"))
}

func (p prepared[T]) without() bind.Func {
	return bind.Fn("without", "All "+p.one+"s but some.", func(_ *bind.Call, a *struct {
		Data T     `arg:"self"`
		Some []int `arg:"some" pos:"1" doc:"the ones to leave out, counted from 1"`
	},
	) (T, error) {
		rest, err := prepare.Without(p.of(a.Data).N(), fromOne(a.Some))
		if err != nil {
			return a.Data, fmt.Errorf("some: %w", err)
		}
		return p.pick(a.Data, rest)
	}, bind.Example(p.sample+"print(d:without{2, 7}.n - d.n)  --> -2"), bind.ReturnsAs(p.name, "a new one"), bind.Keywords("drop", "exclude", "remove", "outlier"), p.see("summary", "take"))
}

func (p prepared[T]) window() bind.Func {
	return bind.Fn("window", `Cuts long records in time, such as rainfall and discharge or a stimulus and the response, into many `+p.one+`s: one for each window, its outputs at the times 0, h, … of the window, its inputs at the same times and for lags before them, h the step of the record.

A response that lasts no longer than lags is then complete in every window; with less, the memory of the system is cut off. The first window starts lags after the first input, so that all have their history. Times count from the start of the window, so that all windows have the same meshes; the second result says when they start. Several records are cut one after the other. Times may be left out of a record, where the instrument failed: windows none of whose outputs were observed are dropped, and those that lack an input. Time is called t on the new meshes, as the constraints on time expect it.

Fit windows with constraint = {constraint.time_invariant{}, constraint.causal{}} for an impulse response.`, func(_ *bind.Call, a *struct {
		Data   T       `arg:"self"`
		Length float64 `arg:"length" doc:"of the outputs of a window, in the units of the record: 24 on an hourly record are 24 values" allow:">0"`
		Lags   float64 `arg:"lags" doc:"how far inputs reach back before the window, in the units of the record" allow:">=0"`
		Step   float64 `arg:"step" doc:"from one window to the next; by default length, so that no output is in two windows" default:"0" allow:">=0"`
		Time   string  `arg:"time" doc:"name of the axis of time; by default the only axis, or t or s" default:""`
	},
	) (bind.Results, error) {
		if err := p.common(a.Data, "window"); err != nil {
			return nil, err
		}
		var starts []float64
		out, err := p.change(a.Data, func(t *dataset.Table) (out *dataset.Table, err error) {
			out, starts, err = prepare.Windows(t, prepare.Cut{Length: a.Length, Step: a.Step, Lags: a.Lags, Axis: a.Time})
			return out, err
		})
		return bind.Results{out, array.Vector(starts)}, err
	}, bind.Example(`t = mesh.uniform(0, 99, 100, "t")
rain = random.normal{shape = {1, 100}}
d = data.new{`+map[string]string{
		"dataset": "input = rain, output = 2 * rain, input_mesh = t}\n",
		"frame":   "input = {rain = rain}, output = {flow = 2 * rain}, input_mesh = t}\n",
	}[p.name]+`w, starts = d:window{length = 10, lags = 5}
print(w.n, starts[1], starts[2])  --> 9	5	15`), bind.ReturnsAs(p.name, "one "+p.one+" for each window"), bind.ReturnsAs("array", "when they start"),
		bind.Errors("times are not a whole number of steps apart", "the record is shorter than a window with its lags", "length, step or lags is not a whole number of steps of the record"),
		bind.Keywords("time series", "record", "segment", "epoch", "lag", "impulse response", "rainfall"), bind.See("constraint.time_invariant", "constraint.causal", p.name+":detrend"))
}

func (p prepared[T]) split() bind.Func {
	return bind.Fn("split", "Shuffles the "+p.one+"s and splits them in two.", func(_ *bind.Call, a *struct {
		Data  T       `arg:"self"`
		Train float64 `arg:"train" pos:"1" doc:"how many come into the first part, or which fraction of all: 15, or 0.75" allow:">0"`
		Seed  uint64  `arg:"seed" doc:"of the shuffle" default:"1"`
	},
	) (bind.Results, error) {
		train, err := share(a.Train, p.of(a.Data).N())
		if err != nil {
			return nil, err
		}
		first, rest, err := p.parts(a.Data, train, a.Seed)
		return bind.Results{first, rest}, err
	}, bind.Example(p.sample+map[string]string{
		"dataset": "train, test = d:split(0.8)\nprint(train.n, test.n)  --> 16\t4\nprint(d:split{train = 15}.n)  --> 15",
		"frame":   "train, test = d:split(0.8)\nprint(train.n, test.n)  --> 12\t3\nprint(d:split{train = 10}.n)  --> 10",
	}[p.name]), bind.ReturnsAs(p.name, "the first part"), bind.ReturnsAs(p.name, "the others"), bind.Keywords("train", "test", "hold out"), p.see("shuffle"))
}

// share is how many of n a count, or a fraction below 1, stands for: at least one and, where
// there are two, not all.
func share(train float64, n int) (int, error) {
	switch {
	case train < 1:
		return max(1, min(n-1, int(train*float64(n)+0.5))), nil
	case train != float64(int(train)):
		return 0, fmt.Errorf("train %g: must be a whole number of the %d, or a fraction between 0 and 1", train, n)
	}
	return int(train), nil
}

// fromOne are numbers counted from 0 for those counted from 1; nil for nil.
func fromOne(list []int) []int {
	var out []int
	for _, i := range list {
		out = append(out, i-1)
	}
	return out
}
