package board

import (
	"context"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/view"
)

// The zones of a team's scenes lie in its room, which by the rules of the log only its
// owners and admins edit: what a member writes elsewhere gives nobody a right.

// zonePrefix begins the keys of the room that have the zones of a scene.
const zonePrefix = "zones/"

// Zones are the zones of a scene of a guild, empty when nobody wrote any. What is there
// and cannot be understood is not_ready, so that nothing is shown by mistake.
func (n *Boards) Zones(ctx context.Context, guild change.ID, scene string) (view.Zones, error) {
	room, err := n.document.Document(ctx, change.TeamSpace(guild), core.RoomName)
	if err != nil {
		return view.Zones{}, err
	}
	return zonesIn(room.Fields, scene)
}

func zonesIn(fields map[string]any, scene string) (z view.Zones, err error) {
	value := fields[zonePrefix+scene]
	if value == nil {
		return z, nil
	}
	m, _ := value.(map[string]any)
	var text strings.Builder
	pieces, ok := m["policy"].([]any)
	for _, p := range pieces {
		s, isText := p.(string)
		ok = ok && isText
		text.WriteString(s)
	}
	version, isNumber := m["version"].(int64)
	at, isTime := m["at"].(int64)
	if !ok || !isNumber || !isTime || text.Len() == 0 || text.Len() > view.MaxZonePolicy {
		return z, reason.Refuse(reason.NotReady, "the zones of the scene cannot be read")
	}
	z = view.Zones{Policy: []byte(text.String()), Version: int(max(0, min(version, 1<<31-1))), At: time.UnixMilli(at).UTC()}
	z.By, _ = change.ParseAgentID(core.WholeText(m["by"])) // an unreadable one is nobody
	return z, nil
}

// EditZones writes the zones of a scene of a guild and returns them as they then are. With
// ifVersion ≥ 0 it refuses by version_conflict when they are at another version. The rules
// of the log refuse who is no owner or admin, with capability_missing.
func (n *Boards) EditZones(ctx context.Context, by change.AgentID, guild change.ID, scene string, policy []byte, ifVersion int) (out view.Zones, err error) {
	err = n.document.Edit(ctx, by, change.TeamSpace(guild), core.RoomName, func(e *document.Editing) error {
		now, err := zonesIn(e.Now.Fields, scene)
		if err != nil && ifVersion >= 0 {
			return err
		}
		if ifVersion >= 0 && ifVersion != now.Version {
			return core.VersionConflict("zones", now.Version)
		}
		scenes := 0
		for key := range e.Now.Fields {
			if strings.HasPrefix(key, zonePrefix) && key != zonePrefix+scene {
				scenes++
			}
		}
		if scenes >= view.MaxZoneScenes {
			return reason.Refuse(reason.LimitReached, "a team has zones in %d scenes at most", view.MaxZoneScenes)
		}
		value := map[string]any{"policy": textPieces(string(policy)), "version": int64(now.Version) + 1, "by": by.String(), "at": n.core.Opt.Now().UnixMilli()}
		if err := e.Keep(ctx, []doc.Field{{Key: zonePrefix + scene, Value: value}}); err != nil {
			return err
		}
		out, err = zonesIn(e.Now.Fields, scene)
		return err
	})
	return out, err
}

// textPieces cuts a text into values that a document takes, between characters.
func textPieces(s string) []any {
	out := []any{}
	for len(s) > 0 {
		n := min(len(s), doc.MaxScalar)
		for n < len(s) && s[n]&0xc0 == 0x80 {
			n--
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}
