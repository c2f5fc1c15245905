package manifest

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/clock"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/exchange"
)

// DraftVersion is the version of drafts that this program reads and writes.
const DraftVersion = 1

// Draft is a manifest that a root has not signed yet, with its place in the chain of
// that root. It has all that is signed, and is not secret.
type Draft struct {
	Version   int       `json:"v"`
	Network   string    `json:"network"` // 32 hex digits
	Root      string    `json:"root"`    // did:key of who shall sign
	Seq       uint64    `json:"seq"`
	Prev      string    `json:"prev,omitempty"`
	HLC       uint64    `json:"hlc"`
	Bootstrap []string  `json:"bootstrap"`
	Gateways  []Gateway `json:"gateways"`
	Labelers  []string  `json:"labelers"`
}

// Propose makes a draft of what Set would sign, for a root that may lie elsewhere. Of
// a network with several roots one must be named.
func (m *Manifests) Propose(ctx context.Context, o Order) (Draft, error) {
	next, changed, err := m.apply(ctx, o)
	if err != nil {
		return Draft{}, err
	}
	if !changed {
		return Draft{}, reason.Refuse(reason.NoFields, "the manifest says all that already")
	}
	g := m.core.Judge.Genesis()
	if len(g.Roots) > 1 && o.Root == "" {
		return Draft{}, reason.Refuse(reason.InvalidParam, "this network has %d roots: name the one that shall sign", len(g.Roots))
	}
	place, err := m.choose(o.Root, func(int) bool { return true })
	if err != nil {
		return Draft{}, err
	}
	prev, seq, floor, err := m.tip(ctx, g.Roots[place])
	if err != nil {
		return Draft{}, err
	}
	d := Draft{
		Version: DraftVersion, Network: m.core.Judge.Net().String(), Root: g.Roots[place].String(), Seq: seq + 1,
		HLC:       clock.Next(max(m.core.Opt.Now().UnixMilli(), g.Start), floor),
		Bootstrap: append([]string{}, next.Bootstrap...), Gateways: []Gateway{}, Labelers: []string{},
	}
	if seq > 0 {
		d.Prev = prev.Text(change.PrefixChange)
	}
	for _, g := range next.Gateways {
		d.Gateways = append(d.Gateways, Gateway{Host: g.Host, Key: g.Key.String(), Agent: m.agentOf(g.Key)})
	}
	for _, k := range next.Labelers {
		d.Labelers = append(d.Labelers, k.String())
	}
	return d, nil
}

// tip is the end of the chain of a root, and the largest logical time of any manifest.
func (m *Manifests) tip(ctx context.Context, root did.Key) (id change.ID, seq, floor uint64, err error) {
	id, seq, floor, _, err = m.core.Log.Tip(ctx, change.Chain{Author: root, Space: change.SpaceNet, Lane: change.Control})
	if err != nil && !errors.Is(err, crdtlog.ErrNotFound) {
		return id, 0, 0, fmt.Errorf("read the chain of the root: %w", err)
	}
	if _, newest, ok := m.core.Views.ManifestChange(); ok {
		rec, err := m.core.Log.Get(ctx, newest)
		if err != nil {
			return id, 0, 0, fmt.Errorf("read manifest: %w", err)
		}
		floor = max(floor, rec.Change.Head.HLC)
	}
	return id, seq, floor, nil
}

// Sign signs a draft with a root of this vault and returns it as a line that any node
// of the network imports. It is kept here too, so that a second draft of the same place
// is refused and not signed: version_conflict then, forbidden without the root.
func (m *Manifests) Sign(ctx context.Context, d Draft) ([]byte, error) {
	draft, err := m.readDraft(d)
	if err != nil {
		return nil, err
	}
	signers, err := m.roots()
	if err != nil {
		return nil, err
	}
	place, err := m.choose(d.Root, func(int) bool { return false })
	if err != nil {
		return nil, err
	}
	s := signers[place]
	if s == nil {
		return nil, reason.Refuse(reason.Forbidden, "this vault has not both keys of root %s", d.Root)
	}
	_, seq, _, err := m.tip(ctx, s.ed.Key())
	if err != nil {
		return nil, err
	}
	if seq >= d.Seq {
		refusal := reason.Refuse(reason.VersionConflict, "this root has signed its manifest %d already: the draft is of before", d.Seq)
		refusal.Hint = "make a new draft with meshd network manifest set --out"
		return nil, refusal
	}
	c, err := s.seal(draft)
	if err != nil {
		return nil, err
	}
	line, err := exchange.Append(nil, c)
	if err != nil {
		return nil, err
	}
	if _, err := m.transfer.Import(ctx, bytes.NewReader(line)); err != nil {
		return nil, fmt.Errorf("keep the manifest: %w", err)
	}
	return line, nil
}

// seal signs a draft, whose body it completes.
func (s *signer) seal(d sealable) (*change.Change, error) {
	if s.hybrid != nil {
		d.manifest.PQ = s.hybrid.Key().PQ
	}
	enc, err := d.manifest.Encode()
	if err != nil {
		return nil, reason.Refuse(reason.InvalidParam, "%v", err)
	}
	d.draft.Body = enc
	if s.hybrid == nil {
		return change.Seal(d.draft, s.ed), nil
	}
	return change.SealHybrid(d.draft, s.hybrid)
}

// sealable is a draft as it is signed; the body is missing yet.
type sealable struct {
	draft    change.Draft
	manifest body.Manifest
}

// readDraft judges a draft that may come from anybody.
func (m *Manifests) readDraft(d Draft) (sealable, error) {
	bad := func(format string, args ...any) (sealable, error) {
		return sealable{}, reason.Refuse(reason.InvalidParam, "draft: "+format, args...)
	}
	net := m.core.Judge.Net()
	switch {
	case d.Version != DraftVersion:
		return bad("version %d, this program reads %d", d.Version, DraftVersion)
	case d.Network != net.String():
		return bad("it is for network %.40q, and this home is of %s", d.Network, net)
	case d.Seq < 1 || (d.Seq == 1) != (d.Prev == ""):
		return bad("seq and prev do not fit")
	case d.HLC >= m.core.VisibleUntil():
		return bad("its time lies ahead of this clock")
	}
	out := sealable{draft: change.Draft{Net: net, Space: change.SpaceNet, Kind: change.KindManifest, HLC: d.HLC, Seq: d.Seq}, manifest: body.Manifest{Bootstrap: d.Bootstrap}}
	if d.Prev != "" {
		prev, err := change.ParseID(change.PrefixChange, d.Prev)
		if err != nil {
			return bad("prev is no id of a change")
		}
		out.draft.Prev = prev
	}
	for _, g := range d.Gateways {
		k, err := did.ParseKey(g.Key)
		if err != nil || !goodHost(g.Host) {
			return bad("gateway %.80q", g.Host)
		}
		out.manifest.Gateways = append(out.manifest.Gateways, body.Gateway{Host: g.Host, Key: k})
	}
	for _, text := range d.Labelers {
		k, err := did.ParseKey(text)
		if err != nil {
			return bad("labeler %.80q", text)
		}
		out.manifest.Labelers = append(out.manifest.Labelers, k)
	}
	return out, fits(out.manifest)
}
