package visit

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Visit is the room of an agent as a visitor finds it.
type Visit struct {
	ID   string // of the agent
	Size int    // how many may be in it at once
}

// RoomOf is the room of an agent that the caller may join: with a key, and where
// the access that the scene and the agent's page say admits it. Without a scene
// the page alone says so. Anybody else is refused with scene_not_found.
func (s *Service) RoomOf(ctx context.Context, c call.Caller, text string) (Visit, error) {
	if err := c.RequireKey(); err != nil {
		return Visit{}, err
	}
	a, err := s.mesh.FindAgent(ctx, text)
	if err != nil {
		return Visit{}, err
	}
	sc, err := s.mesh.Scene(ctx, a.ID)
	if err != nil {
		return Visit{}, err
	}
	room := s.roomIn(ctx, a, sc)
	if !s.enters(ctx, c, a, room.Access) {
		return Visit{}, errNoScene
	}
	return Visit{a.ID.String(), room.MaxVisitors}, nil
}

// SceneRoom is what surrounds a scene.
type SceneRoom struct {
	Name         string    `json:"name"`
	Description  string    `json:"description"`
	Dimensions   []float64 `json:"dimensions" doc:"width, height and depth in metres, or empty"`
	MaxVisitors  int       `json:"max_visitors"`
	Access       string    `json:"access" enum:"public,guild,private"`
	Environment  string    `json:"environment"`
	SpatialAudio bool      `json:"spatial_audio"`
}

// accesses are the classes of access from the widest to the narrowest.
var accesses = []string{"public", "guild", "private"}

// roomIn is the room of a scene. Of the access that the scene says and the one
// that the agent's page says the narrower counts.
func (s *Service) roomIn(ctx context.Context, a view.Agent, sc view.Scene) SceneRoom {
	room := roomOf(sc.Fields)
	onPage := profile.ProfileOf(a, s.profile.PageOf(ctx, a)).Room.Access
	if slices.Index(accesses, onPage) > slices.Index(accesses, room.Access) {
		room.Access = onPage
	}
	return room
}

// roomOf reads the room of a document, each value only in its own type.
func roomOf(f map[string]any) SceneRoom {
	m, _ := f["room"].(map[string]any)
	r := SceneRoom{Name: call.Clip(access.TextOf(m["name"]), maxRoomName), Description: call.Clip(access.TextOf(m["description"]), maxRoomText), Dimensions: []float64{},
		MaxVisitors: defaultVisitors, Access: "public", Environment: call.Clip(access.TextOf(m["environment"]), call.MaxTrait)}
	list, _ := m["dimensions_mm"].([]any)
	for _, x := range list {
		if mm, ok := x.(int64); ok && mm >= 1000 && mm <= 1000*maxRoomSide && len(list) == 3 {
			r.Dimensions = append(r.Dimensions, float64(mm)/1000)
		}
	}
	if len(r.Dimensions) != 3 {
		r.Dimensions = []float64{}
	}
	if n, ok := m["max_visitors"].(int64); ok && n >= 1 && n <= maxVisitors {
		r.MaxVisitors = int(n)
	}
	if access := access.TextOf(m["access"]); access != "" {
		r.Access = "private" // a class of a later release: nobody is admitted by mistake
		if slices.Contains(accesses, access) {
			r.Access = access
		}
	}
	r.SpatialAudio, _ = m["spatial_audio"].(bool)
	return r
}

// value is r as the document keeps it: lengths in millimetres, since documents
// have no fractions.
func (r SceneRoom) value() map[string]any {
	m := map[string]any{"name": r.Name, "description": r.Description, "max_visitors": int64(r.MaxVisitors), "access": r.Access,
		"environment": r.Environment, "spatial_audio": r.SpatialAudio}
	if len(r.Dimensions) == 3 {
		var mm []any
		for _, d := range r.Dimensions {
			mm = append(mm, int64(math.Round(d*1000)))
		}
		m["dimensions_mm"] = mm
	}
	return m
}

// readRoom changes r by what a request gives.
func readRoom(raw json.RawMessage, r SceneRoom) (SceneRoom, error) {
	if raw == nil {
		return r, nil
	}
	var in struct {
		Name, Description, Access, Environment *string
		Dimensions                             *[]float64
		MaxVisitors                            *int  `json:"max_visitors"`
		SpatialAudio                           *bool `json:"spatial_audio"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return r, call.Invalid(call.Fault("room", "must be an object of name, description, dimensions, max_visitors, access, environment and spatial_audio"))
	}
	var bad []call.Problem
	text := func(field string, given *string, most int, to *string) {
		if given == nil {
			return
		}
		*to = norm.NFC.String(strings.TrimSpace(*given))
		if call.Chars(*to) > most || strings.Contains(*to, "\x00") {
			bad = append(bad, call.Fault("room."+field, "must have at most %d characters, none of them U+0000", most))
		}
	}
	text("name", in.Name, maxRoomName, &r.Name)
	text("description", in.Description, maxRoomText, &r.Description)
	if in.Environment != nil {
		if r.Environment = gate.Slug(*in.Environment); call.Chars(r.Environment) > call.MaxTrait {
			bad = append(bad, call.Fault("room.environment", "must have at most %d characters", call.MaxTrait))
		}
	}
	if in.Access != nil {
		if r.Access = *in.Access; !slices.Contains(accesses, r.Access) {
			bad = append(bad, call.Fault("room.access", "must be public, guild or private"))
		}
	}
	if in.Dimensions != nil {
		r.Dimensions = *in.Dimensions
		if len(r.Dimensions) != 3 || slices.ContainsFunc(r.Dimensions, func(d float64) bool { return d < 1 || d > maxRoomSide }) {
			bad = append(bad, call.Fault("room.dimensions", "must be three lengths of 1 to %d metres", maxRoomSide))
		}
	}
	if in.MaxVisitors != nil {
		if r.MaxVisitors = *in.MaxVisitors; r.MaxVisitors < 1 || r.MaxVisitors > maxVisitors {
			bad = append(bad, call.Fault("room.max_visitors", "must be 1 to %d", maxVisitors))
		}
	}
	if in.SpatialAudio != nil {
		r.SpatialAudio = *in.SpatialAudio
	}
	return r, call.Invalid(bad...)
}
