package node_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/view"
)

// hybridPair is an Ed25519 key and an ML-DSA-65 key, made of names.
func hybridPair(ed, pq string) *keys.HybridSigner {
	return keys.NewHybridSigner(keys.FromSeed(sha256.Sum256([]byte("ed "+ed))), sha256.Sum256([]byte("pq "+pq)))
}

// twofold is an agent whose record names an ML-DSA-65 key, made without a node.
type twofold struct {
	t      testing.TB
	net    change.NetID
	key    *keys.HybridSigner
	id     change.AgentID
	record *change.Change
}

func newTwofold(t testing.TB, net change.NetID, name string) *twofold {
	t.Helper()
	a := &twofold{t: t, net: net, key: hybridPair(name, name)}
	a.id = change.DeriveAgent(net, a.key.Key().Key)
	a.record = a.seal(change.Draft{Kind: change.KindBind, Body: encoded(t, body.Bind{Name: name, PQ: a.key.Key().PQ}), HLC: uint64(genesis) << 10, Seq: 1}, a.key)
	return a
}

// draft is the second control change of the agent in its space: another name.
func (a *twofold) draft(name string) change.Draft {
	return change.Draft{Kind: change.KindBind, Body: encoded(a.t, body.Bind{Name: name}), HLC: uint64(genesis+1) << 10, Seq: 2, Prev: a.record.ID, Proof: []change.ID{a.record.ID}}
}

