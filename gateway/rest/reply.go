package rest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/state"
)

// stored is an answer as it is sent, and stored for a retry.
func stored(a endpoint.Answer) (state.Reply, error) {
	r := state.Reply{Status: a.Status, Header: http.Header{}, Body: a.Raw}
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	for k, v := range a.Header {
		r.Header[k] = v
	}
	if a.Raw != nil {
		r.Header.Set("Content-Type", a.Kind)
		return r, nil
	}
	if a.Value == nil {
		return r, nil
	}
	r.Header.Set("Content-Type", "application/json")
	var err error
	if once, ok := a.Value.(access.ShownOnce); ok {
		if r.Stored, err = endpoint.JSON(once.Kept()); err != nil {
			return r, err
		}
	}
	r.Body, err = endpoint.JSON(a.Value)
	return r, err
}

const varyCaller = "Authorization, X-API-Key, X-MCP-API-Key, Cookie"

// write sends a reply with its caching headers, or 304.
func (h *Handler) write(w http.ResponseWriter, r *http.Request, rt *route, c call.Caller, reply state.Reply) {
	out := w.Header()
	for k, v := range reply.Header {
		if k != "Content-Type" {
			out[k] = v
		}
	}
	age := "public, max-age=" + strconv.Itoa(sharedAge)
	switch rt.Cache {
	case endpoint.NoStore:
		out.Set("Cache-Control", "no-store")
	case endpoint.Unchanged:
		if out.Get("Cache-Control") == "" { // the row may know better
			out.Set("Cache-Control", age)
		}
	case endpoint.Private:
		out.Set("Cache-Control", "private")
		out.Add("Vary", varyCaller)
	case endpoint.Shared:
		out.Set("Cache-Control", "private")
		if c.Kind == auth.Anonymous {
			out.Set("Cache-Control", age)
		}
		out.Add("Vary", varyCaller)
	}
	if rt.Cache != endpoint.NoStore && rt.Method == http.MethodGet && reply.Status == http.StatusOK {
		tag := out.Get("ETag")
		if tag == "" {
			tag = endpoint.ETag(reply.Body, rt.List)
			out.Set("ETag", tag)
		}
		if endpoint.Matches(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	send(w, r, reply.Status, reply.Header.Get("Content-Type"), reply.Body)
}

// tagged gives a reply its tag, so that it is not made again for each caller.
func tagged(reply *state.Reply, rt *route) {
	if reply.Status == http.StatusOK && reply.Header.Get("ETag") == "" {
		reply.Header = reply.Header.Clone()
		reply.Header.Set("ETag", endpoint.ETag(reply.Body, rt.List))
	}
}

// send writes status, type and body; of a HEAD request the body stays here.
func send(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	if len(body) == 0 {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone, which is its right
	}
}

func newBody(b []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(b)) }
