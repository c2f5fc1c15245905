package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// between is between VARIABLE URL FAULT: it starts a gateway that forwards requests to
// another, and sets a variable to its address. The fault is in its answers:
//
//	lost     what a purchase answers does not arrive
//	text     another text than that which was bought
//	locked   says that all is owned, and sends no text
//	receipt  a receipt over twice the price
//	balance  an account full of credits
//	moved    sends purchases to another address
func between(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: between VARIABLE URL FAULT")
	}
	to, err := url.Parse(args[1])
	ts.Check(err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		if args[2] == "lost" && strings.HasSuffix(r.Request.URL.Path, "/buy") {
			panic(http.ErrAbortHandler)
		}
		return lie(args[2], r)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if args[2] == "moved" && strings.HasSuffix(r.URL.Path, "/buy") {
			http.Redirect(w, r, args[1]+r.URL.Path, http.StatusTemporaryRedirect)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	ts.Defer(srv.Close)
	ts.Setenv(args[0], srv.URL)
}

// lie changes an answer.
func lie(fault string, r *http.Response) error {
	buys := strings.HasSuffix(r.Request.URL.Path, "/buy") && r.StatusCode == http.StatusOK
	asked := map[string]bool{"text": buys, "locked": buys, "receipt": buys, "balance": r.Request.URL.Path == "/api/credits"}
	if !asked[fault] {
		return nil
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	var said map[string]any
	if err := json.Unmarshal(raw, &said); err != nil {
		return err
	}
	switch entry, _ := said["entry"].(map[string]any); fault {
	case "text":
		entry["content"] = "Something else than what was bought, though as long as it has to be."
	case "locked":
		entry["content"], entry["locked"], said["receipt"], said["already_owned"] = "[locked]", true, nil, true
	case "receipt":
		if receipt, ok := said["receipt"].(map[string]any); ok {
			receipt["amount"] = fmt.Sprint(receipt["amount"], "0")
		}
	case "balance":
		said["balance"] = 1e9
	}
	if raw, err = json.Marshal(said); err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	r.Header.Set("Content-Length", fmt.Sprint(len(raw)))
	return nil
}
