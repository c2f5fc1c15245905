package automerge

import (
	"bufio"
	"fmt"
	"io"
)

// ServeWorker is the worker's side: it answers requests from r on w, one after
// the other, until r ends. It first limits the memory of the whole process, so
// call it only in a process made for it. Any error is final.
func ServeWorker(r io.Reader, w io.Writer) error { return serve(r, w, nil) }

// serve is ServeWorker with a hook that sees the chunks of a request before
// the library does. Tests use it to fail on purpose.
func serve(r io.Reader, w io.Writer, testOnlyLoading func([][]byte)) error {
	if !supported {
		return ErrUnsupported
	}
	if err := confine(); err != nil {
		return fmt.Errorf("limit the document worker: %w", err)
	}
	if err := writeFrame(w, []byte(ready)); err != nil {
		return fmt.Errorf("greet: %w", err)
	}
	in := bufio.NewReader(r)
	for {
		request, err := readFrame(in, maxRequest)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read request: %w", err)
		}
		if err := writeFrame(w, answer(request, testOnlyLoading)); err != nil {
			return fmt.Errorf("write reply: %w", err)
		}
	}
}

// answer makes the reply to one request.
func answer(request []byte, testOnlyLoading func([][]byte)) (reply []byte) {
	// The Go side of the library panics where the native side reports an
	// error; nothing is kept between requests, so there is nothing to lose.
	defer func() {
		if p := recover(); p != nil {
			reply = failure(fmt.Errorf("library panic: %v", p))
		}
	}()
	op, r, err := decodeRequest(request)
	if err != nil {
		return failure(err)
	}
	if testOnlyLoading != nil {
		testOnlyLoading(r.History)
	}
	if op == opLoad {
		state, err := materialise(r.History)
		if err != nil {
			return failure(err)
		}
		return success(encodeState(state))
	}
	heads, chunk, err := edit(r)
	if err != nil {
		return failure(err)
	}
	return success(encodeEdited(heads, chunk))
}

// success wraps the body of a reply.
func success(body []byte, err error) []byte {
	if err != nil {
		return failure(err)
	}
	if len(body)+1 > maxReply {
		return failure(fmt.Errorf("state of %d bytes is too large", len(body)))
	}
	return append([]byte{replyOK}, body...)
}

// failure wraps what went wrong.
func failure(err error) []byte {
	return append([]byte{replyError}, fmt.Sprintf("%.500v", err)...)
}

// libraryError is what the library answered instead of a result.
type libraryError struct{ text string }

func (e *libraryError) Error() string { return "automerge: " + e.text }

// openReply takes the body out of a reply.
func openReply(reply []byte) ([]byte, error) {
	switch {
	case len(reply) > 0 && reply[0] == replyOK:
		return reply[1:], nil
	case len(reply) > 0 && reply[0] == replyError:
		return nil, &libraryError{string(reply[1:])}
	}
	return nil, fmt.Errorf("%w: bad reply", ErrAborted)
}
