package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	encoding "github.com/meshd/meshd/gateway/encode"
	"github.com/meshd/meshd/gateway/state"
)

// answer is what a row says: a value to encode, or bytes of another type.
type answer struct {
	status int    // 0: 200
	value  any    // encoded as JSON
	raw    []byte // instead of value, with its type
	kind   string
	header http.Header // further headers
}

// created answers 201 with where the new object is.
func created(value any, location string) answer {
	return answer{status: http.StatusCreated, value: value, header: http.Header{"Location": {location}}}
}

// with adds a header.
func (a answer) with(key, value string) answer {
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set(key, value)
	return a
}

// keep is the answer as it is sent, and stored for a retry.
func (a answer) keep() (state.Reply, error) {
	r := state.Reply{Status: a.status, Header: http.Header{}, Body: a.raw}
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	for k, v := range a.header {
		r.Header[k] = v
	}
	if a.raw != nil {
		r.Header.Set("Content-Type", a.kind)
		return r, nil
	}
	if a.value == nil {
		return r, nil
	}
	r.Header.Set("Content-Type", "application/json")
	var err error
	if once, ok := a.value.(access.ShownOnce); ok {
		if r.Stored, err = encode(once.Kept()); err != nil {
			return r, err
		}
	}
	r.Body, err = encode(a.value)
	return r, err
}

// encode is the JSON of a reply, with a final newline.
func encode(v any) ([]byte, error) {
	raw, err := encoding.JSON(v)
	if err != nil {
		return nil, err
	}
	return append(raw, '\n'), nil
}

// caching says who may keep a reply.
type caching uint8

const (
	noStore   caching = iota // writes and secrets
	private                  // depends on the caller
	shared                   // depends on the caller, and anonymous ones may share it
	unchanged                // the same for everybody
)

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
	switch rt.cache {
	case noStore:
		out.Set("Cache-Control", "no-store")
	case unchanged:
		out.Set("Cache-Control", age)
	case private:
		out.Set("Cache-Control", "private")
		out.Add("Vary", varyCaller)
	case shared:
		out.Set("Cache-Control", "private")
		if c.Kind == auth.Anonymous {
			out.Set("Cache-Control", age)
		}
		out.Add("Vary", varyCaller)
	}
	if rt.cache != noStore && rt.method == http.MethodGet && reply.Status == http.StatusOK {
		tag := out.Get("ETag")
		if tag == "" {
			tag = etag(reply.Body, rt.list)
			out.Set("ETag", tag)
		}
		if matches(r.Header.Get("If-None-Match"), tag) {
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
		reply.Header.Set("ETag", etag(reply.Body, rt.list))
	}
}

// etag is a tag of exactly these bytes, weak for a list.
func etag(body []byte, weak bool) string {
	sum := sha256.Sum256(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
	if weak {
		return "W/" + tag
	}
	return tag
}

// matches compares an If-None-Match with a tag, weakly (RFC 9110 §13.1.2).
func matches(header, tag string) bool {
	if strings.TrimSpace(header) == "*" {
		return true
	}
	for _, t := range strings.Split(header, ",") {
		if t = strings.TrimSpace(t); t != "" && strings.TrimPrefix(t, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
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
