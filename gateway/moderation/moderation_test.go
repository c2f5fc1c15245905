package moderation_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/moderation"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// node has entries, and what moderators decided about them.
type node struct {
	of       *accesstest.Directory
	entries  map[change.ID]reason.Code // "" for one that is shown
	labels   map[change.ID][]view.Label
	reported []view.Quarantined
	purged   []change.ID
	comment  reason.Code // of every comment
}

var _ moderation.Node = (*node)(nil)

func (n *node) Agents(context.Context, view.AgentQuery) (view.AgentPage, error) {
	return view.AgentPage{Agents: n.of.All(), Total: len(n.of.All())}, nil
}

func (n *node) Entry(_ context.Context, id change.ID) (view.Entry, error) {
	code, ok := n.entries[id]
	switch {
	case !ok:
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	case code != "":
		return view.Entry{}, reason.Refuse(code, "it is not shown")
	}
	return view.Entry{ID: id}, nil
}

func (n *node) FindComment(context.Context, change.ID) (view.Comment, error) {
	return view.Comment{}, reason.Refuse(n.comment, "no such comment")
}

func (n *node) Label(_ context.Context, agent change.AgentID, target change.ID, value, _ string) error {
	n.labels[target] = append(n.labels[target], view.Label{Value: value, By: view.AgentRef{ID: agent}})
	return nil
}

func (n *node) Labels(target change.ID) []view.Label { return n.labels[target] }

func (n *node) Purge(_ context.Context, id change.ID) error {
	n.purged = append(n.purged, id)
	n.entries[id] = reason.Purged
	return nil
}

func (n *node) Quarantine(context.Context) ([]view.Quarantined, error) { return n.reported, nil }

var gateway = change.AgentID{0xee}

func (*node) ServiceAgent(context.Context) (change.AgentID, error) { return gateway, nil }

// words is what the room comment needs to judge a reason.
type words struct{ comment.Node }

func (words) CheckText(field, text string) []gate.Finding {
	return accesstest.Detector{}.CheckText(field, text)
}

// rights is what the room capability needs when a key ends.
type rights struct {
	capability.Node
	of *accesstest.Directory
}

func (r rights) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return r.of.Agent(ctx, id)
}

func (rights) Capabilities(context.Context, change.AgentID) (issued, received []view.Capability, err error) {
	return nil, nil, nil
}

type bench struct {
	*accesstest.Bench
	*moderation.Service
	node  *node
	ada   *view.Agent
	admin call.Caller
	entry change.ID
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t), entry: change.ID{9}}
	b.node = &node{of: &b.Directory, entries: map[change.ID]reason.Code{b.entry: ""}, labels: map[change.ID][]view.Label{}, comment: reason.NotFound}
	b.Service = moderation.New(b.node, b.Access, capability.New(rights{of: &b.Directory}, b.Access, b.State, nil), comment.New(words{}, b.Access, b.Pages), b.State, b.Pages)
	b.ada = b.AddAgent("ada")
	boss := b.AddAgent("boss")
	b.Admins, b.admin = []change.AgentID{boss.ID}, accesstest.As(boss.ID)
	return b
}

func because(t *testing.T, why string) moderation.ReasonRequest {
	t.Helper()
	return accesstest.Request(t, moderation.ReasonForm, `{"reason": "`+why+`"}`)
}

// acts are all that change something.
func (b *bench) acts(t *testing.T, key string) map[string]func(c call.Caller, r moderation.ReasonRequest) error {
	text := b.entry.Text(change.PrefixEntry)
	done := func(_ any, err error) error { return err }
	return map[string]func(c call.Caller, r moderation.ReasonRequest) error{
		"suspend": func(c call.Caller, r moderation.ReasonRequest) error {
			return done(b.Suspend(t.Context(), c, "ada", r))
		},
		"restore": func(c call.Caller, r moderation.ReasonRequest) error {
			return done(b.Restore(t.Context(), c, "ada", r))
		},
		"release": func(c call.Caller, r moderation.ReasonRequest) error { return done(b.Release(t.Context(), c, text, r)) },
		"purge":   func(c call.Caller, r moderation.ReasonRequest) error { return done(b.Purge(t.Context(), c, text, r)) },
		"revoke": func(c call.Caller, r moderation.ReasonRequest) error {
			return done(b.AdminRevokeKey(t.Context(), c, key, r))
		},
		"label": func(c call.Caller, r moderation.ReasonRequest) error {
			return done(b.AdminLabel(t.Context(), c, moderation.LabelRequest{Target: text, Value: body.LabelSpam, Reason: r.Reason}))
		},
	}
}

