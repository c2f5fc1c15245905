// Package automerge is the document engine: the Automerge library in a process of
// its own.
//
// The library is native code that ends its process on input it does not
// expect. So the engine starts the program again as a worker (meshd
// doc-worker), sends it chunks over a pipe and reads states back. The worker
// has no environment, opens no file and no socket, and may use 512 MiB. It
// keeps nothing between requests, so losing it loses nothing: it is started
// again, and when the same request ends it once more, the engine halves the
// history until it knows the chunk at fault (CrashError).
//
// Start: New in the node; in the subcommand, os.Exit after ServeWorker(os.Stdin,
// os.Stdout). Feed it only chunks that doc.DecodeChunk accepted, in the order
// of doc.Order. Never hand a peer's bytes to the library by another way, and do
// not offer its own sync protocol to anyone.
package automerge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/doc"
)

// Errors of this package.
var (
	// ErrUnsupported is returned by New and ServeWorker in builds without cgo
	// and on platforms the library is not built for.
	ErrUnsupported = errors.New("documents need the cgo build")
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("document engine is closed")
	// ErrAborted means that the worker ended during a request.
	ErrAborted = errors.New("document worker ended")
	// ErrTimeout means that the worker did not answer within Config.Timeout.
	ErrTimeout = errors.New("document worker did not answer in time")
	// ErrHeads means that the library did not take every chunk in: the heads
	// it reports are not those the decoder found.
	ErrHeads = errors.New("loaded heads differ from the decoded ones")
)

// CrashError names the chunk that stops a document: the history up to and with
// it fails, the history before it does not.
type CrashError struct {
	Index int   // into the chunks of the call
	Err   error // ErrAborted, ErrTimeout, ErrHeads or what the library said
}

func (e *CrashError) Error() string { return fmt.Sprintf("load chunk %d: %v", e.Index, e.Err) }

// Unwrap returns what happened.
func (e *CrashError) Unwrap() error { return e.Err }

// Config are the settings of an Engine. The zero value is sensible.
type Config struct {
	Timeout time.Duration // for one request to the worker; 30 s when zero
}

// Engine is a doc.Engine over one worker process, which it starts with the
// first call. Calls from several goroutines wait for each other: the library
// gets one document at a time.
type Engine struct {
	argv    []string
	timeout time.Duration
	life    context.Context // ends with Close
	end     context.CancelFunc

	turn     chan struct{} // has one token; its owner may use what follows
	worker   *worker       // nil when none runs
	failures int           // failed starts and unexplained failures of calls in a row
}

var _ doc.Engine = (*Engine)(nil)

// New returns an engine whose worker is started by argv, usually the running
// program and its subcommand for ServeWorker. No process is started yet.
func New(argv []string, cfg Config) (*Engine, error) {
	if !supported {
		return nil, ErrUnsupported
	}
	if len(argv) == 0 || cfg.Timeout < 0 {
		return nil, errors.New("document engine needs a command and a timeout that is not negative")
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = defaultTimeout
	}
	life, end := context.WithCancel(context.Background())
	e := &Engine{argv: slices.Clone(argv), timeout: cfg.Timeout, life: life, end: end, turn: make(chan struct{}, 1)}
	e.turn <- struct{}{}
	return e, nil
}

// Materialise implements doc.Engine. An error is a refusal of DecodeChunk, a
// *CrashError, the end of ctx, ErrClosed or a failure to start the worker.
func (e *Engine) Materialise(ctx context.Context, chunks [][]byte) (doc.State, error) {
	h, err := decode(chunks)
	if err != nil {
		return doc.State{}, err
	}
	if err := e.acquire(ctx); err != nil {
		return doc.State{}, err
	}
	defer e.release()
	var state doc.State
	err = e.insist(ctx, h, func() error {
		state, err = e.load(ctx, h)
		return err
	})
	if err != nil {
		return doc.State{}, fmt.Errorf("materialise document: %w", err)
	}
	return state, nil
}

// Edit implements doc.Engine, with the errors of Materialise. The chunk it
// returns has not been decoded: DecodeChunk has the last word, for instance
// over values that are too long.
func (e *Engine) Edit(ctx context.Context, r doc.EditRequest) ([]byte, error) {
	h, err := decode(r.History)
	if err != nil {
		return nil, err
	}
	request, err := encodeEdit(r)
	if err != nil {
		return nil, fmt.Errorf("edit document: %w", err)
	}
	if err := e.acquire(ctx); err != nil {
		return nil, err
	}
	defer e.release()
	var chunk []byte
	err = e.insist(ctx, h, func() error {
		chunk, err = e.edit(ctx, h, request)
		return err
	})
	if errors.Is(err, doc.ErrNoChange) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("edit document: %w", err)
	}
	return chunk, nil
}

// Close ends the worker and waits for it. Calls in flight return ErrClosed.
func (e *Engine) Close() error {
	e.end()
	<-e.turn
	defer e.release()
	if e.worker != nil {
		e.worker.stop()
		e.worker = nil
	}
	return nil
}

// acquire waits for the turn of the caller.
func (e *Engine) acquire(ctx context.Context) error {
	if err := e.over(ctx); err != nil {
		return err
	}
	select {
	case <-e.turn:
	case <-ctx.Done():
		return ctx.Err()
	case <-e.life.Done():
		return ErrClosed
	}
	if err := e.over(ctx); err != nil {
		e.release()
		return err
	}
	return nil
}

func (e *Engine) release() { e.turn <- struct{}{} }

// over reports why work must end, nil when it may go on.
func (e *Engine) over(ctx context.Context) error {
	if e.life.Err() != nil {
		return ErrClosed
	}
	return ctx.Err()
}

