package trail_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/owed"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/trail"
)

// node keeps anchors.
type node struct {
	anchors map[string]string
	fault   error
}

var _ trail.Node = (*node)(nil)

func (n *node) AnchorAudit(_ context.Context, _ change.AgentID, day, hash string) error {
	if n.fault == nil {
		n.anchors[day] = hash
	}
	return n.fault
}

func (n *node) AuditAnchors(context.Context, change.AgentID) (map[string]string, error) {
	return n.anchors, nil
}

type bench struct {
	*accesstest.Bench
	*trail.Service
	node *node
	owed *owed.Keeper
	ada  call.Caller
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t), node: &node{anchors: map[string]string{}}}
	b.owed = owed.New(b.State, b.Clock, nil, map[string]owed.Act{
		state.OwedAnchor: func(ctx context.Context, o state.Owed) error { return b.Anchor(ctx, o) },
	})
	b.Service = trail.New(b.node, b.Access, b.State, b.Pages, b.owed)
	b.ada = accesstest.As(b.AddAgent("ada").ID)
	return b
}

// record is one of a tick, whose hash is chain and that names prev before it.
func record(tick int, prev, chain string) string {
	before := "null"
	if prev != "" {
		before = `"` + prev + `"`
	}
	return fmt.Sprintf(`{"tick_iso": "2026-03-01T12:00:%02dZ", "layer_hashes": ["1","2","3","4","5","6","7"], "operation": "think", "prev_hash": %s, "fnv1a_chain": "%s"}`, tick, before, chain)
}

func (b *bench) write(t *testing.T, records ...string) (*trail.AppendedReply, error) {
	t.Helper()
	return b.AppendTrail(t.Context(), b.ada, "ada", accesstest.Request(t, trail.TrailForm, `{"records": [`+strings.Join(records, ",")+`]}`))
}

// What fits is in, what does not is reported by its place, and the head is anchored.
func TestRecordsFollowOneAnother(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	got, err := b.write(t, record(0, "", "a1"), `{"operation": "think"}`, record(1, "a1", "a2"), record(2, "ff", "a3"), record(1, "a1", "a2"))
	accesstest.Must(t, err)
	want := []trail.RejectedRecord{{Index: 1, Code: "audit_malformed"}, {Index: 3, Code: "audit_chain_broken"}, {Index: 4, Code: "duplicate"}}
	if got.Appended != 2 || got.Rejected != 3 || fmt.Sprint(got.Rejections) != fmt.Sprint(want) || *got.Head.Chain != "a2" {
		t.Fatalf("appended %d, rejected %d: %v, head %+v", got.Appended, got.Rejected, got.Rejections, got.Head)
	}
	page, err := b.Trail(t.Context(), b.ada, "ada", accesstest.Request(t, trail.TrailQuery, `{}`))
	accesstest.Must(t, err)
	if page.Count != 2 || !page.Verified || !strings.Contains(string(page.Records[0]), `"a2"`) || len(page.Anchors["2026-03-01"]) != 64 {
		t.Errorf("a page of %d, verified %t, newest %s, anchors %v", page.Count, page.Verified, page.Records[0], page.Anchors)
	}
}

// An anchor that does not reach the log is owed; the records are in all the same.
func TestAnchorIsTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.node.fault = errors.New("the log is full")
	if got, err := b.write(t, record(0, "", "a1")); err != nil || got.Appended != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if n, err := b.owed.Pending(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d are owed, %v", n, err)
	}
	b.node.fault, b.Now = nil, b.Now.AddDate(0, 0, 1)
	accesstest.Must(t, b.owed.Work(t.Context()))
	if n, err := b.owed.Pending(t.Context()); n != 0 || err != nil || len(b.node.anchors) != 1 {
		t.Errorf("%d are owed, anchors %v, %v", n, b.node.anchors, err)
	}
}

func TestTrailIsItsAgents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bo := b.AddAgent("bo").ID
	form, query := accesstest.Request(t, trail.TrailForm, `{"record": `+record(0, "", "a1")+`}`), accesstest.Request(t, trail.TrailQuery, `{}`)
	for what, c := range map[string]struct {
		who  call.Caller
		name string
		code reason.Code
	}{
		"nobody":         {call.Caller{}, "ada", reason.AuthRequired},
		"another":        {accesstest.As(bo), "ada", reason.NotOwner},
		"a key to pay":   {accesstest.As(bo, state.ScopePay), "bo", reason.ScopeMissing},
		"no such handle": {b.ada, "cy", reason.AgentNotFound},
	} {
		_, err := b.AppendTrail(t.Context(), c.who, c.name, form)
		accesstest.Refused(t, what+" writes", err, c.code)
		_, err = b.Trail(t.Context(), c.who, c.name, query)
		accesstest.Refused(t, what+" reads", err, c.code)
	}
	_, err := b.AppendTrail(t.Context(), b.ada, "ada", accesstest.Request(t, trail.TrailForm, `{}`))
	accesstest.Refused(t, "no record", err, reason.MissingField)
}

func TestTrailIsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	detail := func(n int) string {
		return strings.TrimSuffix(record(0, "", "a1"), "}") + `, "detail": "` + strings.Repeat("x", n-2) + `"}`
	}
	for what, c := range map[string]struct {
		record string
		in     int
	}{
		"a detail of 4 KiB":      {detail(4 << 10), 1},
		"a longer one":           {detail(4<<10 + 1), 0},
		"six hashes":             {strings.Replace(record(0, "", "a1"), `,"7"`, "", 1), 0},
		"an operation too long":  {strings.Replace(record(0, "", "a1"), "think", strings.Repeat("x", 65), 1), 0},
		"a hash that is none":    {record(0, "", "xyz"), 0},
		"a hash of 129 digits":   {record(0, "", strings.Repeat("a", 129)), 0},
		"a tick without a zone":  {strings.Replace(record(0, "", "b1"), "00Z", "00", 1), 0},
		"a hash before, no hash": {record(0, "none", "b1"), 0},
	} {
		if got, err := newBench(t).write(t, c.record); err != nil || got.Appended != c.in {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
	var many []string
	for i := range 4 {
		many = append(many, record(i, "", fmt.Sprint("c", i)))
	}
	_, err := b.write(t, many...)
	accesstest.Must(t, err)
	page, err := b.Trail(t.Context(), b.ada, "ada", accesstest.Request(t, trail.TrailQuery, `{"limit": 3}`))
	accesstest.Must(t, err)
	rest, err := b.Trail(t.Context(), b.ada, "ada", accesstest.Request(t, trail.TrailQuery, `{"limit": 3, "cursor": "`+*page.NextCursor+`"}`))
	if err != nil || page.Count != 3 || rest.Count != 1 || rest.HasMore {
		t.Errorf("pages of %d and %d, %v", page.Count, rest.Count, err)
	}
	if _, err := trail.TrailForm.FromJSON([]byte(`{"records": [` + strings.Repeat("{},", 500) + `{}]}`)); reason.Of(err) != reason.ValidationFailed {
		t.Errorf("501 records: %v", err)
	}
}
