package runner

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/greenbench/workbench/workbench/repl/line"
	"github.com/greenbench/workbench/workbench/runner/lint"
)

// projectFile is run at the prompt's start in the folder that has it, once the
// user trusts it.
const projectFile = ".workbenchrc.lua"

// initFile is the user's own startup file.
func initFile(getenv func(string) string) (string, error) {
	dir := getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "workbench", "init.lua"), nil
}

// A trustList is the file of project files that may run: one line for each,
// the hash of its contents and its path. A file that changes has to be trusted
// again.
type trustList string

func trustFile(historyPath string) trustList {
	return trustList(filepath.Join(filepath.Dir(historyPath), "trusted"))
}

func fingerprint(path string, data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) + " " + path
}

func (t trustList) has(path string, data []byte) bool {
	f, err := os.Open(string(t))
	if err != nil {
		return false
	}
	defer f.Close()
	want := fingerprint(path, data)
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if sc.Text() == want {
			return true
		}
	}
	return false
}

func (t trustList) add(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(string(t)), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(string(t), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, fingerprint(path, data))
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// startupFiles are the scripts to run before the first prompt: the user's, and
// the project's if it is trusted or the answer to the question is yes.
func (p *program) startupFiles(r line.Reader, trusted trustList) []string {
	if p.NoInit || p.Safe || p.Stay {
		return nil
	}
	var files []string
	if own, err := initFile(p.getenv); err == nil {
		if _, err := os.Stat(own); err == nil {
			files = append(files, own)
		}
	}
	path, err := filepath.Abs(projectFile)
	if err != nil || !p.terminal.Interactive() {
		return files
	}
	data, err := lint.ReadFile(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			p.complain("%v", err)
		}
		return files
	}
	if trusted.has(path, data) || p.askTrust(r, trusted, path, data) {
		files = append(files, path)
	}
	return files
}

func (p *program) askTrust(r line.Reader, trusted trustList, path string, data []byte) bool {
	fmt.Fprintf(p.screen, "%s wants to run in this folder.\n", path)
	answer, err := r.ReadLine("run it? yes, always, no: ")
	if err != nil {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "a", "always":
		if err := trusted.add(path, data); err != nil {
			p.complain("%v", err)
		}
		return true
	case "y", "yes":
		return true
	}
	return false
}
