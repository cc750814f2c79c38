package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrFrameTooLong is a line above MaxFrame. A Reader has passed over it, and can go on.
var ErrFrameTooLong = fmt.Errorf("frame is longer than %d MiB", MaxFrame>>20)

// Frame is any line of the protocol: a request (ID and Method), a notification (Method alone) or a
// response (ID, with Result or Error).
type Frame struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Reader reads frames, one a line, in bounded memory.
type Reader struct {
	r   *bufio.Reader
	max int
}

// NewReader reads frames of at most MaxFrame bytes.
func NewReader(r io.Reader) *Reader { return &Reader{r: bufio.NewReaderSize(r, 64<<10), max: MaxFrame} }

// Read returns the next line that is not blank, without its LF. ErrFrameTooLong leaves the reader
// at the next line; a stream that ends inside a line is io.ErrUnexpectedEOF.
func (r *Reader) Read() ([]byte, error) {
	for {
		line, err := r.line()
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

func (r *Reader) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.r.ReadSlice('\n')
		if !long && len(line)+len(part) > r.max {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (len(line) > 0 || long):
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case long:
			return nil, ErrFrameTooLong
		}
		return line, nil
	}
}

// Writer writes frames, each in one write. It may be used from several goroutines.
type Writer struct {
	mu sync.Mutex
	w  io.Writer
}

// NewWriter writes frames to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write sends an encoded frame.
func (w *Writer) Write(frame []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.w.Write(frame)
	return err
}

// Encode makes a frame of v, its LF included; ErrFrameTooLong when it would not be read.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	if b.Len() > MaxFrame {
		return nil, ErrFrameTooLong
	}
	return b.Bytes(), nil
}

// EncodeNotification makes the frame of a notification.
func EncodeNotification(method string, params any) ([]byte, error) {
	return Encode(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

// EncodeRequest makes the frame of a request.
func EncodeRequest(id uint64, method string, params any) ([]byte, error) {
	return Encode(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      uint64 `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params})
}

// EncodeResult makes the frame of a response; a nil result is sent as null.
func EncodeResult(id json.RawMessage, result any) ([]byte, error) {
	return Encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", id, result})
}

// EncodeError makes the frame of a refusal. Without an id (a line that could not be read) it is null.
func EncodeError(id json.RawMessage, e *Error) ([]byte, error) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return Encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *Error          `json:"error"`
	}{"2.0", id, e})
}

// Decode reads a frame. Its error is an *Error, ready to be sent back.
func Decode(line []byte) (Frame, error) {
	var f Frame
	if !json.Valid(line) {
		return f, &Error{Code: CodeParse, Message: "the line is not JSON"}
	}
	if err := json.Unmarshal(line, &f); err != nil {
		return Frame{}, &Error{Code: CodeInvalid, Message: "the line is no JSON-RPC 2.0 object: " + err.Error()}
	}
	if f.JSONRPC != "2.0" {
		return f, &Error{Code: CodeInvalid, Message: `the line is no JSON-RPC 2.0 object: "jsonrpc" must be "2.0"`}
	}
	if string(f.ID) == "null" {
		f.ID = nil
	}
	return f, nil
}

// CodeOf is the code of the *Error in err's chain, 0 without one.
func CodeOf(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}
