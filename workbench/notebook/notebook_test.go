package notebook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What cells print, show and return arrives as a notebook shows it.
func TestCells(t *testing.T) {
	c := start(t, false)
	for _, test := range []struct {
		code string
		want []string // "kind field: beginning", in order
	}{
		{"1 + 1", []string{"execute_result data text/plain: 2"}},
		{"x = 3\nx", []string{"execute_result data text/plain: 3"}},
		{"local y = 4", nil},
		{"y", []string{"execute_result data text/plain: 4"}},
		{"y;", nil},
		{"nil", nil},
		{`print("a") print("b") 5`, []string{"error evalue: expected a statement"}},
		{"print('a')\nprint('b')\n5", []string{"stream text: a\nb\n", "execute_result data text/plain: 5"}},
		{"io.stderr:write('oh')\n_", []string{"stream text: oh", "execute_result data text/plain: 5"}},
		{"array{{1, 2}, {3, 4}}", []string{"execute_result data text/html: <table><caption>array 2×2"}},
		{"{{a = 1, b = '<'}}", []string{"execute_result data text/html: <table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>&lt;</td></tr>"}},
		{"plot.heatmap(array{{1, 2}, {3, 4}})", []string{"display_data data image/svg+xml: <svg "}},
		{"f = plot.heatmap(array{{1, 2}, {3, 4}}, {show = false})\nf", []string{"execute_result data image/png: iVBOR"}},
		{"kernel.matern{nu = 1.5, lengthscale = 0.2}", []string{"execute_result data text/latex: $\\displaystyle k(x, x') = \\left(1 + s\\right)"}},
		{"sheet.new{a = {1, 0/0}, b = {'x', '<'}}", []string{"execute_result data text/html: <table><caption>sheet: 2 rows, 2 columns</caption><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>x</td></tr><tr><td></td><td>&lt;</td></tr>"}},
		{"local e = mesh.uniform(0, 1, 4)\ngreen.fit{data = data.new{input = array.eye(4), output = array.eye(4), axis = 'rows', input_mesh = e}, kernel = kernel.se{lengthscale = 1}}.report", []string{"execute_result data text/html: <table><tbody><tr><td>objective</td><td>"}},
		{"kernel.se{}", []string{"execute_result data text/plain: kernel.se{lengthscale=\"auto\"}"}},
		{"?green.fit", []string{"stream text: green.fit{data"}},
		{"x?", []string{"stream text: x = 3"}},
		{"kernel = 1", []string{"stream text: note: 'kernel' is now your variable"}},
		{"reload 'kernel';", nil},
		{"", nil},
		{"valeu", nil},
		{"value = 1\nvalue.x.y", []string{"error ename: Error"}},
		{"for i = 1, 2 do", []string{"error evalue: expected 'end'"}},
	} {
		reply, output := c.run(test.code)
		for i, a := range output {
			path, want, _ := strings.Cut("", "")
			if i < len(test.want) {
				path, want, _ = strings.Cut(test.want[i], ": ")
			}
			kind, field, _ := strings.Cut(path, " ")
			if a.kind != kind || !strings.HasPrefix(a.text(field), want) {
				t.Errorf("%q: %s %.200v, want %q", test.code, a.kind, a.content, test.want)
			}
		}
		if len(output) != len(test.want) {
			t.Errorf("%q: %d messages, want %d: %.300v", test.code, len(output), len(test.want), output)
		}
		failed := slices.ContainsFunc(test.want, func(w string) bool { return strings.HasPrefix(w, "error") })
		if (reply.text("status") == "error") != failed {
			t.Errorf("%q: replied %v", test.code, reply.content)
		}
	}
}

// The error of a cell shows its line and a mark, and cells sent behind it are not run.
func TestErrorsStop(t *testing.T) {
	c := start(t, false)
	_, output := c.run("a = 1\nb = a.x.y")
	if trace := fmt.Sprint(output[0].content["traceback"]); !strings.Contains(trace, "cell[1]:2:") || !strings.Contains(trace, "^") {
		t.Errorf("traceback %q: want the line and a mark", trace)
	}
	time.Sleep(2 * behind)
	for _, code := range []string{"error('no')", "print(1)", "print(2)"} {
		c.ask(c.shell, "execute_request", fields{"code": code, "stop_on_error": true})
	}
	var got []string
	for range 3 {
		got = append(got, c.receive(c.shell).text("status"))
	}
	if fmt.Sprint(got) != "[error aborted aborted]" {
		t.Errorf("three cells, the first wrong: %v", got)
	}
	time.Sleep(2 * behind)
	if reply, _ := c.run("1"); reply.text("status") != "ok" {
		t.Errorf("after a failure: %v", reply.content)
	}
}

