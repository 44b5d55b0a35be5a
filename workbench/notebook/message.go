package notebook

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

const (
	protocolVersion = "5.3"
	signatureScheme = "hmac-sha256"
)

// delimiter ends the identities of a message.
var delimiter = []byte("<IDS|MSG>")

// A header says what a message is.
type header struct {
	ID       string `json:"msg_id"`
	Username string `json:"username"`
	Session  string `json:"session"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// A message is what a front end asks.
type message struct {
	identities [][]byte
	header     header
	rawHeader  json.RawMessage // what answers have as their parent
	content    json.RawMessage
	received   time.Time
}

// fields is the content of an answer.
type fields = map[string]any

// A wire turns messages into frames and back, with the key and the name of one session.
type wire struct {
	key     []byte
	session string
}

// newID is a random name.
func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// sign is the signature of the four parts of a message.
func (w wire) sign(parts [][]byte) []byte {
	if len(w.key) == 0 {
		return nil
	}
	m := hmac.New(sha256.New, w.key)
	for _, p := range parts {
		m.Write(p)
	}
	return hex.AppendEncode(nil, m.Sum(nil))
}

// encode makes the frames of a message.
func (w wire) encode(identities [][]byte, kind string, parent json.RawMessage, content any) ([][]byte, error) {
	h, err := json.Marshal(header{newID(), "workbench", w.session, time.Now().UTC().Format(time.RFC3339Nano), kind, protocolVersion})
	if err != nil {
		return nil, err
	}
	c, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	if len(parent) == 0 {
		parent = json.RawMessage("{}")
	}
	parts := [][]byte{h, parent, []byte("{}"), c}
	frames := append([][]byte{}, identities...)
	return append(append(frames, delimiter, w.sign(parts)), parts...), nil
}

// decode reads the frames of a message, and refuses one that was not signed with the key.
func (w wire) decode(frames [][]byte) (message, error) {
	m := message{received: time.Now()}
	at := 0
	for at < len(frames) && !bytes.Equal(frames[at], delimiter) {
		at++
	}
	if len(frames) < at+6 {
		return m, fmt.Errorf("a message of %d parts: want identities, %s, a signature and four parts", len(frames), delimiter)
	}
	parts := frames[at+2 : at+6]
	if len(w.key) > 0 && !hmac.Equal(w.sign(parts), frames[at+1]) {
		return m, errors.New("a message with a wrong signature was not read")
	}
	m.identities, m.rawHeader, m.content = frames[:at], parts[0], parts[3]
	if err := json.Unmarshal(parts[0], &m.header); err != nil {
		return m, fmt.Errorf("a message whose header is no JSON: %w", err)
	}
	return m, nil
}
