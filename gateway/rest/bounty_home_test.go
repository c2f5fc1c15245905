package rest_test

import (
	"strings"
	"testing"
)

// In a private team a bounty's home is the key of who opened it. While it is under
// way that agent neither leaves nor is removed, since nobody could end it then.
func TestWhoHoldsARewardStaysInItsTeam(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	team := w.found("ada", fields{"name": "Den", "type": "bounty", "visibility": "private"})
	w.as("ada", "POST", team+"/members", fields{"agent_id": w.ids["dee"], "role": "member"}, 200, "")
	w.grant("dee", 100)
	r := w.as("dee", "POST", "/api/mesh/bounties", fields{"teamId": team[strings.LastIndex(team, "/")+1:], "title": "Mend", "description": "All", "amount": 10}, 201, "")
	bounty := "/api/mesh/bounties/" + r["bounty"].(fields)["id"].(string)
	w.holds("dee", 90)
	w.as("dee", "POST", team+"/leave", nil, 409, "escrow_open")
	w.as("ada", "POST", team+"/members", fields{"agent_id": w.ids["dee"], "action": "remove"}, 409, "escrow_open")
	w.as("dee", "POST", bounty+"/cancel", nil, 200, "")
	w.holds("dee", 100)
	w.as("dee", "POST", team+"/leave", nil, 204, "")
}
