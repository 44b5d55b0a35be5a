package testrun

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// sample is a report with everything a report can have.
func sample() *Report {
	start := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.FixedZone("", 3600))
	return &Report{
		Files: []*File{
			{Path: "tests/kernel.lua", Start: start, Seconds: 0.25, Cases: []Case{
				{Name: "positive definite", Line: 3, Status: Passed, Seconds: 0.125, Seed: 7},
				{
					Name: `a # and a \ and <xml> & "quotes"`, Line: 9, Status: Failed, Seconds: 1.0 / 3, Seed: 8,
					Failures: []Failure{
						{Line: 11, Message: "got       1\nexpected  2\nabsolute error 1, relative error 0.5; tolerance rel 1e-9 (default: none was given)"},
						{Line: 12, Message: "  begins with blanks"},
					}, Output: "first line\nsecond line\n",
				},
				{Name: "large", Line: 20, Status: Skipped, Reason: "needs 8 GB #1"},
				{Name: "odd bytes", Line: 21, Status: Failed, Failures: []Failure{{Message: "a\x00b\xff"}}, Output: "\x1b[1mbold"},
			}, Output: "printed while loading\n", Golden: []string{"tests/golden/kernel/x.txt: new"}, Unchanged: 2},
			{
				Path: "tests/broken.lua", Start: start, Seconds: 0.5, Cases: []Case{{Name: "before", Line: 1, Status: Passed}},
				Error: &Failure{Line: 4, Message: "tests/broken.lua:4: boom\n1 case declared before did not run"},
			},
			{Path: "tests/cluster.lua", Start: start, Reason: "needs a cluster"},
			{Path: "tests/empty.lua", Start: start},
			{Path: "tests/good.lua", Start: start, Seconds: 0.0000125, Cases: []Case{{Name: "fine", Line: 1, Status: Passed, Seconds: 0.0000125}}},
		},
		Seconds: 0.75,
	}
}

// render writes a report through a reporter.
func render(r *Report, rep reporter) {
	rep.begin(len(r.Files) + r.NotRun)
	for _, f := range r.Files {
		rep.file(f)
	}
	rep.end(r)
}

func TestFormats(t *testing.T) {
	for file, make := range map[string]func(w io.Writer) reporter{
		"report.pretty": func(w io.Writer) reporter { return &pretty{w: w, width: len("tests/cluster.lua")} },
		"report.color":  func(w io.Writer) reporter { return &pretty{w: w, Painter: terminal.Painter{On: true}} },
		"report.tap":    func(w io.Writer) reporter { return &tap{w: w} },
		"report.json":   func(w io.Writer) reporter { return &jsonReport{w: w} },
	} {
		var b strings.Builder
		render(sample(), make(&b))
		expect(t, file, b.String())
	}
	var b strings.Builder
	if err := WriteJUnit(&b, sample(), "host"); err != nil {
		t.Fatal(err)
	}
	expect(t, "report.junit", b.String())
}

// A run that stops early says so in every format.
func TestStoppedFormats(t *testing.T) {
	r := sample()
	r.Files, r.Stopped, r.NotRun = r.Files[4:], TimeLimit, 3
	var p, q, j strings.Builder
	render(r, &pretty{w: &p})
	render(r, &tap{w: &q})
	render(r, &jsonReport{w: &j})
	if !strings.HasSuffix(p.String(), "; stopped: time limit, 3 files not run\n") {
		t.Errorf("pretty:\n%s", p.String())
	}
	if !strings.HasPrefix(q.String(), "TAP version 14\n1..4\n") || !strings.HasSuffix(q.String(), "Bail out! time limit\n") {
		t.Errorf("tap:\n%s", q.String())
	}
	if !strings.Contains(j.String(), `"stopped": "time limit"`) || !strings.Contains(j.String(), `"exit": 124`) {
		t.Errorf("json:\n%s", j.String())
	}
}

// The TAP output is read back by the rules of the specification: version line
// first, then a plan, every test point numbered in turn within it, subtests
// indented by four blanks and closed by a test point of their name, YAML
// blocks indented by two more.
func TestTapIsTap14(t *testing.T) {
	var b strings.Builder
	render(sample(), &tap{w: &b})
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if lines[0] != "TAP version 14" {
		t.Fatalf("first line %q", lines[0])
	}
	p := &tapReader{t: t, lines: lines[1:]}
	points := p.document("")
	if len(p.lines) > 0 {
		t.Errorf("left over: %q", p.lines)
	}
	want := []string{"not ok tests/kernel.lua", "not ok tests/broken.lua", "ok tests/cluster.lua # SKIP needs a cluster", "ok tests/empty.lua # SKIP no tests", "ok tests/good.lua"}
	if got := strings.Join(points, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("test points:\n%s", got)
	}
}

type tapReader struct {
	t     *testing.T
	lines []string
}

// document reads one TAP document at an indentation and returns its test points.
func (p *tapReader) document(indent string) (points []string) {
	plan, subtest := -1, ""
	for len(p.lines) > 0 {
		line, ok := strings.CutPrefix(p.lines[0], indent)
		if !ok {
			break
		}
		name, isSubtest := strings.CutPrefix(line, "# Subtest: ")
		body, isPlan := strings.CutPrefix(line, "1..")
		switch {
		case isSubtest:
			subtest = name
			p.lines = p.lines[1:]
			p.document(indent + "    ")
			continue
		case isPlan:
			if plan >= 0 {
				p.t.Errorf("a second plan: %q", line)
			}
			plan = 0
			for body != "" && syntax.IsDigit(body[0]) {
				plan, body = plan*10+int(body[0]-'0'), body[1:]
			}
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "ok "), strings.HasPrefix(line, "not ok "):
			points = append(points, p.point(line, len(points)+1, subtest))
			subtest = ""
			p.lines = p.lines[1:]
			p.yaml(indent + "  ")
			continue
		default:
			p.t.Errorf("not TAP: %q", p.lines[0])
		}
		p.lines = p.lines[1:]
	}
	if plan != len(points) {
		p.t.Errorf("plan of %d, %d test points", plan, len(points))
	}
	return points
}

