package jcs

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Marshal returns the canonical bytes of a Go value. It returns an error that
// wraps ErrInvalid for a value that has no JSON or none that is canonical.
func Marshal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrInvalid, err)
	}
	return Canonical(data)
}

// Unmarshal reads JSON of at most limit bytes into v, a pointer, and takes
// nothing that v cannot say again: an unknown member, a member in another case,
// an optional member that stands there empty, a number that changes its value.
// Nor does it take a null anywhere: absent has one spelling. White space, order of members and escapes are free, so what was read
// equals Marshal(v). Every error wraps ErrInvalid; v is then undefined.
func Unmarshal(data []byte, limit int, v any) error {
	if len(data) > limit {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(data), limit)
	}
	want, err := Canonical(data)
	if err != nil {
		return err
	}
	if hasNull(want) {
		return fmt.Errorf("%w: null", ErrInvalid)
	}
	d := json.NewDecoder(bytes.NewReader(want))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: %v", ErrInvalid, err)
	}
	got, err := Marshal(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%w: a member is empty, missing or in another case", ErrInvalid)
	}
	return nil
}

// hasNull looks for a null in canonical JSON, outside of its texts.
func hasNull(canonical []byte) bool {
	inText := false
	for i := 0; i < len(canonical); i++ {
		switch c := canonical[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && c == 'n': // true and false have none
			return true
		}
	}
	return false
}
