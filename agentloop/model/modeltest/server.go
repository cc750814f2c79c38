// Package modeltest is for tests of model providers, and of what stands on them: a server that
// speaks both wire formats by script, faults included, and a suite that every provider runs.
package modeltest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Wire is a wire format.
type Wire string

const (
	OpenAI    Wire = "openai"    // chat completions
	Anthropic Wire = "anthropic" // Messages
)

// Fault is how a response fails.
type Fault string

const (
	BadRequest   Fault = "400"
	NoAuth       Fault = "401"
	Limited      Fault = "429"
	Broken       Fault = "500"
	Busy         Fault = "529"
	TooLong      Fault = "overflow"
	BusyInStream Fault = "529-midstream" // an error event after half of the answer
	Cut          Fault = "cut"           // the connection closes after half of the answer
	Ended        Fault = "ended"         // the stream just ends after half of the answer
	Stall        Fault = "stall"         // silence after half of the answer
	Garbled      Fault = "garbled"       // what is not JSON after half of the answer
	BadArguments Fault = "bad-arguments" // a whole stream, the last call's arguments cut short
)

// Call is a tool call of a response.
type Call struct {
	ID, Name  string
	Arguments string // JSON
}

// Response is what the server answers to one request.
type Response struct {
	Thinking  string
	Signature string // Anthropic
	Redacted  string // Anthropic: a redacted thinking block with this payload
	Text      string
	Calls     []Call
	Stop      string // as the wire says it; by default what fits
	Fault     Fault
	Headers   map[string]string // sent with a fault's response
	Body      string            // of a fault's response, instead of the usual one
}

// Request is what the server was asked.
type Request struct {
	Path   string
	Header http.Header
	Body   map[string]any
	Raw    []byte
	Refuse string // why a real server would refuse its messages, "" when it would not
}

// Server answers requests by script, in order; after the script's end it says "ok".
type Server struct {
	URL string // without a path

	t        testing.TB
	server   *httptest.Server
	mu       sync.Mutex
	script   []Response
	requests []Request
}

// NewServer starts a server that stops with the test.
func NewServer(t testing.TB, script ...Response) *Server {
	t.Helper()
	s := &Server{t: t, script: script}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.server.URL
	t.Cleanup(s.server.Close)
	return s
}

// Base is the base URL as a provider of a wire is given it.
func (s *Server) Base(w Wire) string {
	if w == OpenAI {
		return s.URL + "/v1"
	}
	return s.URL
}

// Client is an HTTP client whose connections end with the server.
func (s *Server) Client() *http.Client { return s.server.Client() }

// Script appends responses.
func (s *Server) Script(responses ...Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, responses...)
}

// Requests lists what was asked so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Last is the newest request; the test fails without one.
func (s *Server) Last() Request {
	s.t.Helper()
	all := s.Requests()
	if len(all) == 0 {
		s.t.Fatal("the server was not asked")
	}
	return all[len(all)-1]
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	req := Request{Path: r.URL.Path, Header: r.Header, Raw: raw}
	if err == nil {
		err = json.Unmarshal(raw, &req.Body)
	}
	wire, known := map[string]Wire{"/v1/chat/completions": OpenAI, "/v1/messages": Anthropic}[r.URL.Path]
	if !known || err != nil {
		http.NotFound(w, r)
		return
	}
	req.Refuse = refuse(wire, req.Body)
	s.mu.Lock()
	s.requests = append(s.requests, req)
	answer := Response{Text: "ok"}
	if len(s.script) > 0 && req.Refuse == "" {
		answer, s.script = s.script[0], s.script[1:]
	}
	s.mu.Unlock()
	if req.Refuse != "" {
		writeError(w, wire, Response{Fault: BadRequest}, req.Refuse)
		return
	}
	if strings.Trim(string(answer.Fault), "0123456789") == "" && answer.Fault != "" || answer.Fault == TooLong {
		writeError(w, wire, answer, "")
		return
	}
	stream(w, r, wire, answer)
}

func writeError(w http.ResponseWriter, wire Wire, r Response, message string) {
	status, kind := 400, "invalid_request_error"
	switch r.Fault {
	case NoAuth:
		status, kind = 401, "authentication_error"
	case Limited:
		status, kind = 429, "rate_limit_error"
	case Broken:
		status, kind = 500, "api_error"
	case Busy:
		status, kind = 529, "overloaded_error"
	case TooLong:
		message = "prompt is too long: 210000 tokens > 200000 maximum"
		if wire == OpenAI {
			kind, message = "context_length_exceeded", "This model's maximum context length is 128000 tokens."
		}
	default:
	}
	if message == "" {
		message = "this is a " + kind
	}
	for k, v := range r.Headers {
		w.Header().Set(k, v)
	}
	body := []byte(r.Body)
	if r.Body == "" {
		body, _ = json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "code": kind, "message": message}})
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	_, _ = io.Copy(w, bytes.NewReader(body))
}
