package node

import (
	"context"
	"crypto/ecdh"
	"fmt"
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/sealed"
)

// boxes keeps the secrets that open direct messages, by the acting key that each
// is derived from.
type boxes struct {
	mu  sync.Mutex
	all map[did.Key]*ecdh.PrivateKey
}

// box is the secret that goes with a key of this vault; nil when the key lies
// elsewhere.
func (n *Node) box(k did.Key) (*ecdh.PrivateKey, error) {
	n.boxes.mu.Lock()
	defer n.boxes.mu.Unlock()
	if s := n.boxes.all[k]; s != nil {
		return s, nil
	}
	n.local.mu.Lock()
	name, ok := n.local.names[k]
	n.local.mu.Unlock()
	if !ok {
		return nil, nil
	}
	_, seed, err := n.vault.Export(name)
	if err != nil {
		return nil, fmt.Errorf("unlock acting key: %w", err)
	}
	s, err := sealed.Secret(seed)
	if err != nil {
		return nil, err
	}
	if n.boxes.all == nil || len(n.boxes.all) >= maxSigners {
		n.boxes.all = map[did.Key]*ecdh.PrivateKey{}
	}
	n.boxes.all[k] = s
	return s, nil
}

// boxOf is the public key that messages for the holder of a key are sealed to,
// nil when the key lies elsewhere.
func (n *Node) boxOf(k did.Key) ([]byte, error) {
	s, err := n.box(k)
	if s == nil || err != nil {
		return nil, err
	}
	return s.PublicKey().Bytes(), nil
}

// publishedBox is the key that messages to an agent are sealed for. An agent of
// this node that has none yet, or had another acting key, publishes it now.
func (n *Node) publishedBox(ctx context.Context, id change.AgentID) ([]byte, error) {
	rec, ok := n.views.Agent(id)
	if !ok {
		return nil, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	mine, err := n.boxOf(rec.Key)
	if err != nil {
		return nil, err
	}
	if mine != nil && !slices.Equal(mine, rec.Box) {
		enc, err := body.Bind{Box: mine}.Encode()
		if err != nil {
			return nil, fmt.Errorf("publish box key: %w", err)
		}
		if _, err := n.write(ctx, id, ingest.Write{Space: id.Space(), Kind: change.KindBind, Body: enc}); err != nil {
			return nil, err
		}
		return mine, nil
	}
	if rec.Box == nil {
		return nil, reason.Refuse(reason.ProofRequired, "the agent has published no key to seal a message for")
	}
	return rec.Box, nil
}

// letter is what a sealed message holds.
type letter struct{ Subject, Text string }

// sealContext names a conversation.
func (n *Node) sealContext(space change.Space, from, to change.AgentID) []byte {
	net := n.judge.Net()
	return slices.Concat(net[:], []byte(space), []byte{0}, from[:], to[:])
}

func (n *Node) seal(ctx context.Context, space change.Space, from, to change.AgentID, l letter) ([]byte, error) {
	theirs, err := n.publishedBox(ctx, to)
	if err != nil {
		return nil, err
	}
	mine, err := n.publishedBox(ctx, from)
	if err != nil {
		return nil, err
	}
	text, err := cbor.Encode(cbor.Map{"subject": l.Subject, "text": l.Text})
	if err != nil {
		return nil, fmt.Errorf("encode letter: %w", err)
	}
	return sealed.Seal(n.sealContext(space, from, to), text, theirs, mine)
}

// unseal opens a message for an agent of this node; ok is false when none of its
// keys here does.
func (n *Node) unseal(space change.Space, a fold.Act, to, reader change.AgentID, b []byte) (letter, bool) {
	var secrets []*ecdh.PrivateKey
	for _, k := range n.views.KeysOf(reader) {
		if s, err := n.box(k); err == nil && s != nil {
			secrets = append(secrets, s)
		}
	}
	raw, err := sealed.Open(n.sealContext(space, a.Agent, to), b, secrets...)
	if err != nil {
		return letter{}, false
	}
	m, err := cbor.DecodeMap(raw)
	if err != nil {
		return letter{}, false
	}
	text, ok := m["text"].(string)
	subject, _ := m["subject"].(string)
	return letter{clipText(subject, body.MaxSubject), clipText(text, body.MaxMessage)}, ok
}
