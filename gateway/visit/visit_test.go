package visit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/visit"
	"github.com/meshd/meshd/gateway/workshop"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// node keeps one scene.
type node struct {
	accesstest.Detector
	of    *accesstest.Mesh
	scene view.Scene
}

var _ visit.Node = (*node)(nil)

func (n *node) FindAgent(ctx context.Context, text string) (view.Agent, error) {
	return n.of.FindAgent(ctx, text)
}

func (n *node) Guilds(ctx context.Context) []view.Guild { return n.of.Guilds(ctx) }

func (n *node) Scene(context.Context, change.AgentID) (view.Scene, error) { return n.scene, nil }

func (n *node) EditScene(_ context.Context, _ change.AgentID, set []doc.Field, ifVersion int) (view.Scene, error) {
	if ifVersion >= 0 && ifVersion != n.scene.Version {
		return n.scene, reason.Refuse(reason.VersionConflict, "the scene has changed")
	}
	now := map[string]any{}
	for k, v := range n.scene.Fields {
		now[k] = v
	}
	for _, f := range set {
		now[f.Key] = f.Value
		if f.Value == nil {
			delete(now, f.Key)
		}
	}
	n.scene = view.Scene{Fields: now, Version: n.scene.Version + 1}
	return n.scene, nil
}

// pages is the node of the room profile.
type pages struct {
	accesstest.Detector
	fields map[string]any
}

func (p *pages) Page(context.Context, change.AgentID) (view.Page, error) {
	return view.Page{Fields: p.fields}, nil
}

func (p *pages) EditPage(context.Context, change.AgentID, []doc.Field, int) (view.Page, error) {
	return view.Page{}, reason.Refuse(reason.NotReady, "no test writes a page")
}

type bench struct {
	*accesstest.Bench
	*visit.Service
	node        *node
	pages       *pages
	ada, bo, cy *view.Agent
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t), pages: &pages{}}
	b.node = &node{of: b.Mesh}
	b.ada, b.bo, b.cy = b.AddAgent("ada"), b.AddAgent("bo"), b.AddAgent("cy")
	b.Service = visit.New(b.node, b.Access, profile.New(b.pages, b.Access), scene.New(workshop.New(workshop.Config{}), b.Clock, b.Access.BaseURL))
	return b
}

const hall = "composition \"Hall\" {\n  object \"Lamp\" @glowing {\n    position: [0, 2, 0]\n  }\n}\n"

func (b *bench) put(t *testing.T, who call.Caller, source, room string) (*visit.SceneReply, error) {
	t.Helper()
	return b.PutScene(t.Context(), who, "ada", accesstest.Request(t, visit.SceneForm, fmt.Sprintf(`{"source": %q, "room": %s}`, source, room)), -1)
}

// A scene is written, keeps what is not said again of its room, and is gone when it is deleted.
func TestSceneIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ada := accesstest.As(b.ada.ID)
	first, err := b.put(t, ada, hall, `{"name": "Hall", "dimensions": [4, 2.5, 4], "max_visitors": 3}`)
	accesstest.Must(t, err)
	if !first.First || first.Scene.Source != hall || first.Compiled == nil || !strings.HasPrefix(first.Compiled.URL, accesstest.BaseURL) {
		t.Errorf("first: %+v", first)
	}
	again, err := b.put(t, ada, hall+"// more\n", `{"description": "Come in."}`)
	accesstest.Must(t, err)
	if r := again.Room; again.First || r.Name != "Hall" || r.Description != "Come in." || r.MaxVisitors != 3 || len(r.Dimensions) != 3 || r.Dimensions[1] != 2.5 || again.ETag == first.ETag {
		t.Errorf("again: %+v", again)
	}
	accesstest.Refused(t, "an old version", b.DeleteScene(t.Context(), ada, "ada", 1), reason.VersionConflict)
	accesstest.Must(t, b.DeleteScene(t.Context(), ada, "ada", 2))
	_, err = b.Scene(t.Context(), ada, "ada")
	accesstest.Refused(t, "a deleted scene", err, reason.SceneNotFound)
	accesstest.Refused(t, "to delete it again", b.DeleteScene(t.Context(), ada, "ada", -1), reason.SceneNotFound)
}

func TestBadScenesAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ada := accesstest.As(b.ada.ID)
	for what, c := range map[string]struct {
		who          call.Caller
		source, room string
		want         reason.Code
	}{
		"nobody":                 {call.Caller{}, hall, `{}`, reason.AuthRequired},
		"another":                {accesstest.As(b.bo.ID), hall, `{}`, reason.NotOwner},
		"no source":              {ada, "", `{}`, reason.MissingField},
		"a source with an error": {ada, "composition \"Hall\" {\n  object \"Lamp {\n", `{}`, reason.SourceInvalid},
		"2001 blocks":            {ada, "composition \"Hall\" {\n" + strings.Repeat("object \"A\" {}\n", 2000) + "}\n", `{}`, reason.SourceInvalid},
		"a secret":               {ada, "// " + accesstest.Secret + "\n" + hall, `{}`, reason.SecretDetected},
		"one in the room":        {ada, hall, `{"name": "` + accesstest.Secret + `"}`, reason.SecretDetected},
		"501 visitors":           {ada, hall, `{"max_visitors": 501}`, reason.ValidationFailed},
		"a room for friends":     {ada, hall, `{"access": "friends"}`, reason.ValidationFailed},
		"a room of two lengths":  {ada, hall, `{"dimensions": [1, 2]}`, reason.ValidationFailed},
	} {
		_, err := b.put(t, c.who, c.source, c.room)
		accesstest.Refused(t, what, err, c.want)
	}
	if b.node.scene.Version != 0 {
		t.Error("a refused scene was written")
	}
	both := accesstest.Request(t, visit.SceneForm, fmt.Sprintf(`{"source": %q, "scene": {"v": 1, "metadata": {"name": "x"}, "nodes": []}}`, hall))
	_, err := b.PutScene(t.Context(), ada, "ada", both, -1)
	accesstest.Refused(t, "source and scene", err, reason.ValidationFailed)
}

// Of the access that a scene and its agent's page say the narrower counts; anybody whom
// it does not admit finds no scene.
func TestWhoEnters(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.AddTeam(change.ID{4}, view.TeamPage{}, view.Member{AgentRef: b.ada.AgentRef, Role: role.Owner}, view.Member{AgentRef: b.bo.AgentRef, Role: role.Viewer})
	b.AddTeam(change.ID{5}, view.TeamPage{}, view.Member{AgentRef: b.cy.AgentRef, Role: role.Owner})
	callers := map[string]call.Caller{"ada": accesstest.As(b.ada.ID), "bo": accesstest.As(b.bo.ID), "cy": accesstest.As(b.cy.ID), "nobody": {}}
	for _, c := range []struct{ scene, page, in string }{
		{"public", "", "ada bo cy nobody"},
		{"guild", "", "ada bo"},
		{"private", "", "ada"},
		{"public", "guild", "ada bo"},
		{"guild", "public", "ada bo"},
		{"guild", "private", "ada"},
	} {
		_, err := b.put(t, callers["ada"], hall, `{"access": "`+c.scene+`", "max_visitors": 7}`)
		accesstest.Must(t, err)
		b.pages.fields = map[string]any{"room": map[string]any{"access": c.page}}
		for name, who := range callers {
			in := strings.Contains(c.in, name)
			if _, err := b.Scene(t.Context(), who, "ada"); in && err != nil || !in && reason.Of(err) != reason.SceneNotFound {
				t.Errorf("scene %s, page %q: %s sees %v", c.scene, c.page, name, err)
			}
			room, err := b.RoomOf(t.Context(), who, "ada")
			if want := in && name != "nobody"; want && (err != nil || room.Size != 7) || !want && err == nil {
				t.Errorf("scene %s, page %q: %s joins %+v, %v", c.scene, c.page, name, room, err)
			}
		}
	}
	b.pages.fields = nil
	b.node.scene.Fields["room"] = map[string]any{"access": "of a later release"}
	_, err := b.Scene(t.Context(), callers["cy"], "ada")
	accesstest.Refused(t, "an access that is not known", err, reason.SceneNotFound)
}
