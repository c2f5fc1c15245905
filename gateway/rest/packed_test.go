package rest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/gateway/limit"
)

// TestDescriptionIsPacked: the description of the interface is half a megabyte of
// text, which anybody may ask for: it goes out compressed, is not sent again to who
// has it, and counts as a read.
func TestDescriptionIsPacked(t *testing.T) {
	t.Parallel()
	w := newTeamWorldWith(t, crdtlog.NewMemory(), limit.Config{})
	ask := func(header map[string]string) reply { return w.do(apiCall{path: "/openapi.json", header: header}) }
	plain := w.want(ask(nil), 200, "")
	for text, zipped := range map[string]bool{
		"gzip": true, "br, GZIP;q=0.5": true, "*": true, "gzip;q=0": false, "gzip; q=0, *": false, "br": false, "gzip;q=x": false,
	} {
		r := w.do(apiCall{path: "/openapi.json", header: map[string]string{"Accept-Encoding": text}})
		if got := r.Header.Get("Content-Encoding") == "gzip"; r.StatusCode != 200 || got != zipped || r.Header.Get("Vary") == "" {
			t.Errorf("%s: %d, %v", text, r.StatusCode, r.Header)
		}
		if !zipped {
			continue
		}
		if len(r.raw)*5 > len(plain.raw) {
			t.Errorf("%d bytes of %d", len(r.raw), len(plain.raw))
		}
		z, err := gzip.NewReader(bytes.NewReader(r.raw))
		must(t, err)
		body, err := io.ReadAll(z)
		must(t, err)
		if !bytes.Equal(body, plain.raw) {
			t.Error("compressed it is another document")
		}
		if r.Header.Get("ETag") == plain.Header.Get("ETag") {
			t.Error("two forms have one tag")
		}
		if again := ask(map[string]string{"Accept-Encoding": text, "If-None-Match": r.Header.Get("ETag")}); again.StatusCode != 304 || len(again.raw) != 0 {
			t.Errorf("asked again: %d, %d bytes", again.StatusCode, len(again.raw))
		}
	}
	if plain.Header.Get("RateLimit-Limit") == "" {
		t.Errorf("it counts as nothing: %v", plain.Header)
	}
}
