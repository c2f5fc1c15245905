package rules_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/identity/wallet/siwe"
)

// bySIWE consents with a sign-in text that has these resources beside the line.
func bySIWE(t testing.TB, k *wallet.Key, others ...string) worldtest.Consenter {
	return func(line string) binding.Consent {
		text, err := siwe.Message{
			Domain: "mesh.example", Address: k.Address(), Statement: "Take the agent over", URI: "https://mesh.example/rotate", Chain: 1,
			Nonce: "00000000000040008000000000000001", IssuedAt: "2026-01-02T03:04:05Z", Resources: append([]string{line}, others...),
		}.Text()
		if err != nil {
			t.Fatal(err)
		}
		sig := k.SignText(text)
		return binding.Consent{Alg: binding.AlgSIWE, Key: worldtest.Account(k), Sig: sig[:], Text: text}
	}
}

// with is a consent that was changed after it was given.
func with(by worldtest.Consenter, edit func(*binding.Consent)) worldtest.Consenter {
	return func(line string) binding.Consent {
		c := by(line)
		edit(&c)
		return c
	}
}

// hybridRotation is a rotation to a key with a post-quantum half.
func (s *scene) hybridRotation(a *worldtest.Author, k *keys.HybridSigner, by worldtest.Consenter) change.Draft {
	v := body.Rotate{Old: a.Key.Key(), Cut: a.Cut(), PQ: k.Key().PQ}
	line, err := v.Line(s.w.Net, a.ID, k.Key().Key)
	if err != nil {
		s.t.Fatal(err)
	}
	v.By = by(line)
	return change.Draft{
		Net: s.w.Net, Space: a.ID.Space(), Kind: change.KindRotate, Body: s.body(v), HLC: a.Binding.Head.HLC + 1<<20, Seq: 1, Proof: ids(a.Binding),
	}
}

// withUnknownKey is a rotation with a key that this release does not know, which
// the consent covers or not.
func (s *scene) withUnknownKey(a *worldtest.Author, covered bool) *change.Change {
	s.t.Helper()
	next := s.w.Agent(fmt.Sprint("unknown ", covered))
	consent := func(v *body.Rotate) {
		line, err := v.Line(s.w.Net, a.ID, next.Key.Key())
		if err != nil {
			s.t.Fatal(err)
		}
		v.By = worldtest.ByKey(a.Key)(line)
	}
	v := body.Rotate{Old: a.Key.Key(), Cut: a.Cut()}
	consent(&v)
	m, err := cbor.DecodeMap(s.body(v))
	if err != nil {
		s.t.Fatal(err)
	}
	m["zzz"] = []any{int64(1), "x"}
	raw, err := cbor.Encode(m)
	if err != nil {
		s.t.Fatal(err)
	}
	if v, err = body.ParseRotate(raw); err != nil {
		s.t.Fatal(err)
	}
	if covered {
		consent(&v)
	}
	return next.Change(change.KindRotate, a.ID.Space(), s.body(v), worldtest.Options{Proof: ids(a.Binding)})
}

