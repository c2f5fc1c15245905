package body

import (
	"fmt"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Bind is the body of profile.bind: an agent's genesis at seq 1, later a
// change of its name, home, box or proof.
type Bind struct {
	Name        string
	Home        string         // host the agent calls home, or ""
	Controllers []string       // ctl: DIDs that outrank the acting key
	Next        []byte         // H of the recovery key, 32 bytes, or nil
	PQ          []byte         // ML-DSA-65 public key, or nil
	Box         []byte         // X25519 key for sealed messages, 32 bytes, or nil
	Proof       *binding.Proof // bind
	Sponsor     *Sponsor
	Pow         uint64
}

// Sponsor is a key that vouches for a newcomer; it steers rates and reputation.
type Sponsor struct {
	By  did.Key
	Sig []byte
}

// ParseBind is the row of profile.bind as far as its bytes decide it. A genesis
// needs a name; later ones may leave out every field.
func ParseBind(b []byte, genesis bool) (Bind, error) {
	r := parse(b)
	v := Bind{
		Name: r.text("name", genesis, MinName, MaxName),
		Home: r.text("home", optional, 0, MaxHome),
		Next: r.fixed("next", optional, 32),
		PQ:   r.fixed("pq", optional, keys.PQKeySize),
		Box:  r.fixed("box", optional, 32),
	}
	v.Controllers, _ = r.controllers("ctl")
	r.sub("bind", optional, func(s *row) {
		v.Proof = &binding.Proof{
			Alg: s.text("alg", required, 1, 16), By: s.text("by", required, 1, MaxController),
			Sig: s.bytes("sig", required, 0, 128), Text: s.text("text", required, 1, MaxBindText),
		}
	})
	r.sub("sponsor", optional, func(s *row) {
		v.Sponsor = &Sponsor{By: s.key("by"), Sig: s.fixed("sig", required, keys.SignatureSize)}
	})
	v.Pow = uint64(r.natural("pow"))
	return v, r.refusal()
}

// Encode returns the canonical body. Empty fields are left out.
func (v Bind) Encode() ([]byte, error) {
	m := cbor.Map{}
	putText(m, "name", v.Name)
	putText(m, "home", v.Home)
	putTexts(m, "ctl", v.Controllers)
	putBytes(m, "next", v.Next)
	putBytes(m, "pq", v.PQ)
	putBytes(m, "box", v.Box)
	if p := v.Proof; p != nil {
		m["bind"] = cbor.Map{"alg": p.Alg, "by": p.By, "sig": p.Sig, "text": p.Text}
	}
	if s := v.Sponsor; s != nil {
		m["sponsor"] = cbor.Map{"by": s.By[:], "sig": s.Sig}
	}
	if v.Pow != 0 {
		m["pow"] = v.Pow
	}
	return encode(m)
}

// CheckGenesis judges what a genesis claims about its author: the ticket, the
// proof of a controller and the sponsor's signature. The refusal is
// binding_invalid.
func (v Bind) CheckGenesis(net [16]byte, author did.Key, bits int) error {
	if got := binding.TicketBits(net, author, v.Pow); got < bits {
		return reason.Refuse(reason.BindingInvalid, "ticket has %d leading zero bits, want %d", got, bits)
	}
	if s := v.Sponsor; s != nil && !keys.Verify(s.By, binding.SponsorMessage(net, author), s.Sig) {
		return reason.Refuse(reason.BindingInvalid, "the sponsor's signature does not verify")
	}
	return v.CheckProof(net, author, v.Controllers)
}

// CheckProof judges the proof in v, if there is one, against the controllers of
// the agent. The refusal is binding_invalid.
func (v Bind) CheckProof(net [16]byte, author did.Key, controllers []string) error {
	if v.Proof == nil {
		return nil
	}
	if err := v.Proof.Verify(net, author, controllers); err != nil {
		return reason.Refuse(reason.BindingInvalid, "proof of the controller: %v", err)
	}
	return nil
}

func encode(m cbor.Map) ([]byte, error) {
	b, err := cbor.Encode(m)
	if err != nil {
		return nil, fmt.Errorf("encode body: %w", err)
	}
	return b, nil
}
