package endpoint

import (
	"crypto/sha256"
	"encoding/base64"
	"mime"
	"net/http"

	"github.com/meshd/meshd/gateway/encode"
)

// Answer is how a row answers: a value to encode, or bytes of another type.
type Answer struct {
	Status int    // 0: 200
	Value  any    // encoded as JSON
	Raw    []byte // instead of Value, with its media type Kind
	Kind   string
	Header http.Header // further headers
}

// Value answers 200 with what a use case returned.
func Value[T any](v *T, err error) (Answer, error) {
	if err != nil {
		return Answer{}, err
	}
	return Answer{Value: v}, nil
}

// Created answers 201 with where the new object is.
func Created(value any, location string) Answer {
	return Answer{Status: http.StatusCreated, Value: value, Header: http.Header{"Location": {location}}}
}

// Done answers 204 when a use case that returns nothing succeeded.
func Done(err error) (Answer, error) { return Answer{Status: http.StatusNoContent}, err }

// With is a with one more header.
func (a Answer) With(key, value string) Answer {
	header := a.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set(key, value)
	a.Header = header
	return a
}

// Download is a as a file of that name.
func (a Answer) Download(name string) Answer {
	return a.With("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
}

// JSON is the JSON of a reply, with a final newline.
func JSON(v any) ([]byte, error) {
	raw, err := encode.JSON(v)
	if err != nil {
		return nil, err
	}
	return append(raw, '\n'), nil
}

// ETag is a tag of exactly these bytes, weak for a list.
func ETag(body []byte, weak bool) string {
	sum := sha256.Sum256(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
	if weak {
		return "W/" + tag
	}
	return tag
}