func rotations(t testing.TB) *scene {
	t.Helper()
	s := newScene(t)
	w := s.w
	purse, other := w.Wallet("purse"), w.Wallet("other")
	spare, next, friend, stranger := w.Key("spare"), w.Key("next"), w.Key("friend"), w.Key("stranger")
	account := worldtest.Account(purse)
	agent := func(name string, v body.Bind) *worldtest.Author {
		a := w.Agent(name)
		v.Name = name
		a.BindAs(v)
		return a
	}
	none := agent("none", body.Bind{})                                             // rank 1 only
	self := agent("self", body.Bind{Next: worldtest.RecoveryHash(spare.Key())})    // a recovery key
	kept := agent("kept", body.Bind{Controllers: []string{friend.Key().String()}}) // a gateway acts for it
	rich := agent("rich", body.Bind{Controllers: []string{account, friend.Key().String()}, Next: worldtest.RecoveryHash(spare.Key())})
	n := 0
	to := func() string { n++; return fmt.Sprint("new ", n) }
	try := func(a *worldtest.Author, by worldtest.Consenter, v body.Rotate) *change.Change {
		if v.Cut == nil {
			v.Cut = a.Cut()
		}
		_, c := a.Rotate(to(), by, v)
		return c
	}

	// Members.
	s.ok("the old key consents, there is nothing above it", try(none, nil, body.Rotate{}))
	s.ok("the old key consents below a wallet", try(rich, nil, body.Rotate{}))
	s.ok("the old key names controllers and a recovery key, there is nothing above it", try(none, nil, body.Rotate{
		HasControllers: true, Controllers: []string{account}, Next: worldtest.RecoveryHash(next.Key()), Box: bytes.Repeat([]byte{8}, 32),
	}))
	s.ok("a controlling key consents", try(kept, worldtest.ByKey(friend), body.Rotate{}))
	s.ok("a controlling key drops all controllers", try(kept, worldtest.ByKey(friend), body.Rotate{HasControllers: true}))
	s.ok("a controlling key below a wallet names another recovery key", try(rich, worldtest.ByKey(friend), body.Rotate{Next: worldtest.RecoveryHash(next.Key())}))
	s.ok("the recovery key consents", try(self, worldtest.ByKey(spare), body.Rotate{}))
	s.ok("the recovery key consents and names the next one", try(self, worldtest.ByKey(spare), body.Rotate{Next: worldtest.RecoveryHash(next.Key())}))
	s.ok("a wallet consents", try(rich, worldtest.ByWallet(purse), body.Rotate{}))
	s.ok("a wallet consents by a sign-in text", try(rich, bySIWE(t, purse), body.Rotate{}))
	s.ok("a wallet consents by a sign-in text with other resources", try(rich, bySIWE(t, purse, "https://mesh.example/"), body.Rotate{}))
	s.ok("a wallet names other controllers", try(rich, worldtest.ByWallet(purse), body.Rotate{HasControllers: true, Controllers: []string{worldtest.Account(other)}}))
	s.ok("an empty cut", try(none, nil, body.Rotate{Cut: body.Cut{}}))
	s.ok("a key of a later release, which the consent covers", s.withUnknownKey(none, true))
	hy := keys.NewHybridSigner(w.Key("hybrid"), [32]byte{7})
	seal := func(d change.Draft) *change.Change {
		c, err := change.SealHybrid(d, hy)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	s.ok("to a key with a post-quantum half", seal(s.hybridRotation(kept, hy, worldtest.ByKey(friend))))
	one, c := rich.Rotate("one", nil, body.Rotate{Cut: rich.Cut()})
	s.ok("a first rotation", c)
	two, c := one.Rotate("two", worldtest.ByKey(spare), body.Rotate{Cut: one.Cut()})
	s.ok("a second rotation, by what the genesis names", c)
	three, c := two.Rotate("three", worldtest.ByWallet(purse), body.Rotate{Cut: two.Cut(), HasControllers: true, Controllers: []string{worldtest.Account(other)}})
	s.ok("a third rotation, which names another wallet", c)
	s.ok("a fourth rotation, by the wallet that the third names", try(three, worldtest.ByWallet(other), body.Rotate{}))
	s.ok("another rotation of the first key, later and by a higher rank", try(rich, worldtest.ByWallet(purse), body.Rotate{}))
	s.ok("an entry by the new key", three.Entry("go", "by the new key"))
	s.ok("an entry by the old key: a member, cut or not", two.Entry("go", "by the old key"))
	s.ok("profile.bind by the new key", three.Bind())
	s.ok("profile.bind by the new key, by way of its binding", three.Bind())
	s.ok("a rotation whose proof is a later binding", try(three, nil, body.Rotate{}))

	// Refused.
	invalid := reason.RotationInvalid
	s.bad(invalid, "a stranger consents", try(none, worldtest.ByKey(stranger), body.Rotate{}))
	s.bad(invalid, "another wallet consents", try(rich, worldtest.ByWallet(other), body.Rotate{}))
	s.bad(invalid, "the same wallet on another chain consents", try(rich, with(worldtest.ByWallet(purse), func(c *binding.Consent) {
		c.Key = did.OfAccount(did.Account{Chain: 5, Address: purse.Address()}).String()
	}), body.Rotate{}))
	s.bad(invalid, "the consent names somebody else", try(kept, with(worldtest.ByKey(stranger), func(c *binding.Consent) { c.Key = friend.Key().String() }), body.Rotate{}))
	s.bad(invalid, "one bit of the consent's signature", try(none, with(worldtest.ByKey(none.Key), func(c *binding.Consent) { c.Sig[0] ^= 1 }), body.Rotate{}))
	s.bad(invalid, "the consent has another algorithm", try(none, with(worldtest.ByKey(none.Key), func(c *binding.Consent) { c.Alg = binding.AlgEIP191 }), body.Rotate{}))
	s.bad(invalid, "the consent is to another line", try(none, func(line string) binding.Consent {
		return worldtest.ByKey(none.Key)(line[:len(line)-1] + "0")
	}, body.Rotate{}))
	s.bad(invalid, "a sign-in text with two rotations", try(rich, bySIWE(t, purse, "mesh:rotate:00"), body.Rotate{}))
	given := try(none, nil, body.Rotate{})
	stolen, err := body.ParseRotate(given.Body)
	if err != nil {
		t.Fatal(err)
	}
	again := func(space *worldtest.Author, v body.Rotate) *change.Change {
		return w.Agent(to()).Change(change.KindRotate, space.ID.Space(), s.body(v), worldtest.Options{Proof: ids(space.Binding)})
	}
	s.bad(invalid, "the consent to another new key", again(none, stolen))
	widened := stolen
	widened.Cut = body.Cut{"commons/go": {1}}
	_, c = none.Rotate(to(), func(string) binding.Consent { return stolen.By }, widened)
	s.bad(invalid, "the cut changed after the consent", c)
	s.bad(invalid, "a key of a later release that was added after the consent", s.withUnknownKey(none, false))
	s.bad(invalid, "old is not the key of proof[0]", func() *change.Change {
		v := body.Rotate{Old: stranger.Key(), Cut: body.Cut{}}
		line, err := v.Line(w.Net, none.ID, w.Key("late").Key())
		if err != nil {
			t.Fatal(err)
		}
		v.By = worldtest.ByKey(stranger)(line)
		return w.Agent("late").Change(change.KindRotate, none.ID.Space(), s.body(v), worldtest.Options{Proof: ids(none.Binding)})
	}())
	_, c = none.Rotate("none", nil, body.Rotate{Cut: body.Cut{}})
	s.bad(invalid, "new is old", c)
	_, c = three.RotateKey(rich.Key, worldtest.ByWallet(other), body.Rotate{Cut: three.Cut()})
	s.bad(invalid, "new was the key before", c)
	device, _ := none.Device("device of none")
	device.OpenGuild("some", body.Public)
	granted := device.Grant(none.ID.Space(), stranger.Key(), worldtest.Grants{Caps: capsFor(w.Net, none.ID.Space(), "entry/put")})
	taken := body.Rotate{Old: none.Key.Key(), Cut: body.Cut{}}
	line, err := taken.Line(w.Net, none.ID, device.Key.Key())
	if err != nil {
		t.Fatal(err)
	}
	taken.By = worldtest.ByKey(none.Key)(line)
	s.bad(invalid, "not the first control change of the new key", device.Change(change.KindRotate, none.ID.Space(), s.body(taken), worldtest.Options{
		Proof: ids(none.Binding), Seq: 2, Prev: granted.ID,
	}))
	for _, v := range []struct {
		name string
		by   worldtest.Consenter
		v    body.Rotate
	}{
		{"the old key names controllers below a wallet", nil, body.Rotate{HasControllers: true}},
		{"a controlling key names controllers below a wallet", worldtest.ByKey(friend), body.Rotate{HasControllers: true, Controllers: []string{friend.Key().String()}}},
		{"the recovery key names controllers below a wallet", worldtest.ByKey(spare), body.Rotate{HasControllers: true}},
		{"the old key names a recovery key below a wallet", nil, body.Rotate{Next: worldtest.RecoveryHash(next.Key())}},
	} {
		s.bad(invalid, v.name, try(rich, v.by, v.v))
	}
	s.bad(invalid, "the old key takes a post-quantum half below another key", seal(s.hybridRotation(kept, hy, worldtest.ByKey(kept.Key))))
	s.bad(invalid, "the recovery key a second time", func() *change.Change {
		a, _ := self.Rotate(to(), worldtest.ByKey(spare), body.Rotate{Cut: self.Cut()})
		return try(a, worldtest.ByKey(spare), body.Rotate{})
	}())
	s.bad(invalid, "a recovery key that was replaced", func() *change.Change {
		a, _ := rich.Rotate(to(), worldtest.ByWallet(purse), body.Rotate{Cut: rich.Cut(), Next: worldtest.RecoveryHash(next.Key())})
		return try(a, worldtest.ByKey(spare), body.Rotate{})
	}())
	s.bad(invalid, "a controller that was dropped", func() *change.Change {
		a, _ := rich.Rotate(to(), worldtest.ByWallet(purse), body.Rotate{Cut: rich.Cut(), HasControllers: true})
		return try(a, worldtest.ByKey(friend), body.Rotate{})
	}())
	s.bad(invalid, "the key before the old one", try(three, worldtest.ByKey(two.Key), body.Rotate{}))

	lost := reason.CapabilityMissing
	s.bad(lost, "no proof", w.Agent("x").Change(change.KindRotate, none.ID.Space(), given.Body, worldtest.Options{NoProof: true}))
	s.bad(lost, "proof is the grant of a device", w.Agent("y").Change(change.KindRotate, none.ID.Space(), given.Body, worldtest.Options{Proof: ids(device.Binding)}))
	s.bad(lost, "the space of another agent", w.Agent("z").Change(change.KindRotate, self.ID.Space(), given.Body, worldtest.Options{Proof: ids(none.Binding)}))
	s.bad(lost, "outside of an agent's space", w.Agent("z").Change(change.KindRotate, change.Commons("go"), given.Body, worldtest.Options{Proof: ids(none.Binding)}))
	s.bad(reason.MissingDeps, "no body", given.Stub())
	s.bad(reason.BadEncoding, "no cut", w.Agent("z").Change(change.KindRotate, none.ID.Space(), []byte{0xa0}, worldtest.Options{Proof: ids(none.Binding)}))
	plain := s.hybridRotation(kept, hy, worldtest.ByKey(friend))
	s.bad(reason.BadChangeSignature, "a post-quantum half without sig2", change.Seal(plain, w.Key("hybrid")))
	s.bad(reason.BadChangeSignature, "sig2 without a post-quantum half", func() *change.Change {
		v := body.Rotate{Old: none.Key.Key(), Cut: body.Cut{}}
		line, err := v.Line(w.Net, none.ID, hy.Key().Key)
		if err != nil {
			t.Fatal(err)
		}
		v.By = worldtest.ByKey(none.Key)(line)
		d := plain
		d.Space, d.Body, d.Proof = none.ID.Space(), s.body(v), ids(none.Binding)
		return seal(d)
	}())
	return s
}

func TestRotations(t *testing.T) {
	t.Parallel()
	seen := rotations(t).prove("rotate/heads.json")
	wantCodes(t, seen, "", reason.RotationInvalid, reason.CapabilityMissing, reason.MissingDeps, reason.BadEncoding, reason.BadChangeSignature)
}

// The second signature of a control change goes by the record of the key.
func TestSecondSignatureFollowsTheKey(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ada := s.w.Agent("ada")
	ada.Bind()
	hy := keys.NewHybridSigner(s.w.Key("hybrid"), [32]byte{7})
	seal := func(d change.Draft) *change.Change {
		c, err := change.SealHybrid(d, hy)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	known := log{ada.Binding.ID: ada.Binding}
	rotate := seal(s.hybridRotation(ada, hy, worldtest.ByKey(ada.Key)))
	judge := func(c *change.Change) reason.Code {
		v, err := s.w.Judge.Check(c, rules.Authenticate([]*change.Change{c})[0], known)
		if err == nil {
			known[c.ID] = v.Change()
		}
		return reason.Of(err)
	}
	if code := judge(rotate); code != "" {
		t.Fatalf("rotation to a hybrid key: %s", code)
	}
	later := on(rotate, change.Draft{
		Net: s.w.Net, Space: ada.ID.Space(), Kind: change.KindBind, Body: s.body(body.Bind{Name: "Ada L."}), HLC: rotate.Head.HLC + 1, Proof: ids(rotate),
	})
	if code := judge(change.Seal(later, s.w.Key("hybrid"))); code != reason.BadChangeSignature {
		t.Errorf("a binding with one signature: %q", code)
	}
	if code := judge(seal(later)); code != "" {
		t.Errorf("a binding with both signatures: %q", code)
	}
	line, err := s.w.Judge.Line(rotate, known)
	if err != nil || !slices.Equal(line.PQ, hy.Key().PQ) || line.Key() != hy.Key().Key || !line.Has(ada.Key.Key()) || line.Agent != ada.ID {
		t.Errorf("line %+v, %v", line, err)
	}
}

// An agent may have 128 keys in its life.
func TestKeysOfAnAgentAreBounded(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	a := w.Agent("ada")
	known := log{}
	keep := func(c *change.Change) error {
		j, err := rules.NewJudge(w.Genesis) // remembers nothing, so the whole line is walked
		if err != nil {
			t.Fatal(err)
		}
		v, err := j.Check(c, rules.OwnSignature, known)
		if err == nil {
			known[c.ID] = v.Change()
		}
		return err
	}
	if err := keep(a.Bind()); err != nil {
		t.Fatal(err)
	}
	for i := range 127 {
		var c *change.Change
		a, c = a.Rotate(fmt.Sprint("key ", i), nil, body.Rotate{Cut: a.Cut()})
		if err := keep(c); err != nil {
			t.Fatalf("key %d: %v", i+2, err)
		}
	}
	if err := keep(a.Entry("go", "by the last key")); err != nil {
		t.Error(err)
	}
	_, c := a.Rotate("one too many", nil, body.Rotate{Cut: a.Cut()})
	if err := keep(c); reason.Of(err) != reason.ChainInvalid {
		t.Errorf("key 129: %v", err)
	}
}

func TestRotationNamesItsRank(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	purse, spare, friend := w.Wallet("purse"), w.Key("spare"), w.Key("friend")
	a := w.Agent("ada")
	a.BindAs(body.Bind{
		Name: "ada", Controllers: []string{worldtest.Account(purse), friend.Key().String()}, Next: worldtest.RecoveryHash(spare.Key()),
	})
	for rank, by := range map[int]worldtest.Consenter{
		body.RankActing: nil, body.RankController: worldtest.ByKey(friend), body.RankRecovery: worldtest.ByKey(spare), body.RankWallet: worldtest.ByWallet(purse),
	} {
		b, c := a.Rotate(fmt.Sprint("rank ", rank), by, body.Rotate{Cut: a.Cut()})
		w.Verify(c)
		got, err := w.Judge.Rotation(c, w)
		if err != nil || got.Rank != rank || got.New != b.Key.Key() || got.Agent != a.ID || got.Body.Old != a.Key.Key() {
			t.Errorf("rank %d: %+v, %v", rank, got, err)
		}
		if spent := got.After.Next == nil; spent != (rank == body.RankRecovery) || got.After.Key() != b.Key.Key() || got.Before.Key() != a.Key.Key() {
			t.Errorf("rank %d: after %+v", rank, got.After)
		}
	}
}
