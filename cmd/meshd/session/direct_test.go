package session

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestDirectStreamsAndCuts(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Kind", r.Header.Get("Content-Type"))
		w.WriteHeader(http.StatusCreated)
		if _, err := io.Copy(w, r.Body); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("GET /none", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /cut", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic(http.ErrAbortHandler)
	})
	client := &http.Client{Transport: direct{mux}}

	resp, err := client.Post("http://localhost/echo", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "hello" || resp.StatusCode != http.StatusCreated || resp.Header.Get("X-Kind") != "text/plain" {
		t.Fatalf("%d %q %v", resp.StatusCode, body, err)
	}
	if resp, err = client.Get("http://localhost/none"); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", resp, err)
	}
	if resp, err = client.Get("http://localhost/cut"); err != nil {
		t.Fatal(err)
	}
	if body, err = io.ReadAll(resp.Body); string(body) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("%q %v", body, err)
	}
}
