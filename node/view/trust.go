package view

import (
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// Delegation asks for a capability.
type Delegation struct {
	Audience  did.Key
	With      string           // resource; "" is the agent's own space
	Can       []string         // abilities, unless Role is set
	Caveats   []map[string]any // of each ability, any one of which must be met; none restricts nothing
	Role      string           // of a guild, instead of Can
	Expires   *time.Time       // needed but for a role
	NotBefore *time.Time
	Renew     bool       // renewed while it is used
	Closes    *change.ID // grant that this one follows
	// Key names the API key that it is issued by, "" for none. The token keeps it, so
	// that the capability can end with the key, wherever the log is read.
	Key string
	// Until is when Key ends, which no renewal goes beyond; nil: never.
	Until *time.Time
}

// Gift says by which API key a role is given; the zero Gift says by none.
type Gift struct {
	Key   string     // as in Delegation
	Until *time.Time // when the role ends at the latest, with the key; nil: never
}

// State of a capability.
type CapState string

// The states.
const (
	Active  CapState = "active"
	Expired CapState = "expired"
	Revoked CapState = "revoked"
)

// Capability is a grant in the log.
type Capability struct {
	ID        change.ID
	CID       string // of its token
	Token     string
	Space     change.Space
	Issuer    did.Key
	Agent     change.AgentID // for whom it was issued
	Audience  did.Key
	Holder    change.AgentID // whose key the audience is; zero for a bare key
	Role      string
	Caps      []Cap
	Renew     bool
	Expires   *time.Time
	NotBefore *time.Time
	CreatedAt time.Time
	State     CapState
	EndedBy   change.ID // of a revoked one, when one change did it
	Key       string    // the API key that it was issued by, or ""
	Until     *time.Time
}

// Lent is a token for sessions, which is not in the log.
type Lent struct {
	CID      string
	Token    string // a token of UCAN 0.10, or a container with one delegation of 1.0
	Issuer   did.Key
	Audience did.Key
	Source   string // cid of the token of the other version that it was made from, or ""
	Caps     []Cap
	Expires  *time.Time
}

// Cap is one ability on one resource.
type Cap struct {
	With, Can string
	Caveats   []map[string]any
}

// Revocation is a revoke that was written.
type Revocation struct {
	ID       change.ID
	Grant    change.ID
	CID      string
	Cut      body.Cuts
	Excluded int // changes known here that lie beyond the cut
}

// Second says whether the next acting key of an agent has an ML-DSA-65 half.
type Second int

// What a rotation makes of the second half.
const (
	SecondKept Second = iota // as the key in force has it
	SecondMade               // the next key has one
	SecondLeft               // the next key has none
)

// Turn is what a rotation to a new key of this vault brings beside the key.
type Turn struct {
	Next   []byte // hash of a new recovery key, or nil
	Second Second
}

// RotationDraft is a rotation that waits for a consent to Line and a signature
// by To.
type RotationDraft struct {
	Agent  change.AgentID
	Record change.ID // proof[0] of the rotation
	To     did.Key
	Body   body.Rotate
	Line   string
	HLC    uint64 // the rotation must lie above
}

// NewGuild is what a guild is founded with.
type NewGuild struct {
	Name, Type, Visibility string
}

// Guild is a guild and its members.
type Guild struct {
	ID         change.ID
	Space      change.Space // where its roles are kept
	Name       string
	Type       string
	Visibility string
	Founder    AgentRef
	CreatedAt  time.Time
	Members    []Member // the founder first, then by role
}

// Member is an agent of a guild.
type Member struct {
	AgentRef
	Role  string
	Grant change.ID // zero for the founder
	Since time.Time // of the role it has now
}
