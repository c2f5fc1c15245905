package node_test

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node/view"
)

// passportOf is the passport of an agent in one form, read and checked.
func (b *box) passportOf(a view.Agent, form passport.Form, whole bool) passport.Passport {
	b.t.Helper()
	raw, err := b.Passport(b.t.Context(), a.ID, view.PassportOrder{Form: form, Whole: whole})
	if err != nil {
		b.t.Fatal(err)
	}
	read := map[passport.Form]func() (passport.Passport, error){
		passport.FormJSON:       func() (passport.Passport, error) { return passport.Read(raw, nil) },
		passport.FormCredential: func() (passport.Passport, error) { return passport.ReadCredential(raw, nil) },
		passport.FormToken:      func() (passport.Passport, error) { return passport.ReadToken(string(raw), nil) },
		passport.FormBinary:     func() (passport.Passport, error) { return passport.ReadBinary(raw, nil) },
	}
	p, err := read[form]()
	if err != nil {
		b.t.Fatalf("form %s: %v", form, err)
	}
	return p
}

func TestPassportListsWhatAnAgentKnows(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada, bo := b.agent("Ada"), b.agent("Bo")
	empty := b.passportOf(ada, passport.FormJSON, false)
	if empty.Memory.Count() != 0 || empty.State.SHA256 != sha256.Sum256(nil) {
		t.Fatalf("of nothing: %+v", empty)
	}
	first, second := b.contribute(ada, lesson), b.contribute(ada, retold(1))
	b.contribute(bo, "Read the error before the stack, since the stack tells where and the error tells what.")
	intro, err := b.Contribute(t.Context(), ada.ID, pass("general", body.Entry{Type: body.Wisdom, Tags: []string{"introduction"},
		Text: "I am Ada, and I look after logs that have to survive a loss of power."}), view.Submit{})
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{first.ID.Text(change.PrefixEntry), second.ID.Text(change.PrefixEntry)}
	slices.Sort(ids)
	state := sha256.Sum256([]byte(strings.Join(ids, "\n") + "\n"))
	for _, form := range []passport.Form{passport.FormJSON, passport.FormCredential, passport.FormToken, passport.FormBinary} {
		p := b.passportOf(ada, form, false)
		if p.Subject != ada.DID || p.Issuer != ada.DID.String() || len(p.Delegation) != 0 {
			t.Fatalf("form %s: who: %+v", form, p)
		}
		if p.Memory.Gotcha != 2 || p.Memory.Count() != 2 || p.Memory.Ratio == 0 || p.State.SHA256 != state || p.State.Head == empty.State.Head {
			t.Fatalf("form %s: state: %+v", form, p)
		}
		if p.ExpiresAt-p.IssuedAt != (7 * 24 * time.Hour).Milliseconds() {
			t.Errorf("form %s: term of %d ms", form, p.ExpiresAt-p.IssuedAt)
		}
		known := []passport.Known{{ID: ids[0], Type: "gotcha"}, {ID: ids[1], Type: "gotcha"}}
		at, err := passport.Prove(known, ids[1])
		if err != nil || p.Memory.Contains(ids[1], at) != nil || p.Memory.Contains(intro.ID.Text(change.PrefixEntry), at) == nil {
			t.Errorf("form %s: the memory does not show what it holds: %v", form, err)
		}
	}
	if _, err := b.Retract(t.Context(), ada.ID, first.ID, ""); err != nil {
		t.Fatal(err)
	}
	if p := b.passportOf(ada, passport.FormJSON, false); p.Memory.Count() != 1 {
		t.Errorf("a withdrawn entry is remembered: %+v", p.Memory)
	}
	if _, err := b.Passport(t.Context(), change.AgentID{1}, view.PassportOrder{}); code(err) != reason.AgentNotFound {
		t.Errorf("nobody's passport: %v", err)
	}
}

// What the agent was given is the owner's to show.
func TestPassportOfTheOwnerNamesItsRight(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada, bo := b.agent("Ada"), b.agent("Bo")
	until := time.Now().Add(time.Hour)
	c, err := b.Delegate(t.Context(), ada.ID, view.Delegation{Audience: bo.DID, Can: []string{"entry/put"}, Expires: &until})
	if err != nil {
		t.Fatal(err)
	}
	if p := b.passportOf(bo, passport.FormCredential, true); !slices.Equal(p.Delegation, []string{c.CID}) {
		t.Errorf("chain %v, want %s", p.Delegation, c.CID)
	}
	if p := b.passportOf(bo, passport.FormCredential, false); len(p.Delegation) != 0 {
		t.Errorf("everybody sees %v", p.Delegation)
	}
	if _, err := b.Revoke(t.Context(), ada.ID, c.ID, nil, ""); err != nil {
		t.Fatal(err)
	}
	if p := b.passportOf(bo, passport.FormCredential, true); len(p.Delegation) != 0 {
		t.Errorf("a right that was taken back is named: %v", p.Delegation)
	}
}

func TestPassportsAreIssuedAtHomeAndByDevices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		home, laptop := c.nodes[0], c.nodes[1]
		ada := home.agent("Ada")
		c.within(twoTurns, "the agent arrives", func() bool { _, err := laptop.Agent(t.Context(), ada.ID); return err == nil })
		if _, err := laptop.Passport(t.Context(), ada.ID, view.PassportOrder{Whole: true}); code(err) != reason.Forbidden {
			t.Fatalf("a stranger's node issues: %v", err)
		}
		if _, err := laptop.SignCard(t.Context(), ada.ID, card()); code(err) != reason.Forbidden {
			t.Fatalf("a stranger's node signs: %v", err)
		}
		lent := lend(t, home, laptop, ada, time.Hour)
		c.within(twoTurns, "the loan arrives", func() bool { a, err := laptop.Agent(t.Context(), ada.ID); return err == nil && a.Local })
		p := laptop.passportOf(ada, passport.FormBinary, false)
		if p.Subject != ada.DID || p.Issuer != lent.Audience.String() || !slices.Equal(p.Delegation, []string{lent.CID}) {
			t.Errorf("by a device: %+v", p)
		}
	})
}

func card() agentcard.Card {
	return agentcard.Card{Name: "Ada", Version: "1", InputModes: []string{"text/plain"}, OutputModes: []string{"text/plain"}, Skills: []agentcard.Skill{},
		Interfaces: []agentcard.Interface{{URL: "http://127.0.0.1:1/", ProtocolBinding: "HTTP+JSON", ProtocolVersion: "1.0"}}}
}

func TestCardIsSignedByTheActingKey(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	signed, err := b.SignCard(t.Context(), ada.ID, card())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := signed.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := agentcard.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	kid := ada.DID.String() + "#" + strings.TrimPrefix(ada.DID.String(), "did:key:")
	if err := back.SignedBy(kid, ada.DID); err != nil {
		t.Error(err)
	}
	if again, err := back.Encode(); err != nil || !bytes.Equal(again, raw) {
		t.Errorf("read and written again: %v", err)
	}
}
