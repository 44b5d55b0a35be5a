package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A result is what was measured of a row.
type result struct {
	Row     string  `json:"row"`
	What    string  `json:"what"`
	Level   string  `json:"level"`
	Threads int     `json:"threads"`
	Ours    side    `json:"ours"`
	Peers   []side  `json:"peers,omitempty"`
	Reach   reach   `json:"reach"`
	Met     string  `json:"met"`
	Error   string  `json:"error,omitempty"`
	Growth  string  `json:"growth,omitempty"`
	Weights float64 `json:"weights,omitempty"`
}

// A side is a program and what it took, in the order of the rounds: those of two sides are pairs.
type side struct {
	Name     string               `json:"name"`
	Missing  string               `json:"missing,omitempty"` // what is not installed here
	Times    []times              `json:"times,omitempty"`
	Bytes    float64              `json:"bytes,omitempty"` // the most memory of the process
	Accuracy map[string][]float64 `json:"accuracy,omitempty"`
	Apart    *float64             `json:"apart,omitempty"` // of ours from the peer's answer, relative to its largest number
}

func (r row) repeats() int { return max(r.calls, 1) }

// measure runs a row: ours and its peers in turn, round by round.
func measure(ctx context.Context, s setting, r row) result {
	if r.threads != 0 {
		s.threads = r.threads
	}
	out := result{
		Row: r.name, What: r.what, Level: s.level, Threads: s.threads, Ours: side{Name: "workbench"}, Reach: r.reach, Growth: r.growth, Weights: r.weights,
	}
	limited, stop := context.WithTimeout(ctx, time.Duration(s.limit*float64(time.Second)))
	defer stop()
	err := error(nil)
	if r.code == "" {
		err = out.once(limited, s, r)
	} else {
		err = out.rounds(limited, s, r)
	}
	if limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("ended after %g s", s.limit)
	}
	if err != nil {
		out.Error = err.Error()
	}
	out.judge(s.quick)
	return out
}

// once runs a program from its start to its end.
func (out *result) once(ctx context.Context, s setting, r row) error {
	command := r.command
	if s.quick {
		command = r.attempt
	}
	args := append([]string{}, command...)
	if args[0] == "WORKBENCH" {
		args[0] = s.workbench
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	said := &tail{}
	cmd.Env, cmd.Stdout, cmd.Stderr = s.environment(), said, said
	cmd.WaitDelay = time.Second
	start := time.Now()
	err := cmd.Run()
	t := times{Wall: time.Since(start).Seconds()}
	if cmd.ProcessState != nil {
		t.Processor = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	out.Ours.Times, out.Ours.Bytes = []times{t}, peak(cmd)
	return nil
}

// rounds has ours and the peers do the work in turn.
func (out *result) rounds(ctx context.Context, s setting, r row) error {
	sides, processes, err := out.start(ctx, s, r)
	defer func() {
		for i, p := range processes {
			if p != nil {
				sides[i].Bytes = p.end()
			}
		}
		out.Ours, out.Peers = sides[0], sides[1:]
	}()
	if err != nil {
		return err
	}
	start := time.Now()
	for round := 0; round < s.rounds && (round == 0 || time.Since(start).Seconds() < s.budget); round++ {
		for i, p := range processes {
			if p == nil {
				continue
			}
			t, err := p.measure()
			if err != nil {
				return err
			}
			calls := float64(r.repeats())
			sides[i].Times = append(sides[i].Times, times{t.Wall / calls, t.Processor / calls})
		}
	}
	return compare(sides, processes)
}

// start starts ours and the peers, those first that make the data.
func (out *result) start(ctx context.Context, s setting, r row) ([]side, []*process, error) {
	names := r.peers
	if s.other != "" {
		names = []string{s.other}
	}
	sides, processes := make([]side, len(names)+1), make([]*process, len(names)+1)
	sides[0] = out.Ours
	peers := func() error {
		for i, name := range names {
			side := &sides[i+1]
			var err error
			if s.other != "" {
				side.Name = "the other"
				processes[i+1], err = s.ours(ctx, s.other, r)
			} else {
				side.Name = runtimeOf(name)
				processes[i+1], side.Missing, err = s.peer(ctx, name, r)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", side.Name, err)
			}
		}
		return nil
	}
	ours := func() (err error) { processes[0], err = s.ours(ctx, s.workbench, r); return err }
	order := []func() error{ours, peers}
	if r.peerFirst && s.other == "" {
		order = []func() error{peers, ours}
		if s.python == "" {
			return sides, processes, fmt.Errorf("not measured: the data are NumPy's, and no python3 here has it")
		}
	}
	for _, f := range order {
		if err := f(); err != nil {
			return sides, processes, err
		}
	}
	return sides, processes, nil
}

// compare asks all sides what they know of their results, and ours how far it is from the others.
func compare(sides []side, processes []*process) error {
	for i, p := range processes {
		if p == nil {
			continue
		}
		known, err := p.accuracy()
		if err != nil {
			return err
		}
		sides[i].Accuracy = known
	}
	for i := range sides[1:] {
		if side := &sides[i+1]; processes[i+1] != nil {
			if d := apart(sides[0].Accuracy["answer"], side.Accuracy["answer"]); !math.IsInf(d, 0) && !math.IsNaN(d) {
				side.Apart = &d
			} else {
				return fmt.Errorf("the answers of %s and %s cannot be compared", sides[0].Name, side.Name)
			}
		}
	}
	for _, side := range sides {
		if len(side.Accuracy["answer"]) > 1 {
			delete(side.Accuracy, "answer") // was compared
		}
		for name, values := range side.Accuracy {
			for _, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					delete(side.Accuracy, name) // JSON has none
				}
			}
		}
	}
	return nil
}

