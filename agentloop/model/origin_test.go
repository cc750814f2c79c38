package model

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

func TestTransportErrors(t *testing.T) {
	t.Parallel()
	o := Origin{Provider: "p", Model: "m", BaseURL: "http://me:secretword@host:1/v1?key=secretword", Secret: "secretword"}
	wrap := func(err error) error { return &url.Error{Op: "Post", URL: o.BaseURL, Err: err} }
	for _, tt := range []struct {
		err  error
		kind ErrorKind
		says string
	}{
		{wrap(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}), Dropped, "nothing answers at http://host:1/v1"},
		{wrap(&net.DNSError{Err: "no such host", Name: "host"}), Dropped, "host of http://host:1/v1 was not found"},
		{wrap(syscall.ECONNRESET), Dropped, "the connection to http://host:1/v1 failed"},
		{wrap(errors.New("odd\nsecretword")), Dropped, "odd [key]"},
		{wrap(errors.New(`unsupported protocol scheme "ftp"`)), Invalid, "is not one"},
		{fmt.Errorf("wrapped: %w", &Error{Kind: Overloaded, Provider: "p", Message: "as it was"}), Overloaded, "as it was"},
	} {
		var e *Error
		if err := o.Transport(t.Context(), tt.err); !errors.As(err, &e) || e.Kind != tt.kind || !strings.Contains(e.Message, tt.says) {
			t.Errorf("%v: got %v", tt.err, err)
		} else if strings.Contains(e.Error(), "secretword") {
			t.Errorf("a secret in %q", e.Error())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := o.Transport(ctx, wrap(context.Canceled)); err != context.Canceled { //nolint:errorlint // its own, not wrapped
		t.Errorf("a cancelled context gives %v", err)
	}
}

func TestRawIsBoundedAndClean(t *testing.T) {
	t.Parallel()
	o := Origin{Secret: "sk-1"}
	e := o.Event([]byte(`{"error":{"message":"` + strings.Repeat("sk-1 é", 5000) + `"}}`))
	if len(e.Raw) > maxErrorRaw || len([]rune(e.Message)) > maxErrorMessage+1 || strings.Contains(e.Raw+e.Message, "sk-") {
		t.Errorf("raw of %d bytes, message %q", len(e.Raw), e.Message)
	}
}
