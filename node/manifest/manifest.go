// Package manifest shows and signs what the roots of a network say about it: which
// gateways, labelers and bootstrap addresses it has.
//
// A root may lie in the vault of this node, then Set signs at once; or in another one,
// which may never be connected. For that Propose makes a draft, a text that people can
// read, which Sign turns into a signed change where the root lies, to be imported here.
package manifest

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/transfer"
)

// Manifests reads and writes the manifest of a node's network. It is safe for
// concurrent use.
type Manifests struct {
	core      *core.Core
	directory *directory.Directory
	social    *social.Social
	transfer  *transfer.Transfer
}

// New returns the Manifests of a node.
func New(c *core.Core, dir *directory.Directory, s *social.Social, t *transfer.Transfer) *Manifests {
	return &Manifests{c, dir, s, t}
}

// State is what is known of the network and what its manifest says.
type State struct {
	Network  string     `json:"network"` // 32 hex digits
	Name     string     `json:"name"`
	Hybrid   bool       `json:"hybrid"` // roots sign twice
	Roots    []Root     `json:"roots"`
	OwnKey   string     `json:"own_key,omitempty"` // by which a manifest lists this node; none before it is first asked for
	Manifest *Effective `json:"manifest"`          // null: there is none
}

// Root is a key that may sign manifests.
type Root struct {
	Key  string `json:"key"`
	PQ   string `json:"pq,omitempty"` // hex of the hash of its second key
	Here bool   `json:"here"`         // this vault can sign with it
}

// Effective is the manifest in force.
type Effective struct {
	ID        string    `json:"id"`
	Root      string    `json:"root"` // who signed it
	At        time.Time `json:"at"`
	Bootstrap []string  `json:"bootstrap"`
	Gateways  []Gateway `json:"gateways"`
	Labelers  []Labeler `json:"labelers"`
}

// Gateway is a host whose gateway writes with a key.
type Gateway struct {
	Host  string `json:"host"`
	Key   string `json:"key"`
	Agent string `json:"agent,omitempty"` // whose key it is, where that is known
}

// Labeler is who labels with a key.
type Labeler struct {
	Key   string `json:"key"`
	Agent string `json:"agent,omitempty"`
}

// State describes the network now.
func (m *Manifests) State(ctx context.Context) (State, error) {
	g := m.core.Judge.Genesis()
	out := State{Network: m.core.Judge.Net().String(), Name: g.Name, Hybrid: g.Hybrid(), Roots: []Root{}}
	signers, err := m.roots()
	if err != nil {
		return out, err
	}
	for i, k := range g.Roots {
		r := Root{Key: k.String(), Here: signers[i] != nil}
		if g.Hybrid() {
			r.PQ = hex.EncodeToString(g.PQ[i][:])
		}
		out.Roots = append(out.Roots, r)
	}
	if k, ok := m.core.Local.Named(core.ServiceKey); ok {
		out.OwnKey = m.now(k).String()
	}
	b, id, ok := m.core.Views.ManifestChange()
	if !ok {
		return out, nil
	}
	rec, err := m.core.Log.Get(ctx, id)
	if err != nil {
		return out, fmt.Errorf("read manifest: %w", err)
	}
	out.Manifest = &Effective{
		ID: id.Text(change.PrefixChange), Root: rec.Change.Head.Author.String(), At: core.TimeOf(rec.Change.Head.HLC),
		Bootstrap: append([]string{}, b.Bootstrap...), Gateways: []Gateway{}, Labelers: []Labeler{},
	}
	for _, g := range b.Gateways {
		out.Manifest.Gateways = append(out.Manifest.Gateways, Gateway{g.Host, g.Key.String(), m.agentOf(g.Key)})
	}
	for _, k := range b.Labelers {
		out.Manifest.Labelers = append(out.Manifest.Labelers, Labeler{k.String(), m.agentOf(k)})
	}
	return out, nil
}

// OwnKey is the key by which a manifest lists this node as a gateway or labeler: that of
// its service agent, which is opened at the first call.
func (m *Manifests) OwnKey(ctx context.Context) (did.Key, error) {
	id, err := m.social.ServiceAgent(ctx)
	if err != nil {
		return did.Key{}, err
	}
	rec, ok := m.core.Views.Agent(id)
	if !ok {
		return did.Key{}, reason.Refuse(reason.AgentNotFound, "the service agent is not here yet")
	}
	return rec.Key, nil
}

// now is the acting key in force of the agent of k, or k itself.
func (m *Manifests) now(k did.Key) did.Key {
	if rec, ok := m.core.Views.AgentByKey(k); ok {
		return rec.Key
	}
	return k
}

func (m *Manifests) agentOf(k did.Key) string {
	if rec, ok := m.core.Views.AgentByKey(k); ok {
		return rec.ID.String()
	}
	return ""
}

