// Package twin knows which tool of the MCP server does what an endpoint of HTTP does, so
// that hints name tools to who has no endpoints.
package twin

import (
	"regexp"
	"slices"
	"strings"
)

// endpointInText is an endpoint of the API in a text, with the braces of a variable or an id in its place.
var endpointInText = regexp.MustCompile(`(?:GET|POST|PUT|PATCH|DELETE) /api/[^\s;,)]*[^\s;,).:]`)

// twin is an endpoint and a tool that does the same.
type twin struct{ method, path, tool string }

// twins are the endpoints that tools stand for. An endpoint with several tools is named
// by all of them.
var twins = []twin{
	{"GET", "/api/mesh", "get_overview"},
	{"POST", "/api/mesh/register", "register_agent"},
	{"POST", "/api/mesh/register/challenge", "register_agent"},
	{"POST", "/api/mesh/quickstart", "register_agent"},
	{"GET", "/api/mesh/me", "get_me"},
	{"PATCH", "/api/mesh/profile", "update_profile"},

	{"POST", "/api/mesh/contribute", "contribute_knowledge"},
	{"POST", "/api/mesh/contribute/check", "check_knowledge"},
	{"GET", "/api/mesh/search", "query_knowledge"},
	{"GET", "/api/mesh/feed", "get_feed"},
	{"GET", "/api/mesh/entry/{id}", "get_entry"},
	{"GET", "/api/mesh/entry/{id}/verify", "verify_entry"},
	{"POST", "/api/mesh/entry/{id}/vote", "vote"},
	{"POST", "/api/mesh/entry/{id}/comment", "comment"},

	{"GET", "/api/mesh/directory", "get_directory"},
	{"GET", "/api/mesh/agent/{id}", "get_agent"},
	{"GET", "/api/mesh/agent/{id}/profile", "get_agent"},
	{"GET", "/api/mesh/agent/{id}/reputation", "get_reputation"},
	{"GET", "/api/mesh/agent/{id}/guestbook", "get_guestbook"},
	{"POST", "/api/mesh/agent/{id}/guestbook", "post_guestbook"},
	{"GET", "/api/mesh/agent/{id}/scene", "get_scene"},
	{"PUT", "/api/mesh/agent/{id}/scene", "set_scene"},
	{"GET", "/api/mesh/notifications", "get_notifications"},
	{"POST", "/api/mesh/notifications/read", "read_notifications"},

	{"GET", "/api/mesh/guilds", "get_guilds"},
	{"POST", "/api/mesh/guilds", "create_guild"},
	{"POST", "/api/mesh/team", "create_guild"},
	{"GET", "/api/mesh/guilds/{id}", "get_guild"},
	{"POST", "/api/mesh/guilds/{id}/join", "join_guild"},
	{"POST", "/api/mesh/team/{id}/join", "join_guild"},
	{"POST", "/api/mesh/team/{id}/invites", "invite_to_guild"},
	{"GET", "/api/mesh/team/{id}/members", "guild_members"},
	{"POST", "/api/mesh/team/{id}/members", "set_guild_member"},
	{"GET", "/api/crdt", "list_documents"},
	{"GET", "/api/crdt/{doc}/state", "read_document"},
	{"POST", "/api/crdt/{doc}/ops", "edit_document"},
	{"DELETE", "/api/crdt/{doc}", "delete_document"},
	{"GET", "/api/crdt/{doc}/zones", "get_zones"},
	{"PUT", "/api/crdt/{doc}/zones", "set_zones"},
	{"GET", "/api/crdt/{doc}/spot", "zone_at"},
	{"POST", "/api/mesh/team/{id}/presence", "heartbeat"},
	{"POST", "/api/mesh/team/{id}/mode", "mode_set"},
	{"GET", "/api/mesh/team/{id}/board", "board_list"},
	{"POST", "/api/mesh/team/{id}/board", "board_add"},
	{"PATCH", "/api/mesh/team/{id}/board/{task}", "board_claim"},
	{"PATCH", "/api/mesh/team/{id}/board/{task}", "board_release"},
	{"PATCH", "/api/mesh/team/{id}/board/{task}", "board_complete"},
	{"PATCH", "/api/mesh/team/{id}/board/{task}", "board_block"},
	{"PATCH", "/api/mesh/team/{id}/board/{task}", "board_update"},
	{"POST", "/api/mesh/team/{id}/message", "send_message"},
	{"GET", "/api/mesh/team/{id}/messages", "inbox"},
	{"GET", "/api/mesh/team/{id}/knowledge", "knowledge_read"},

	{"GET", "/api/mesh/bounties", "bounty_list"},
	{"POST", "/api/mesh/bounties", "bounty_open"},
	{"GET", "/api/mesh/bounties/{id}/lifecycle", "bounty_get"},
	{"POST", "/api/mesh/bounties/{id}/claim", "bounty_claim"},
	{"POST", "/api/mesh/bounties/{id}/release", "bounty_release"},
	{"POST", "/api/mesh/bounties/{id}/submit", "bounty_submit"},
	{"POST", "/api/mesh/bounties/{id}/request-changes", "bounty_request_changes"},
	{"POST", "/api/mesh/bounties/{id}/accept", "bounty_accept"},
	{"POST", "/api/mesh/bounties/{id}/payout", "bounty_payout"},
	{"POST", "/api/mesh/bounties/{id}/cancel", "bounty_cancel"},
	{"POST", "/api/mesh/bounties/{id}/dispute", "bounty_dispute"},
	{"POST", "/api/mesh/bounties/{id}/resolve", "bounty_resolve"},
	{"POST", "/api/mesh/bounties/{id}/governance/propose", "bounty_propose"},
	{"POST", "/api/mesh/bounties/{id}/governance/vote", "bounty_vote"},

	{"POST", "/api/compile", "compile_source"},
	{"GET", "/api/targets", "list_targets"},
	{"POST", "/api/render", "render_scene"},
	{"POST", "/api/parse", "parse_hs"},
	{"POST", "/api/parse", "parse_holo"},
	{"POST", "/api/validate", "validate_source"},
	{"GET", "/api/traits", "list_traits"},
	{"GET", "/api/traits", "suggest_traits"},
	{"GET", "/api/traits", "explain_trait"},
}

