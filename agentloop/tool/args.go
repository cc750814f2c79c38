package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// decode reads a call's arguments. Unknown ones are passed over: models add some.
func decode[T any](name string, call Call) (T, error) {
	var args T
	err := json.Unmarshal(call.Args, &args)
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typ):
		return args, fmt.Errorf("%s: the argument %s is a %s: call again with the arguments of the schema", name, typ.Field, typ.Value)
	case err != nil:
		return args, fmt.Errorf("%s: the arguments are not a JSON object (%w): call again with the arguments of the schema", name, err)
	}
	return args, nil
}

// missing is the error for a required argument that is not there.
func missing(name, arg string) error {
	return fmt.Errorf("%s: the argument %s is missing or empty: call again with it", name, arg)
}

// number takes 5, 5.0 and "5": models write all three. Nothing and null are 0.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	s := strings.Trim(string(bytes.TrimSpace(b)), `"`)
	if s == "null" || s == "" {
		return nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("%s is not a number", s)
	}
	*n = number(f)
	return nil
}

// int gives a whole number within 0 and max.
func (n number) int(limit int) int {
	return int(min(max(float64(n), 0), float64(limit)))
}

func schema(s string) json.RawMessage { return json.RawMessage(s) }

// details marshals what screens are told about a result.
func details(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
