package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Text writes a value as JSON without white space, members in the order of
// their bytes, nothing escaped that need not be: equal values have equal texts.
// Numbers keep their spelling, so 1 and 1.0 differ; a nil map or slice is null. It returns ErrText for a
// string that is not Unicode and ErrDepth for a value nested deeper than what
// Parse reads, and an error for what is not JSON.
func Text(v any) ([]byte, error) {
	if err := check(v, 0); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// check finds what the encoder would replace in silence.
func check(v any, depth int) error {
	if depth > MaxDepth {
		return ErrDepth
	}
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return ErrText
		}
	case []any:
		for _, e := range v {
			if err := check(e, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, e := range v {
			if !utf8.ValidString(name) {
				return ErrText
			}
			if err := check(e, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
