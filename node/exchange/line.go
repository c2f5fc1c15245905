// Package exchange is the form in which changes are exported to a file and read
// back: NDJSON, one signed change a line, as peers exchange it. A line is read
// strictly and proves nothing; its change is judged like any change of a peer.
package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/meshd/meshd/crdt/change"
)

// line is one line of an export. Bytes are in base64.
type line struct {
	ID   string `json:"id"`
	Head []byte `json:"head"`
	Body []byte `json:"body"` // null for a stub
}

// Append adds the line of c to b, with the newline. A change whose Body is nil is
// written as a stub.
func Append(b []byte, c *change.Change) ([]byte, error) {
	out, err := json.Marshal(line{ID: c.ID.Text(change.PrefixChange), Head: c.RawHead, Body: c.Body})
	if err != nil {
		return b, fmt.Errorf("encode change: %w", err)
	}
	return append(append(b, out...), '\n'), nil
}

// Read decodes one line; it keeps nothing of b. Unknown fields and whatever
// follows the object are errors: a line with more than a change in it was not
// written by us. The id must be that of the head, and the body, unless it is null,
// the one that the head names. The caller bounds the length of a line.
func Read(b []byte) (*change.Change, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	var l line
	if err := dec.Decode(&l); err != nil {
		return nil, fmt.Errorf("not a line of an export: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a line of an export: something follows the change")
	}
	id, err := change.ParseID(change.PrefixChange, l.ID)
	if err != nil {
		return nil, fmt.Errorf("read id: %w", err)
	}
	c, err := change.Decode(l.Head, l.Body)
	if err != nil {
		return nil, err
	}
	if c.ID != id {
		return nil, errors.New("the id is not that of the head")
	}
	return c, nil
}
