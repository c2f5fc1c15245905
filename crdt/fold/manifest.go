package fold

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
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
	v.mu.RLock()
	defer v.mu.RUnlock()
	best := v.manifest()
	if best == nil {
		return m, false
	}
	return best.body, true
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
