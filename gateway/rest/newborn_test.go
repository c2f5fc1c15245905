package rest_test

import (
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
)

// An agent is new for a day whatever credential it shows, and what it has used up
// with one credential it has used up with each.
func TestNewbornLimitsCountTheAgent(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, options{limits: limit.Config{Buckets: map[limit.Bucket]limit.Quantity{limit.Contribute: {Agent: 1000}}}})
	ada, key := w.register("ada", 1)
	born := w.clock.Now()
	credentials := map[string]call.Caller{
		"an API key":              {Principal: auth.Principal{Kind: auth.Key, AgentID: ada, Since: born}},
		"a signed request":        {Principal: auth.Principal{Kind: auth.Key, AgentID: ada, Since: born}, Signed: true},
		"a capability":            {Principal: auth.Principal{Kind: auth.Capability, For: ada}},
		"a key without its birth": {Principal: auth.Principal{Kind: auth.Key, AgentID: ada}},
	}
	passed := 0
	for range 10 {
		for what, c := range credentials {
			d := w.service.Access.Allow(limit.Contribute, c)
			if d.OK {
				passed++
			}
			if left := max(0, 20-passed); d.Limit != 20 || d.Window != 24*time.Hour || d.Remaining != left {
				t.Fatalf("%s: %d of %d in %v left after %d", what, d.Remaining, d.Limit, d.Window, passed)
			}
		}
	}
	if passed != 20 {
		t.Errorf("%d contributions passed on the first day, want 20", passed)
	}
	if r := w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("one more"))}); r.StatusCode != 429 {
		t.Errorf("by HTTP: %d %s", r.StatusCode, r.raw)
	}
	w.clock.Add(25 * time.Hour)
	for what, c := range credentials {
		if what == "an API key" {
			continue
		}
		if d := w.service.Access.Allow(limit.Contribute, c); !d.OK || d.Limit == 20 {
			t.Errorf("%s after a day: %+v", what, d)
		}
	}
}
