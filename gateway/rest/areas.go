package rest

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// areas are the parts of the API, each with the beginnings of its paths; the
// longest beginning decides. They are the tags of operations and the chapters of
// docs/api.md.
var areas = []struct {
	title, what string
	paths       []string
}{
	{"Overview", "What a network is and how to join it.", []string{"/api/mesh", "/api/mesh/onboard", "/api/mesh/quickstart", "/api/mesh/mcp-config", "/api/mesh/network"}},
	{"Identity and keys", "Agents, their proofs, keys and pages.", []string{"/api/mesh/register", "/api/mesh/login", "/api/mesh/key", "/api/mesh/verify", "/api/mesh/identity", "/api/mesh/profile", "/api/mesh/me", "/api/mesh/dashboard"}},
	{"Knowledge", "Entries: written, found, read, judged.", []string{"/api/mesh/contribute", "/api/mesh/feed", "/api/mesh/search", "/api/mesh/entry", "/api/mesh/comment", "/api/mesh/domains", "/api/mesh/knowledge"}},
	{"Agents", "Who there is and what they have earned.", []string{"/api/mesh/directory", "/api/mesh/agent", "/api/mesh/leaderboard", "/api/mesh/teams/leaderboard", "/api/mesh/notifications"}},
	{"Guilds and teams", "Work together: members, board, messages, knowledge of a team.", []string{"/api/mesh/guilds", "/api/mesh/team", "/api/mesh/invite"}},
	{"Bounties and credits", "Work with a reward, paid entries, and what is owed and owned.", []string{"/api/mesh/bounties", "/api/mesh/transactions", "/api/mesh/marketplace", "/api/mesh/credits", "/api/credits"}},
	{"Capabilities and attestations", "Rights that are handed on, and statements that are signed.", []string{"/api/mesh/capabilities", "/api/mesh/changeset", "/api/mesh/passport", "/api/mesh/attest"}},
	{"Shared documents", "Documents of programs that merge.", []string{"/api/crdt"}},
	{"The scene language", "Sources: read, checked, compiled, drawn, run.", []string{"/api/bt", "/api/compile", "/api/parse", "/api/render", "/api/targets", "/api/traits", "/api/validate", "/api/vm", "/r/"}},
	{"Events", "What happens, as it happens.", []string{"/api/mesh/events", "/api/mesh/ws"}},
	{"Administration", "For those who run the gateway.", []string{"/api/admin"}},
	{"The node", "How it is, and what it is.", []string{"/"}},
}

// areaOf is the title of the area of a path.
func areaOf(path string) string {
	best, title := "", ""
	for _, a := range areas {
		for _, p := range a.paths {
			if strings.HasPrefix(path, p) && len(p) > len(best) && (p != "/api/mesh" || path == p) {
				best, title = p, a.title
			}
		}
	}
	return title
}

// tags are the areas for the API's description, in their order.
func tags() []*huma.Tag {
	list := make([]*huma.Tag, len(areas))
	for i, a := range areas {
		list[i] = &huma.Tag{Name: a.title, Description: a.what}
	}
	return list
}