// ratio is that of ours to the first peer that was measured, pair by pair, by the clock and of the processors; NaN if there is none.
func (out result) ratio() (wall, processor, se float64) {
	for _, p := range out.Peers {
		if len(p.Times) > 0 {
			w := pairs(walls(out.Ours.Times), walls(p.Times))
			return median(w), median(pairs(processors(out.Ours.Times), processors(p.Times))), spread(w)
		}
	}
	return math.NaN(), math.NaN(), math.NaN()
}

// judge says whether the reach is met: by the clock, or, which others on the machine do not lengthen, by the time of the
// processors, of ours and, with one thread, of the peer too.
func (out *result) judge(quick bool) {
	var no []string
	processor := false
	check := func(asked, got, other float64, name string) {
		switch {
		case asked == 0 || got <= asked:
		case other <= asked:
			processor = true
		default:
			no = append(no, name)
		}
	}
	wall, used, _ := out.ratio()
	if out.Threads > 1 {
		used = math.NaN() // OpenBLAS waits by turning over, which counts
	}
	check(out.Reach.Seconds, least(walls(out.Ours.Times)), least(processors(out.Ours.Times)), "time")
	check(out.Reach.Ratio, wall, used, "ratio")
	check(out.Reach.Bytes, out.Ours.Bytes, out.Ours.Bytes, "memory")
	if v := out.Ours.Accuracy[out.Reach.Most]; out.Reach.Most != "" && (len(v) == 0 || v[0] > out.Reach.Bound) {
		no = append(no, out.Reach.Most)
	}
	switch asked := out.Reach != (reach{}); {
	case out.Error != "":
		out.Met = "failed"
	case quick:
		out.Met = "tried"
	case out.Reach.Ratio > 0 && math.IsNaN(wall):
		out.Met = "no peer"
	case len(no) > 0:
		out.Met = "no: " + strings.Join(no, ", ")
	case processor:
		out.Met = "by processor time"
	case asked:
		out.Met = "yes"
	}
}

// inFolder makes an empty folder for a run.
func inFolder() (string, func(), error) {
	if err := os.MkdirAll("out/bench", 0o755); err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("out/bench", "run")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
