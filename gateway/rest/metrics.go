package rest

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/limit"
)

// metrics of the HTTP face. Routes and buckets are rows of tables, so no label
// grows with callers.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	running  prometheus.Gauge
	limited  *prometheus.CounterVec
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "meshd_http_requests_total", Help: "Answered HTTP requests by route, method and status.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "meshd_http_request_seconds", Help: "Time to answer an HTTP request by route, streams left out.",
			Buckets: []float64{.001, .005, .025, .05, .1, .5, 1, 5, 15},
		}, []string{"route"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "meshd_http_requests_running", Help: "HTTP requests that are being answered, streams among them.",
		}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "meshd_http_rate_limited_total", Help: "HTTP requests refused because a rate bucket was empty.",
		}, []string{"bucket"}),
	}
	for _, b := range limit.Buckets() { // or a rule would not see the first refusal
		m.limited.WithLabelValues(string(b))
	}
	if reg != nil {
		reg.MustRegister(m.requests, m.seconds, m.running, m.limited)
	}
	return m
}

func (m *metrics) rateLimited(b limit.Bucket) { m.limited.WithLabelValues(string(b)).Inc() }

// watched is a response whose status and route are counted when it ends.
type watched struct {
	http.ResponseWriter
	route  string // path of the row; "" for none
	stream bool
	status int

	bytes     int64       // of the body that were sent
	principal string      // kind of caller
	key       string      // id of the API key, or ""
	code      reason.Code // of a refusal, or ""
}

// watch begins counting; end finishes it.
func (m *metrics) watch(w http.ResponseWriter, r *http.Request) (out *watched, end func() (took time.Duration)) {
	out = &watched{ResponseWriter: w, principal: "none"}
	began := time.Now()
	m.running.Inc()
	return out, func() time.Duration {
		took := time.Since(began)
		m.running.Dec()
		route, method := out.route, r.Method
		if route == "" { // a stranger's words, if taken as they are
			route, method = "other", "any"
		}
		if out.status == 0 {
			out.status = http.StatusOK
		}
		m.requests.WithLabelValues(route, method, strconv.Itoa(out.status)).Inc()
		if !out.stream {
			m.seconds.WithLabelValues(route).Observe(took.Seconds())
		}
		return took
	}
}

// WriteHeader remembers the status.
func (w *watched) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts what is sent.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Flush sends what is buffered, for libraries that look for the method.
func (w *watched) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap gives the writer below to http.ResponseController.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// atConsole notes that the owner's console answers; its pages have secrets in their
// paths, so all of them are one route.
func atConsole(w http.ResponseWriter, r *http.Request) {
	if w, ok := w.(*watched); ok {
		w.route, w.stream, w.principal = console.Root, strings.HasSuffix(r.URL.Path, "/live"), "console"
	}
}

// atGuests notes that a page of people who sign in answers.
func atGuests(w http.ResponseWriter, path string) {
	if w, ok := w.(*watched); ok {
		if w.route, w.principal = console.GuestRoot, "session"; path == console.SignInPath {
			w.route, w.principal = path, "none"
		}
	}
}

// at notes which row answers.
func at(w http.ResponseWriter, rt *route) {
	if w, ok := w.(*watched); ok {
		w.route, w.stream = rt.Path, rt.raw != nil
	}
}
