package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// A run is what out/bench.json has.
type run struct {
	Machine    machine     `json:"machine"`
	Quick      bool        `json:"quick"`
	Results    []result    `json:"results"`
	Benchmarks []benchmark `json:"benchmarks,omitempty"`
}

// A machine is where and of which sources a run was.
type machine struct {
	Commit    string  `json:"commit"`
	Changed   bool    `json:"changed"` // something was not committed
	Time      string  `json:"time"`
	Processor string  `json:"processor"`
	Number    int     `json:"number"` // of processors
	Memory    string  `json:"memory"`
	Go        string  `json:"go"`
	System    string  `json:"system"`
	Before    string  `json:"load_before"` // of 1, 5 and 15 minutes
	After     string  `json:"load_after"`
	Seconds   float64 `json:"seconds"` // that the run took
}

func thisMachine() machine {
	m := machine{
		Commit: output("git", "rev-parse", "--short=12", "HEAD"), Changed: output("git", "status", "--porcelain", "--untracked-files=no") != "",
		Time: time.Now().UTC().Format(time.RFC3339), Number: runtime.NumCPU(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Processor: field("/proc/cpuinfo", "model name"), Memory: field("/proc/meminfo", "MemTotal"), Before: load(),
	}
	return m
}

func output(name string, args ...string) string {
	text, _ := exec.Command(name, args...).Output()
	return strings.TrimSpace(string(text))
}

// field is what stands behind a name and a colon in a file, "" where there is none.
func field(path, name string) string {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// load is how many programs have wanted a processor, over 1, 5 and 15 minutes.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return strings.Join(strings.Fields(string(text) + " ? ? ?")[:3], " ")
}

func (m machine) String() string {
	changed := ""
	if m.Changed {
		changed = ", changed"
	}
	return fmt.Sprintf("commit %s%s, %s, %d × %s, %s, %s %s; load %s before, %s after; %.0f s",
		m.Commit, changed, m.Time, m.Number, m.Processor, m.Memory, m.Go, m.System, m.Before, m.After, m.Seconds)
}

func (run run) save(path string) error {
	text, err := json.MarshalIndent(run, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

func read(path string) (run, error) {
	var r run
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
