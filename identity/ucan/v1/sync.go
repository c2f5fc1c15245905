package v1

import (
	"io"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
)

// SyncCommand is what an agent lets the key of its node do: open streams that
// carry what the agent may see.
const SyncCommand = "/mesh/sync"

const netArg = "net" // the network, in hex

// SyncProof is a proof to be made for one stream.
type SyncProof struct {
	Agent     did.Key       // the subject
	Chain     []*Delegation // from the agent to the node's key, leaf first; the last one is the agent's own
	Net       string        // hex of the network id
	Responder did.Key       // the libp2p key of the node at the other end
	Now       int64         // seconds
	Expires   int64         // seconds, at most MaxSyncTerm after Now
}

// NodeInvocation makes what a hello carries to see team sets (wire.md §16): an
// invocation of SyncCommand by the node's libp2p key, about the agent, for this
// responder and network alone, with the delegations that prove it. It has at
// most MaxSync bytes. What the responder would refuse is refused here.
func NodeInvocation(node keys.Signer, p SyncProof, rand io.Reader) ([]byte, error) {
	act := Act{
		Audience: p.Responder, Subject: p.Agent, Command: SyncCommand,
		Args: map[string]any{netArg: p.Net}, IssuedAt: &p.Now, Expires: &p.Expires,
	}
	for _, d := range p.Chain {
		act.Proofs = append(act.Proofs, d.CID)
	}
	inv, err := Invoke(node, act, rand)
	if err != nil {
		return nil, err
	}
	sealed := [][]byte{inv.Sealed}
	for _, d := range p.Chain {
		sealed = append(sealed, d.Sealed)
	}
	proof, err := Pack(sealed...)
	if err != nil {
		return nil, err
	}
	_, err = VerifySync(proof, SyncCheck{Now: p.Now, Net: p.Net, Node: node.Key(), Responder: p.Responder})
	if err != nil {
		return nil, err
	}
	return proof, nil
}

// SyncCheck is what a stream proof is checked against.
type SyncCheck struct {
	Now       int64   // seconds
	Net       string  // hex of our network id
	Node      did.Key // the key by which the connection at hand was secured
	Responder did.Key // our own
	Revoked   ucan.Revoked
	Memo      *Memo
}

// SyncSession is what a stream proof proves.
type SyncSession struct {
	Agent   did.Key
	Expires int64    // seconds; ask again after it
	Chain   []string // CIDs, invocation first: a revocation of any ends the session
}

// VerifySync judges a proof that arrived in a hello. Whether the agent is a
// member of anything is for the caller's own fold to say. A proof is bound to
// both ends of the connection and to the network, so it is of no use to the
// responder or to whoever overhears it. The error is Findings.
func VerifySync(proof []byte, c SyncCheck) (SyncSession, error) {
	if len(proof) > MaxSync {
		return SyncSession{}, found(IncorrectType, "", "the proof has more than %d bytes", MaxSync)
	}
	b, err := Read(proof, c.Memo)
	if err != nil {
		return SyncSession{}, err
	}
	v, err := b.Verify(Check{
		Now: c.Now, Audience: c.Responder, Command: SyncCommand, Args: map[string]any{netArg: c.Net}, Revoked: c.Revoked,
	})
	if err != nil {
		return SyncSession{}, err
	}
	inv := v.Invocation
	switch {
	case inv.Issuer != c.Node:
		return SyncSession{}, found(WrongAudience, inv.CID, "the proof was made by the key of another node")
	case inv.Expires == nil || *inv.Expires > c.Now+MaxSyncTerm:
		return SyncSession{}, found(IncorrectType, inv.CID, "the proof ends later than %d s from now", MaxSyncTerm)
	}
	return SyncSession{Agent: inv.Subject, Expires: *v.Authority.Expires, Chain: v.Authority.Chain}, nil
}
