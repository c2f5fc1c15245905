package call

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Limits of a body.
const (
	maxJSONDepth = 32  // nesting of a request; deeper ones are only made to hurt
	maxJSONKeys  = 256 // keys of a request's root
)

// CheckJSON refuses, as invalid_json with the byte offset, what is not one JSON
// value in UTF-8, nests deeper than 32, or repeats a key of an object.
func CheckJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		return invalidJSON(0, "the body is not UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(raw, &whole); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return invalidJSON(syntax.Offset, "the body is not valid JSON")
		}
		return invalidJSON(0, "the body is not valid JSON")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return walkJSON(d, 0)
}

// walkJSON reads one value, which is known to be well-formed.
func walkJSON(d *json.Decoder, depth int) error {
	token, err := d.Token()
	if err != nil {
		return invalidJSON(d.InputOffset(), "the body is not valid JSON")
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if depth >= maxJSONDepth {
		return invalidJSON(d.InputOffset(), "the body nests too deep")
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			name, isText := key.(string)
			if err != nil || !isText {
				return invalidJSON(d.InputOffset(), "the body is not valid JSON")
			}
			if seen[name] {
				return invalidJSON(d.InputOffset(), "the body repeats a key")
			}
			seen[name] = true
		}
		if err := walkJSON(d, depth+1); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return invalidJSON(d.InputOffset(), "the body is not valid JSON")
	}
	return nil
}
