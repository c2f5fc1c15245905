package visit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// SceneRequest writes an agent's scene.
type SceneRequest struct {
	call.Request
	Format string          `field:"format"`
	Source string          `field:"source"`
	Scene  json.RawMessage `field:"scene"`
	Room   json.RawMessage `field:"room"`
}

// SceneForm reads a SceneRequest.
var SceneForm = call.Define[SceneRequest](call.Form{
	{Name: "format", Enum: []string{"holo", "hs", "hsplus"}, Default: "holo", Help: "Kind of the source text."},
	{Name: "source", Max: view.MaxSceneSource, Judged: true, Help: "The source text of the scene. This or scene."},
	{Name: "scene", Kind: call.Object, Help: "The scene described: {v: 1, metadata: {name}, environment, nodes: [{id, name, type: mesh, light, camera, group, audio, text or splat, " +
		"primitive, position, rotation in degrees or a quaternion, scale, color, material, light, traits: [{name, params}], parent_id, src}]}. It is kept as holo text. This or source."},
	{Name: "room", Kind: call.Object, Help: "{name, description, dimensions: [w, h, d] in metres, max_visitors, access: public, guild or private, environment, spatial_audio}. " +
		"What is left out keeps its value. access is a courtesy of gateways: the document itself is public."},
})

// SceneReply is an agent's scene.
type SceneReply struct {
	Success     bool              `json:"success"`
	AgentID     string            `json:"agent_id"`
	Version     int               `json:"version" doc:"writes of the scene so far"`
	ETag        string            `json:"etag"`
	Scene       SceneSource       `json:"scene"`
	Room        SceneRoom         `json:"room"`
	Compiled    *SceneCompiled    `json:"compiled" doc:"null when the source does not compile here, or not now"`
	Diagnostics []diag.Diagnostic `json:"diagnostics" doc:"warnings about the source"`
	UpdatedAt   string            `json:"updated_at"`
	Warnings    []string          `json:"warnings,omitempty"`

	First bool `json:"-"` // there was none before
}