// A request on the control channel ends the cell that runs, and the session goes on.
func TestInterrupt(t *testing.T) {
	c := start(t, false)
	c.run("kept = 7")
	for _, code := range []string{
		"while true do end",
		"local a = random.normal{shape = {3000, 3000}}\nwhile true do a = a:dot(a) * 1e-3 end",
		"io.read()",
	} {
		c.ask(c.shell, "execute_request", fields{"code": code, "allow_stdin": true, "stop_on_error": false})
		time.Sleep(200 * time.Millisecond)
		began := time.Now()
		c.ask(c.control, "interrupt_request", fields{})
		if reply := c.receive(c.shell); reply.text("ename") != "Interrupted" {
			t.Errorf("%q: %v", code, reply.content)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%q: ended %v after the interrupt", code, took)
		}
		if reply := c.receive(c.control); reply.kind != "interrupt_reply" {
			t.Errorf("%q: %v", code, reply)
		}
	}
	if reply, output := c.run("kept"); len(output) != 1 || output[0].text("data text/plain") != "7" {
		t.Errorf("after interrupts: %v %v", reply, output)
	}
}

// What a script reads is asked of the front end that sent the cell, if it can answer.
func TestInput(t *testing.T) {
	c := start(t, false)
	c.ask(c.shell, "execute_request", fields{"code": "name = io.read()\nage = io.read('*n', '*l')", "allow_stdin": true})
	for _, line := range []string{"Émilie", "43"} {
		if a := c.receive(c.stdin); a.kind != "input_request" {
			t.Fatal(a)
		}
		c.ask(c.stdin, "input_reply", fields{"value": line})
	}
	if reply := c.receive(c.shell); reply.text("status") != "ok" {
		t.Error(reply)
	}
	if _, output := c.run("name, age"); output[0].text("data text/plain") != "Émilie    43" {
		t.Errorf("read %v", output)
	}
	if _, output := c.run("assert(io.read())"); !strings.Contains(output[0].text("evalue"), "takes no input") {
		t.Errorf("without a front end that answers: %v", output)
	}
}

// What front ends ask beside cells.
func TestQuestions(t *testing.T) {
	c := start(t, false)
	c.run("first = 1")
	for _, test := range []struct {
		kind    string
		content fields
		want    string // of the answer, as Go prints it
	}{
		{"kernel_info_request", fields{}, "protocol_version:5.3 status:ok"},
		{"complete_request", fields{"code": "λ = 1\nkernel.ma", "cursor_pos": 15}, "cursor_end:15 cursor_start:13 matches:[matern{]"},
		{"complete_request", fields{"code": "k = kernel.matern{\n  n", "cursor_pos": 22}, "matches:[nu=]"},
		{"complete_request", fields{"code": "fir", "cursor_pos": 99}, "matches:[first"},
		{"inspect_request", fields{"code": "x = green.fit{data = d}", "cursor_pos": 7}, "found:true"},
		{"inspect_request", fields{"code": "green.fit{data = d, ", "cursor_pos": 20}, "green.fit{data"},
		{"inspect_request", fields{"code": "nosuch", "cursor_pos": 2}, "found:false"},
		{"is_complete_request", fields{"code": "for i = 1, 2 do"}, "indent:   status:incomplete"},
		{"is_complete_request", fields{"code": "x = 1"}, "status:complete"},
		{"is_complete_request", fields{"code": "end"}, "status:invalid"},
		{"history_request", fields{"hist_access_type": "tail", "n": 5}, "history:[[0 1 first = 1]]"},
		{"history_request", fields{"hist_access_type": "search", "pattern": "s*"}, "history:[]"},
		{"history_request", fields{"hist_access_type": "search", "pattern": "f?rst*"}, "history:[[0 1 first = 1]]"},
		{"comm_info_request", fields{}, "comms:map[] status:ok"},
	} {
		c.ask(c.shell, test.kind, test.content)
		if got := fmt.Sprint(c.receive(c.shell).content); !strings.Contains(got, test.want) {
			t.Errorf("%s %v: %.400s, want %s", test.kind, test.content, got, test.want)
		}
	}
	if reply, _ := c.run("first", fields{"user_expressions": fields{"a": "first + 1", "b": "nosuch.x"}}); !strings.Contains(fmt.Sprint(reply.content), "text/plain:2") {
		t.Errorf("user expressions: %v", reply.content)
	}
	id := c.ask(c.shell, "comm_open", fields{"comm_id": "w", "target_name": "widget"})
	for a := c.published(id); ; a = c.published(id) {
		if a == nil {
			t.Fatal("a comm that nobody serves was not closed")
		}
		if a.kind == "comm_close" && a.text("comm_id") == "w" {
			break
		}
	}
}

