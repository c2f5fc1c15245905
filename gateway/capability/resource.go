package capability

import (
	"strings"

	"github.com/meshd/meshd/crdt/change"
)

// prefixes are what ids begin with that people write in resources; in a resource that is
// signed they stand without.
var prefixes = map[string]string{"agent": change.PrefixAgent, "guild": change.PrefixGuild, "team": change.PrefixGuild}

// plain is a resource as it is signed: mesh://<network>/agent/agt_x/… without "agt_", and
// so on. Everything else stays as it is.
func plain(resource string) string {
	rest, ok := strings.CutPrefix(resource, "mesh://")
	if !ok {
		return resource
	}
	parts := strings.SplitN(rest, "/", 3) // network, area, what is in it
	if len(parts) == 3 {
		if prefix := prefixes[parts[1]]; prefix != "" {
			parts[2] = strings.TrimPrefix(parts[2], prefix)
		}
	}
	return "mesh://" + strings.Join(parts, "/")
}
