package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

const (
	maxErrorBody    = 64 << 10
	maxErrorRaw     = 4 << 10
	maxErrorMessage = 300 // runes
)

// Origin is where a call went; it makes the errors of that call. No error text holds the secret.
type Origin struct {
	Provider string
	Model    string
	BaseURL  string
	Secret   string
}

// Response turns an answer that is no event stream into an error, and closes its body; nil leaves
// the response alone. It is for the middleware of an SDK.
func (o Origin) Response(res *http.Response) error {
	media, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	media = strings.ToLower(strings.TrimSpace(media))
	document := media == "application/json" || media == "text/html"
	if res.StatusCode < 300 && !document {
		return nil
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	if err != nil && len(body) == 0 && res.StatusCode < 300 {
		return o.Cut(err)
	}
	said := parseServerError(body)
	e := o.error(said, res.StatusCode)
	e.RetryAfter = retryAfter(res.Header, body)
	switch {
	case res.StatusCode < 300 && !said.found:
		e.Kind = Invalid
		e.Message = fmt.Sprintf("%s answered with %s, not with a stream: check the base URL", o.where(), media)
	case res.StatusCode == http.StatusNotFound && !said.found:
		e.Message = fmt.Sprintf("%s does not know this call: check the base URL", o.where())
	}
	return e
}

// Event turns an error object that came inside a stream into an error.
func (o Origin) Event(data []byte) *Error {
	said := parseServerError(data)
	e := o.error(said, 0)
	e.RetryAfter = retryAfter(nil, data)
	return e
}

// error puts together what a server said, with a status or (in a stream) without.
func (o Origin) error(said serverError, status int) *Error {
	e := &Error{
		Kind: classify(status, said), Provider: o.Provider, Model: o.Model, Status: status,
		Message: oneLine(o.clean(said.message)), Raw: o.raw(said.raw),
	}
	if e.Message == "" {
		e.Message = strings.ToLower(http.StatusText(status))
	}
	if e.Message == "" {
		e.Message = "the server reports an error"
	}
	if e.Kind == Auth {
		e.Message += " (check the API key)"
	}
	return e
}

// Transport turns the failure to get any answer into an error. ctx's own error stays as it is.
func (o Origin) Transport(ctx context.Context, err error) error {
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the URL, which may hold what nobody should read
	}
	e := &Error{Kind: Dropped, Provider: o.Provider, Model: o.Model, Err: err}
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = fmt.Sprintf("nothing answers at %s (connection refused)", o.where())
	case errors.As(err, &dns):
		e.Message = fmt.Sprintf("the host of %s was not found", o.where())
	case errors.As(err, &certificate), errors.As(err, &authority):
		e.Kind, e.Message = Invalid, fmt.Sprintf("the certificate of %s is not trusted: %s", o.where(), oneLine(o.clean(err.Error())))
	case strings.Contains(err.Error(), "unsupported protocol scheme"), strings.Contains(err.Error(), "no Host in request URL"):
		e.Kind, e.Message = Invalid, fmt.Sprintf("the base URL %q is not one: want http://host or https://host", o.where())
	default:
		e.Message = fmt.Sprintf("the connection to %s failed: %s", o.where(), oneLine(o.clean(err.Error())))
	}
	return e
}

// Cut is the error of a stream that broke off; err may be nil for one that just ended.
func (o Origin) Cut(err error) *Error {
	return &Error{
		Kind: Dropped, Provider: o.Provider, Model: o.Model, Err: err,
		Message: "the stream broke off before the answer was complete",
	}
}

// Garbled is the error of a stream, or of a call in it, that is not what the wire format says.
func (o Origin) Garbled(what string, data []byte) *Error {
	return &Error{
		Kind: ServerError, Provider: o.Provider, Model: o.Model, Message: what,
		Raw: o.raw(string(data)),
	}
}

// Refused is the error of a call that was not made, or of an answer that the provider held back:
// trying again would end the same way.
func (o Origin) Refused(message string) *Error {
	return &Error{Kind: Invalid, Provider: o.Provider, Model: o.Model, Message: message}
}

// where is the base URL as it may be shown.
func (o Origin) where() string {
	u, err := url.Parse(o.BaseURL)
	if err != nil {
		return "the base URL"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return strings.TrimSuffix(u.String(), "/")
}

func (o Origin) clean(s string) string {
	if o.Secret == "" {
		return s
	}
	return strings.ReplaceAll(s, o.Secret, "[key]")
}

// raw is the server's own words, bounded. The key goes first: a cut through it would leave a part.
func (o Origin) raw(s string) string {
	s = o.clean(s)
	return strings.ToValidUTF8(s[:min(len(s), maxErrorRaw)], "")
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if r := []rune(s); len(r) > maxErrorMessage {
		s = string(r[:maxErrorMessage]) + "…"
	}
	return s
}
