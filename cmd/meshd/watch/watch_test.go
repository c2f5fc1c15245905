package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/control"
)

// said is one answer of a stream.
type said struct {
	down   bool // no node runs
	status int  // 0: 200
	body   string
}

// streams answers each request of a watch with the next of its texts, and keeps
// what was asked.
type streams struct {
	answers []said
	asked   []string // query and Last-Event-ID of each request
}

func (s *streams) dial() (*session.Client, error) {
	if len(s.answers) == 0 {
		return nil, errors.New("asked too often")
	}
	if s.answers[0].down {
		s.answers = s.answers[1:]
		return nil, control.ErrNotRunning
	}
	return &session.Client{HTTP: &http.Client{Transport: s}, Base: "http://node"}, nil
}

func (s *streams) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, r.URL.RawQuery+" "+r.Header.Get("Last-Event-ID"))
	a := s.answers[0]
	s.answers = s.answers[1:]
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return &http.Response{StatusCode: a.status, Status: fmt.Sprint(a.status), Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

func event(id int, kind, data string) string {
	return fmt.Sprintf("id: %d\nevent: %s\ndata: {\"ts\":\"2027-01-01T00:00:00.000Z\",\"kind\":%q,\"data\":%s}\n\n", id, kind, kind, data)
}

func hello(id int) string {
	return fmt.Sprintf("id: %d\nevent: hello\ndata: {\"seq\":%d}\n\nretry: 5000\n\n: alive\n\n", id, id)
}

func watching(s *streams, count int) (*watch, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	return &watch{session: &session.Session{Out: &out, Err: &errs}, dial: s.dial, path: "/api/mesh/events", query: url.Values{"tail": {"1"}}, count: count, pause: time.Nanosecond}, &out, &errs
}

// A watch goes on where it was when the node is away for a while, says so once,
// and asks for older events only the first time.
func TestWatchGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	s := &streams{answers: []said{
		{body: hello(3) + event(4, "entry.created", `{"id":"ent_a","title":"Two words","domain":null}`) + "id: 5\nevent: entry.cre"},
		{down: true}, {down: true}, {status: 503, body: `{"error":"soon","code":"not_ready"}`}, {status: 502, body: "no"},
		{body: hello(4) + event(5, "entry.voted", `{"voteCount":-1,"id":"ent_a"}`) + event(6, "never", `{}`)},
	}}
	w, out, errs := watching(s, 2)
	if err := w.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := "2027-01-01T00:00:00.000Z  entry.created  id=ent_a title=\"Two words\"\n2027-01-01T00:00:00.000Z  entry.voted  id=ent_a voteCount=-1\n"
	if out.String() != want {
		t.Errorf("printed %q", out)
	}
	if got := strings.Join(s.asked, "; "); got != "tail=1 ;  4;  4;  4" {
		t.Errorf("asked %q", got)
	}
	if got := errs.String(); strings.Count(got, "waiting for the node") != 1 {
		t.Errorf("said %q", got)
	}
}

func TestWatchEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers []said
		want    string // in the error
		printed string // in the lines
	}{
		"refused":       {[]said{{status: 403, body: `{"error":"Not a member","code":"not_a_member"}`}}, "not_a_member", ""},
		"rights end":    {[]said{{body: hello(1) + "event: bye\ndata: {\"code\":\"not_a_member\"}\n\n"}}, "ended the stream: not_a_member", ""},
		"too slow once": {[]said{{body: "event: bye\ndata: {\"code\":\"slow_consumer\"}\n\n"}, {body: event(1, "a.b", `{"n":1}`)}}, "", "a.b  n=1\n"},
		"node restarts": {[]said{{body: "event: bye\ndata: {\"code\":\"not_ready\"}\n\n"}, {body: event(1, "a.b", `{"n":1}`)}}, "", "a.b  n=1\n"},
		"no stream":     {[]said{{body: "<html>\n\n"}}, "no event", ""},
		"no object":     {[]said{{body: "event: x\ndata: []\n\n"}}, "read answer", ""},
		"long line":     {[]said{{body: "data: " + strings.Repeat("x", maxEventLine) + "\n\n"}}, "longer than", ""},
		"forged lines":  {[]said{{body: event(1, "a.b", `{"name":"x=1 y\n\u001b[2Jz"}`)}}, "", `a.b  name="x=1 y [2Jz"` + "\n"},
		"missing ones":  {[]said{{body: hello(1) + "id: 8\nevent: reset\ndata: {}\n\n" + event(9, "a.b", `{}`)}}, "", "a.b \n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, out, _ := watching(&streams{answers: c.answers}, 1)
			err := w.run(t.Context())
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if !strings.HasSuffix(out.String(), c.printed) || c.printed == "" && out.Len() > 0 {
				t.Errorf("printed %q", out)
			}
		})
	}
}

// An interrupt ends a watch that waits for a node, however long it would.
func TestWatchIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w, _, _ := watching(nil, 0)
	w.pause = time.Hour
	w.dial = func() (*session.Client, error) {
		cancel()
		return nil, control.ErrNotRunning
	}
	if err := w.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte(hello(1) + event(2, "entry.created", `{"id":"ent_a"}`)))
	f.Add([]byte("event: x\ndata: 1\ndata: 2\n\n"))
	f.Add([]byte("id\n\n"))
	f.Add([]byte(": alive\n\nevent: cut"))
	f.Fuzz(func(t *testing.T, in []byte) {
		all := newFrames(bytes.NewReader(in))
		for n := 0; ; n++ {
			one, err := all.next()
			if err != nil {
				if one.kind != "" || one.data != nil {
					t.Errorf("a frame beside %v", err)
				}
				return
			}
			if one.kind == "" || bytes.ContainsRune(one.data, '\n') || strings.ContainsRune(one.id, '\n') || n > len(in) {
				t.Errorf("frame %+v", one)
			}
		}
	})
}
