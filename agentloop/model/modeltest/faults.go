package modeltest

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// fail makes a call that must fail, and checks what holds for every error.
func (s suite) fail(t *testing.T, r Response) *model.Error {
	t.Helper()
	p, server := s.start(t, r)
	_, err := p.Stream(t.Context(), Ask("q"), func(model.Delta) {})
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: %v is not a model error", r.Fault, err)
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%s: %d requests, want 1: retries are the loop's", r.Fault, n)
	}
	if e.Provider != p.Name() || e.Model != "fake-model" || e.Message == "" || strings.Contains(e.Message, "\n") || len(e.Raw) > 4<<10 {
		t.Errorf("%s: %+v", r.Fault, e)
	}
	if strings.Contains(e.Error()+e.Raw, Key) {
		t.Errorf("%s: the key is in the error: %+v", r.Fault, e)
	}
	return e
}

func (s suite) failures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		response Response
		kind     model.ErrorKind
		status   int
		says     string
	}{
		{Response{Fault: BadRequest}, model.Invalid, 400, "invalid_request_error"},
		{Response{Fault: BadRequest, Body: "<html>nothing</html>"}, model.Invalid, 400, "bad request"},
		{Response{Fault: BadRequest, Body: `{"error":{"message":"two\nlines, key ` + Key + `"}}`}, model.Invalid, 400, "two lines, key [key]"},
		{Response{Fault: BadRequest, Body: strings.Repeat("long ", 10_000)}, model.Invalid, 400, "long long"},
		{Response{Fault: NoAuth}, model.Auth, 401, "check the API key"},
		{Response{Fault: Limited}, model.RateLimited, 429, "rate_limit_error"},
		{Response{Fault: Limited, Body: `{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"no money"}}`}, model.Invalid, 429, "no money"},
		{Response{Fault: Broken}, model.ServerError, 500, "api_error"},
		{Response{Fault: Broken, Body: "upstream is down"}, model.ServerError, 500, "upstream is down"},
		{Response{Fault: Busy}, model.Overloaded, 529, "overloaded_error"},
		{Response{Fault: TooLong}, model.Overflow, 400, ""},
		{Response{Fault: BusyInStream, Text: "half of it"}, model.Overloaded, 0, "Overloaded"},
		{Response{Fault: Cut, Text: "half of it"}, model.Dropped, 0, "broke off"},
		{Response{Fault: Ended, Text: "half of it"}, model.Dropped, 0, "broke off"},
		{Response{Fault: Garbled, Text: "half of it"}, model.ServerError, 0, "not JSON"},
		{Response{Fault: BadArguments, Calls: []Call{{"c", "read", `{"path":"a"}`}}}, model.ServerError, 0, "read"},
	} {
		e := s.fail(t, tt.response)
		if e.Kind != tt.kind || e.Status != tt.status || !strings.Contains(e.Message, tt.says) {
			t.Errorf("%s: got %s, status %d, %q; want %s, %d, %q", tt.response.Fault, e.Kind, e.Status, e.Message, tt.kind, tt.status, tt.says)
		}
	}
}

func (s suite) retryAfter(t *testing.T) {
	t.Parallel()
	for header, want := range map[[2]string][2]time.Duration{
		{"Retry-After", "7"}:        {7 * time.Second, 7 * time.Second},
		{"Retry-After", "0.5"}:      {time.Second / 2, time.Second / 2},
		{"Retry-After-Ms", "1500"}:  {1500 * time.Millisecond, 1500 * time.Millisecond},
		{"Retry-After", "soon"}:     {0, 0},
		{"Retry-After", "-3"}:       {0, 0},
		{"Retry-After", tomorrow()}: {23 * time.Hour, 25 * time.Hour},
	} {
		e := s.fail(t, Response{Fault: Limited, Headers: map[string]string{header[0]: header[1]}})
		if e.RetryAfter < want[0] || e.RetryAfter > want[1] || !e.Retryable() {
			t.Errorf("%v: %+v", header, e)
		}
	}
}

func tomorrow() string { return time.Now().Add(24 * time.Hour).UTC().Format(http.TimeFormat) }

func (s suite) nobody(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + l.Addr().String()
	_ = l.Close()
	_, err = s.factory(base, &http.Client{}).Stream(t.Context(), Ask("q"), func(model.Delta) {})
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.Dropped || !strings.Contains(e.Message, base) || !strings.Contains(e.Message, "nothing answers") {
		t.Errorf("%v", err)
	}
}

func (s suite) stalled(t *testing.T) {
	t.Parallel()
	p, _ := s.start(t, Response{Fault: Stall, Text: "half of it"})
	ctx, cancel := context.WithCancel(t.Context())
	within(t, func() {
		m, err := p.Stream(ctx, Ask("q"), func(d model.Delta) {
			if d.Text == "f" {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || m == nil || !strings.HasPrefix(m.Content[0].Text, "half") {
			t.Errorf("%+v, %v", m, err)
		}
	})
	cancel()
}

func (s suite) noStream(t *testing.T) {
	t.Parallel()
	server := http.NewServeMux()
	server.HandleFunc("/page/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<html>welcome</html>"))
	})
	server.HandleFunc("/error/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"error":{"code":503,"message":"no one is free"}}`))
	})
	fake := httptest.NewServer(server)
	t.Cleanup(fake.Close)
	for path, want := range map[string]struct {
		kind model.ErrorKind
		says string
	}{
		"/page":    {model.Invalid, "text/html, not with a stream: check the base URL"},
		"/error":   {model.Overloaded, "no one is free"},
		"/nowhere": {model.Invalid, "base URL"},
	} {
		_, err := s.factory(fake.URL+path, fake.Client()).Stream(t.Context(), Ask("q"), func(model.Delta) {})
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != want.kind || !strings.Contains(e.Message, want.says) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func (s suite) partial(t *testing.T) {
	t.Parallel()
	p, _ := s.start(t, Response{Fault: Cut, Text: "half of it", Calls: []Call{{"c", "read", `{"path":"a"}`}}})
	var got Collect
	m, err := p.Stream(t.Context(), Ask("q"), got.Emit)
	var e *model.Error
	if !errors.As(err, &e) || m == nil || m.StopReason == sessionio.StopToolUse || !strings.HasPrefix("half of it", m.Content[0].Text) {
		t.Fatalf("%+v, %v", m, err)
	}
	if m.Content[0].Text != got.Blocks[0].Text {
		t.Errorf("message %q, deltas %q", m.Content[0].Text, got.Blocks[0].Text)
	}
}
