package access

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// Permission is what a member may do in a team.
type Permission string

// The permissions (api §9).
const (
	TeamRead       Permission = "team:read"
	BoardRead      Permission = "board:read"
	BoardWrite     Permission = "board:write"
	BoardClaim     Permission = "board:claim"
	BoardManage    Permission = "board:manage"
	MessagesRead   Permission = "messages:read"
	MessagesWrite  Permission = "messages:write"
	KnowledgeRead  Permission = "knowledge:read"
	KnowledgeWrite Permission = "knowledge:write"
	bountyCreate   Permission = "bounty:create"
	bountyManage   Permission = "bounty:manage"
	ConfigWrite    Permission = "config:write"
	MembersInvite  Permission = "members:invite"
	MembersManage  Permission = "members:manage"
	TeamTransfer   Permission = "team:transfer"
	TeamDelete     Permission = "team:delete"
)

// reads reports whether a permission is one to read.
func (p Permission) reads() bool { return strings.HasSuffix(string(p), ":read") }

// permissions are what each role adds to the one below it.
var permissions = []struct {
	role string
	adds []Permission
}{
	{role.Viewer, []Permission{TeamRead, BoardRead, MessagesRead, KnowledgeRead}},
	{role.Member, []Permission{BoardWrite, BoardClaim, MessagesWrite, KnowledgeWrite, bountyCreate}},
	{role.Admin, []Permission{BoardManage, bountyManage, ConfigWrite, MembersInvite, MembersManage}},
	{role.Owner, []Permission{TeamTransfer, TeamDelete}},
}

// permissionsOf are the permissions of a role, those of the lowest role first.
func permissionsOf(name string) []Permission {
	var out []Permission
	for _, p := range permissions {
		if role.Rank(p.role) <= role.Rank(name) {
			out = append(out, p.adds...)
		}
	}
	return out
}

// PermissionsIn are the permissions of a role in a team: its policy may let
// viewers write messages.
func PermissionsIn(name string, page view.TeamPage) []Permission {
	out := permissionsOf(name)
	if name == role.Viewer && page.ViewersWrite() {
		out = append(out, MessagesWrite)
	}
	return out
}

func Permits(name string, p Permission) bool { return slices.Contains(permissionsOf(name), p) }

// RoleNamed reads a role or one of its aliases; "" for what is none.
func RoleNamed(s string) string {
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
