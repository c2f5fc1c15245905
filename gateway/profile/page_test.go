package profile_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// node has one page.
type node struct {
	accesstest.Detector
	page view.Page
}

var _ profile.Node = (*node)(nil)

func (n *node) Page(context.Context, change.AgentID) (view.Page, error) { return n.page, nil }

func (n *node) EditPage(_ context.Context, _ change.AgentID, set []doc.Field, ifVersion int) (view.Page, error) {
	if ifVersion >= 0 && ifVersion != n.page.Version {
		return n.page, reason.Refuse(reason.VersionConflict, "the page has changed")
	}
	for _, f := range set {
		n.page.Fields[f.Key] = f.Value
	}
	n.page.Version++
	return n.page, nil
}

type bench struct {
	*accesstest.Bench
	*profile.Service
	node *node
	ada  call.Caller
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t)}
	ada := b.AddAgent("ada")
	b.node, b.ada = &node{page: view.Page{Agent: *ada, Fields: map[string]any{}}}, accesstest.As(ada.ID)
	b.Service = profile.New(b.node, b.Access)
	return b
}

func (b *bench) edit(t *testing.T, raw string) (*profile.ProfileReply, error) {
	t.Helper()
	return b.EditProfile(t.Context(), b.ada, accesstest.Request(t, profile.ProfileForm, raw), -1)
}

// A theme is one value of the document: what is not given of it stays.
func TestPageIsEditedFieldByField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.edit(t, `{"bio": "Writes Go.", "theme": {"color": "#fff", "accent": "#123456"}, "links": [{"label": "home", "url": "https://ada.example"}]}`)
	accesstest.Must(t, err)
	got, err := b.edit(t, `{"themeColor": "#000", "statusText": "busy"}`)
	accesstest.Must(t, err)
	p := got.Profile
	if p.Bio != "Writes Go." || p.Theme.Color != "#000" || p.Theme.Accent != "#123456" || p.Status != "busy" || len(p.Links) != 1 ||
		!slices.Equal(got.Updated, []string{"status", "theme"}) || got.Version != 2 {
		t.Errorf("%+v, updated %v, version %d", p, got.Updated, got.Version)
	}
	if got, err = b.edit(t, `{"theme": null, "links": null}`); err != nil || got.Profile.Theme.Color != "" || len(got.Profile.Links) != 0 {
		t.Errorf("cleared: %+v, %v", got, err)
	}
	got, err = b.edit(t, `{"bio": null, "show_wallet": true}`)
	if value, kept := b.node.page.Fields["bio"]; err != nil || value != nil || !kept || !got.Profile.ShowWallet || got.Profile.Status != "busy" {
		t.Errorf("bio %v, %+v, %v", value, got, err)
	}
	_, err = b.EditProfile(t.Context(), b.ada, accesstest.Request(t, profile.ProfileForm, `{"bio": "x"}`), 1)
	accesstest.Refused(t, "an old version", err, reason.VersionConflict)
}

func TestBadFieldsAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for raw, want := range map[string]reason.Code{
		`{}`:                                 reason.NoFields,
		`{"theme": "red"}`:                   reason.ValidationFailed,
		`{"backgroundGradient": ["#fff"]}`:   reason.ValidationFailed,
		`{"avatar_url": "http://a.example"}`: reason.ValidationFailed,
		`{"links": [{"label": "x", "url": "https://ada:pw@a.example"}]}`:                        reason.ValidationFailed,
		`{"links": [{"label": "` + strings.Repeat("x", 41) + `", "url": "https://a.example"}]}`: reason.ValidationFailed,
		`{"room": {"access": "friends"}}`:                                                       reason.ValidationFailed,
		`{"bio": "` + accesstest.Secret + `"}`:                                                  reason.SecretDetected,
		`{"links": [{"label": "` + accesstest.Secret + `", "url": "https://a.example"}]}`:       reason.SecretDetected,
	} {
		_, err := b.edit(t, raw)
		accesstest.Refused(t, raw, err, want)
	}
	if b.node.page.Version != 0 {
		t.Errorf("a refused edit was written: %+v", b.node.page)
	}
	for what, who := range map[reason.Code]call.Caller{reason.AuthRequired: {}, reason.ScopeMissing: accesstest.As(b.AddAgent("bo").ID, state.ScopeRead)} {
		_, err := b.EditProfile(t.Context(), who, accesstest.Request(t, profile.ProfileForm, `{"bio": "x"}`), -1)
		accesstest.Refused(t, "an edit", err, what)
	}
}

// Another program may have written anything into the document; a page shows what is in
// its own type, and no more links than a page has.
func TestForeignFieldsAreReadInTheirTypes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var links []any
	for range 9 {
		links = append(links, map[string]any{"label": "x", "url": "https://a.example"})
	}
	b.node.page.Fields = map[string]any{"bio": int64(7), "theme": map[string]any{"color": "javascript:", "accent": "#fff"}, "avatar_url": "data:x",
		"links": append([]any{map[string]any{"label": "x", "url": "http://a.example"}}, links...), "show_wallet": "yes", "status": doc.Text("here")}
	got, err := b.Profile(t.Context(), b.ada)
	accesstest.Must(t, err)
	p := got.Profile
	if p.Bio != "" || p.Theme.Color != "" || p.Theme.Accent != "#fff" || p.AvatarURL != "" || len(p.Links) != 7 || p.ShowWallet || p.Status != "here" || p.Particles != "none" {
		t.Errorf("%+v", p)
	}
}
