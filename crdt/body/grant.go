package body

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/role"
)

// Grant is the body of grant: a capability token and, in a guild or team, the
// role that it stands for.
type Grant struct {
	Token  string  // a UCAN 0.10 token, at most MaxToken bytes
	Role   string  // owner, admin, member or viewer; "" for another set of rights
	Closes *Closes // the grant that this one follows, or nil
}

// Closes ends an earlier grant where its term ends, so that its holder cannot
// write into the past (wire §10).
type Closes struct {
	Cut   Cuts
	Grant change.ID
}

// ParseGrant is the row of grant as far as its bytes decide it. The token is
// judged by rules.
func ParseGrant(b []byte) (Grant, error) {
	r := parse(b)
	v := Grant{Role: r.word("role", optional, role.Names()...)}
	var ok bool
	if v.Token, ok = get[string](r, "token", required); ok && (v.Token == "" || len(v.Token) > MaxToken) {
		r.fail("token", "%d bytes, want 1 to %d", len(v.Token), MaxToken)
	}
	r.sub("closes", optional, func(s *row) {
		v.Closes = &Closes{Cut: s.cuts("cut"), Grant: s.id("grant", required)}
	})
	return v, r.refusal()
}

// Encode returns the canonical body. Empty fields are left out.
func (v Grant) Encode() ([]byte, error) {
	m := cbor.Map{"token": v.Token}
	putText(m, "role", v.Role)
	if c := v.Closes; c != nil {
		m["closes"] = cbor.Map{"cut": c.Cut.value(), "grant": c.Grant[:]}
	}
	return encode(m)
}

// Revoke is the body of revoke: it ends a grant, and what was granted under it,
// but for what lies inside the cut.
type Revoke struct {
	Grant change.ID
	Cut   Cuts
	Why   string // at most MaxWhy characters
}

// ParseRevoke is the row of revoke as far as its bytes decide it.
func ParseRevoke(b []byte) (Revoke, error) {
	r := parse(b)
	v := Revoke{Grant: r.id("grant", required), Cut: r.cuts("cut"), Why: r.text("why", optional, 0, MaxWhy)}
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v Revoke) Encode() ([]byte, error) {
	m := cbor.Map{"grant": v.Grant[:], "cut": v.Cut.value()}
	putText(m, "why", v.Why)
	return encode(m)
}

// What an endorse says of the changes it names.
const (
	Readmit = "readmit" // they have effect although they lie outside a cut
	Confirm = "confirm" // the home of a bounty confirms its steps
	Approve = "approve" // the owner of a guestbook shows its notes
)

// Endorse is the body of endorse.
type Endorse struct {
	As  string // Readmit, Confirm or Approve
	IDs []change.ID
}

// ParseEndorse is the row of endorse.
func ParseEndorse(b []byte) (Endorse, error) {
	r := parse(b)
	v := Endorse{As: r.word("as", required, Readmit, Confirm, Approve), IDs: r.ids("ids", required, MaxEndorsed)}
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v Endorse) Encode() ([]byte, error) {
	return encode(cbor.Map{"as": v.As, "ids": idItems(v.IDs)})
}