// signer is a root of this vault.
type signer struct {
	ed     keys.Signer
	hybrid *keys.HybridSigner // nil where roots sign once
}

// roots are the roots of this network with which this vault can sign, by their place
// in the genesis.
func (m *Manifests) roots() (map[int]*signer, error) {
	g := m.core.Judge.Genesis()
	infos, err := m.core.Keys.List()
	if err != nil && len(infos) == 0 {
		return nil, fmt.Errorf("list keys: %w", err) // a damaged key does not hinder the others
	}
	out := map[int]*signer{}
	for i, root := range g.Roots {
		at := slices.IndexFunc(infos, func(k vault.Info) bool { return k.Kind == vault.Root && k.Public == root.String() })
		if at < 0 {
			continue
		}
		ed, err := m.core.Keys.Signer(infos[at].Name)
		if err != nil {
			return nil, fmt.Errorf("unlock root key: %w", err)
		}
		s := &signer{ed: ed}
		if g.Hybrid() {
			if s.hybrid, err = m.second(infos, ed, g.PQ[i]); err != nil {
				return nil, err
			}
			if s.hybrid == nil {
				continue
			}
		}
		out[i] = s
	}
	return out, nil
}

// second joins a root with its second key; nil when that lies elsewhere.
func (m *Manifests) second(infos []vault.Info, ed keys.Signer, want change.PQHash) (*keys.HybridSigner, error) {
	for _, k := range infos {
		pq, err := hex.DecodeString(k.Public)
		if k.Kind != vault.PQ || err != nil || change.HashPQ(pq) != want {
			continue
		}
		_, seed, err := m.core.Keys.Export(k.Name)
		if err != nil {
			return nil, fmt.Errorf("unlock root key: %w", err)
		}
		return keys.NewHybridSigner(ed, seed), nil
	}
	return nil, nil
}

// Set signs the manifest that an order makes of the one in force, with a root of
// this vault: the one that is named, or the first. It writes nothing when the order
// changes nothing. The refusal is forbidden without such a root, or invalid_param.
func (m *Manifests) Set(ctx context.Context, o Order) (State, bool, error) {
	next, changed, err := m.apply(ctx, o)
	if err != nil {
		return State{}, false, err
	}
	if !changed {
		out, err := m.State(ctx)
		return out, false, err
	}
	signers, err := m.roots()
	if err != nil {
		return State{}, false, err
	}
	place, err := m.choose(o.Root, func(i int) bool { return signers[i] != nil })
	if err != nil {
		return State{}, false, err
	}
	s := signers[place]
	if s == nil {
		return State{}, false, noRoot("this vault has no root key of the network")
	}
	w := ingest.Write{Signer: s.ed, Space: change.SpaceNet, Kind: change.KindManifest}
	if s.hybrid != nil {
		next.PQ, w.Second = s.hybrid.Key().PQ, s.hybrid
	}
	if _, newest, ok := m.core.Views.ManifestChange(); ok {
		w.Deps = []change.ID{newest} // what builds on it comes after it
	}
	if w.Body, err = next.Encode(); err != nil {
		return State{}, false, reason.Refuse(reason.InvalidParam, "%v", err)
	}
	if _, err := m.core.Ingest.Submit(ctx, w); err != nil {
		return State{}, false, err
	}
	out, err := m.State(ctx)
	return out, true, err
}

// choose is the place of the root that is named, or of the first that will do.
func (m *Manifests) choose(named string, will func(int) bool) (int, error) {
	g := m.core.Judge.Genesis()
	if len(g.Roots) == 0 {
		return 0, noRoot("this network has no roots: it never has a manifest")
	}
	if named != "" {
		k, err := did.ParseKey(named)
		if err != nil {
			return 0, reason.Refuse(reason.InvalidDID, "a root is named by its did:key")
		}
		i, ok := g.Root(k)
		if !ok {
			return 0, reason.Refuse(reason.InvalidParam, "%s is no root of this network", named)
		}
		return i, nil
	}
	for i := range g.Roots {
		if will(i) {
			return i, nil
		}
	}
	return 0, noRoot("this vault has no root key of the network")
}

func noRoot(text string) error {
	refusal := reason.Refuse(reason.Forbidden, "%s", text)
	refusal.Hint = "meshd network manifest set --out FILE writes a draft, which meshd network manifest sign FILE signs where a root lies"
	return refusal
}

// Order says what to change about the manifest in force.
type Order struct {
	Root            string    `json:"root,omitempty"` // did:key of who shall sign; the first that can when empty
	Gateways        []Gateway `json:"gateways,omitempty"`
	Labelers        []string  `json:"labelers,omitempty"`
	Bootstrap       []string  `json:"bootstrap,omitempty"`
	RemoveGateways  []string  `json:"remove_gateways,omitempty"` // hosts
	RemoveLabelers  []string  `json:"remove_labelers,omitempty"`
	RemoveBootstrap []string  `json:"remove_bootstrap,omitempty"`
}

