package sessionio

import (
	"bytes"
	"encoding/json"
	"math"
	"time"
)

// fields is a JSON object read leniently: what is absent or has the wrong shape reads as zero.
type fields map[string]json.RawMessage

// parseObject reads a JSON object; ok is false for anything else. Invalid UTF-8 becomes U+FFFD.
func parseObject(b []byte) (f fields, ok bool) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || b[0] != '{' {
		return nil, false
	}
	if json.Unmarshal(b, &f) != nil {
		return nil, false
	}
	return f, f != nil
}

func (f fields) str(key string) string {
	var s string
	if json.Unmarshal(f[key], &s) != nil {
		return ""
	}
	return s
}

func (f fields) flag(key string) bool {
	p := f.flagPtr(key)
	return p != nil && *p
}

func (f fields) flagPtr(key string) *bool {
	var v *bool
	if json.Unmarshal(f[key], &v) != nil {
		return nil
	}
	return v
}

// number reads an integer; a fraction is cut off, what no int64 holds is absent.
func (f fields) number(key string) (int64, bool) {
	var n json.Number
	raw := bytes.TrimSpace(f[key])
	if len(raw) == 0 || raw[0] == '"' || json.Unmarshal(raw, &n) != nil {
		return 0, false
	}
	if i, err := n.Int64(); err == nil {
		return i, true
	}
	v, err := n.Float64()
	if err != nil || math.Abs(v) >= 1<<62 {
		return 0, false
	}
	return int64(v), true
}

func (f fields) integer(key string) int {
	n, _ := f.number(key)
	return int(n)
}

func (f fields) object(key string) (fields, bool) { return parseObject(f[key]) }

// raw is a value as it stands; null and absent are nil.
func (f fields) raw(key string) json.RawMessage {
	if b := bytes.TrimSpace(f[key]); len(b) > 0 && !bytes.Equal(b, []byte("null")) {
		return b
	}
	return nil
}

func (f fields) time(key string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, f.str(key))
	if err != nil {
		return time.Time{}
	}
	return t
}

const timeFormat = "2006-01-02T15:04:05.000Z"

// object writes a JSON object field by field, in the order of the calls.
type object struct {
	b   bytes.Buffer
	err error
}

func (o *object) put(key string, v any) {
	if o.b.Len() == 0 {
		o.b.WriteByte('{')
	} else {
		o.b.WriteByte(',')
	}
	k, err := encode(key)
	if err != nil {
		o.err = err
		return
	}
	val, err := encode(v)
	if err != nil {
		o.err = err
		return
	}
	o.b.Write(k)
	o.b.WriteByte(':')
	o.b.Write(val)
}

func (o *object) putStr(key, v string) {
	if v != "" {
		o.put(key, v)
	}
}

func (o *object) putRaw(key string, v json.RawMessage) {
	if len(v) > 0 {
		o.put(key, v)
	}
}

func (o *object) bytes() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	if o.b.Len() == 0 {
		return []byte("{}"), nil
	}
	o.b.WriteByte('}')
	return o.b.Bytes(), nil
}

// encode is JSON without HTML escaping and without a line end.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
