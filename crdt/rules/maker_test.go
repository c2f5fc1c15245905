package rules_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

// start is the first millisecond of the networks here, as a logical time.
const start = uint64(1767225600000) << 10

func key(b byte) *keys.Private { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }

func hybrid(b byte) *keys.HybridSigner {
	return keys.NewHybridSigner(key(b), [32]byte(bytes.Repeat([]byte{b + 1}, 32)))
}

// log is a Past.
type log map[change.ID]*change.Change

func (l log) Member(id change.ID) (*change.Change, error) { return l[id], nil }

// maker makes the changes of one network, right ones and wrong ones.
type maker struct {
	t       testing.TB
	genesis change.Genesis
	judge   *rules.Judge
	net     change.NetID
	ticket  map[did.Key]uint64
}

func newMaker(t testing.TB, g change.Genesis) *maker {
	t.Helper()
	j, err := rules.NewJudge(g)
	if err != nil {
		t.Fatal(err)
	}
	return &maker{t: t, genesis: g, judge: j, net: j.Net(), ticket: map[did.Key]uint64{}}
}

// vectorNet is the network of all vectors but the published pair.
func vectorNet() change.Genesis {
	return change.Genesis{Bits: 8, Name: "vectors", Roots: []did.Key{key(0x33).Key()}, Shards: 3, Start: int64(start >> 10)}
}

func (m *maker) agent(k *keys.Private) change.AgentID { return change.DeriveAgent(m.net, k.Key()) }

// pow is a ticket for k that has the bits of the network.
func (m *maker) pow(k did.Key) uint64 {
	if _, known := m.ticket[k]; !known {
		p, err := binding.Grind(context.Background(), m.net, k, m.genesis.Bits)
		if err != nil {
			m.t.Fatal(err)
		}
		m.ticket[k] = p
	}
	return m.ticket[k]
}

func (m *maker) encode(v interface{ Encode() ([]byte, error) }) []byte {
	m.t.Helper()
	b, err := v.Encode()
	if err != nil {
		m.t.Fatal(err)
	}
	return b
}

func (m *maker) cbor(v cbor.Map) []byte {
	m.t.Helper()
	b, err := cbor.Encode(v)
	if err != nil {
		m.t.Fatal(err)
	}
	return b
}

// seal signs d, which belongs to this network unless it names another.
func (m *maker) seal(k *keys.Private, d change.Draft) *change.Change {
	if d.Net == (change.NetID{}) {
		d.Net = m.net
	}
	if d.Seq == 0 {
		d.Seq = 1
	}
	return change.Seal(d, k)
}

// on is a draft that continues prev.
func on(prev *change.Change, d change.Draft) change.Draft {
	d.Prev, d.Seq = prev.ID, prev.Head.Seq+1
	return d
}

// genesisDraft is the draft of k's first profile.bind.
func (m *maker) genesisDraft(k *keys.Private, v body.Bind) change.Draft {
	if v.Pow == 0 {
		v.Pow = m.pow(k.Key())
	}
	return change.Draft{Net: m.net, Space: m.agent(k).Space(), Kind: change.KindBind, Body: m.encode(v), HLC: start, Seq: 1}
}

func (m *maker) bind(k *keys.Private, v body.Bind) *change.Change {
	return m.seal(k, m.genesisDraft(k, v))
}

func (m *maker) sealHybrid(k *keys.HybridSigner, d change.Draft) *change.Change {
	m.t.Helper()
	c, err := change.SealHybrid(d, k)
	if err != nil {
		m.t.Fatal(err)
	}
	return c
}

// later is the draft of another profile.bind on top of prev with an identity.
func (m *maker) later(prev, identity *change.Change, v body.Bind) change.Draft {
	return on(prev, change.Draft{
		Net: m.net, Space: prev.Head.Space, Kind: change.KindBind, Body: m.encode(v), HLC: max(prev.Head.HLC, identity.Head.HLC) + 1,
		Proof: []change.ID{identity.ID},
	})
}

func ids(cs ...*change.Change) []change.ID {
	out := make([]change.ID, len(cs))
	for i, c := range cs {
		out[i] = c.ID
	}
	return out
}

func entry() body.Entry {
	return body.Entry{Type: body.Gotcha, Text: "Acknowledge a write only after the log is synced.", Confidence: body.DefaultConfidence}
}

func (m *maker) entryDraft(bind *change.Change, domain string, v body.Entry) change.Draft {
	return change.Draft{Space: change.Commons(domain), Kind: change.KindEntryPut, Body: m.encode(v), HLC: bind.Head.HLC + 1, Proof: ids(bind)}
}

