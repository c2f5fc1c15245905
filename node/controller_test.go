package node_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// A wallet that signed typed data is a controller without a proof; its later
// signature over the text makes it one that every node can check.
func TestControllerIsProvenLater(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, nil)
	ctx := t.Context()
	k, err := wallet.KeyFromSecret([32]byte(bytes.Repeat([]byte{0x11}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	by := did.OfAccount(did.Account{Chain: 8453, Address: k.Address()})
	name, key, err := b.NewActingKey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := b.OpenAgent(ctx, view.Genesis{KeyName: name, Name: "ada", Custody: "gateway", Controllers: []string{by.String()}})
	if err != nil || len(a.Controllers) != 1 || len(a.Proven) != 0 {
		t.Fatalf("agent %+v, %v", a, err)
	}
	_, net := b.Network()
	proof := func(edit func(*binding.Challenge)) binding.Proof {
		c := binding.Challenge{Purpose: wallet.Registration, Network: net, Subject: by, Nonce: "00000000-0000-4000-8000-000000000001", Key: key,
			Issued: time.Unix(1_800_000_000, 0), Expires: time.Unix(1_800_000_300, 0)}
		edit(&c)
		text, err := c.Text()
		if err != nil {
			t.Fatal(err)
		}
		sig := k.SignText(text)
		return binding.Proof{Alg: binding.AlgEIP191, By: c.Subject.String(), Sig: sig[:], Text: text}
	}
	_, stranger, err := b.NewActingKey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for what, edit := range map[string]func(*binding.Challenge){
		"another network": func(c *binding.Challenge) { c.Network[0] ^= 1 },
		"another key":     func(c *binding.Challenge) { c.Key = stranger },
		"a recovery":      func(c *binding.Challenge) { c.Purpose = wallet.Recovery },
		"no controller":   func(c *binding.Challenge) { c.Subject = did.OfAccount(did.Account{Chain: 1, Address: k.Address()}) },
	} {
		if _, err := b.BindController(ctx, a.ID, proof(edit)); reason.Of(err) != reason.BindingInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
	a, err = b.BindController(ctx, a.ID, proof(func(*binding.Challenge) {}))
	if err != nil || len(a.Proven) != 1 || a.Proven[0] != by.String() || a.Name != "ada" {
		t.Fatalf("agent %+v, %v", a, err)
	}
	if _, err := b.BindController(ctx, change.AgentID{1}, proof(func(*binding.Challenge) {})); reason.Of(err) != reason.AgentNotFound {
		t.Errorf("nobody's agent: %v", err)
	}
	b.shut()

	b = open(t, dir, nil)
	found, err := b.FindAgent(ctx, by.String())
	if err != nil || found.ID != a.ID || len(found.Proven) != 1 {
		t.Fatalf("after a restart: %+v, %v", found, err)
	}
	sub := b.Events().Subscribe(events.KeyRecovered, 1)
	defer sub.Close()
	b.AnnounceKey(events.KeyRecovered, a.ID, events.APIKey{ID: "key_1", Prefix: "abcdefgh"})
	if e := <-sub.C(); e.Object != a.ID.String() || e.Data != (events.APIKey{ID: "key_1", Prefix: "abcdefgh"}) {
		t.Errorf("event %+v", e)
	}
}
