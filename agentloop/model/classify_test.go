package model

import (
	"net/http"
	"testing"
	"time"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status int
		body   string
		want   ErrorKind
	}{
		{400, `{"error":{"message":"prompt is too long: 205000 tokens > 200000 maximum"}}`, Overflow},
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens."}}`, Overflow},
		{400, `{"error":{"code":"context_length_exceeded","message":"no"}}`, Overflow},
		{400, `{"error":{"message":"the request exceeds the available context size, try increasing it"}}`, Overflow},
		{400, `{"error":{"message":"Your input exceeds the context window of this model."}}`, Overflow},
		{400, `{"error":"Input token count (1200000) exceeds the maximum number of tokens allowed"}`, Overflow},
		{422, `{"detail":"Please reduce the length of the messages or completion."}`, Overflow},
		{500, `{"error":{"message":"context size has been exceeded"}}`, Overflow},
		{413, `whatever`, Overflow},
		{400, ``, Overflow},
		{400, `{"error":{"message":"rate limit: too many tokens per minute"}}`, Invalid},
		{429, `{"error":{"message":"Request too large: too many tokens per minute"}}`, RateLimited},
		{400, `{"error":{"message":"messages.0: text content blocks must be non-empty"}}`, Invalid},
		{404, `{"error":{"message":"model not found"}}`, Invalid},
		{401, ``, Auth},
		{403, `{"message":"context length exceeded"}`, Auth},
		{402, `{"error":{"type":"billing_error","message":"no credit"}}`, Invalid},
		{408, ``, Dropped},
		{429, ``, RateLimited},
		{500, `{`, ServerError},
		{502, `<html>bad gateway</html>`, ServerError},
		{503, ``, Overloaded},
		{529, ``, Overloaded},
		{400, `{"error":{"type":"overloaded_error"}}`, Overloaded},
		{0, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Overloaded},
		{0, `{"type":"error","error":{"type":"api_error","message":"oops"}}`, ServerError},
		{0, `{"error":{"type":"rate_limit_error"}}`, RateLimited},
		{0, `{"error":{"type":"authentication_error"}}`, Auth},
		{0, `{"error":{"type":"permission_error"}}`, Auth},
		{0, `{"error":{"type":"invalid_request_error","message":"bad"}}`, Invalid},
		{0, `{"error":{"code":502,"message":"upstream"}}`, ServerError},
		{0, `{"error":{"code":"429","message":"slow down"}}`, RateLimited},
		{0, `{"error":"who knows"}`, ServerError},
	} {
		if got := classify(tt.status, parseServerError([]byte(tt.body))); got != tt.want {
			t.Errorf("%d %s: got %s, want %s", tt.status, tt.body, got, tt.want)
		}
	}
}

func TestRetryAfterInAStream(t *testing.T) {
	t.Parallel()
	if got := retryAfter(nil, []byte(`{"error":{"retry_after":2.5}}`)); got != 2500*time.Millisecond {
		t.Errorf("got %v", got)
	}
	if got := retryAfter(http.Header{"Retry-After": {"1e300"}}, nil); got <= 0 || got > 366*24*time.Hour {
		t.Errorf("an endless wait reads as %v", got)
	}
}
