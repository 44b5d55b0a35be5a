package usage

import (
	"os/exec"
	"strings"
	"testing"
)

func toy() Program {
	return Program{
		Name: "toy", About: "does nothing, quickly",
		Forms: []Form{
			{Synopsis: "[options] FILE", Doc: "run FILE"},
			{Word: "paint", Synopsis: "COLOUR", Doc: "it's the colour that counts", Words: []string{"red", "green"}, Options: []Option{
				{Names: []string{"--brush"}, Value: "KIND", Values: []string{"flat", "round"}, Doc: "which brush"},
				{Names: []string{"-o", "--out"}, Value: "FILE", Doc: "where to [else paint.png]"},
			}},
			{Word: "help", Words: []string{}},
		},
		Options:    []Option{{Names: []string{"-n", "--number"}, Value: "N", Doc: "how often"}, {Names: []string{"--dry"}, Doc: `with \ and "quotes"`}},
		Statuses:   []Status{{0, "success"}, {2, "usage"}},
		Paragraphs: []Paragraph{{"Files", ".toyrc is read\n'twice'"}},
	}
}

func TestUsage(t *testing.T) {
	const want = `usage: toy [options] FILE                 run FILE
       toy paint COLOUR                   it's the colour that counts
       toy help

  -n, --number N  how often
  --dry           with \ and "quotes"

Exit status: 0 success, 2 usage.
`
	if got := toy().Usage(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s", got)
	}
	for line := range strings.Lines(toy().Usage()) {
		if line != strings.TrimRight(line, " \n")+"\n" {
			t.Errorf("spaces at the end of %q", line)
		}
	}
	if got := wrap("one two three four", 9); got != "one two\nthree\nfour\n" {
		t.Errorf("wrapped %q", got)
	}
}

// Nothing of a text is a macro of the page: no line begins with a point but those of the
// page itself, no backslash is bare, and hyphens are those that can be copied.
func TestMan(t *testing.T) {
	page := toy().Man("toy v1.0.0")
	for _, want := range []string{
		`.TH TOY 1 "" "toy v1.0.0" "User commands"`, "toy \\- does nothing, quickly\n",
		".B \\-n, \\-\\-number N\nHow often.\n", ".SS Options of toy paint\n", ".B \\-\\-brush KIND\nWhich brush. One of flat, round.\n",
		"With \\e and \\(dqquotes\\(dq.\n", ".TP\n.B 2\nUsage.\n", ".SH FILES\n\\&.toyrc is read\n\\&'twice'\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, "\n\n") {
		t.Error("an empty line is space on the page")
	}
}

// The completion of bash, asked as bash asks it.
func TestBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("the completion is tried with bash: %v", err)
	}
	script, ok := toy().Completion("bash")
	if !ok {
		t.Fatal("no completion for bash")
	}
	for typed, want := range map[string]string{
		"toy h":               "help",
		"toy --n":             "--number",
		"toy --number 3 p":    "paint",
		"toy --number ":       "",
		"toy paint --":        "--brush --out",
		"toy paint --brush ":  "flat round",
		"toy paint r":         "red",
		"toy paint red --b":   "--brush",
		"toy paint -o no-suc": "",
		"toy help ":           "",
		"toy FILE.lua --b":    "", // an argument of the script
	} {
		ask := script + `
words=(` + typed + `) # what ends with a space begins another word
case "` + typed + `" in *' ') words+=('') ;; esac
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
_toy
echo "${COMPREPLY[*]}"
`
		cmd := exec.Command(bash, "--norc", "-c", ask)
		cmd.Dir = t.TempDir() // no files
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", typed, got, err, want)
		}
	}
}

// Each shell is told every command, option and value; the shells themselves have read
// what is made for the workbench.
func TestEveryShellKnowsEverything(t *testing.T) {
	for shell, want := range map[string][]string{
		"bash": {"paint", "help", "--number", "-n", "--dry", "--brush", `flat\nround`, "--out", `red\ngreen`},
		"zsh":  {"#compdef toy\n", "'paint:it’s the colour that counts'", "'(-n --number)-n[how often]:N: '", "'(-n --number)--number[how often]:N: '", ":KIND:(flat round)'", "where to (else paint.png)]:file:_files'", "'*: :(red green)'"},
		"fish": {"-a paint -d 'it’s the colour that counts'", " -s n -l number -x -d 'how often'", "-l dry", "-l brush -x -a 'flat round'", "-s o -l out -r -F", "-f -a 'red green'"},
	} {
		script, ok := toy().Completion(shell)
		if !ok {
			t.Fatalf("no completion for %s", shell)
		}
		for _, w := range want {
			if !strings.Contains(script, w) {
				t.Errorf("%s: no %s in\n%s", shell, w, script)
			}
		}
	}
	if _, ok := toy().Completion("csh"); ok {
		t.Error("completion for a shell that there is none for")
	}
}
