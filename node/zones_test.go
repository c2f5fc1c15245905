package node_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// The zones of a team's scenes are written by its owners and admins alone, as the log
// judges it and not a gateway; there are so many, and what cannot be read is nobody's.
func TestZonesAreWrittenByAdmins(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	ctx, ada, bo := t.Context(), b.agent("Ada"), b.agent("Bo")
	g, err := b.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Town", Type: "dev", Visibility: "private"})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("ü", view.MaxZonePolicy/2) // in several texts, cut between characters
	z, err := b.EditZones(ctx, ada.ID, g.ID, "town", []byte(long), -1)
	if err != nil || z.Version != 1 || z.By != ada.ID || string(z.Policy) != long || z.At.IsZero() {
		t.Fatalf("%d bytes, version %d, by %v, %v", len(z.Policy), z.Version, z.By, err)
	}
	if _, err := b.EditZones(ctx, ada.ID, g.ID, "town", []byte("x"), 0); reason.Of(err) != reason.VersionConflict {
		t.Errorf("at another version: %v", err)
	}
	if _, err := b.SetRole(ctx, ada.ID, g.ID, bo.ID, role.Member); err != nil {
		t.Fatal(err)
	}
	if _, err := b.EditZones(ctx, bo.ID, g.ID, "town", []byte("mine"), -1); reason.Of(err) != reason.CapabilityMissing {
		t.Errorf("a member: %v", err)
	}
	if z, err := b.Zones(ctx, g.ID, "town"); err != nil || z.Version != 1 {
		t.Errorf("afterwards %d, %v", z.Version, err)
	}
	if z, err := b.Zones(ctx, g.ID, "nowhere"); err != nil || z.Policy != nil || z.Version != 0 {
		t.Errorf("of a scene that has none: %+v, %v", z, err)
	}
	for i := 1; i < view.MaxZoneScenes; i++ {
		if _, err := b.EditZones(ctx, ada.ID, g.ID, "s"+string(rune('a'+i)), []byte("x"), -1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.EditZones(ctx, ada.ID, g.ID, "more", []byte("x"), -1); reason.Of(err) != reason.LimitReached {
		t.Errorf("one scene more: %v", err)
	}
	if _, err := b.EditZones(ctx, ada.ID, g.ID, "town", []byte("x"), -1); err != nil {
		t.Errorf("one that is there: %v", err)
	}
	for _, odd := range []any{"text", true, map[string]any{"policy": []any{int64(1)}, "version": int64(1), "at": int64(1)}, map[string]any{"policy": []any{"x"}}} {
		if _, err := b.EditTeamRoom(ctx, ada.ID, g.ID, []doc.Field{{Key: "zones/town", Value: odd}}); err != nil {
			t.Fatal(err)
		}
		if z, err := b.Zones(ctx, g.ID, "town"); reason.Of(err) != reason.NotReady {
			t.Errorf("%v: %+v, %v", odd, z, err)
		}
	}
	if _, err := b.EditZones(ctx, ada.ID, g.ID, "town", []byte("x"), -1); err != nil {
		t.Errorf("in the place of what cannot be read: %v", err)
	}
	if page, err := b.TeamPage(ctx, g.ID); err != nil || page.RoomVersion < 5 {
		t.Errorf("the room: %+v, %v", page, err)
	}
}

// The documents of a space are listed by their names, those of another left out.
func TestMemoriesAreListed(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	ada, bo := b.agent("Ada"), b.agent("Bo")
	for name, a := range map[string]change.AgentID{"notes": ada.ID, "zone/a/b": ada.ID, "of-bo": bo.ID} {
		if _, _, err := b.EditMemory(t.Context(), a, a.Space(), name, -1, func(map[string]any) ([]doc.Field, error) {
			return []doc.Field{{Key: "v:k", Value: int64(1)}}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := b.Memories(t.Context(), ada.ID.Space()); err != nil || strings.Join(names, " ") != "notes zone/a/b" {
		t.Errorf("%v, %v", names, err)
	}
}
