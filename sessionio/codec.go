package sessionio

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// fields is a JSON object read leniently: what is absent or has the wrong shape reads as zero. Its
// values lie in the bytes that were read.
type fields []field

type field struct {
	key   []byte // with its quotes
	odd   bool   // the key is not its name's bytes: it has escapes or is no UTF-8
	value json.RawMessage
}

func newField(key, value []byte) field {
	return field{key, bytes.IndexByte(key, '\\') >= 0 || !utf8.Valid(key), value}
}

func (f field) name() string { return decodeString(f.key) }

// parseObject reads a JSON object; ok is false for anything else.
func parseObject(b []byte) (f fields, ok bool) {
	b = trimBlank(b)
	if len(b) == 0 || b[0] != '{' {
		return nil, false
	}
	f = make(fields, 0, 12)
	end, ok := skipNested(b, 0, 1, func(key, value []byte) { f = append(f, newField(key, value)) })
	if !ok || end != len(b) {
		return nil, false
	}
	return f, true
}

// trimBlank takes off what JSON knows as blank, and nothing else.
func trimBlank(b []byte) []byte { return bytes.Trim(b, " \t\r\n") }

// get finds a value; of a key that stands twice the last counts.
func (f fields) get(key string) json.RawMessage {
	for i := len(f) - 1; i >= 0; i-- {
		k := f[i].key
		if !f[i].odd && len(k) == len(key)+2 && string(k[1:len(k)-1]) == key || f[i].odd && decodeString(k) == key {
			return f[i].value
		}
	}
	return nil
}

// decodeString reads a JSON string, "" for anything else. Invalid UTF-8 becomes U+FFFD.
func decodeString(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if text := raw[1 : len(raw)-1]; bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return string(text)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func (f fields) str(key string) string { return decodeString(f.get(key)) }

func (f fields) flag(key string) bool {
	p := f.flagPtr(key)
	return p != nil && *p
}

func (f fields) flagPtr(key string) *bool {
	switch string(f.get(key)) {
	case "true":
		v := true
		return &v
	case "false":
		v := false
		return &v
	}
	return nil
}

// number reads an integer; a fraction is cut off, what no int64 holds is absent.
func (f fields) number(key string) (int64, bool) {
	raw := f.get(key)
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	if i, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return i, true
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.Abs(v) >= 1<<62 {
		return 0, false
	}
	return int64(v), true
}

func (f fields) integer(key string) int {
	n, _ := f.number(key)
	return int(n)
}

func (f fields) object(key string) (fields, bool) { return innerObject(f.get(key)) }

// raw is a value as it stands; null and absent are nil.
func (f fields) raw(key string) json.RawMessage {
	if b := bytes.TrimSpace(f.get(key)); len(b) > 0 && !bytes.Equal(b, []byte("null")) {
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
