package store

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// The index's body: a table of strings, each once, then path and record of each file, field after
// field as they are declared. Numbers are varints, a string is its place in the table. Ten thousand
// sessions load in a few milliseconds this way, and a string costs no copy.

var timeType = reflect.TypeFor[time.Time]()

// leastRecord is a bound for how short a record can be: a byte for each of a known's own fields. It
// keeps damage from asking for much memory.
const leastRecord = 9

// shape describes what a record holds, by name and kind: an index of another shape is not read.
func shape() string {
	var b strings.Builder
	describeType(&b, reflect.TypeFor[known]())
	return b.String()
}

func describeType(b *strings.Builder, t reflect.Type) {
	switch {
	case t == timeType || t.Kind() != reflect.Struct && t.Kind() != reflect.Pointer:
		fmt.Fprintf(b, "%s ", t)
	case t.Kind() == reflect.Pointer:
		b.WriteString("*")
		describeType(b, t.Elem())
	default:
		b.WriteString("{")
		for i := range t.NumField() {
			b.WriteString(t.Field(i).Name + " ")
			describeType(b, t.Field(i).Type)
		}
		b.WriteString("}")
	}
}

func asTime(v reflect.Value) (*time.Time, bool) {
	if v.Type() != timeType {
		return nil, false
	}
	t, ok := v.Addr().Interface().(*time.Time)
	return t, ok
}

type encoder struct {
	table []byte
	seen  map[string]uint64
	body  []byte
}

func encodeFiles(files map[string]*known) []byte {
	e := encoder{seen: map[string]uint64{}}
	for path, k := range files {
		e.str(path)
		e.value(reflect.ValueOf(k).Elem())
	}
	out := binary.AppendUvarint(nil, uint64(len(e.seen)))
	out = append(out, e.table...)
	out = binary.AppendUvarint(out, uint64(len(files)))
	return append(out, e.body...)
}

func (e *encoder) uint(n uint64) { e.body = binary.AppendUvarint(e.body, n) }
func (e *encoder) int(n int64)   { e.body = binary.AppendVarint(e.body, n) }

func (e *encoder) str(s string) {
	n, ok := e.seen[s]
	if !ok {
		n = uint64(len(e.seen))
		e.seen[s] = n
		e.table = append(binary.AppendUvarint(e.table, uint64(len(s))), s...)
	}
	e.uint(n)
}

func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if t, ok := asTime(v); ok {
			e.int(t.Unix())
			e.uint(uint64(t.Nanosecond()))
			return
		}
		for i := range v.NumField() {
			e.value(v.Field(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			e.uint(0)
			return
		}
		e.uint(1)
		e.value(v.Elem())
	case reflect.String:
		e.str(v.String())
	case reflect.Slice: // of bytes
		e.str(string(v.Bytes()))
	case reflect.Map: // map[string]bool
		set, _ := v.Interface().(map[string]bool)
		e.uint(uint64(len(set)))
		for _, key := range slices.Sorted(maps.Keys(set)) {
			e.str(key)
		}
	case reflect.Bool:
		if v.Bool() {
			e.uint(1)
		} else {
			e.uint(0)
		}
	case reflect.Int, reflect.Int64:
		e.int(v.Int())
	case reflect.Uint64:
		e.uint(v.Uint())
	case reflect.Float64:
		e.uint(math.Float64bits(v.Float()))
	default:
		panic("store: the index has no form for " + v.Type().String())
	}
}

type decoder struct {
	rest  string
	table []string
	bad   bool
}

func decodeFiles(body string) (map[string]*known, bool) {
	d := decoder{rest: body}
	n := d.uint()
	if n > uint64(len(body)) {
		return nil, false
	}
	d.table = make([]string, n)
	for i := range d.table {
		size := d.uint()
		if d.bad || size > uint64(len(d.rest)) {
			return nil, false
		}
		d.table[i], d.rest = d.rest[:size], d.rest[size:]
	}
	n = d.uint()
	if n > uint64(len(d.rest)/leastRecord) {
		return nil, false
	}
	files := make(map[string]*known, n)
	records := make([]known, n)
	for i := range records {
		path, k := d.str(), &records[i]
		d.value(reflect.ValueOf(k).Elem())
		if d.bad {
			return nil, false
		}
		files[path] = k
	}
	return files, !d.bad
}

func (d *decoder) uint() uint64 {
	var n uint64
	for i := range min(len(d.rest), binary.MaxVarintLen64) {
		c := d.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.rest = d.rest[i+1:]
			return n
		}
	}
	d.bad = true
	return 0
}

func (d *decoder) int() int64 {
	n := d.uint()
	return int64(n>>1) ^ -int64(n&1)
}

func (d *decoder) str() string {
	n := d.uint()
	if n >= uint64(len(d.table)) {
		d.bad = true
		return ""
	}
	return d.table[n]
}

func (d *decoder) value(v reflect.Value) {
	if d.bad {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if t, ok := asTime(v); ok {
			sec, nano := d.int(), d.uint()
			*t = time.Unix(sec, int64(nano%1e9)).UTC()
			return
		}
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	case reflect.Pointer:
		if d.uint() == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.String:
		v.SetString(d.str())
	case reflect.Slice:
		if s := d.str(); s != "" {
			v.SetBytes([]byte(s))
		}
	case reflect.Map:
		if n := d.uint(); n > 0 && !d.bad {
			set := map[string]bool{}
			for range min(n, uint64(len(d.table))) {
				set[d.str()] = true
			}
			v.Set(reflect.ValueOf(set))
		}
	case reflect.Bool:
		v.SetBool(d.uint() == 1)
	case reflect.Int, reflect.Int64:
		v.SetInt(d.int())
	case reflect.Uint64:
		v.SetUint(d.uint())
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(d.uint()))
	default:
		panic("store: the index has no form for " + v.Type().String())
	}
}
