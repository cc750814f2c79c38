package model

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// serverError is what a server says went wrong, in whichever of the usual shapes.
type serverError struct {
	found   bool // the body has an error in it
	kind    string
	code    string
	message string
	raw     string
}

// parseServerError reads {"error": {"type", "code", "message"}}, {"error": "text"},
// {"message": "text"} and {"detail": "text"}; anything else is text.
func parseServerError(body []byte) serverError {
	e := serverError{raw: strings.TrimSpace(string(body))}
	var o struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  any             `json:"detail"`
	}
	if json.Unmarshal(body, &o) != nil {
		if !strings.HasPrefix(e.raw, "<") && !strings.HasPrefix(e.raw, "{") {
			e.message = e.raw // a proxy's plain words; a page of HTML says nothing in one line
		}
		return e
	}
	var inner struct {
		Type    string `json:"type"`
		Code    any    `json:"code"`
		Message string `json:"message"`
	}
	switch {
	case json.Unmarshal(o.Error, &e.message) == nil && e.message != "":
		e.found = true
	case json.Unmarshal(o.Error, &inner) == nil && string(o.Error) != "null":
		e.found, e.kind, e.message, e.code = true, inner.Type, inner.Message, scalar(inner.Code)
	case o.Message != "":
		e.found, e.message = true, o.Message
	default:
		e.message = scalar(o.Detail)
		e.found = e.message != ""
	}
	return e
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// classify decides what can be done about an error. Inside a stream there is no status: the type
// speaks then, or a code that is a status.
func classify(status int, e serverError) ErrorKind {
	if status < 300 {
		if n, err := strconv.Atoi(e.code); err == nil && n >= 400 && n < 600 {
			status = n
		} else {
			status = statusOf(e)
		}
	}
	switch {
	case e.code == "insufficient_quota" || e.kind == "insufficient_quota" || e.kind == "billing_error":
		return Invalid // waiting does not help
	case status == http.StatusTooManyRequests:
		return RateLimited
	case overflows(status, e):
		return Overflow
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Auth
	case status == 529, status == http.StatusServiceUnavailable, e.kind == "overloaded_error":
		return Overloaded
	case status == http.StatusRequestTimeout:
		return Dropped
	case status >= 500:
		return ServerError
	}
	return Invalid
}

// statusOf gives an error inside a stream the status that it would have had as a response.
func statusOf(e serverError) int {
	for _, word := range []string{e.kind, e.code} {
		switch word {
		case "overloaded_error":
			return 529
		case "rate_limit_error", "rate_limit_exceeded", "rate_limited":
			return http.StatusTooManyRequests
		case "authentication_error", "invalid_api_key":
			return http.StatusUnauthorized
		case "permission_error":
			return http.StatusForbidden
		case "invalid_request_error", "not_found_error", "context_length_exceeded":
			return http.StatusBadRequest
		case "request_too_large":
			return http.StatusRequestEntityTooLarge
		}
	}
	return http.StatusInternalServerError
}

// overflowWords are how providers and local servers say that the context is too long.
var overflowWords = regexp.MustCompile(`(?i)prompt is too long|request_too_large|request too large for|` +
	`exceeds? (the |this model'?s? )?(available )?(maximum )?context|context[ _](length|window|size)[ _]?(was |is |has been )?exceeded|` +
	`input token count.*exceeds|input length.*exceeds? .*(context|maximum)|maximum (prompt|context|input) length|maximum context size|` +
	`reduce the length of the messages|exceeds the limit of \d+|too many (input )?tokens|token limit exceeded|` +
	`context size has been exceeded|larger than the maximum context|greater than the context length|input is too long`)

// throttleWords look alike and mean too many requests.
var throttleWords = regexp.MustCompile(`(?i)rate.?limit|too many requests|per (minute|second|day)|^service unavailable`)

func overflows(status int, e serverError) bool {
	bare := e.raw == "" && status == http.StatusBadRequest // some gateways say no more than that
	if status == http.StatusRequestEntityTooLarge || bare {
		return true
	}
	if status == http.StatusUnauthorized || status == http.StatusForbidden || throttleWords.MatchString(e.message) {
		return false
	}
	return overflowWords.MatchString(e.message) || overflowWords.MatchString(e.code) || overflowWords.MatchString(e.kind)
}

// retryAfter reads how long a server wants us to wait: retry-after-ms, Retry-After in seconds or as
// a date, or retry_after in the error of a stream. 0 when it says nothing of use.
func retryAfter(h http.Header, body []byte) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return seconds(s)
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(at)).Round(time.Second)
	}
	var o struct {
		Error struct {
			RetryAfter float64 `json:"retry_after"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &o) == nil {
		return seconds(o.Error.RetryAfter)
	}
	return 0
}

func seconds(s float64) time.Duration {
	const longest = 365 * 24 * 3600
	if !(s > 0) {
		return 0
	}
	return time.Duration(min(s, longest) * float64(time.Second))
}