// insist runs try, and once more when the worker failed: it may have been
// ended from outside. A second failure is pinned to a chunk.
func (e *Engine) insist(ctx context.Context, h history, try func() error) error {
	if err := e.pause(ctx); err != nil {
		return err
	}
	err := try()
	if isFault(err) {
		err = try()
	}
	if !isFault(err) {
		if err == nil || errors.Is(err, doc.ErrNoChange) {
			e.failures = 0
		}
		return err
	}
	e.failures++
	err = e.blame(ctx, h, err)
	if crash := (*CrashError)(nil); errors.As(err, &crash) {
		e.failures = 0 // explained: other documents need not wait
	}
	return err
}

// pause waits before a restart that follows repeated failures.
func (e *Engine) pause(ctx context.Context) error {
	if e.worker != nil || e.failures == 0 {
		return nil
	}
	t := time.NewTimer(delay(e.failures))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-e.life.Done():
		return ErrClosed
	}
}

// delay is the time before a restart that follows n failures in a row: none
// after the first, then doubled up to lastDelay.
func delay(n int) time.Duration {
	if n < 2 {
		return 0
	}
	return min(lastDelay, firstDelay<<min(n-2, 10))
}

// blame finds the chunk that makes the history fail, by halves. When the
// history as such loads, the fault lies elsewhere and is returned as it is.
func (e *Engine) blame(ctx context.Context, h history, fault error) error {
	good, bad := 0, len(h)+1 // lengths: of a history that loads, and one beyond the shortest known to fail
	for bad-good > 1 {
		n := (good + bad) / 2
		_, err := e.load(ctx, h[:n])
		switch {
		case err == nil:
			good = n
		case isFault(err):
			bad, fault = n, err
		default:
			return err
		}
	}
	if bad > len(h) {
		return fault
	}
	return &CrashError{Index: bad - 1, Err: fault}
}

// load has the worker materialise h and compares the heads: the library
// swallows the errors of single chunks.
func (e *Engine) load(ctx context.Context, h history) (doc.State, error) {
	reply, err := e.ask(ctx, h, encodeLoad(h.raw()))
	if err != nil {
		return doc.State{}, err
	}
	state, err := decodeState(reply)
	if err != nil {
		return doc.State{}, fmt.Errorf("%w: bad reply: %v", ErrAborted, err)
	}
	if !slices.Equal(state.Heads, doc.Heads(h)) {
		return doc.State{}, ErrHeads
	}
	return state, nil
}

// edit has the worker answer request, which is an edit of h.
func (e *Engine) edit(ctx context.Context, h history, request []byte) ([]byte, error) {
	reply, err := e.ask(ctx, h, request)
	if err != nil {
		return nil, err
	}
	before, chunk, err := decodeEdited(reply)
	if err != nil {
		return nil, fmt.Errorf("%w: bad reply: %v", ErrAborted, err)
	}
	if !slices.Equal(before, doc.Heads(h)) {
		return nil, ErrHeads
	}
	if len(chunk) == 0 {
		return nil, doc.ErrNoChange
	}
	return chunk, nil
}

// ask sends one request about h to the worker, started if need be, and waits
// for the reply. A worker that does not give one is ended.
func (e *Engine) ask(ctx context.Context, h history, request []byte) ([]byte, error) {
	if err := e.over(ctx); err != nil {
		return nil, err
	}
	if len(request) > maxRequest {
		return nil, fmt.Errorf("document request of %d bytes, at most %d are allowed", len(request), maxRequest)
	}
	if e.worker != nil && e.worker.loaded+h.ops() > maxLoaded {
		e.worker.stop()
		e.worker = nil
	}
	if e.worker == nil {
		w, err := e.start(ctx)
		if err != nil {
			e.failures++
			return nil, err
		}
		e.worker = w
	}
	e.worker.loaded += h.ops()
	reply, err := e.within(ctx, e.timeout, e.worker, func() ([]byte, error) { return e.worker.exchange(request) })
	if err != nil {
		e.worker = nil
		return nil, err
	}
	return openReply(reply)
}

// start runs a new worker and waits until it is ready.
func (e *Engine) start(ctx context.Context) (*worker, error) {
	w, err := startWorker(e.argv)
	if err != nil {
		return nil, fmt.Errorf("start document worker: %w", err)
	}
	hello, err := e.within(ctx, startTimeout, w, w.receive)
	switch {
	case err != nil && e.over(ctx) != nil:
		return nil, err
	case err != nil:
		// Not a fault: no chunk has been sent that could be to blame.
		return nil, fmt.Errorf("start document worker: %v", err)
	case string(hello) != ready:
		w.kill()
		return nil, errors.New("start document worker: it speaks another protocol")
	}
	return w, nil
}

// within runs talk with w and kills w when talk fails, takes longer than limit,
// or must end early. It returns after talk has.
func (e *Engine) within(ctx context.Context, limit time.Duration, w *worker, talk func() ([]byte, error)) ([]byte, error) {
	type result struct {
		b   []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		b, err := talk()
		done <- result{b, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-done:
		if r.err != nil {
			w.kill()
			return nil, fmt.Errorf("%w: %v", ErrAborted, r.err)
		}
		return r.b, nil
	case <-timer.C:
		w.kill()
		<-done
		return nil, ErrTimeout
	case <-ctx.Done():
	case <-e.life.Done():
	}
	w.kill()
	<-done
	return nil, e.over(ctx)
}

// isFault reports whether err may be the doing of a chunk.
func isFault(err error) bool {
	var said *libraryError
	return errors.Is(err, ErrAborted) || errors.Is(err, ErrTimeout) || errors.Is(err, ErrHeads) || errors.As(err, &said)
}
