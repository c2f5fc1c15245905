package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

type manifest struct {
	id   change.ID
	hlc  uint64
	body body.Manifest
}

func (v *folded) applyManifest(c *change.Change) []Delta {
	m, err := body.ParseManifest(c.Body)
	if err != nil {
		return nil
	}
	for _, old := range v.manifests {
		if old.id == c.ID {
			return nil
		}
	}
	v.manifests = append(v.manifests, manifest{c.ID, c.Head.HLC, m})
	v.recountAll()
	return []Delta{{Kind: ManifestChanged, ID: c.ID, Space: c.Head.Space}}
}

// Manifest is the newest manifest of the network; ok is false when there is none.
func (v *rightQueries) Manifest() (m body.Manifest, ok bool) {
	m, _, ok = v.ManifestChange()
	return m, ok
}

// ManifestChange is Manifest with the id of the change that carries it.
func (v *rightQueries) ManifestChange() (m body.Manifest, id change.ID, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	best := v.manifest()
	if best == nil {
		return m, id, false
	}
	return best.body, best.id, true
}

func (v *rightFold) manifest() (best *manifest) {
	for i := range v.manifests {
		n := &v.manifests[i]
		if best == nil || later(n.hlc, n.id, best.hlc, best.id) {
			best = n
		}
	}
	return best
}

// hostOf is the host for which the manifest lists a key, by itself or as one of the
// keys of an agent that a listed key is of; "" for any other key.
func (v *agentFold) hostOf(k did.Key) string {
	m := v.manifest()
	if m == nil {
		return ""
	}
	var line []did.Key
	if id, ok := v.rights.Owner(k); ok && v.agents[id] != nil {
		line = v.agents[id].rec.Keys
	}
	for _, g := range m.body.Gateways {
		if g.Key == k || slices.Contains(line, g.Key) && slices.Contains(line, k) {
			return g.Host
		}
	}
	return ""
}

// sponsorHost is the host of the gateway of the manifest that sponsored an agent, ""
// when none did.
func (v *agentFold) sponsorHost(a *agent) string {
	if a.rec.Sponsor == nil {
		return ""
	}
	return v.hostOf(*a.rec.Sponsor)
}

// GatewayHost is the host for which the manifest lists a key, or another key of the
// same agent; "" for the key of nobody that it lists.
func (v *agentQueries) GatewayHost(k did.Key) string {
	v.mu.Lock() // a line of keys is kept when first asked for
	defer v.mu.Unlock()
	return v.hostOf(k)
}