// point checks a test point and returns its status, description and directive.
func (p *tapReader) point(line string, number int, subtest string) string {
	status, rest, ok := strings.Cut(line, "ok ")
	digit, description, dash := strings.Cut(rest, " - ")
	if !ok || !dash || len(digit) != 1 || int(digit[0]-'0') != number {
		p.t.Errorf("test point %d: %q", number, line)
	}
	bare, _, _ := strings.Cut(description, " # SKIP")
	if subtest != "" && bare != subtest {
		p.t.Errorf("subtest %q ends with %q", subtest, bare)
	}
	escaped := strings.NewReplacer(`\\`, "", `\#`, "").Replace(bare)
	if strings.ContainsAny(escaped, `#\`) {
		p.t.Errorf("not escaped: %q", description)
	}
	return status + "ok " + description
}

// yaml skips a diagnostic block.
func (p *tapReader) yaml(margin string) {
	if len(p.lines) == 0 || p.lines[0] != margin+"---" {
		return
	}
	for i, line := range p.lines {
		if line == margin+"..." {
			p.lines = p.lines[i+1:]
			return
		}
		if line != "" && !strings.HasPrefix(line, margin) {
			break
		}
	}
	p.t.Errorf("a diagnostic that does not end: %q", p.lines[0])
}

func TestJSONReport(t *testing.T) {
	var b strings.Builder
	render(sample(), &jsonReport{w: &b})
	var doc struct {
		Version, Passed, Failed, Skipped, Errors, Exit int
		Files                                          []File
	}
	if err := json.Unmarshal([]byte(b.String()), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != 1 || doc.Passed != 3 || doc.Failed != 2 || doc.Skipped != 1 || doc.Errors != 1 || doc.Exit != ExitNotLoaded {
		t.Errorf("%+v", doc)
	}
	if len(doc.Files) != 5 || doc.Files[0].Cases[1].Failures[0].Line != 11 {
		t.Errorf("files: %+v", doc.Files)
	}
}

// Elements and attributes are those that the schema of Ant
// (github.com/windyroad/JUnit-Schema) and that of the Jenkins xUnit plugin
// (junit-10.xsd) both have; Ant's wants all of these attributes, and the
// children of a testsuite in this order.
func TestJUnitSchemas(t *testing.T) {
	attributes := map[string]string{
		"testsuites": "", "testsuite": "name package id tests failures errors time timestamp hostname",
		"properties": "", "testcase": "classname name time", "skipped": "message", "error": "message type", "failure": "message type",
		"system-out": "", "system-err": "",
	}
	order := map[string]int{"properties": 0, "testcase": 1, "system-out": 2, "system-err": 3}
	var b strings.Builder
	if err := WriteJUnit(&b, sample(), ""); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(b.String()))
	var open []string
	last := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			allowed, ok := attributes[name]
			if !ok {
				t.Errorf("element %s", name)
			}
			var have []string
			for _, a := range e.Attr {
				have = append(have, a.Name.Local)
				if strings.HasSuffix(a.Name.Local, "time") && !isSeconds(a.Value) {
					t.Errorf("%s of %s: %q", a.Name.Local, name, a.Value)
				}
			}
			if got := strings.Join(have, " "); got != allowed {
				t.Errorf("%s has the attributes %q, want %q", name, got, allowed)
			}
			if len(open) == 2 {
				if order[name] < last {
					t.Errorf("%s comes too late", name)
				}
				last = order[name]
			} else if len(open) < 2 {
				last = 0
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
	for _, part := range []string{`tests="2" failures="0" errors="1"`, `timestamp="2024-02-29T11:00:00"`, `hostname="localhost"`, `time="0.333333"`, `time="0.000013"`} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %s in\n%s", part, b.String())
		}
	}
}

func isSeconds(s string) bool {
	whole, fraction, ok := strings.Cut(s, ".")
	return ok && len(fraction) == 6 && syntax.Span(whole, syntax.IsDigit) == len(whole) && syntax.Span(fraction, syntax.IsDigit) == 6 && whole != ""
}

func TestExitCode(t *testing.T) {
	one := func(s Status) *File { return &File{Cases: []Case{{Status: s}}} }
	bad := &File{Error: &Failure{}}
	for _, c := range []struct {
		name string
		r    Report
		want int
	}{
		{"passed", Report{Files: []*File{one(Passed), one(Skipped)}}, 0},
		{"all skipped", Report{Files: []*File{one(Skipped)}}, 0},
		{"a skipped file", Report{Files: []*File{{Reason: "x"}}}, 0},
		{"failed", Report{Files: []*File{one(Passed), one(Failed), one(Failed)}}, 1},
		{"nothing", Report{}, 3},
		{"no test matched", Report{Files: []*File{{}, {}}}, 3},
		{"not loaded", Report{Files: []*File{one(Passed), bad}}, 3},
		{"not loaded and failed", Report{Files: []*File{one(Failed), bad}}, 3},
		{"first failure", Report{Files: []*File{one(Failed)}, Stopped: FirstFailure}, 1},
		{"time limit", Report{Files: []*File{one(Failed)}, Stopped: TimeLimit}, 124},
		{"interrupted", Report{Stopped: Interrupted}, 130},
	} {
		if got := c.r.ExitCode(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
