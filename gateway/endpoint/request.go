package endpoint

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
)

// Request is a request on its way to a row.
type Request struct {
	*http.Request
	Caller call.Caller
	Values call.Values // read by the row's form
	Body   []byte
	Mark   string // of an idempotent attempt, for the node; "" for none
}

// ID is the value {id} of the path.
func (r *Request) ID() string { return r.PathValue("id") }

// Version reads the version in If-Match: a number, or the tag of a reply that begins
// with one; -1 when any version will do.
func (r *Request) Version() (int, error) {
	text := strings.Trim(strings.TrimSpace(r.Header.Get("If-Match")), `"`)
	if text == "" || text == "*" {
		return -1, nil
	}
	text, _, _ = strings.Cut(text, "-")
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, reason.Refuse(reason.InvalidParam, "If-Match must be a version or the ETag of the profile").
			With(map[string]any{"param": "If-Match"})
	}
	return int(n), nil
}

// Accepts says whether the first type of the request's Accept is the wanted one, or of
// the wanted kind.
func (r *Request) Accepts(want string) bool {
	first, _, _ := strings.Cut(strings.Join(r.Header.Values("Accept"), ","), ",")
	kind, _, err := mime.ParseMediaType(first)
	return err == nil && (kind == want || strings.HasPrefix(kind, want+"/"))
}

// Matches compares the request's If-None-Match with a tag, weakly (RFC 9110 §13.1.2).
func (r *Request) Matches(tag string) bool { return Matches(r.Header.Get("If-None-Match"), tag) }

// Matches compares an If-None-Match with a tag, weakly.
func Matches(header, tag string) bool {
	if strings.TrimSpace(header) == "*" {
		return true
	}
	for t := range strings.SplitSeq(header, ",") {
		if t = strings.TrimSpace(t); t != "" && strings.TrimPrefix(t, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
