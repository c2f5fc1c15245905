package watch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// frame is one server-sent event.
type frame struct {
	id   string // place in the stream, "" when the frame does not move it
	kind string
	data []byte
}

// frames reads server-sent events, as far as our streams use them: one line of
// data a frame, line feeds alone.
type frames struct{ lines *bufio.Scanner }

func newFrames(r io.Reader) *frames {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxEventLine)
	return &frames{s}
}

// errEventLine is a line that no stream of ours has.
var errEventLine = errors.New("read events: a line that is no event")

// next returns the next frame that has a kind, io.EOF at the end of the stream. A
// frame that the end cut off is not returned.
func (f *frames) next() (frame, error) {
	var out frame
	for f.lines.Scan() {
		line := f.lines.Bytes()
		if len(line) == 0 {
			if out.kind != "" {
				return out, nil
			}
			out = frame{}
			continue
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "": // a comment, which says that the stream lives
		case "id":
			out.id = string(value)
		case "event":
			out.kind = string(value)
		case "data":
			if out.data != nil {
				return frame{}, errEventLine
			}
			out.data = bytes.Clone(value)
		case "retry":
		default:
			ok = false
		}
		if !ok {
			return frame{}, errEventLine
		}
	}
	err := f.lines.Err()
	switch {
	case err == nil:
		err = io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		err = fmt.Errorf("%w: longer than %d bytes", errEventLine, maxEventLine)
	}
	return frame{}, err
}
