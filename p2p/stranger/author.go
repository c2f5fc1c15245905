package stranger

import (
	"crypto/sha256"
	"maps"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
)

// Author is a key with its chains that signs whatever it is asked to, as an honest
// author would or not. One goroutine may use it at a time.
type Author struct {
	Key    *keys.Private
	ID     change.AgentID
	Record *change.Change // its birth, the proof of what it writes; nil: none yet

	net  change.NetID
	tips map[change.Chain]*change.Change
}

// NewAuthor is the author of a name: the same name gives the same key.
func NewAuthor(net change.NetID, name string) *Author {
	k := keys.FromSeed(sha256.Sum256([]byte(name)))
	return &Author{Key: k, ID: change.DeriveAgent(net, k.Key()), net: net, tips: map[change.Chain]*change.Change{}}
}

// Copy is a second author with the same key, whose chains go their own ways.
func (a *Author) Copy() *Author {
	b := *a
	b.tips = maps.Clone(a.tips)
	return &b
}

// Write signs a change and fills in what d leaves open as an honest author does: the
// network, the time, the place in the chain, and the birth as proof. With keep it
// becomes the tip of its chain.
func (a *Author) Write(d change.Draft, now time.Time, keep bool) *change.Change {
	chain := change.Chain{Author: a.Key.Key(), Space: d.Space, Lane: change.LaneOf(d.Kind)}
	d.Net = a.net
	d.HLC = max(d.HLC, uint64(now.UnixMilli())<<10)
	if d.Seq == 0 {
		d.Seq = 1
		if t := a.tips[chain]; t != nil {
			d.Seq, d.Prev, d.HLC = t.Head.Seq+1, t.ID, max(d.HLC, t.Head.HLC+1)
		}
	}
	if d.Proof == nil && a.Record != nil {
		d.Proof = []change.ID{a.Record.ID}
		if a.Record.Head != nil {
			d.HLC = max(d.HLC, a.Record.Head.HLC+1) // what it proves comes after it
		}
	}
	c := change.Seal(d, a.Key)
	if keep {
		a.tips[chain] = c
	}
	return c
}

// Born writes the author's birth under a name.
func (a *Author) Born(name string, now time.Time) (*change.Change, error) {
	raw, err := body.Bind{Name: name}.Encode()
	if err != nil {
		return nil, err
	}
	a.Record = a.Write(change.Draft{Space: a.ID.Space(), Kind: change.KindBind, Body: raw}, now, true)
	return a.Record, nil
}

// Gotcha writes an entry into a domain of the commons. With keep it becomes the tip
// of its chain.
func (a *Author) Gotcha(domain, text string, now time.Time, keep bool) (*change.Change, error) {
	raw, err := body.Entry{Type: body.Gotcha, Text: text, Confidence: body.DefaultConfidence}.Encode()
	if err != nil {
		return nil, err
	}
	return a.Write(change.Draft{Space: change.Commons(domain), Kind: change.KindEntryPut, Body: raw}, now, keep), nil
}
