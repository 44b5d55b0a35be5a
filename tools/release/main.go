// Command release builds what is published of a version: stripped programs for five
// systems with their documentation, Debian packages, and their checksums.
//
//	go run ./tools/release -out out/release
//
// The same commit and the same version of Go give the same bytes, in any folder: no path
// and no time but that of the commit is in them. The version is the tag of the commit;
// without one it is what Go would call the commit.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/greenbench/workbench/workbench/live"
	"github.com/greenbench/workbench/workbench/runner"
	"github.com/greenbench/workbench/workbench/usage"
)

// A target is a system that programs are built for.
type target struct{ system, processor string }

func (t target) String() string { return t.system + "/" + t.processor }

func targets() []target {
	return []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}
}

func main() {
	out := flag.String("out", "out/release", "folder for what is built")
	only := flag.String("only", "", "one system: linux/amd64")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release is a version with the files that go with its programs.
type release struct {
	version, commit string
	time            time.Time
	documents       []file
}

func run(ctx context.Context, out, only string) error {
	r, err := describe(ctx)
	if err != nil {
		return err
	}
	if err := r.document(); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	fmt.Printf("workbench %s, commit %s\n", r.version, r.commit)
	sums := map[string]string{}
	for _, t := range targets() {
		if only != "" && only != t.String() {
			continue
		}
		program, err := r.build(ctx, t, out)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		packed, err := r.pack(t, program)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		for name, data := range packed {
			if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			sums[name] = hex.EncodeToString(sum[:])
		}
		fmt.Printf("%-14s program %5.1f MB\n", t, float64(len(program))/1e6)
		if len(program) > largest {
			return fmt.Errorf("%s: the program has more than %.0f MB: find out by 'go tool nm -size -sort size' what was added, and whether it is worth it", t, largest/1e6)
		}
	}
	if only == "" {
		data, err := r.live(ctx, out)
		if err != nil {
			return fmt.Errorf("js/wasm: %w", err)
		}
		name := fmt.Sprintf("workbench_%s_live.tar.gz", strings.TrimPrefix(r.version, "v"))
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	var list []string
	for name, sum := range sums {
		list = append(list, sum+"  "+name)
	}
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(strings.Join(list, "\n")+"\n"), 0o644)
}

// largest is a bound on the size of a program, in bytes; that of windows/amd64 is the largest.
const largest = 23.6e6

// describe asks git what is built.
func describe(ctx context.Context) (*release, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return nil, fmt.Errorf("a release is of a commit, which git must know: %w", err)
	}
	date, err := git("show", "-s", "--format=%cI", "HEAD")
	if err != nil {
		return nil, err
	}
	r := &release{commit: commit}
	if r.time, err = time.Parse(time.RFC3339, date); err != nil {
		return nil, err
	}
	r.time = r.time.UTC()
	if r.version, err = git("describe", "--tags", "--exact-match", "--match", "v[0-9]*"); err != nil { // no tag
		r.version = "v0.0.0-" + r.time.Format("20060102150405") + "-" + commit[:12]
	}
	changes, err := git("status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return nil, err
	}
	if changes != "" {
		r.commit += " with changes"
		r.version += "+dirty"
	}
	return r, nil
}

// document collects the files beside the program, most of them derived from the command
// line's declaration.
func (r *release) document() error {
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE", "THIRD_PARTY_NOTICES"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.documents = append(r.documents, file{name, data, 0o644})
	}
	d := runner.Declaration()
	r.documents = append(r.documents, file{"workbench.1", []byte(d.Man("workbench " + r.version)), 0o644})
	for _, shell := range usage.Shells() {
		script, _ := d.Completion(shell)
		r.documents = append(r.documents, file{completionName(shell), []byte(script), 0o644})
	}
	return nil
}

// completionName is what a shell wants its completion to be called.
func completionName(shell string) string {
	switch shell {
	case "zsh":
		return "completion/_workbench"
	case "fish":
		return "completion/workbench.fish"
	}
	return "completion/workbench"
}

// stamps are the flags of the linker that make a program know its version.
func (r *release) stamps() string {
	const where = "github.com/greenbench/workbench/workbench/repl/everywhere"
	return fmt.Sprintf("-s -w -buildid= -X %s.release=%s -X '%[1]s.commit=%[3]s'", where, r.version, r.commit)
}

// live is the archive with the program for browsers, to be unpacked beside the program.
func (r *release) live(ctx context.Context, out string) ([]byte, error) {
	dir := filepath.Join(out, live.Folder)
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, "go", "run", "./tools/live", "-out", dir, "-ldflags", r.stamps())
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly -buildvcs=false")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	var files []file
	for _, name := range live.Files() {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{live.Folder + "/" + name, data, 0o644})
	}
	return tarred(files, r.time)
}

// alignment is where functions may begin, in bytes, half of what Go takes on amd64; what asks for
// more, as loops of vectors do, gets it. It saves a hundredth of the program.
const alignment = "-funcalign=16"

// build compiles the program for a system and returns it.
func (r *release) build(ctx context.Context, t target, out string) ([]byte, error) {
	path := filepath.Join(out, "workbench.tmp")
	args := append([]string{"build", "-o", path, "-trimpath", "-buildvcs=false"}, compilation()...)
	cmd := exec.CommandContext(ctx, "go", append(args, "-ldflags", r.stamps()+" "+alignment, "./workbench")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.processor, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=-mod=readonly")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return program, os.Remove(path)
}

// pack makes the archives of a program, by name.
func (r *release) pack(t target, program []byte) (map[string][]byte, error) {
	name := fmt.Sprintf("workbench_%s_%s_%s", strings.TrimPrefix(r.version, "v"), t.system, t.processor)
	files := []file{{"workbench", program, 0o755}}
	if t.system == "windows" {
		files[0].name += ".exe"
	}
	files = append(files, r.documents...)
	for i := range files {
		files[i].name = name + "/" + files[i].name
	}
	packed := map[string][]byte{}
	var err error
	if t.system == "windows" {
		packed[name+".zip"], err = zipped(files, r.time)
		return packed, err
	}
	if packed[name+".tar.gz"], err = tarred(files, r.time); err != nil || t.system != "linux" {
		return packed, err
	}
	packed[fmt.Sprintf("workbench_%s_%s.deb", strings.TrimPrefix(r.version, "v"), t.processor)], err = r.debian(t.processor, program)
	return packed, err
}
