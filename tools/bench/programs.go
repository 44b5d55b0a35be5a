package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed driver.lua
var driver string

// A setting is what a run has in common.
type setting struct {
	workbench string // the program
	folder    string // for scripts, data that peers share, and compiled peers
	quick     bool
	rounds    int
	budget    float64 // seconds after which a row begins no other round
	limit     float64 // seconds after which a row is ended
	level     string
	threads   int
	other     string // another program, as the only peer
	python    string // "" where none has SciPy
}

// levels are instruction levels: what Go programs are told, what OpenBLAS is told and what the C compiler is, so that
// peers are held to the same. "" is what the machine has.
func levels() map[string][3]string {
	return map[string][3]string{
		"avx512": {"", "", "native"},
		"avx2":   {"cpu.avx512f=off", "Haswell", "haswell"},
		"plain":  {"cpu.avx2=off", "Nehalem", "x86-64"},
	}
}

func (s setting) mode() string {
	if s.quick {
		return "quick"
	}
	return "full"
}

func (s setting) environment() []string {
	level := levels()[s.level]
	e := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GODEBUG=") || strings.HasPrefix(v, "OPENBLAS_") || strings.HasPrefix(v, "GOMAXPROCS=")
	})
	e = append(e, "OPENBLAS_NUM_THREADS="+strconv.Itoa(s.threads), "GOMAXPROCS="+strconv.Itoa(s.threads))
	if level[0] != "" {
		e = append(e, "GODEBUG="+level[0], "OPENBLAS_CORETYPE="+level[1])
	}
	return e
}

// python is a Python that has SciPy, "" where none has.
func python() string {
	for _, path := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(path, "-c", "import scipy").Run() == nil {
			return path
		}
	}
	return ""
}

// ours starts the code of a row in a workbench.
func (s setting) ours(ctx context.Context, workbench string, r row) (*process, error) {
	script := filepath.Join(s.folder, "row.lua")
	if err := os.WriteFile(script, []byte(strings.Replace(driver, "--ROW--", r.code, 1)), 0o644); err != nil {
		return nil, err
	}
	return begin(ctx, s.environment(), workbench, "--no-init", "--threads", strconv.Itoa(s.threads), script, s.mode(), strconv.Itoa(r.repeats()), s.folder)
}

// peer starts a peer of a row; missing says what is not installed.
func (s setting) peer(ctx context.Context, name string, r row) (p *process, missing string, err error) {
	args := []string{name, s.mode(), strconv.Itoa(r.repeats()), s.folder}
	switch runtimeOf(name) {
	case "lua5.1":
		path, err := exec.LookPath("lua5.1")
		if err != nil {
			return nil, "lua5.1", nil
		}
		p, err = begin(ctx, s.environment(), path, append([]string{"tools/bench/peers/lua.lua"}, args...)...)
		return p, "", err
	case "C":
		cc, err := exec.LookPath("gcc")
		if err != nil {
			return nil, "gcc", nil
		}
		program := filepath.Join(s.folder, "kernels")
		compile := exec.CommandContext(ctx, cc, "-O3", "-march="+levels()[s.level][2], "-ffast-math", "-o", program, "tools/bench/peers/kernels.c", "-lm")
		if text, err := compile.CombinedOutput(); err != nil {
			return nil, "", fmt.Errorf("gcc: %s", text)
		}
		p, err = begin(ctx, s.environment(), program, args...)
		return p, "", err
	}
	if s.python == "" {
		return nil, "a python3 with NumPy and SciPy", nil
	}
	p, err = begin(ctx, s.environment(), s.python, append([]string{"tools/bench/peers/scientific.py"}, args...)...)
	return p, "", err
}

// runtimeOf says what a peer is: lua5.1, C, or SciPy.
func runtimeOf(peer string) string {
	switch peer {
	case "additions", "fill":
		return "lua5.1"
	case "gibbs", "matern":
		return "C"
	case "packed_npz", "plain_npy", "lines", "symmetric":
		return "NumPy"
	case "laplace", "laplace_again":
		return "SciPy"
	}
	return "OpenBLAS"
}
