package mail

import (
	"context"
	"crypto/ecdh"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/sealed"
)

// publishedBox is the key that messages to an agent are sealed for. An agent of
// this node that has none yet, or had another acting key, publishes it now.
func (n *Mail) publishedBox(ctx context.Context, id change.AgentID) ([]byte, error) {
	rec, ok := n.core.Views.Agent(id)
	if !ok {
		return nil, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	mine, err := n.core.BoxOf(rec.Key)
	if err != nil {
		return nil, err
	}
	if mine != nil && !slices.Equal(mine, rec.Box) {
		enc, err := body.Bind{Box: mine}.Encode()
		if err != nil {
			return nil, fmt.Errorf("publish box key: %w", err)
		}
		if _, err := n.writing.Write(ctx, id, ingest.Write{Space: id.Space(), Kind: change.KindBind, Body: enc}); err != nil {
			return nil, err
		}
		return mine, nil
	}
	if rec.Box == nil {
		return nil, reason.Refuse(reason.ProofRequired, "the agent has published no key to seal a message for")
	}
	return rec.Box, nil
}

// letter is the content of a sealed message.
type letter struct{ Subject, Text string }

// sealContext names a conversation.
func (n *Mail) sealContext(space change.Space, from, to change.AgentID) []byte {
	net := n.core.Judge.Net()
	return slices.Concat(net[:], []byte(space), []byte{0}, from[:], to[:])
}

func (n *Mail) seal(ctx context.Context, space change.Space, from, to change.AgentID, l letter) ([]byte, error) {
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
func (n *Mail) unseal(space change.Space, a fold.Act, to, reader change.AgentID, b []byte) (letter, bool) {
	var secrets []*ecdh.PrivateKey
	for _, k := range n.core.Views.KeysOf(reader) {
		if s, err := n.core.Box(k); err == nil && s != nil {
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
	return letter{core.ClipText(subject, body.MaxSubject), core.ClipText(text, body.MaxMessage)}, ok
}
