package mcp_test

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// networkTools are the tools of the network that the interface document names.
const networkTools = `get_notifications read_notifications get_guild create_guild invite_to_guild guild_members set_guild_member bounty_open bounty_release
	bounty_request_changes bounty_accept bounty_payout bounty_cancel bounty_dispute bounty_resolve bounty_propose bounty_vote register_agent contribute_knowledge query_knowledge get_feed get_directory get_guilds get_overview get_entry verify_entry
	check_knowledge get_agent get_reputation get_me update_profile join_guild heartbeat board_list board_add board_claim board_release
	board_complete board_update board_block send_message inbox knowledge_read mode_set bounty_list bounty_get bounty_claim bounty_submit
	list_documents read_document edit_document delete_document get_zones set_zones zone_at vote comment get_guestbook post_guestbook set_scene get_scene`

// TestEveryNetworkToolIsListed asks a running server, as either generation of
// clients does, to the last page.
func TestEveryNetworkToolIsListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, version := range []string{modern, older} {
		s, params := w.dial(version, ""), &sdk.ListToolsParams{}
		var listed []string
		for {
			page, err := s.ListTools(t.Context(), params)
			must(t, err)
			for _, tool := range page.Tools {
				listed = append(listed, tool.Name)
			}
			if page.NextCursor == "" {
				break
			}
			params.Cursor = page.NextCursor
		}
		for _, name := range strings.Fields(networkTools) {
			if !slices.Contains(listed, name) {
				t.Errorf("%s: %s is not listed", version, name)
			}
		}
	}
}
