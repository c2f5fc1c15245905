package service

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// permission is what a member may do in a team.
type permission string

// The permissions (api §9).
const (
	teamRead       permission = "team:read"
	boardRead      permission = "board:read"
	boardWrite     permission = "board:write"
	boardClaim     permission = "board:claim"
	boardManage    permission = "board:manage"
	messagesRead   permission = "messages:read"
	messagesWrite  permission = "messages:write"
	knowledgeRead  permission = "knowledge:read"
	knowledgeWrite permission = "knowledge:write"
	bountyCreate   permission = "bounty:create"
	bountyManage   permission = "bounty:manage"
	configWrite    permission = "config:write"
	membersInvite  permission = "members:invite"
	membersManage  permission = "members:manage"
	teamTransfer   permission = "team:transfer"
	teamDelete     permission = "team:delete"
)

// reads reports whether a permission is one to read.
func (p permission) reads() bool { return strings.HasSuffix(string(p), ":read") }

// permissions are what each role adds to the one below it.
var permissions = []struct {
	role string
	adds []permission
}{
	{role.Viewer, []permission{teamRead, boardRead, messagesRead, knowledgeRead}},
	{role.Member, []permission{boardWrite, boardClaim, messagesWrite, knowledgeWrite, bountyCreate}},
	{role.Admin, []permission{boardManage, bountyManage, configWrite, membersInvite, membersManage}},
	{role.Owner, []permission{teamTransfer, teamDelete}},
}

// permissionsOf are the permissions of a role, those of the lowest role first.
func permissionsOf(name string) []permission {
	var out []permission
	for _, p := range permissions {
		if role.Rank(p.role) <= role.Rank(name) {
			out = append(out, p.adds...)
		}
	}
	return out
}

// permissionsIn are the permissions of a role in a team: its policy may let
// viewers write messages.
func permissionsIn(name string, page view.TeamPage) []permission {
	out := permissionsOf(name)
	if name == role.Viewer && page.ViewersWrite() {
		out = append(out, messagesWrite)
	}
	return out
}

func permits(name string, p permission) bool { return slices.Contains(permissionsOf(name), p) }

// roleNamed reads a role or one of its aliases; "" for what is none.
func roleNamed(s string) string {
	switch s {
	case "lead":
		return role.Admin
	case "guest":
		return role.Viewer
	}
	if role.Valid(s) {
		return s
	}
	return ""
}