// Self stands for the key of this node in an order.
const Self = "self"

// apply is the manifest that an order makes of the one in force.
func (m *Manifests) apply(ctx context.Context, o Order) (body.Manifest, bool, error) {
	next, ok := m.core.Views.Manifest()
	next.Bootstrap, next.Gateways, next.Labelers = slices.Clone(next.Bootstrap), slices.Clone(next.Gateways), slices.Clone(next.Labelers)
	changed := !ok
	for _, g := range o.Gateways {
		host := strings.ToLower(g.Host)
		k, err := m.key(ctx, g.Key)
		switch {
		case err != nil:
			return next, false, err
		case !goodHost(host):
			return next, false, reason.Refuse(reason.InvalidParam, "not the host of a gateway: %.80q", g.Host)
		}
		at := slices.IndexFunc(next.Gateways, func(old body.Gateway) bool { return old.Host == host })
		switch {
		case at < 0:
			next.Gateways, changed = append(next.Gateways, body.Gateway{Host: host, Key: k}), true
		case next.Gateways[at].Key != k:
			next.Gateways[at].Key, changed = k, true
		}
	}
	for _, text := range o.Labelers {
		k, err := m.key(ctx, text)
		if err != nil {
			return next, false, err
		}
		if !slices.Contains(next.Labelers, k) {
			next.Labelers, changed = append(next.Labelers, k), true
		}
	}
	for _, a := range o.Bootstrap {
		if !slices.Contains(next.Bootstrap, a) {
			next.Bootstrap, changed = append(next.Bootstrap, a), true
		}
	}
	removed, err := m.remove(ctx, &next, o)
	return next, changed || removed, errors.Join(err, fits(next))
}

// remove takes out of a manifest what an order names; what is not in it is refused.
func (m *Manifests) remove(ctx context.Context, next *body.Manifest, o Order) (bool, error) {
	for _, host := range o.RemoveGateways {
		n := len(next.Gateways)
		next.Gateways = slices.DeleteFunc(next.Gateways, func(g body.Gateway) bool { return g.Host == strings.ToLower(host) })
		if len(next.Gateways) == n {
			return false, reason.Refuse(reason.NotFound, "the manifest lists no gateway of %.80q", host)
		}
	}
	for _, text := range o.RemoveLabelers {
		k, err := m.key(ctx, text)
		if err != nil {
			return false, err
		}
		n := len(next.Labelers)
		next.Labelers = slices.DeleteFunc(next.Labelers, func(l did.Key) bool { return l == k })
		if len(next.Labelers) == n {
			return false, reason.Refuse(reason.NotFound, "the manifest lists no labeler %s", text)
		}
	}
	for _, a := range o.RemoveBootstrap {
		n := len(next.Bootstrap)
		next.Bootstrap = slices.DeleteFunc(next.Bootstrap, func(b string) bool { return b == a })
		if len(next.Bootstrap) == n {
			return false, reason.Refuse(reason.NotFound, "the manifest has no bootstrap address %.80q", a)
		}
	}
	return len(o.RemoveGateways)+len(o.RemoveLabelers)+len(o.RemoveBootstrap) > 0, nil
}

// key is one that is named by its did:key, by an agent that writes with it, or by Self.
func (m *Manifests) key(ctx context.Context, text string) (did.Key, error) {
	if text == Self {
		return m.OwnKey(ctx)
	}
	if k, err := did.ParseKey(text); err == nil {
		if err := k.Check(); err != nil {
			return k, reason.Refuse(reason.InvalidDID, "%.80q: %v", text, err)
		}
		return k, nil
	}
	a, err := m.directory.FindAgent(ctx, text)
	if err != nil {
		return did.Key{}, reason.Refuse(reason.InvalidDID, "neither a did:key nor an agent that is known here: %.80q", text)
	}
	return a.DID, nil
}

// fits refuses what the row of a manifest would, and addresses without a peer id.
func fits(v body.Manifest) error {
	enc, err := v.Encode()
	if err == nil {
		_, err = body.ParseManifest(enc)
	}
	if err != nil {
		return reason.Refuse(reason.InvalidParam, "%v", err)
	}
	for _, a := range v.Bootstrap {
		if !strings.HasPrefix(a, "/") || !strings.Contains(a, "/p2p/") {
			return reason.Refuse(reason.InvalidParam, "an address of a peer begins with / and ends with /p2p/ and its id: %.80q", a)
		}
	}
	return nil
}

// goodHost reports whether a text can be the host of a gateway: a name or an address
// in lower case, with a port or without.
func goodHost(host string) bool {
	return host != "" && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") == ""
}