// Others than admins find nothing, an admin gives a reason without a secret in it, and
// each act is a line of the audit log.
func TestEveryActHasAReason(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"suspend", "restore", "release", "purge", "revoke", "label"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.Home(t, b.ada)
			act := b.acts(t, b.KeyOf(t, b.ada, time.Time{}).KeyID)[name]
			before, err := b.State.Audit(t.Context(), "", "", 100)
			accesstest.Must(t, err)
			accesstest.Refused(t, "an agent", act(accesstest.As(b.ada.ID), because(t, "spam")), reason.NotFound)
			accesstest.Refused(t, "nobody", act(call.Caller{}, because(t, "spam")), reason.NotFound)
			accesstest.Refused(t, "no reason", act(b.admin, accesstest.Request(t, moderation.ReasonForm, `{}`)), reason.MissingField)
			accesstest.Refused(t, "a secret", act(b.admin, because(t, accesstest.Secret)), reason.SecretDetected)
			after, err := b.State.Audit(t.Context(), "", "", 100)
			if err != nil || len(after) != len(before) {
				t.Errorf("refused acts are audited: %+v, %v", after, err)
			}
			accesstest.Must(t, act(b.admin, because(t, "It is spam.")))
			lines, err := b.AdminAudit(t.Context(), b.admin, accesstest.Request(t, moderation.AuditForm, `{"actor": "`+b.admin.AgentID+`"}`))
			if err != nil || lines.Count != 1 || lines.Records[0].Detail["reason"] != "It is spam." {
				t.Errorf("audited as %+v, %v", lines, err)
			}
		})
	}
}

// A stopped account is listed with the reason, until it is restored.
func TestStoppedAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	stopped := func() *string {
		got, err := b.AdminAgents(t.Context(), b.admin, accesstest.Request(t, moderation.AdminAgentsForm, `{}`))
		accesstest.Must(t, err)
		return got.Agents[0].Suspended
	}
	_, err := b.Suspend(t.Context(), b.admin, "ada", because(t, "spam"))
	accesstest.Must(t, err)
	if why := stopped(); why == nil || *why != "spam" {
		t.Errorf("stopped for %v", why)
	}
	accesstest.Refused(t, "a write", b.Access.MayWrite(t.Context(), accesstest.As(b.ada.ID)), reason.Suspended)
	_, err = b.Restore(t.Context(), b.admin, "ada", because(t, "sorry"))
	accesstest.Must(t, err)
	if why := stopped(); why != nil {
		t.Errorf("restored, and stopped for %v", *why)
	}
}

// What is purged can be neither released nor purged again; what was never here cannot be.
func TestPurgedIsGone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	text := b.entry.Text(change.PrefixEntry)
	hidden := change.ID{8}
	b.node.labels[hidden] = []view.Label{{Value: body.LabelSpam}} // not shown, but labelled
	for _, c := range []struct {
		what, id string
		want     reason.Code
	}{
		{"an entry", text, ""}, {"again", text, reason.Purged}, {"one that is not shown", hidden.Text(change.PrefixEntry), ""},
		{"one that is not here", change.ID{7}.Text(change.PrefixEntry), reason.EntryNotFound}, {"an agent", b.ada.ID.String(), reason.NotFound},
	} {
		if _, err := b.Purge(t.Context(), b.admin, c.id, because(t, "spam")); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	if len(b.node.purged) != 2 {
		t.Errorf("purged %v", b.node.purged)
	}
	_, err := b.Release(t.Context(), b.admin, text, because(t, "sorry"))
	accesstest.Refused(t, "to release it", err, reason.Purged)
	b.node.comment = reason.Purged
	_, err = b.Release(t.Context(), b.admin, change.ID{6}.Text(change.PrefixComment), because(t, "sorry"))
	accesstest.Refused(t, "to release a purged comment", err, reason.Purged)
}

// A label is the word of the gateway's agent; reports are listed with what counts.
func TestLabelsAndReports(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	accesstest.Must(t, b.acts(t, "")["label"](b.admin, because(t, "spam")))
	got, err := b.AdminLabels(t.Context(), b.admin, accesstest.Request(t, moderation.LabelsForm, `{"target": "`+b.entry.Text(change.PrefixEntry)+`"}`))
	if err != nil || len(got.Labels) != 1 || got.Labels[0].By != gateway.String() || got.Labels[0].Value != body.LabelSpam {
		t.Errorf("%+v, %v", got, err)
	}
	b.node.reported = []view.Quarantined{{Target: b.entry, Code: reason.Quarantined, Reports: []view.Report{{Value: body.LabelSpam, Heavy: true}}}, {Target: change.ID{3}, Comment: true}}
	page, err := b.Quarantine(t.Context(), b.admin, accesstest.Request(t, moderation.QuarantineForm, `{"limit": 1}`))
	if err != nil || page.Total != 2 || page.Count != 1 || !page.Items[0].Held || !page.Items[0].Reports[0].Counts {
		t.Fatalf("%+v, %v", page, err)
	}
	page, err = b.Quarantine(t.Context(), b.admin, accesstest.Request(t, moderation.QuarantineForm, `{"limit": 1, "cursor": "`+*page.NextCursor+`"}`))
	if err != nil || page.Items[0].Held || !strings.HasPrefix(page.Items[0].ID, change.PrefixComment) {
		t.Errorf("%+v, %v", page, err)
	}
	_, err = b.Quarantine(t.Context(), accesstest.As(b.ada.ID), accesstest.Request(t, moderation.QuarantineForm, `{}`))
	accesstest.Refused(t, "an agent", err, reason.NotFound)
}
