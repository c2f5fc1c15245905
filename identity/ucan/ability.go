package ucan

import (
	"slices"
	"strings"
)

// All is the ability that covers every other one of its resource.
const All = "*"

// The abilities of the mesh. Those of changes are named after the kind they
// write, see OfKind; the others are asked for at the API.
const (
	EntryPut       = "entry/put"
	EntryRetract   = "entry/retract"
	ProfileEdit    = "profile/edit"
	DocEdit        = "doc/edit"
	VoteCast       = "vote/cast"
	CommentAdd     = "comment/add"
	MemberGrant    = "member/grant"
	BountyAct      = "bounty/act"
	TaskAct        = "task/act"
	Message        = "message"
	Label          = "label"
	Served         = "served"
	GuildOpen      = "guild/open"
	SourceRead     = "source/read"
	ASTTransform   = "ast/transform"
	IRTransform    = "ir/transform"
	CodeWrite      = "code/write"
	ExecuteCodegen = "execute/codegen"
	ExecuteExport  = "execute/export"
	ProofWrite     = "proof/write"
)

// The abilities that only the API asks for.
const (
	AccountRead   = "account/read"   // what a gateway keeps of an agent: page, standing, keys without secrets
	EntryRead     = "entry/read"     // texts in full
	TeamRead      = "team/read"      // what is shown to members of a team
	TeamAct       = "team/act"       // be there, mark messages as read, and leave
	TeamTransfer  = "team/transfer"  // make another owner
	TeamDelete    = "team/delete"    // close it
	GuildJoin     = "guild/join"     // join a team, also by invitation
	GuildList     = "guild/list"     // the teams that an agent is in
	NoticeRead    = "notice/read"    // notifications, and which were read
	CreditRead    = "credit/read"    // balance and transactions
	CreditSpend   = "credit/spend"   // buy
	CreditPayOut  = "credit/payout"  // withdraw
	EventRead     = "event/read"     // streams of events
	TrailRead     = "trail/read"     // the audit trail of an agent
	TrailWrite    = "trail/write"    // append to it
	SourceCompile = "source/compile" // compile, check and render, which everybody may
	KeyManage     = "key/manage"     // API keys; no token has it
	KeyDevice     = "key/device"     // keys of a node for an agent; no token has it
	CapabilityAct = "capability/act" // issue, endorse and revoke; no token has it
	Administer    = "admin/act"      // run a gateway
	SpatialRead   = "spatial/read"   // the documents of a zone
	SpatialWrite  = "spatial/write"  // change them
	SpatialDelete = "spatial/delete" // empty them
	SpatialAdmin  = "spatial/admin"  // all of that, and the zones of a scene
)

// The abilities of skills: what a sandboxed module may ask its host for.
const (
	KVRead      = "kv/read"
	KVWrite     = "kv/write"
	NetFetch    = "net/fetch"
	SceneWrite  = "scene/write"
	MemoryRead  = "memory/read"
	MemoryWrite = "memory/write"
	SkillRun    = "skill/run"
)

var abilities = []string{
	All, AccountRead, Administer, ASTTransform, BountyAct, CapabilityAct, CodeWrite, CommentAdd, CreditPayOut,
	CreditRead, CreditSpend, DocEdit, EntryPut, EntryRead, EntryRetract, EventRead, ExecuteCodegen,
	ExecuteExport, GuildJoin, GuildList, GuildOpen, IRTransform, KeyDevice, KeyManage, KVRead, KVWrite, Label,
	MemberGrant, MemoryRead, MemoryWrite, Message, NetFetch, NoticeRead, ProfileEdit, ProofWrite, SceneWrite,
	Served, SkillRun, SourceCompile, SourceRead, SpatialAdmin, SpatialDelete, SpatialRead, SpatialWrite, TaskAct, TeamAct, TeamDelete, TeamRead, TeamTransfer, TrailRead,
	TrailWrite, VoteCast,
}

// Abilities lists every ability that means something here, sorted. The slice is
// a copy. A token may contain others; they grant nothing.
func Abilities() []string { return slices.Clone(abilities) }

// Known reports whether an ability, in any case, is in Abilities, or is a
// namespace of it with "/*".
func Known(ability string) bool {
	return slices.ContainsFunc(abilities, func(a string) bool {
		return fold(a) == fold(ability) || a != All && namespaceCovers(ability, a)
	})
}

// ofKind are the kinds of changes whose ability is not their own name.
var ofKind = map[string]string{
	"vote": VoteCast, "comment": CommentAdd,
	"grant": MemberGrant, "revoke": MemberGrant, "endorse": MemberGrant,
}

// OfKind is the ability that writes a kind of change: the name of the kind with
// "/" for ".", except for votes, comments, what concerns members, bounties and
// tasks. Kinds that no ability can be delegated for have one all the same.
func OfKind(kind string) string {
	if a, ok := ofKind[kind]; ok {
		return a
	}
	switch {
	case strings.HasPrefix(kind, "bounty."):
		return BountyAct
	case strings.HasPrefix(kind, "task."):
		return TaskAct
	}
	return strings.ReplaceAll(kind, ".", "/")
}

// Covers reports whether the ability granted on a resource covers the one asked
// for. Abilities are equal without regard to the case of ASCII letters (no other
// letter: K has a Kelvin sign that folds to it). "*" covers all; on our own
// resources "entry/*" covers what begins with "entry/".
func Covers(resource, granted, asked string) bool {
	return granted == All || fold(granted) == fold(asked) || Own(resource) && namespaceCovers(granted, asked)
}

func namespaceCovers(granted, asked string) bool {
	ns, ok := strings.CutSuffix(granted, "/*")
	return ok && ns != "" && strings.HasPrefix(fold(asked), fold(ns)+"/")
}

// fold lowers ASCII letters and nothing else.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for j, c := range b {
				if c >= 'A' && c <= 'Z' {
					b[j] = c + 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