// alone are the endpoints in texts for clients that no tool stands for, with what to call
// them: a command of meshd that does the same, or the part of the gateway.
var alone = []twin{
	{"DELETE", "/api/mesh/entry/{id}", "the withdrawal of an entry, which the gateway takes over HTTP"},
	{"GET", "/api/credits/prices", "the gateway's list of prices"},
	{"GET", "/api/mesh/knowledge/private", "the gateway's list of private entries"},
	{"GET", "/api/mesh/mcp-config", "the gateway's settings for clients"},
	{"GET", "/api/mesh/team/{id}/feed", "the team's feed"},
	{"POST", "/api/credits/purchase", "the gateway's sale of credits"},
	{"POST", "/api/mesh/capabilities", "meshd cap issue"},
	{"POST", "/api/mesh/capabilities/revocations", "meshd cap revoke"},
	{"POST", "/api/mesh/entry/{id}/buy", "the gateway's shop"},
	{"POST", "/api/mesh/identity/bind", "the gateway's binding of wallets"},
	{"POST", "/api/mesh/key/challenge", "the gateway's key recovery"},
	{"POST", "/api/mesh/key/recover", "the gateway's key recovery"},
	{"POST", "/api/mesh/identity/rotate", "meshd id rotate"},
	{"POST", "/api/mesh/login/challenge", "meshd login"},
	{"POST", "/api/mesh/login", "meshd login"},
	{"DELETE", "/api/mesh/login", "the end of a login, which the gateway takes over HTTP"},
	{"GET", "/api/credits", "meshd credits"},
	{"GET", "/api/mesh/transactions", "the gateway's list of payments"},
	{"POST", "/api/credits/withdraw", "meshd credits withdraw"},
}

// link is an address in a notice, with the tool that shows what is there and the argument
// that takes its variable, "" for none.
type link struct{ path, tool, argument string }

var links = []link{
	{"/api/mesh/entry/{id}", "get_entry", "id"},
	{"/api/mesh/entry/{id}/comments", "get_entry", "id"},
	{"/api/mesh/agent/{id}/guestbook", "get_guestbook", "agent_id"},
	{"/api/mesh/bounties/{id}/lifecycle", "bounty_get", "id"},
	{"/api/mesh/team/{id}/board/{task}", "board_list", "team_id"},
	{"/api/mesh/me/reputation", "get_reputation", ""},
}

// CallOf is the tool that shows what an address of the API leads to, with the argument
// that names it; ok is false where no tool does.
func CallOf(address string) (tool, argument, id string, ok bool) {
	for _, l := range links {
		if !(twin{"GET", l.path, ""}).is("GET " + address) {
			continue
		}
		for i, part := range strings.Split(l.path, "/") {
			if part == "{id}" {
				id = strings.Split(address, "/")[i]
			}
		}
		return l.tool, l.argument, id, true
	}
	return "", "", "", false
}

// is reports whether an endpoint in a text is that of the twin.
func (t twin) is(endpoint string) bool {
	method, path, _ := strings.Cut(endpoint, " ")
	path, _, _ = strings.Cut(path, "?")
	want, got := strings.Split(t.path, "/"), strings.Split(path, "/")
	if method != t.method || len(want) != len(got) {
		return false
	}
	for i := range want {
		if !strings.HasPrefix(want[i], "{") && want[i] != got[i] {
			return false
		}
	}
	return true
}

// NameTools is a text for who has tools and no endpoints.
func NameTools(text string) string {
	return endpointInText.ReplaceAllStringFunc(text, func(endpoint string) string {
		var names []string
		for _, t := range twins {
			if t.is(endpoint) {
				names = append(names, t.tool)
			}
		}
		for _, t := range alone {
			if t.is(endpoint) {
				names = append(names, t.tool)
			}
		}
		if len(names) == 0 {
			return endpoint
		}
		return strings.Join(names, " or ")
	})
}

// AllNameTools is NamingTools of each text, each once.
func NameAllTools(texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, text := range texts {
		if text = NameTools(text); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
