package testrun

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteJUnit writes the report as JUnit XML with the elements and attributes
// that the schemas of both Ant and Jenkins accept: testsuites has no
// attributes, a testcase has at most one failure, and times are seconds with
// six digits. A file that did not load is a testcase with an error.
func WriteJUnit(w io.Writer, r *Report, hostname string) error {
	if hostname == "" {
		hostname = "localhost"
	}
	doc := junitSuites{}
	for i, f := range r.Files {
		doc.Suites = append(doc.Suites, newSuite(i, f, hostname))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Package   string      `xml:"package,attr"`
	ID        int         `xml:"id,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Hostname  string      `xml:"hostname,attr"`
	Props     struct{}    `xml:"properties"`
	Cases     []junitCase `xml:"testcase"`
	Out       string      `xml:"system-out"`
	Err       string      `xml:"system-err"`
}

type junitCase struct {
	ClassName string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	Time      string        `xml:"time,attr"`
	Skipped   *junitSkipped `xml:"skipped"`
	Error     *junitFailure `xml:"error"`
	Failure   *junitFailure `xml:"failure"`
}

type junitSkipped struct {
	Message string `xml:"message,attr,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func newSuite(id int, f *File, hostname string) junitSuite {
	class := className(f.Path)
	s := junitSuite{
		Name: f.Path, Package: class, ID: id, Hostname: hostname, Time: seconds6(f.Seconds),
		Timestamp: f.Start.UTC().Format("2006-01-02T15:04:05"),
		Failures:  f.count(Failed), Out: f.Output,
	}
	for i := range f.Cases {
		s.Cases = append(s.Cases, newCase(class, f, &f.Cases[i]))
		if out := f.Cases[i].Output; out != "" {
			s.Out += fmt.Sprintf("%s:\n%s", f.Cases[i].Name, out)
		}
	}
	switch {
	case f.Error != nil:
		s.Errors = 1
		s.Cases = append(s.Cases, junitCase{
			ClassName: class, Name: "load", Time: seconds6(0),
			Error: &junitFailure{Message: headline(f.Error.Message), Type: "error", Text: place(f.Path, f.Error.Line) + "\n" + f.Error.Message},
		})
	case f.Reason != "":
		s.Cases = append(s.Cases, junitCase{ClassName: class, Name: "load", Time: seconds6(0), Skipped: &junitSkipped{f.Reason}})
	}
	s.Tests = len(s.Cases)
	return s
}

func newCase(class string, f *File, c *Case) junitCase {
	j := junitCase{ClassName: class, Name: c.Name, Time: seconds6(c.Seconds)}
	switch c.Status {
	case Skipped:
		j.Skipped = &junitSkipped{c.Reason}
	case Failed:
		var text []string
		for _, e := range c.Failures {
			text = append(text, place(f.Path, e.Line)+"\n"+e.Message)
		}
		j.Failure = &junitFailure{Type: "failure", Text: strings.Join(text, "\n\n")}
		if len(c.Failures) > 0 {
			j.Failure.Message = headline(c.Failures[0].Message)
		}
	}
	return j
}

// className turns a path into the dotted name by which Jenkins groups results.
func className(path string) string {
	path = strings.TrimSuffix(path, ".lua")
	return strings.Trim(strings.NewReplacer(".", "_", "/", ".", `\`, ".").Replace(path), ".")
}

// seconds6 writes seconds; the schemas want digits, no exponent.
func seconds6(s float64) string { return fmt.Sprintf("%.6f", s) }

// headline returns a message on one line, cut to what a table of results can show.
func headline(s string) string {
	const longest = 200
	line := []rune(normalize(oneLine(s)))
	if len(line) > longest {
		line = append(line[:longest-1:longest-1], '…')
	}
	return string(line)
}