// challenge is what a controller of k's agent signs.
func (m *maker) challenge(k *keys.Private, subject did.DID) binding.Challenge {
	issued := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return binding.Challenge{
		Purpose: wallet.Registration, Network: m.net, Subject: subject, Nonce: "00000000-0000-4000-8000-000000000001",
		Key: k.Key(), Issued: issued, Expires: issued.Add(5 * time.Minute),
	}
}

func (m *maker) keyProof(k, controller *keys.Private) *binding.Proof {
	m.t.Helper()
	text, err := m.challenge(k, did.OfKey(controller.Key())).Text()
	if err != nil {
		m.t.Fatal(err)
	}
	sig := controller.Sign([]byte(text))
	return &binding.Proof{Alg: binding.AlgEd25519, By: controller.Key().String(), Sig: sig[:], Text: text}
}

func (m *maker) wallet(b byte) (*wallet.Key, did.DID) {
	m.t.Helper()
	w, err := wallet.KeyFromSecret([32]byte(bytes.Repeat([]byte{b}, 32)))
	if err != nil {
		m.t.Fatal(err)
	}
	return w, did.OfAccount(did.Account{Chain: 1, Address: w.Address()})
}

func (m *maker) walletProof(k *keys.Private, b byte) *binding.Proof {
	m.t.Helper()
	w, account := m.wallet(b)
	text, err := m.challenge(k, account).Text()
	if err != nil {
		m.t.Fatal(err)
	}
	sig := w.SignText(text)
	return &binding.Proof{Alg: binding.AlgEIP191, By: account.String(), Sig: sig[:], Text: text}
}

func (m *maker) siweProof(k *keys.Private, b byte) *binding.Proof {
	m.t.Helper()
	w, account := m.wallet(b)
	siwe, err := m.challenge(k, account).SIWE("mesh.example", "https://mesh.example/join")
	if err != nil {
		m.t.Fatal(err)
	}
	text, err := siwe.Text()
	if err != nil {
		m.t.Fatal(err)
	}
	sig := w.SignText(text)
	return &binding.Proof{Alg: binding.AlgSIWE, By: account.String(), Sig: sig[:], Text: text}
}

func (m *maker) sponsor(k, by *keys.Private) *body.Sponsor {
	sig := by.Sign(binding.SponsorMessage(m.net, k.Key()))
	return &body.Sponsor{By: by.Key(), Sig: sig[:]}
}

// largest is the body of an entry of exactly 64 KiB: whatever an entry may contain,
// and an unknown key for the rest.
func (m *maker) largest() []byte {
	m.t.Helper()
	v := entry()
	v.Text = string(bytes.Repeat([]byte("🚀"), body.MaxEntry))
	for range body.MaxEvidence {
		v.Evidence = append(v.Evidence, string(bytes.Repeat([]byte("🚀"), body.MaxProofLen)))
	}
	items := make([]any, len(v.Evidence))
	for i, e := range v.Evidence {
		items[i] = e
	}
	whole := cbor.Map{"type": v.Type, "text": v.Text, "evidence": items}
	rest := change.MaxBody - len(m.cbor(whole)) - len("zzz") - 1 - 3 // a key's head, and that of a long byte string
	whole["zzz"] = make([]byte, rest)
	b := m.cbor(whole)
	if len(b) != change.MaxBody {
		m.t.Fatalf("largest body has %d bytes", len(b))
	}
	return b
}

// check is what a node says of a change that comes alone: the code of the first
// rule it breaks, that of a body's row among them.
func check(j *rules.Judge, past rules.Past, in vectortest.Change) (rules.Verified, error) {
	c, err := in.Decode()
	if err != nil {
		return rules.Verified{}, err
	}
	v, err := j.Check(c, rules.Authenticate([]*change.Change{c})[0], past)
	if err == nil && v.Row() != "" {
		err = reason.Refuse(v.Row(), "the body fails its row")
	}
	return v, err
}

// page is one edit of k's page.
func (m *maker) page(k *keys.Private, bind *change.Change, author *keys.Private) change.Draft {
	space := m.agent(k).Space()
	actor := author.Key()
	chunk := worldtest.Chunk(docActor(actor, space, "page"), 1, 1, nil, "bio", "I write about logs.")
	b, err := body.EncodeEdit("page", chunk)
	if err != nil {
		m.t.Fatal(err)
	}
	return change.Draft{Space: space, Kind: change.KindDocEdit, Body: b, HLC: bind.Head.HLC + 1, Proof: ids(bind)}
}
