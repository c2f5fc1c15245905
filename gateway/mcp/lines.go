package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// eachLine answers every line of in: handle returns the reply, nil for none, and
// may write more before it by send.
// Up to maxInFlight lines are handled at once, so replies may come in another
// order than their requests, as JSON-RPC allows. It returns when in has ended
// and every reply is written, or soon after ctx ended; a read that blocks then
// is left behind, for its owner to close.
func eachLine(ctx context.Context, in io.Reader, out io.Writer, handle func(ctx context.Context, line []byte, send func([]byte)) []byte) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &lineWriter{out: out, fail: cancel}
	slots := make(chan struct{}, maxInFlight)
	var running sync.WaitGroup
	defer running.Wait()

	lines, ended := readLines(ctx, in)
	for {
		select {
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		case line, ok := <-lines:
			if !ok {
				running.Wait()
				if err := w.err(); err != nil {
					return err
				}
				return <-ended
			}
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				continue
			}
			running.Go(func() {
				defer func() { <-slots }()
				if reply := handle(ctx, line, w.write); reply != nil {
					w.write(reply)
				}
			})
		}
	}
}

// readLines sends the lines of in that are not empty, and at its end the
// error that ended it.
func readLines(ctx context.Context, in io.Reader) (<-chan []byte, <-chan error) {
	lines, ended := make(chan []byte), make(chan error, 1)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(make([]byte, 64<<10), maxMessage)
		for s.Scan() {
			line := bytes.TrimSpace(s.Bytes())
			if len(line) == 0 {
				continue
			}
			select {
			case lines <- bytes.Clone(line):
			case <-ctx.Done():
				return
			}
		}
		if err := s.Err(); err != nil {
			ended <- fmt.Errorf("read message: %w", err)
			return
		}
		ended <- nil
	}()
	return lines, ended
}

// lineWriter writes whole lines, one after another. The first failure ends the
// conversation: nobody listens.
type lineWriter struct {
	fail  context.CancelCauseFunc
	outMu sync.Mutex
	out   io.Writer
	bad   error
}

func (w *lineWriter) write(line []byte) {
	w.outMu.Lock()
	defer w.outMu.Unlock()
	if w.bad != nil {
		return
	}
	if _, err := w.out.Write(append(bytes.ReplaceAll(line, []byte("\n"), nil), '\n')); err != nil {
		w.bad = fmt.Errorf("write reply: %w", err)
		w.fail(w.bad)
	}
}

func (w *lineWriter) err() error {
	w.outMu.Lock()
	defer w.outMu.Unlock()
	return w.bad
}

// endingReader closes over when in has ended, so that what goes on until then
// ends too.
type endingReader struct {
	in   io.Reader
	over chan struct{}
	once sync.Once
}

// Read reads from in.
func (r *endingReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if err != nil {
		r.once.Do(func() { close(r.over) })
	}
	return n, err
}
