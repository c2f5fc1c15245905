package session

import (
	"io"
	"net/http"
	"sync"
)

// direct hands requests to a handler in this process, without a socket.
type direct struct{ handler http.Handler }

// RoundTrip returns as soon as the handler has written its header; the body
// follows through a pipe, so that an export of any size streams.
func (d direct) RoundTrip(req *http.Request) (*http.Response, error) {
	r := req.Clone(req.Context())
	r.RequestURI = r.URL.RequestURI()
	r.RemoteAddr = "127.0.0.1:0"
	r.Host = req.URL.Host
	if r.Body == nil {
		r.Body = http.NoBody
	}
	body, out := io.Pipe()
	w := &pipeWriter{header: http.Header{}, out: out, begun: make(chan struct{})}
	go func() {
		defer func() {
			fault := recover()
			w.WriteHeader(http.StatusOK)
			switch {
			case fault == nil:
				_ = out.Close() // never fails
			case fault == http.ErrAbortHandler:
				_ = out.CloseWithError(io.ErrUnexpectedEOF)
			default:
				panic(fault)
			}
		}()
		d.handler.ServeHTTP(w, r)
	}()
	select {
	case <-w.begun:
	case <-req.Context().Done():
		_ = body.Close()
		return nil, req.Context().Err()
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: body, ContentLength: -1, Request: req,
	}, nil
}

// pipeWriter is the ResponseWriter of one direct request.
type pipeWriter struct {
	header http.Header
	out    *io.PipeWriter

	once   sync.Once
	begun  chan struct{} // closed when status and sent are set
	status int
	sent   http.Header
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

func (w *pipeWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(b)
}

// Flush does nothing: what is written is read at once.
func (w *pipeWriter) Flush() { w.WriteHeader(http.StatusOK) }
