package auth

import (
	"slices"

	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/ucan"
)

// Object says whose space an operation is about.
type Object uint8

// The objects. The zero Object requires nothing.
const (
	Nobody   Object = iota
	Self            // the agent that calls, or for which a token acts
	Team            // the team that the request names; its use case judges, as it knows which
	Document        // a shared document, of an agent or a team; its use case judges
	Commons         // what everybody may know of
	Gateway         // this gateway
)

// Right is what an operation requires: an ability on a resource. The zero Right requires
// nothing.
type Right struct {
	On   Object
	Part string // below the space: credits of mesh://<network>/agent/<id>/credits; "" for all of it
	Can  string // the ability
	Role string // of a right in a team, the lowest role that has it
	// Open lets everybody pass. A credential that covers the right widens what is shown.
	Open bool
	// KeyOnly says why no token has the right, whatever it covers; "" where one may.
	KeyOnly string
}

// Own is the right to do something as the agent that calls.
func Own(can string) Right { return Right{On: Self, Can: can} }

// OwnPart is Own for a part of the agent's space.
func OwnPart(part, can string) Right { return Right{On: Self, Part: part, Can: can} }

// ByKey is Own for what an API key alone may do, and why.
func ByKey(can, why string) Right { return Right{On: Self, Can: can, KeyOnly: why} }

// Everybody is a right that nobody needs to prove.
func Everybody(on Object, can string) Right { return Right{On: on, Can: can, Open: true} }

// Keyed reports whether the operation needs a credential.
func (r Right) Keyed() bool { return r.Can != "" && !r.Open }

// Tokens reports whether a capability or role token can have the right.
func (r Right) Tokens() bool { return r.Can != "" && r.KeyOnly == "" }

// Acts reports whether a token that has the right acts by it, if the operation writes.
func (r Right) Acts() bool { return r.Tokens() && (r.On == Self || r.On == Team || r.On == Document) }

// Signs reports whether the operation writes changes that a key of the agent signs.
func (r Right) Signs() bool {
	if r.On != Self {
		return false
	}
	switch r.Can {
	case ucan.ProfileEdit, ucan.EntryPut, ucan.EntryRetract, ucan.CommentAdd, ucan.VoteCast, ucan.Label, ucan.DocEdit, ucan.BountyAct, ucan.GuildOpen, ucan.GuildJoin:
		return true
	}
	return false
}

// Scope is what an API key needs for the right, "" when any key has it.
func (r Right) Scope() state.Scope {
	switch {
	case !r.Keyed():
		return ""
	case r.On == Team:
		return state.ScopeTeam
	case r.On == Document || slices.Contains(ofEveryKey, r.Can):
		return ""
	}
	return scopes[r.Can]
}

// Resource writes the resource as documents show it.
func (r Right) Resource() string {
	const network = "mesh://<network>/"
	text := ""
	switch r.On {
	case Nobody:
		return ""
	case Self:
		text = network + "agent/<id>"
	case Team:
		text = network + "team/<id>"
	case Document:
		text = network + "agent/<id> or team/<id>"
	case Commons:
		text = network + "commons"
	case Gateway:
		return "this gateway"
	}
	if r.Part != "" {
		text += "/" + r.Part
	}
	return text
}

// scopes are the scopes that an API key needs for an ability, and to delegate it.
var scopes = map[string]state.Scope{
	ucan.EntryPut: state.ScopeWrite, ucan.EntryRetract: state.ScopeWrite, ucan.ProfileEdit: state.ScopeWrite, ucan.DocEdit: state.ScopeWrite,
	ucan.VoteCast: state.ScopeWrite, ucan.CommentAdd: state.ScopeWrite, ucan.Label: state.ScopeWrite, ucan.ProofWrite: state.ScopeWrite,
	ucan.SceneWrite: state.ScopeWrite, ucan.Served: state.ScopeWrite, ucan.MemoryWrite: state.ScopeWrite, ucan.TrailWrite: state.ScopeWrite,
	ucan.EntryRead: state.ScopeRead, ucan.MemoryRead: state.ScopeRead, ucan.SourceRead: state.ScopeRead, ucan.SourceCompile: state.ScopeRead,
	ucan.TrailRead: state.ScopeRead, ucan.AccountRead: state.ScopeRead, ucan.NoticeRead: state.ScopeRead, ucan.CreditRead: state.ScopeRead,
	ucan.EventRead: state.ScopeRead,
	ucan.Message:   state.ScopeTeam, ucan.TaskAct: state.ScopeTeam, ucan.GuildOpen: state.ScopeTeam, ucan.GuildJoin: state.ScopeTeam,
	ucan.GuildList: state.ScopeTeam, ucan.TeamRead: state.ScopeTeam, ucan.TeamAct: state.ScopeTeam, ucan.TeamTransfer: state.ScopeTeam, ucan.TeamDelete: state.ScopeTeam,
	ucan.SpatialRead: state.ScopeTeam, ucan.SpatialWrite: state.ScopeTeam, ucan.SpatialDelete: state.ScopeTeam, ucan.SpatialAdmin: state.ScopeTeam,
	ucan.BountyAct: state.ScopeBounty, ucan.CreditSpend: state.ScopePay, ucan.CreditPayOut: state.ScopePay,
	ucan.MemberGrant: state.ScopeKeys, ucan.KeyManage: state.ScopeKeys, ucan.CapabilityAct: state.ScopeKeys,
	ucan.ASTTransform: state.ScopeStudio, ucan.IRTransform: state.ScopeStudio, ucan.CodeWrite: state.ScopeStudio, ucan.ExecuteCodegen: state.ScopeStudio,
	ucan.ExecuteExport: state.ScopeStudio, ucan.KVRead: state.ScopeStudio, ucan.KVWrite: state.ScopeStudio, ucan.NetFetch: state.ScopeStudio,
	ucan.SkillRun: state.ScopeStudio,
}

// ofEveryKey are the abilities that an API key has whatever its scopes, though handing
// them on takes the scope.
var ofEveryKey = []string{ucan.AccountRead, ucan.NoticeRead, ucan.CreditRead, ucan.EventRead, ucan.SkillRun}

// ScopeOf is the scope that an API key needs to delegate an ability; false for one that
// takes every scope of a registration, so that a new ability is nobody's until it has a
// row.
func ScopeOf(ability string) (state.Scope, bool) {
	scope, ok := scopes[ability]
	return scope, ok
}

// Why no token has some rights.
const (
	KeyOutlives     = "a key would outlive the token that made it"
	DelegatesItself = "who holds a capability delegates it by signing one of its own"
	OwnerDecides    = "only the owner of the node decides this"
	TicketIsAKey    = "a ticket stands for an API key"
)