func (a *twofold) seal(d change.Draft, k *keys.HybridSigner) *change.Change {
	a.t.Helper()
	d.Net, d.Space = a.net, a.id.Space()
	c, err := change.SealHybrid(d, k)
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

// with is a change with other signatures; its id stays.
func with(c *change.Change, sig [keys.SignatureSize]byte, sig2 []byte) *change.Change {
	h := *c.Head
	h.Sig, h.Sig2 = sig, sig2
	return &change.Change{ID: c.ID, Head: &h, RawHead: h.Encode(), Body: c.Body}
}

// forgeries of the second change of an agent with two keys: what somebody makes of it who
// has the Ed25519 key, as whoever broke Ed25519 has.
func (a *twofold) forgeries() map[string]*change.Change {
	a.t.Helper()
	good := a.seal(a.draft("Good"), a.key)
	ed := keys.FromSeed(sha256.Sum256([]byte("ed Ada")))
	plain := a.draft("Good")
	plain.Net, plain.Space = a.net, a.id.Space()
	signed := change.Seal(plain, ed)
	other := a.seal(a.draft("Other"), a.key)
	sig, sig2, err := a.key.Sign("keyset", good.Head.Unsigned())
	if err != nil {
		a.t.Fatal(err)
	}
	mixed := a.seal(a.draft("Good"), hybridPair("Ada", "Mallory"))
	return map[string]*change.Change{
		"one signature, of the plain message":               signed,
		"sig2 left out":                                     with(good, good.Head.Sig, nil),
		"sig of the plain message beside sig2":              with(good, signed.Head.Sig, good.Head.Sig2),
		"both signatures with another second key":           mixed,
		"sig2 of another second key":                        with(good, good.Head.Sig, mixed.Head.Sig2),
		"sig2 of another change":                            with(good, good.Head.Sig, other.Head.Sig2),
		"both signatures of another change":                 with(good, other.Head.Sig, other.Head.Sig2),
		"both signatures made for another purpose":          with(good, sig, sig2),
		"sig2 made for another purpose":                     with(good, good.Head.Sig, sig2),
		"a rotation to a second key that its maker has not": a.rotation(ed),
	}
}

// rotation takes the agent over to a key whose record names a second key that signs
// nothing.
func (a *twofold) rotation(by *keys.Private) *change.Change {
	a.t.Helper()
	to := hybridPair("next", "next")
	r := body.Rotate{Old: a.key.Key().Key, Cut: body.Cut{}, PQ: to.Key().PQ}
	line, err := r.Line(a.net, a.id, to.Key().Key)
	if err != nil {
		a.t.Fatal(err)
	}
	sig := by.Sign([]byte(line))
	r.By = binding.Consent{Alg: binding.AlgEd25519, Key: by.Key().String(), Sig: sig[:], Text: line}
	return change.Seal(change.Draft{
		Net: a.net, Space: a.id.Space(), Kind: change.KindRotate, Body: encoded(a.t, r), HLC: uint64(genesis+1) << 10, Seq: 1, Proof: []change.ID{a.record.ID},
	}, keys.FromSeed(sha256.Sum256([]byte("ed next"))))
}

// receives has a visitor bring a change, by gossip or in a pass of reconciliation, until cond.
func (s *siege) receives(c *change.Change, gossip bool, cond func() bool) {
	s.t.Helper()
	if gossip {
		v := s.visitor(s.world.NewPlace(), true, shut(s.past))
		v.Offer(s.past...)
		time.Sleep(10 * time.Second) // until the topics have grafted
		v.Say(s.t.Context(), c)
		s.until("gossip is judged", cond)
		return
	}
	v := s.visitor(s.world.NewPlace(), false, nil)
	v.Offer(append(slices.Clone(s.past), c)...)
	s.until("what a pass brings is judged", func() bool {
		_, _, _ = s.SyncNow(s.t.Context(), false)
		return cond()
	})
}

// TestHalfASignatureIsNoneOnAnyPath: whatever way it comes, a control change of an agent
// with two keys needs both signatures, of these keys, over this change, for this purpose.
func TestHalfASignatureIsNoneOnAnyPath(t *testing.T) {
	t.Parallel()
	for _, gossip := range []bool{true, false} {
		t.Run(map[bool]string{true: "gossip", false: "reconciliation"}[gossip], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := besiege(t, func(*config.Admission) {})
				ada := newTwofold(t, s.net, "Ada")
				s.past = append(s.past, ada.record)
				s.settle()
				for what, bad := range ada.forgeries() {
					before := s.refused(reason.BadChangeSignature)
					s.receives(bad, gossip, func() bool { return s.refused(reason.BadChangeSignature) > before })
					if s.member(bad) {
						t.Errorf("%s: it is a member", what)
					}
				}
				good := ada.seal(ada.draft("Good"), ada.key)
				s.receives(good, gossip, func() bool { return s.member(good) })
			})
		})
	}
	t.Run("the changes endpoint and a file", func(t *testing.T) {
		b := open(t, t.TempDir(), nil)
		t.Cleanup(b.shut)
		_, net := b.Network()
		ada := newTwofold(t, net, "Ada")
		b.bring(ada.record)
		for what, bad := range ada.forgeries() {
			out, err := b.TakeIn(t.Context(), []*change.Change{bad}, anybody)
			if err != nil || out[0].Code != reason.BadChangeSignature {
				t.Errorf("the endpoint: %s: %+v, %v", what, out, err)
			}
			line, err := exchange.Append(nil, bad)
			if err != nil {
				t.Fatal(err)
			}
			rep, err := b.Import(t.Context(), bytes.NewReader(line))
			if err != nil || rep.New != 0 || len(rep.Refused) != 1 {
				t.Errorf("a file: %s: %+v, %v", what, rep, err)
			}
			if b.Contains(bad.ID) {
				t.Errorf("%s: it is a member", what)
			}
		}
		good := ada.seal(ada.draft("Good"), ada.key)
		b.bring(good)
		if a, err := b.Agent(t.Context(), ada.id); err != nil || a.Name != "Good" || !bytes.Equal(a.PQ, ada.key.Key().PQ) {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// signatures lists the control changes of a space as "kind by N": how many signatures
// each has, by the name that names gives its author.
func (b *box) signatures(space change.Space, names map[did.Key]string) (out []string) {
	b.t.Helper()
	cs, _, err := b.ChangesIn(b.t.Context(), space, 0, 1000)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range cs {
		if !change.IsControl(c.Head.Kind) {
			continue
		}
		n := 1
		if c.Head.Sig2 != nil {
			n = 2
		}
		out = append(out, fmt.Sprintf("%s by %s: %d", c.Head.Kind, names[c.Head.Author], n))
	}
	return out
}

// TestWhatIsSignedTwice: after a rotation to a key of two halves every control change of
// the agent has two signatures, that of a device has one, and every node agrees.
func TestWhatIsSignedTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		home, laptop := c.nodes[0], c.nodes[1]
		ctx := t.Context()
		ada, bo := home.agent("Ada"), laptop.agent("Bo")
		c.within(twoTurns, "the world agrees", c.agreeInPublic)
		turned, err := home.RotateHere(ctx, ada.ID, home.ConsentOfKey(ada.ID), view.Turn{Second: view.SecondMade})
		if err != nil || len(turned.PQ) != keys.PQKeySize {
			t.Fatalf("%+v, %v", turned, err)
		}
		names := map[did.Key]string{ada.DID: "first", turned.DID: "twofold", bo.DID: "Bo"}
		if _, err := home.Rename(ctx, ada.ID, "Ada of two"); err != nil {
			t.Fatal(err)
		}
		lent := lend(t, home, laptop, turned, time.Hour)
		names[lent.Audience] = "device"
		g, err := home.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Gophers", Type: "dev", Visibility: body.Public})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := home.SetRole(ctx, ada.ID, g.ID, bo.ID, "member"); err != nil {
			t.Fatal(err)
		}
		c.within(twoTurns, "the loan arrives", func() bool { a, err := laptop.Agent(ctx, ada.ID); return err == nil && a.Local })
		// The device writes as the agent, and changes rights as far as it may.
		entry := laptop.contribute(turned, lesson)
		of, err := laptop.FindCapability(ctx, lent.CID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := laptop.Revoke(ctx, ada.ID, of.ID, nil, "given back"); err != nil {
			t.Fatal(err)
		}
		c.within(twoTurns, "the revocation arrives", c.agreeInPublic)
		if _, err := home.Revoke(ctx, ada.ID, of.ID, body.Cuts{}, "taken back, and all of it"); err != nil {
			t.Fatal(err)
		}
		if _, err := home.Endorse(ctx, ada.ID, []change.ID{entry.ID}); err != nil {
			t.Fatal(err)
		}
		again, err := home.RotateHere(ctx, ada.ID, home.ConsentOfKey(ada.ID), view.Turn{})
		if err != nil || len(again.PQ) != keys.PQKeySize || bytes.Equal(again.PQ, turned.PQ) {
			t.Fatalf("the second half is not kept: %+v, %v", again, err)
		}
		names[again.DID] = "next"
		left, err := home.RotateHere(ctx, ada.ID, home.ConsentOfKey(ada.ID), view.Turn{Second: view.SecondLeft})
		if err != nil || left.PQ != nil {
			t.Fatalf("%+v, %v", left, err)
		}
		names[left.DID] = "last"
		if _, err := home.Rename(ctx, ada.ID, "Ada"); err != nil {
			t.Fatal(err)
		}
		c.within(twoTurns, "the world agrees again", c.agreeInPublic)
		for i, b := range c.nodes {
			if got, want := b.signatures(ada.ID.Space(), names), []string{
				"profile.bind by first: 1", "rotate by twofold: 2", "profile.bind by twofold: 2", "grant by twofold: 2",
				"revoke by device: 1", "revoke by twofold: 2", "rotate by next: 2", "rotate by last: 1", "profile.bind by last: 1",
			}; !slices.Equal(sorted(got), sorted(want)) {
				t.Errorf("node %d: in the agent's space %q, want %q", i, got, want)
			}
			if got, want := b.signatures(change.GuildSpace(g.ID), names), []string{"guild.open by twofold: 2", "grant by twofold: 2"}; !slices.Equal(sorted(got), sorted(want)) {
				t.Errorf("node %d: in the guild %q, want %q", i, got, want)
			}
			if got, want := b.signatures(change.Commons("go"), names), []string{"endorse by twofold: 2"}; !slices.Equal(got, want) {
				t.Errorf("node %d: in the commons %q, want %q", i, got, want)
			}
		}
	})
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestRotationAmongWriters: an agent's key turns again and again, to keys of two halves
// and back, by its own consent and by that of a controller who takes a while, and
// nobody who writes meanwhile notices: nothing is refused or lost, and nothing forks.
func TestRotationAmongWriters(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	t.Cleanup(b.shut)
	ctx := t.Context()
	own := keys.FromSeed(sha256.Sum256([]byte("own key of Ada")))
	name, _, err := b.NewActingKey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ada, _, err := b.OpenAgent(ctx, view.Genesis{KeyName: name, Name: "Ada", Custody: "gateway", Controllers: []string{own.Key().String()}})
	if err != nil {
		t.Fatal(err)
	}
	consent := func(line string) (binding.Consent, error) {
		sig := own.Sign([]byte(line))
		return binding.Consent{Alg: binding.AlgEd25519, Key: own.Key().String(), Sig: sig[:], Text: line}, nil
	}
	device := keys.FromSeed([32]byte{7}).Key()
	until := time.Now().Add(time.Hour)
	const each = 25
	acked := make(chan struct{}, 10*each)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var entries []change.ID
	var grants []string
	var guilds []change.ID
	writer := func(what string, write func(i int) error) {
		wg.Go(func() {
			for i := range each {
				if err := write(i); err != nil {
					t.Errorf("%s %d: %v", what, i, err)
				}
				acked <- struct{}{}
			}
		})
	}
	for w := range 2 {
		writer("entry", func(i int) error {
			r, err := b.Contribute(ctx, ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(w, i)}), view.Submit{})
			mu.Lock()
			defer mu.Unlock()
			entries = append(entries, r.ID)
			return err
		})
	}
	writer("page", func(i int) error {
		_, err := b.EditPage(ctx, ada.ID, []doc.Field{{Key: fmt.Sprint("f", i), Value: "v"}}, -1)
		return err
	})
	writer("grant", func(int) error {
		c, err := b.Delegate(ctx, ada.ID, view.Delegation{Audience: device, Can: []string{"entry/put"}, Expires: &until})
		mu.Lock()
		defer mu.Unlock()
		grants = append(grants, c.CID)
		return err
	})
	writer("guild", func(i int) error {
		visibility := []string{body.Public, body.Private}[i%2]
		g, err := b.OpenGuild(ctx, ada.ID, view.NewGuild{Name: fmt.Sprint("Guild ", i), Type: "dev", Visibility: visibility})
		mu.Lock()
		defer mu.Unlock()
		guilds = append(guilds, g.ID)
		return err
	})
	wait := func(n int) {
		for range n {
			<-acked
		}
	}
	turned := map[did.Key][]byte{}
	late := 0
	for i := range 6 {
		wait(8)
		second := []view.Second{view.SecondMade, view.SecondKept, view.SecondLeft}[i%3]
		var a view.Agent
		if i%2 == 0 {
			a, err = b.RotateHere(ctx, ada.ID, consent, view.Turn{Second: second})
		} else {
			var d view.RotationDraft
			if _, d, err = b.OfferRotation(ctx, ada.ID, second); err != nil {
				t.Fatal(err)
			}
			wait(8) // the old key acts on while the controller thinks
			if d.Body.By, err = consent(d.Line); err != nil {
				t.Fatal(err)
			}
			a, err = b.CompleteRotation(ctx, ada.ID, d.To, d.Body)
			late++
		}
		if err != nil {
			t.Fatalf("rotation %d: %v", i, err)
		}
		if i%3 == 2 != (a.PQ == nil) {
			t.Errorf("rotation %d: a second half of %d bytes", i, len(a.PQ))
		}
		turned[a.DID] = a.PQ
	}
	wg.Wait()
	for _, id := range entries {
		if !b.shows(id) {
			t.Error("an acknowledged entry is not shown")
		}
	}
	page, err := b.Page(ctx, ada.ID)
	if err != nil || len(page.Fields) != each {
		t.Errorf("%d fields of the page, want %d: %v", len(page.Fields), each, err)
	}
	for _, cid := range grants {
		if c, err := b.FindCapability(ctx, cid); err != nil || c.State != view.Active {
			t.Errorf("a capability is %+v, %v", c, err)
		}
	}
	for _, id := range guilds {
		if g, err := b.Guild(ctx, id); err != nil || g.Founder.ID != ada.ID {
			t.Errorf("a guild is %+v, %v", g, err)
		}
	}
	if forks := b.OwnForks(); len(forks) > 0 || len(entries) != 2*each || late != 3 {
		t.Errorf("%d forks, %d entries, %d late consents", len(forks), len(entries), late)
	}
	cs, _, err := b.ChangesIn(ctx, ada.ID.Space(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	twice := 0
	for _, c := range cs {
		if pq, ok := turned[c.Head.Author]; ok && change.IsControl(c.Head.Kind) {
			if (pq != nil) != (c.Head.Sig2 != nil) {
				t.Errorf("a %s of a key with a second half of %d bytes has %d bytes of a second signature", c.Head.Kind, len(pq), len(c.Head.Sig2))
			}
			if c.Head.Sig2 != nil {
				twice++
			}
		}
	}
	if twice < 4 {
		t.Errorf("%d changes are signed twice", twice)
	}
	if rep, err := b.VerifyDeep(ctx); err != nil || !rep.ViewsOK || len(rep.Problems) > 0 {
		t.Errorf("%+v, %v", rep, err)
	}
}
