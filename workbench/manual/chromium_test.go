package manual_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A browser is a headless Chromium, driven through its DevTools protocol over a
// pair of pipes: messages are JSON, each ended by a zero byte. One goroutine
// uses it: a call writes its message and reads until the answer is there; the
// events that come before it are kept.
type browser struct {
	out     *os.File
	in      *bufio.Reader
	session string // of the tab
	calls   int
	events  []event
}

// An event is something the browser reported.
type event struct {
	Method string
	Params json.RawMessage
}

// startBrowser skips the test when there is no Chromium.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("needs chromium (Debian: apt-get install chromium)")
	}
	// Not t.TempDir: helper processes of the browser may outlive it for a moment
	// and still write there.
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(profile) })
	theirIn, ourOut := pipe(t)
	ourIn, theirOut := pipe(t)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Minute) // that of t ends before the cleanup
	var errs bytes.Buffer
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--remote-debugging-pipe", "--user-data-dir="+profile)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // become 3 and 4
	cmd.Stderr = &errs
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{out: ourOut, in: bufio.NewReader(ourIn)}
	t.Cleanup(func() {
		// It may be gone before it answers.
		fmt.Fprint(b.out, `{"id": 0, "method": "Browser.close"}`+"\x00")
		ourOut.Close()
		_ = cmd.Wait()
		cancel()
		if t.Failed() {
			t.Logf("chromium said:\n%s", errs.String())
		}
	})
	b.openTab(t)
	return b
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// openTab makes the tab that all further calls go to.
func (b *browser) openTab(t *testing.T) {
	t.Helper()
	var target struct{ TargetID string }
	b.call(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(t, domain+".enable", nil, nil)
	}
}

// call calls a method of the protocol and decodes its result.
func (b *browser) call(t *testing.T, method string, params, result any) {
	t.Helper()
	b.calls++
	id := b.calls
	message := map[string]any{"id": id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.out.Write(append(text, 0)); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	for {
		answer := b.read(t)
		if answer.ID != id {
			continue
		}
		if answer.Error != nil {
			t.Fatalf("%s: %s", method, answer.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(answer.Result, result); err != nil {
				t.Fatalf("%s: %v in %s", method, err, answer.Result)
			}
		}
		return
	}
}

type answer struct {
	ID     int
	Result json.RawMessage
	Error  *struct{ Message string }
	event
}

// read reads one message, and keeps it if it is an event.
func (b *browser) read(t *testing.T) answer {
	t.Helper()
	text, err := b.in.ReadBytes(0)
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	var a answer
	if err := json.Unmarshal(text[:len(text)-1], &a); err != nil {
		t.Fatalf("chromium: %v in %s", err, text)
	}
	if a.Method != "" {
		b.events = append(b.events, a.event)
	}
	return a
}

// open opens a page and waits until it is loaded. The events are those since.
func (b *browser) open(t *testing.T, url string) {
	t.Helper()
	b.events = nil
	b.call(t, "Page.navigate", map[string]any{"url": url}, nil)
	b.await(t, "Page.loadEventFired")
}

// await reads until an event of this name is among the events.
func (b *browser) await(t *testing.T, method string) {
	t.Helper()
	for {
		for _, e := range b.events {
			if e.Method == method {
				return
			}
		}
		b.read(t)
	}
}

// eval returns the value of a JavaScript expression.
func (b *browser) eval(t *testing.T, expression string, value any) {
	t.Helper()
	var result struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	b.call(t, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &result)
	if e := result.ExceptionDetails; e != nil {
		t.Fatalf("%s: %s", expression, e.Exception.Description)
	}
	if err := json.Unmarshal(result.Result.Value, value); err != nil {
		t.Fatalf("%s: %v in %s", expression, err, result.Result.Value)
	}
}

// press presses and releases a key; text is what it types.
func (b *browser) press(t *testing.T, key, text string, code int) {
	t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := map[string]any{"type": kind, "key": key, "windowsVirtualKeyCode": code}
		if kind == "keyDown" {
			params["text"] = text
		}
		b.call(t, "Input.dispatchKeyEvent", params, nil)
	}
}

// look sets the size of the window and the colour scheme, "light" or "dark".
func (b *browser) look(t *testing.T, width, height int, scheme string) {
	t.Helper()
	b.call(t, "Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
	}, nil)
	b.call(t, "Emulation.setEmulatedMedia", map[string]any{
		"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}},
	}, nil)
}

// complaints are the errors and warnings that the page has caused, and requests
// that went elsewhere than below base.
func (b *browser) complaints(base string) (found []string) {
	for _, e := range b.events {
		var p struct {
			Type             string
			Entry            struct{ Level, Text, URL string }
			ExceptionDetails json.RawMessage
			Request          struct{ URL string }
		}
		if err := json.Unmarshal(e.Params, &p); err != nil {
			found = append(found, err.Error())
		}
		switch {
		case e.Method == "Runtime.exceptionThrown":
			found = append(found, string(p.ExceptionDetails))
		case e.Method == "Runtime.consoleAPICalled" && (p.Type == "error" || p.Type == "warning"):
			found = append(found, string(e.Params))
		case e.Method == "Log.entryAdded" && (p.Entry.Level == "error" || p.Entry.Level == "warning"):
			found = append(found, fmt.Sprintf("%s (%s)", p.Entry.Text, p.Entry.URL))
		case e.Method == "Network.requestWillBeSent" && !isBelow(p.Request.URL, base):
			found = append(found, "a request for "+p.Request.URL)
		}
	}
	return found
}
