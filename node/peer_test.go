package node_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/transfer"
)

// stranger is an agent of another node, made without our API.
type stranger struct {
	t      testing.TB
	net    change.NetID
	key    *keys.Private
	id     change.AgentID
	record *change.Change
	prev   map[change.Space]*change.Change
}

func (b *box) stranger(name string) *stranger {
	b.t.Helper()
	_, net := b.Network()
	k := keys.FromSeed(sha256.Sum256([]byte("node " + name)))
	s := &stranger{t: b.t, net: net, key: k, id: change.DeriveAgent(net, k.Key()), prev: map[change.Space]*change.Change{}}
	enc, err := body.Bind{Name: name}.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	s.record = change.Seal(change.Draft{Net: net, Space: s.id.Space(), Kind: change.KindBind, Body: enc, HLC: 1767225600000 << 10, Seq: 1}, k)
	return s
}

// entry writes text at a time; twin, when set, leaves the chain as it is, so
// that the next entry forks it.
func (s *stranger) entry(text string, millis int64, twin bool) *change.Change {
	s.t.Helper()
	enc, err := body.Entry{Type: body.Gotcha, Text: text, Confidence: body.DefaultConfidence}.Encode()
	if err != nil {
		s.t.Fatal(err)
	}
	d := change.Draft{
		Net: s.net, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: enc, HLC: uint64(millis) << 10, Seq: 1,
		Proof: []change.ID{s.record.ID},
	}
	if p := s.prev[d.Space]; p != nil {
		d.Prev, d.Seq, d.HLC = p.ID, p.Head.Seq+1, max(d.HLC, p.Head.HLC+1)
	}
	c := change.Seal(d, s.key)
	if !twin {
		s.prev[d.Space] = c
	}
	return c
}

// bring gives changes to the node as a peer would.
func (b *box) bring(cs ...*change.Change) transfer.ImportReport {
	b.t.Helper()
	cs = slices.Clone(cs)
	slices.SortFunc(cs, (*change.Change).Compare)
	var lines bytes.Buffer
	for _, c := range cs {
		err := json.NewEncoder(&lines).Encode(map[string]any{"id": c.ID.Text(change.PrefixChange), "head": c.RawHead, "body": c.Body})
		if err != nil {
			b.t.Fatal(err)
		}
	}
	rep, err := b.Import(b.t.Context(), &lines)
	if err != nil || len(rep.Refused) > 0 || rep.New != len(cs) {
		b.t.Fatalf("import: %+v, %v", rep, err)
	}
	return rep
}