// SceneSource is the source text of a scene.
type SceneSource struct {
	Format string `json:"format" enum:"holo,hs,hsplus"`
	Source string `json:"source"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// PutScene writes the scene of the caller's own agent. ifVersion -1 lets the last
// writer win.
func (s *Service) PutScene(ctx context.Context, c call.Caller, id string, r SceneRequest, ifVersion int) (*SceneReply, error) {
	a, err := s.sceneOwner(ctx, c, id)
	if err != nil {
		return nil, err
	}
	format, source, err := sceneSource(r)
	if err != nil {
		return nil, err
	}
	if err := checkSource(format, source); err != nil {
		return nil, err
	}
	now, err := s.mesh.Scene(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	room, err := readRoom(r.Room, roomOf(now.Fields))
	if err != nil {
		return nil, err
	}
	if err := s.checkScene(source, room); err != nil {
		return nil, err
	}
	if _, err := s.scenes.RoomPage(ctx, format, source); err != nil {
		return nil, err
	}
	set := []doc.Field{{Key: "format", Value: format.String()}, {Key: "source", Value: pieces(source)}, {Key: "room", Value: room.value()}}
	after, err := s.mesh.EditScene(ctx, a.ID, set, ifVersion)
	if err != nil {
		return nil, err
	}
	reply, err := s.sceneReply(ctx, a, after)
	if err != nil {
		return nil, err
	}
	reply.First, reply.Warnings = now.Fields["source"] == nil && !now.Incomplete, r.Warnings()
	return reply, nil
}

// sceneSource is the source of a request: as it came, or written out from a
// description.
func sceneSource(r SceneRequest) (ast.Format, string, error) {
	source := r.Source
	switch {
	case source != "" && r.Scene != nil:
		return 0, "", call.Invalid(call.Fault("scene", "stands in the place of source; give one of them"))
	case r.Scene != nil:
		var err error
		if source, err = scene.Described(r.Scene, maxSceneObjects); err != nil {
			return 0, "", err
		}
	case source == "":
		return 0, "", reason.Refuse(reason.MissingField, "source is missing, and scene too").With(map[string]any{"field": "source"})
	}
	if len(source) > view.MaxSceneSource {
		return 0, "", call.Hinted(reason.BodyTooLarge, fmt.Sprintf("the source has %d bytes, at most %d are kept", len(source), view.MaxSceneSource), "leave assets out of the source").
			With(map[string]any{"limit_bytes": view.MaxSceneSource})
	}
	if r.Scene != nil {
		return ast.Holo, source, nil
	}
	format, _ := ast.ParseFormat(r.Format)
	return format, source, nil
}

// Scene shows an agent's scene to those it is for. To anybody else
// there is none.
func (s *Service) Scene(ctx context.Context, c call.Caller, id string) (*SceneReply, error) {
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	sc, err := s.mesh.Scene(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	reply, err := s.sceneReply(ctx, a, sc)
	if err != nil {
		return nil, err
	}
	if !s.enters(ctx, c, a, reply.Room.Access) {
		return nil, errNoScene
	}
	return reply, nil
}

// DeleteScene empties the scene of the caller's own agent.
func (s *Service) DeleteScene(ctx context.Context, c call.Caller, id string, ifVersion int) error {
	a, err := s.sceneOwner(ctx, c, id)
	if err != nil {
		return err
	}
	now, err := s.mesh.Scene(ctx, a.ID)
	if err != nil {
		return err
	}
	if now.Fields["source"] == nil && !now.Incomplete {
		return errNoScene
	}
	_, err = s.mesh.EditScene(ctx, a.ID, []doc.Field{{Key: "format"}, {Key: "source"}, {Key: "room"}}, ifVersion)
	return err
}

var errNoScene = reason.Refuse(reason.SceneNotFound, "there is no scene, or it is not visible")

// sceneOwner is the addressed agent, when the caller is it.
func (s *Service) sceneOwner(ctx context.Context, c call.Caller, id string) (view.Agent, error) {
	me, err := s.access.Writer(ctx, c, ucan.DocEdit)
	if err != nil {
		return view.Agent{}, err
	}
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return view.Agent{}, err
	}
	if a.ID != me {
		return view.Agent{}, reason.Refuse(reason.NotOwner, "this belongs to another agent")
	}
	return a, nil
}

// enters reports whether a caller may see a scene of that access.
func (s *Service) enters(ctx context.Context, c call.Caller, a view.Agent, access string) bool {
	if access == "public" || c.AgentID == a.ID.String() {
		return true
	}
	if access != "guild" || c.Masked() {
		return false
	}
	for _, g := range s.mesh.Guilds(ctx) {
		var owner, caller bool
		for _, m := range g.Members {
			owner, caller = owner || m.ID == a.ID, caller || m.ID.String() == c.AgentID
		}
		if owner && caller {
			return true
		}
	}
	return false
}

// sceneReply shows a scene.
func (s *Service) sceneReply(ctx context.Context, a view.Agent, sc view.Scene) (*SceneReply, error) {
	if sc.Incomplete {
		return nil, reason.Refuse(reason.NotReady, "a part of the scene has not come to this node yet")
	}
	source, ok := joined(sc.Fields["source"])
	format, known := ast.ParseFormat(access.TextOf(sc.Fields["format"]))
	if !ok || !known {
		return nil, errNoScene // of another program, or none
	}
	room := s.roomIn(ctx, a, sc)
	compiled, found := s.compiledScene(ctx, a.ID.String(), format, source)
	sum := sha256.Sum256([]byte(source))
	hash := hex.EncodeToString(sum[:])
	return &SceneReply{
		Success: true, AgentID: a.ID.String(), Version: sc.Version, ETag: fmt.Sprintf("%d-%s", sc.Version, hash[:16]),
		Scene: SceneSource{format.String(), source, len(source), hash}, Room: room, Compiled: compiled, Diagnostics: found, UpdatedAt: call.Stamp(sc.UpdatedAt),
	}, nil
}

// checkSource parses a source and refuses one with errors, by source_invalid
// with the first of them. What compiling finds comes later.
func checkSource(format ast.Format, source string) error {
	file, found := parse.File("scene."+format.String(), []byte(source), format)
	objects := 0
	ast.Walk(file, func(n ast.Node) bool {
		if _, ok := n.(*ast.Block); ok {
			objects++
		}
		return true
	})
	faults := slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	if len(faults) > 0 {
		return reason.Refuse(reason.SourceInvalid, "the source has %s; the first, in line %d: %s", plural.Count(len(faults), "error"), faults[0].Line, faults[0].Message).
			With(map[string]any{"diagnostics": faults[:min(len(faults), scene.MaxDiagnostics)]})
	}
	if objects > maxSceneObjects {
		return reason.Refuse(reason.SourceInvalid, "the source has %d blocks, at most %d are allowed", objects, maxSceneObjects)
	}
	return nil
}

// checkScene refuses texts with a secret in them: the document is public.
func (s *Service) checkScene(source string, room SceneRoom) error {
	var found []gate.Finding
	for _, f := range []struct{ name, text string }{{"source", source}, {"room.name", room.Name}, {"room.description", room.Description}} {
		found = append(found, s.mesh.CheckText(f.name, f.text)...)
	}
	if len(found) == 0 {
		return nil
	}
	return reason.Refuse(found[0].Code, "%s looks like it contains a credential", found[0].Field).
		With(map[string]any{"matches": call.Matches(found)})
}

// pieces cuts a text into values that a document takes, between characters.
func pieces(s string) []any {
	out := []any{}
	for len(s) > 0 {
		n := min(len(s), doc.MaxScalar)
		for n < len(s) && s[n]&0xc0 == 0x80 {
			n--
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// joined is the text of pieces, false for anything else.
func joined(x any) (string, bool) {
	list, ok := x.([]any)
	var b strings.Builder
	for _, p := range list {
		s, isText := p.(string)
		ok = ok && isText
		b.WriteString(s)
	}
	return b.String(), ok && b.Len() > 0 && b.Len() <= view.MaxSceneSource
}