// A message that was not signed with the key, or is none, changes nothing.
func TestSignature(t *testing.T) {
	c := start(t, false)
	stranger := *c
	stranger.wire = wire{[]byte("another key"), "stranger"}
	stranger.ask(c.shell, "execute_request", fields{"code": "x = 1"})
	if reply, output := c.run("x"); reply.text("status") != "ok" || len(output) != 0 {
		t.Errorf("a stranger's cell was run: %v", output)
	}
	w := wire{key: []byte("k")}
	frames, err := w.encode([][]byte{[]byte("id")}, "kind", nil, fields{"a": 1})
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(frames) {
		if _, err := w.decode(frames[:cut]); err == nil {
			t.Errorf("%d of %d frames were read", cut, len(frames))
		}
	}
	for i := 1; i < len(frames); i++ {
		changed := slices.Clone(frames)
		changed[i] = append(slices.Clone(frames[i]), ' ')
		if _, err := w.decode(changed); err == nil {
			t.Errorf("a change of frame %d was not seen", i)
		}
	}
}

// In safe mode a cell reaches no files and no programs.
func TestSafe(t *testing.T) {
	c := start(t, true)
	for _, code := range []string{"os.execute('true')", "io.popen('true')", "assert(io.open('/etc/passwd'))"} {
		if reply, _ := c.run(code); reply.text("status") != "error" {
			t.Errorf("%s: %v", code, reply.content)
		}
	}
	c.ask(c.shell, "complete_request", fields{"code": "f = '/etc/pas", "cursor_pos": 13})
	if got := fmt.Sprint(c.receive(c.shell).content["matches"]); got != "[]" {
		t.Errorf("names of files: %s", got)
	}
}

// The end: by a request, and by os.exit.
func TestShutdown(t *testing.T) {
	for _, way := range []string{"shutdown_request", "os.exit()"} {
		c := start(t, false)
		if way == "os.exit()" {
			c.ask(c.shell, "execute_request", fields{"code": way})
		} else {
			c.ask(c.control, way, fields{"restart": false})
		}
		select {
		case err := <-c.done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatalf("%s: the kernel goes on", way)
		}
	}
}

// Installing writes what Jupyter looks for, where it looks, and removing takes it away.
func TestInstall(t *testing.T) {
	home := t.TempDir()
	getenv := func(name string) string {
		if name == "JUPYTER_DATA_DIR" {
			return filepath.Join(home, "data")
		}
		return ""
	}
	spec := Spec{Name: "workbench", Title: "Workbench", Command: []string{"/bin/workbench", "kernel", "run"}}
	for _, prefix := range []string{"", filepath.Join(home, "env")} {
		dir, err := Install(spec, prefix, getenv)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
		if err != nil || !strings.Contains(string(data), `"{connection_file}"`) {
			t.Errorf("%s: %s %v", dir, data, err)
		}
		if gone, err := Remove("workbench", prefix, getenv); err != nil || gone != dir {
			t.Error(gone, err)
		}
		if _, err := Remove("workbench", prefix, getenv); err == nil {
			t.Error("removed twice")
		}
	}
}

func TestConnectionFiles(t *testing.T) {
	for text, want := range map[string]string{
		"": "JSON", "{}": "transport", `{"transport": "tcp", "ip": "::1", "key": "k", "signature_scheme": "md5"}`: "signature_scheme",
		`{"transport": "tcp"}`: "ip",
	} {
		path := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadConnection(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
