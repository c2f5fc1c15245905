package endpoint_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
)

func request(header, value string) *endpoint.Request {
	r := httptest.NewRequest("GET", "/x", nil)
	r.Header.Set(header, value)
	return &endpoint.Request{Request: r}
}

func TestVersionIsReadFromIfMatch(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": -1, "*": -1, "7": 7, `"7"`: 7, `"7-abc"`: 7, ` "0" `: 0} {
		if got, err := request("If-Match", text).Version(); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"x", `"-1"`, "1.5", "4294967296", `W/"1"`} {
		if _, err := request("If-Match", text).Version(); reason.Of(err) != reason.InvalidParam {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAcceptsLooksAtTheFirstType(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{"image/png": true, "image/*;q=0.8": true, "image": true, "text/html, image/png": false, "imagery/png": false, "": false, ";": false} {
		if got := request("Accept", accept).Accepts("image"); got != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
}

func TestTagsAreComparedWeakly(t *testing.T) {
	t.Parallel()
	tag := endpoint.ETag([]byte("body"), true)
	for header, want := range map[string]bool{tag: true, tag[2:]: true, "*": true, `"other", ` + tag: true, `"other"`: false, "": false} {
		if got := request("If-None-Match", header).Matches(tag); got != want {
			t.Errorf("%s: %v", header, got)
		}
	}
	if endpoint.ETag([]byte("body"), false) == endpoint.ETag([]byte("bode"), false) {
		t.Error("two bodies have one tag")
	}
}

// TestAnswersKeepTheirHeaders: an answer that got one more header leaves the one that
// it was made of as it was.
func TestAnswersKeepTheirHeaders(t *testing.T) {
	t.Parallel()
	made := endpoint.Created(nil, "/there")
	more := made.With("Vary", "Accept").Download("a b.zip")
	if len(made.Header) != 1 || len(more.Header) != 3 || more.Header.Get("Content-Disposition") != `attachment; filename="a b.zip"` || more.Status != http.StatusCreated {
		t.Errorf("%v became %v", made, more)
	}
	if a, err := endpoint.Value[int](nil, reason.Refuse(reason.NotFound, "x")); err == nil || a.Value != nil {
		t.Errorf("a refusal became %v", a)
	}
}

func TestRowsOfATeam(t *testing.T) {
	t.Parallel()
	r := endpoint.InTeam(endpoint.Route{Method: "GET", Path: "/board"}, reason.TaskNotFound)
	if r.Path != "/api/mesh/team/{id}/board" || r.Cache != endpoint.Private || !slices.Contains(r.Codes, reason.TaskNotFound) ||
		!slices.Contains(r.Codes, reason.NotAMember) {
		t.Errorf("%+v", r)
	}
	if w := endpoint.InTeam(endpoint.Route{Method: "POST"}); w.Cache != endpoint.NoStore {
		t.Error("a write may be kept")
	}
}

// TestGuestsHaveABucketOfTheirOwn, since they cannot be distinguished as agents can.
func TestGuestsHaveABucketOfTheirOwn(t *testing.T) {
	t.Parallel()
	tool := endpoint.Tool{Bucket: limit.Comment}
	if b := tool.BucketFor(call.Caller{}); b != limit.Guestbook {
		t.Errorf("a guest draws from %s", b)
	}
	if b := tool.BucketFor(call.Caller{Principal: auth.Principal{Kind: auth.Key}}); b != limit.Comment {
		t.Errorf("an agent draws from %s", b)
	}
}

// TestEveryRowIsWhole: what is in a table can be run, is described, and requires a
// credential if it requires a scope; no two rows take one place.
func TestEveryRowIsWhole(t *testing.T) {
	t.Parallel()
	s := new(service.Service)
	places := map[string]bool{}
	for _, r := range s.Routes() {
		place := r.Method + " " + r.Path
		if places[place] {
			t.Errorf("%s is there twice", place)
		}
		places[place] = true
		if r.Handle == nil || r.Summary == "" || r.Method == "GET" && r.Body != nil || r.Method != "GET" && r.Query != nil {
			t.Errorf("%s is not whole: %+v", place, r)
		}
	}
	for _, tool := range s.Tools() {
		if places[tool.Name] {
			t.Errorf("%s is there twice", tool.Name)
		}
		places[tool.Name] = true
		if tool.Run == nil || tool.Help == "" || tool.Title == "" || tool.Output == nil || tool.Form == nil || tool.Read && (tool.Again || tool.Once) {
			t.Errorf("%s is not whole: %+v", tool.Name, tool)
		}
	}
}
