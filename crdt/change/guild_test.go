package change_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

func TestSpacesOfAGuild(t *testing.T) {
	t.Parallel()
	id := change.ID{1, 2, 3}
	net := change.NetID{0xab}
	for space, text := range map[change.Space]string{change.GuildSpace(id): "guild/", change.TeamSpace(id): "team/"} {
		if string(space) != text+change.Base32(id[:]) {
			t.Errorf("%s is not spelled %s…", space, text)
		}
		if _, err := change.ParseSpace(string(space)); err != nil {
			t.Error(err)
		}
		if got, ok := space.Guild(); !ok || got != id {
			t.Errorf("%s is of guild %s, %t", space, got, ok)
		}
		if got := space.Resource(net); got != "mesh://ab"+strings.Repeat("0", 30)+"/"+string(space) {
			t.Errorf("%s is named %s", space, got)
		}
	}
	agent := change.AgentID(id).Space()
	for _, other := range []change.Space{"net", "commons/go", agent, "guild/x", "team/", "guild/" + change.Space(strings.ToUpper(change.Base32(id[:]))), ""} {
		if got, ok := other.Guild(); ok || !got.IsZero() {
			t.Errorf("%s is of a guild", other)
		}
	}
}
