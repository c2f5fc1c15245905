package body

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Manifest is the body of net.manifest: what may change about a network.
type Manifest struct {
	Bootstrap []string
	Gateways  []Gateway
	Labelers  []did.Key

	// PQ is the ML-DSA-65 key of the root that signs, in a network whose genesis names
	// the hash of it; nil elsewhere.
	PQ []byte
}

// Gateway is a host whose gateway key the roots vouch for.
type Gateway struct {
	Host string
	Key  did.Key
}

// ParseManifest is the row of net.manifest. A pq that cannot be a key is as good as
// none: where roots have no second keys it means nothing.
func ParseManifest(b []byte) (Manifest, error) {
	r := parse(b)
	v := Manifest{
		Bootstrap: r.texts("bootstrap", required, MaxBootstrap, MaxBootstrapAddr),
		Labelers:  r.keys("labelers", required, MaxLabelers),
	}
	r.list("gateways", required, MaxGateways, func(item any) error {
		m, _ := item.(cbor.Map)
		s := &row{m: m}
		v.Gateways = append(v.Gateways, Gateway{Host: s.text("host", required, 1, MaxHome), Key: s.key("key")})
		return s.err
	})
	if pq, ok := r.m["pq"].([]byte); ok && len(pq) == keys.PQKeySize {
		v.PQ = pq
	}
	return v, r.refusal()
}

// Encode returns the canonical body; all three lists are written, and PQ when it is
// there.
func (v Manifest) Encode() ([]byte, error) {
	boot := make([]any, len(v.Bootstrap))
	for i, a := range v.Bootstrap {
		boot[i] = a
	}
	gws := make([]any, len(v.Gateways))
	for i, g := range v.Gateways {
		gws[i] = cbor.Map{"host": g.Host, "key": g.Key[:]}
	}
	labelers := make([]any, len(v.Labelers))
	for i, k := range v.Labelers {
		labelers[i] = k[:]
	}
	m := cbor.Map{"bootstrap": boot, "gateways": gws, "labelers": labelers}
	if v.PQ != nil {
		m["pq"] = v.PQ
	}
	return encode(m)
}
