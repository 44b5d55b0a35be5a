package notebook

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	zmq "github.com/go-zeromq/zmq4"

	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/input"
)

// A request is what front ends ask about code, as far as any kind has these fields.
type request struct {
	Code      string `json:"code"`
	CursorPos int    `json:"cursor_pos"` // in characters
	Restart   bool   `json:"restart"`

	// Of cells.
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`

	// Of the history.
	AccessType string `json:"hist_access_type"`
	N          int    `json:"n"`
	Pattern    string `json:"pattern"`
}

// An answerer makes the content of the answer to a kind of request.
type answerer struct {
	do    func(*Kernel, context.Context, message, request) fields
	waits bool // for the Lua state
}

// answers are the kinds of requests and what answers them. Those that do not wait for the Lua
// state are answered on the control channel, too, while a cell runs.
func answers() map[string]answerer {
	return map[string]answerer{
		"kernel_info_request": {(*Kernel).kernelInfo, false},
		"execute_request":     {(*Kernel).execute, true},
		"complete_request":    {(*Kernel).complete, true},
		"inspect_request":     {(*Kernel).inspect, true},
		"is_complete_request": {(*Kernel).isComplete, true},
		"history_request":     {(*Kernel).history, true},
		"comm_info_request":   {(*Kernel).commInfo, false},
		"interrupt_request":   {(*Kernel).interrupt, false},
		"shutdown_request":    {(*Kernel).shutdown, false},
	}
}

// answer answers a message on the channel it came by. What is no request is not answered, but
// for the opening of a comm, which is closed at once: there are no widgets.
func (k *Kernel) answer(ctx context.Context, s zmq.Socket, m message) {
	var r request
	if err := json.Unmarshal(m.content, &r); err != nil {
		k.complain(m, err)
		return
	}
	k.publish(m, "status", fields{"execution_state": "busy"})
	defer k.publish(m, "status", fields{"execution_state": "idle"})
	if a, ok := answers()[m.header.Type]; ok && !(a.waits && s == k.control) {
		content := a.do(k, ctx, m, r)
		k.flush()
		k.send(s, m.identities, strings.TrimSuffix(m.header.Type, "request")+"reply", m.rawHeader, content)
		if m.header.Type == "shutdown_request" {
			k.end()
		}
		return
	}
	if m.header.Type == "comm_open" {
		var comm struct {
			ID string `json:"comm_id"`
		}
		_ = json.Unmarshal(m.content, &comm) // read once already
		k.publish(m, "comm_close", fields{"comm_id": comm.ID, "data": fields{}})
	}
}

// complain tells on standard error, which front ends show or log.
func (k *Kernel) complain(m message, err error) {
	k.publish(m, "stream", fields{"name": "stderr", "text": fmt.Sprintf("workbench kernel: %s: %v\n", m.header.Type, err)})
}

func (k *Kernel) kernelInfo(context.Context, message, request) fields {
	version := strings.TrimPrefix(everywhere.Version(), "workbench ")
	number, _, _ := strings.Cut(version, " ")
	return fields{
		"status": "ok", "protocol_version": protocolVersion,
		"implementation": "workbench", "implementation_version": number,
		"banner": everywhere.Version() + "   ?name for help, ?*word* to search",
		"language_info": fields{
			"name": "lua", "version": "5.1", "mimetype": "text/x-lua", "file_extension": ".lua",
			"pygments_lexer": "lua", "codemirror_mode": "lua",
		},
		"help_links": []any{},
	}
}

// complete offers what the Tab key of the prompt would.
func (k *Kernel) complete(_ context.Context, _ message, r request) fields {
	at := byteAt(r.Code, r.CursorPos)
	begin := strings.LastIndexByte(r.Code[:at], '\n') + 1
	end := len(r.Code)
	if i := strings.IndexByte(r.Code[at:], '\n'); i >= 0 {
		end = at + i
	}
	c := k.completer.Complete(strings.TrimSuffix(r.Code[:begin], "\n"), r.Code[begin:end], at-begin)
	matches, types := []string{}, []fields{}
	start := utf8.RuneCountInString(r.Code[:begin+c.From])
	for _, x := range c.Candidates {
		matches = append(matches, x.Text)
		types = append(types, fields{"start": start, "end": r.CursorPos, "text": x.Text, "type": "", "signature": x.Show})
	}
	return fields{
		"status": "ok", "matches": matches, "cursor_start": start, "cursor_end": r.CursorPos,
		"metadata": fields{"_jupyter_types_experimental": types},
	}
}

// inspect shows the page of the name at the cursor, or of the function whose arguments it is in.
func (k *Kernel) inspect(_ context.Context, _ message, r request) fields {
	at := byteAt(r.Code, r.CursorPos)
	none := fields{"status": "ok", "found": false, "data": fields{}, "metadata": fields{}}
	name := nameAt(r.Code, at)
	if name == "" {
		name = calledAt(r.Code[:at])
	}
	if name == "" {
		return none
	}
	page, ok := k.Desk.Page(k.Host.L, name)
	if !ok {
		return none
	}
	return fields{"status": "ok", "found": true, "data": fields{"text/plain": page}, "metadata": fields{}}
}

func (k *Kernel) isComplete(_ context.Context, _ message, r request) fields {
	read := input.Read("cell", r.Code)
	switch {
	case read.Incomplete:
		return fields{"status": "incomplete", "indent": "  "}
	case read.Err != nil:
		return fields{"status": "invalid"}
	}
	return fields{"status": "complete"}
}

// history is the cells of this session.
func (k *Kernel) history(_ context.Context, _ message, r request) fields {
	var list [][]any
	for i, c := range k.cells {
		if r.AccessType != "search" || matches(c, r.Pattern) {
			list = append(list, []any{0, i + 1, c})
		}
	}
	if r.N > 0 && len(list) > r.N {
		list = list[len(list)-r.N:]
	}
	if list == nil {
		list = [][]any{}
	}
	return fields{"status": "ok", "history": list}
}

// matches reports whether a text fits a pattern in which * stands for anything and ? for any
// character.
func matches(text, pattern string) bool {
	t := []rune(text)
	fits := make([]bool, len(t)+1) // pattern so far, up to each character
	fits[0] = true
	for _, c := range pattern {
		next := make([]bool, len(t)+1)
		for i := range next {
			switch {
			case c == '*':
				next[i] = fits[i] || i > 0 && next[i-1]
			case i > 0:
				next[i] = fits[i-1] && (c == '?' || c == t[i-1])
			}
		}
		fits = next
	}
	return fits[len(t)]
}

func (k *Kernel) commInfo(context.Context, message, request) fields {
	return fields{"status": "ok", "comms": fields{}}
}

func (k *Kernel) interrupt(context.Context, message, request) fields {
	k.Interrupt()
	return fields{"status": "ok"}
}

func (k *Kernel) shutdown(_ context.Context, _ message, r request) fields {
	k.Interrupt()
	return fields{"status": "ok", "restart": r.Restart}
}

// byteAt is the place in bytes of a character.
func byteAt(text string, character int) int {
	for i := range text {
		if character <= 0 {
			return i
		}
		character--
	}
	return len(text)
}

func inName(r rune) bool {
	return r == '.' || r == ':' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// nameAt is the name, a.b or a:b, around a place.
func nameAt(code string, at int) string {
	from := strings.LastIndexFunc(code[:at], func(r rune) bool { return !inName(r) })
	if from >= 0 {
		_, n := utf8.DecodeRuneInString(code[from:])
		from += n
	} else {
		from = 0
	}
	to := strings.IndexFunc(code[at:], func(r rune) bool { return !inName(r) })
	if to < 0 {
		to = len(code) - at
	}
	return strings.Trim(code[from:at+to], ".:")
}

// calledAt is the name of the function whose bracket was opened last and not closed.
func calledAt(before string) string {
	depth := 0
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i] {
		case ')', '}':
			depth++
		case '(', '{':
			if depth--; depth < 0 {
				if name := nameAt(before, i); name != "" {
					return name
				}
				depth = 0 // of a table in the arguments
			}
		}
	}
	return ""
}
