package trait

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// readTree reads one JSON document into a Value. Unlike encoding/json it
// refuses a key that stands twice, bytes that are no UTF-8, and nesting over
// MaxDepth, and it keeps the order of keys.
func readTree(data []byte) (Value, error) {
	if len(data) > MaxFile {
		return Value{}, fmt.Errorf("file has %d bytes, allowed are %d", len(data), MaxFile)
	}
	if !utf8.Valid(data) {
		return Value{}, errors.New("file is not UTF-8")
	}
	if !json.Valid(data) {
		return Value{}, jsonFault(data)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err != nil {
		return Value{}, fmt.Errorf("byte %d: %w", d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Value{}, errors.New("there is text behind the document")
	}
	return v, nil
}

// jsonFault is the sentence of encoding/json with the place of the fault.
func jsonFault(data []byte) error {
	var ignored json.RawMessage
	err := json.Unmarshal(data, &ignored)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	}
	return errors.New("file is not JSON")
}

func readValue(d *json.Decoder, depth int) (Value, error) {
	if depth > MaxDepth {
		return Value{}, fmt.Errorf("nested deeper than %d", MaxDepth)
	}
	tok, err := d.Token()
	if err != nil {
		return Value{}, err
	}
	switch tok := tok.(type) {
	case bool:
		return Value{Kind: Bool, Bool: tok}, nil
	case string:
		return Value{Kind: Text, Str: tok}, nil
	case json.Number:
		n, err := tok.Float64()
		if err != nil || math.IsInf(n, 0) {
			return Value{}, fmt.Errorf("number %s is out of range", tok)
		}
		return Value{Kind: Number, Num: n}, nil
	case json.Delim:
		if tok == '[' {
			return readList(d, depth)
		}
		return readMap(d, depth)
	default:
		return Value{Kind: Null}, nil
	}
}

func readList(d *json.Decoder, depth int) (Value, error) {
	v := Value{Kind: List}
	for d.More() {
		e, err := readValue(d, depth+1)
		if err != nil {
			return Value{}, err
		}
		v.List = append(v.List, e)
	}
	_, err := d.Token()
	return v, err
}

func readMap(d *json.Decoder, depth int) (Value, error) {
	v := Value{Kind: Map}
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return Value{}, err
		}
		key, _ := tok.(string)
		if seen[key] {
			return Value{}, fmt.Errorf("key %q stands twice", key)
		}
		seen[key] = true
		e, err := readValue(d, depth+1)
		if err != nil {
			return Value{}, err
		}
		v.Fields = append(v.Fields, Field{Key: key, Value: e})
	}
	_, err := d.Token()
	return v, err
}
