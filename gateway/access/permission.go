package access

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// Permission is what a member may do in a team.
type Permission string

// The permissions (api §9).
const (
	TeamRead       Permission = "team:read"       // who is in the team and how it works
	BoardRead      Permission = "board:read"      // tasks, suggestions and the feed
	BoardWrite     Permission = "board:write"     // add and change tasks, suggest, vote, edit documents
	BoardClaim     Permission = "board:claim"     // work on tasks
	BoardManage    Permission = "board:manage"    // the tasks of others
	MessagesRead   Permission = "messages:read"   // those to the team and to oneself
	MessagesWrite  Permission = "messages:write"  // which a policy may give to viewers too
	KnowledgeRead  Permission = "knowledge:read"  // entries and documents of the team
	KnowledgeWrite Permission = "knowledge:write" // entries of the team
	bountyCreate   Permission = "bounty:create"   // shown to members; the machine of a bounty judges by rank
	bountyManage   Permission = "bounty:manage"   // the same
	ConfigWrite    Permission = "config:write"    // the page, the mode and the policy
	MembersInvite  Permission = "members:invite"  // make and drop invitations
	MembersManage  Permission = "members:manage"  // roles and bans
	TeamTransfer   Permission = "team:transfer"   // make another owner
	TeamDelete     Permission = "team:delete"     // close it
)

// reads reports whether a permission is one to read.
func (p Permission) reads() bool { return strings.HasSuffix(string(p), ":read") }

// rights are the abilities in the space of a team by which a token gives a permission.
// A member's bundle of abilities (package role) covers what a member may do, and so on.
var rights = map[Permission]struct {
	can  string
	args map[string]any
}{
	TeamRead: {can: role.Read}, BoardRead: {can: role.Read}, MessagesRead: {can: role.Read}, KnowledgeRead: {can: role.Read},
	BoardWrite: {can: ucan.TaskAct}, BoardClaim: {can: ucan.TaskAct}, BoardManage: {can: ucan.Label},
	MessagesWrite: {can: ucan.Message}, KnowledgeWrite: {can: ucan.EntryPut},
	bountyCreate: {can: ucan.BountyAct}, bountyManage: {can: ucan.Label},
	ConfigWrite:   {ucan.DocEdit, map[string]any{role.CaveatDoc: "page"}},
	MembersInvite: {ucan.MemberGrant, map[string]any{role.CaveatRole: role.Member}},
	MembersManage: {ucan.MemberGrant, map[string]any{role.CaveatRole: role.Member}},
	TeamTransfer:  {can: ucan.TeamTransfer}, TeamDelete: {can: ucan.TeamDelete}, // which "*" covers alone
}

// Right is what an operation in a team declares that needs a permission there.
func Right(p Permission) auth.Right {
	r := auth.Right{On: auth.Team, Can: rights[p].can}
	for _, step := range permissions { // lowest role first
		if slices.Contains(step.adds, p) {
			r.Role = step.role
		}
	}
	return r
}

// ActRight is what an operation in a team declares that any member may do as itself, see
// Member.Acts.
func ActRight() auth.Right { return auth.Right{On: auth.Team, Can: ucan.TeamAct, Role: role.Viewer} }

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

// Permits reports whether a role has a permission, whatever its team has decided.
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
