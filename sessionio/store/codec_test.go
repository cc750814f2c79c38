package store

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// fill sets every field, so that a field which the codec forgets is seen.
func fill(r *rand.Rand, v reflect.Value) {
	if v.Type() == timeType {
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(1<<40), r.Int64N(1e9)).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem())
	case reflect.String:
		v.SetString(strings.Repeat("ä\x00", 1+r.IntN(9)))
	case reflect.Slice:
		v.SetBytes([]byte{byte(r.Uint32()), 0, 255})
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]bool{"a": true, "b": true}))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1 + r.Int64() - r.Int64())
	case reflect.Uint64:
		v.SetUint(1 + r.Uint64())
	case reflect.Float64:
		v.SetFloat(r.NormFloat64())
	default:
		panic(v.Type())
	}
}

func TestCodecKeepsEveryField(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	files := map[string]*known{"/zero": {}}
	for i := range 50 {
		var k known
		fill(r, reflect.ValueOf(&k).Elem())
		files["/p/"+strings.Repeat("x", i)] = &k
	}
	got, ok := decodeFiles(string(encodeFiles(files)))
	if !ok || !reflect.DeepEqual(got, files) {
		t.Errorf("ok %v; got %+v", ok, got["/p/x"])
	}
	if got, ok := decodeFiles(string(encodeFiles(nil))); !ok || len(got) != 0 {
		t.Errorf("an empty index: %v, %v", got, ok)
	}
}

// The checksum keeps damage out; what passes it all the same gives no panic and no huge memory.
func TestCodecSurvivesDamage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var k known
	fill(r, reflect.ValueOf(&k).Elem())
	whole := encodeFiles(map[string]*known{"/a": &k, "/b": {}})
	for n := range len(whole) {
		if _, ok := decodeFiles(string(whole[:n])); ok {
			t.Fatalf("cut at %d of %d, it was read", n, len(whole))
		}
	}
	for range 5000 {
		b := bytes.Clone(whole)
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		decodeFiles(string(b))
	}
}

func TestShapeSeesFields(t *testing.T) {
	t.Parallel()
	for _, want := range []string{"MTime int64", "Scanned int64", "Status *{Summary string", "Modified time.Time", "Calls map[string]bool"} {
		if !strings.Contains(shape(), want) {
			t.Errorf("no %q in %s", want, shape())
		}
	}
}
