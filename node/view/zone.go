package view

import (
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
)

// ZonePrefix begins the names of documents that lie in zones: zone/<scene>/<zone>, perhaps
// with more behind it, in a zone of a scene, and zone/<scene> beside all of them. In the
// set of a team such a document is shown to those alone to whom its zone gives it, also
// when there is no such zone.
const ZonePrefix = "zone/"

// Zoned says which scene and zone the name of a document is of; ok is false for a name of
// neither. Both may be "", or words that no scene or zone is called.
func Zoned(name string) (scene, zone string, ok bool) {
	rest, ok := strings.CutPrefix(name, ZonePrefix)
	if !ok {
		return "", "", false
	}
	scene, rest, _ = strings.Cut(rest, "/")
	zone, _, _ = strings.Cut(rest, "/")
	return scene, zone, true
}

// ZonedID reports whether the public id of a document, see MemoryID, is that of one in a
// zone of a team.
func ZonedID(id string) bool {
	owner, name, _ := strings.Cut(id, ".")
	_, _, zoned := Zoned(name)
	return zoned && strings.HasPrefix(owner, change.PrefixGuild)
}

// Zones are what the admins of a team say about the zones of a scene.
type Zones struct {
	Policy  []byte // as it was written; nil when nobody wrote any
	Version int    // writes so far
	By      change.AgentID
	At      time.Time
}

// Limits of zones.
const (
	MaxZonePolicy = 12 << 10 // bytes of the policy of a scene: it is kept whole in one change
	MaxZoneScenes = 8        // scenes with zones in a team: all lie in one document
	MaxSceneName  = 32       // characters of the name of one
)
