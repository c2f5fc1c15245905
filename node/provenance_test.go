package node_test

import (
	"context"
	"crypto/sha256"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/view"
)

// judged checks the verdict on an entry, and which checks are not Yes.
func (b *box) judged(id change.ID, want attest.Verdict, open map[attest.Check]attest.Answer) {
	b.t.Helper()
	p, err := b.Provenance(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	if p.Verdict != want || len(p.Findings) != 9 {
		b.t.Errorf("verdict %s, want %s: %+v", p.Verdict, want, p.Findings)
	}
	for _, f := range p.Findings {
		answer, ok := open[f.Check]
		if !ok {
			answer = attest.Yes
		}
		if f.Answer != answer {
			b.t.Errorf("%s: %+v, want answer %d", f.Check, f, answer)
		}
	}
}

func TestProvenanceOfOwnEntries(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	first := b.contribute(ada, lesson)
	b.judged(first.ID, attest.Valid, nil)
	citing, err := b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Pattern, Text: lesson + " See the log's own tests.",
		Reuses: []change.ID{first.ID}}), view.Submit{})
	if err != nil {
		t.Fatal(err)
	}
	b.judged(citing.ID, attest.Valid, nil)
	if _, err := b.Retract(t.Context(), ada.ID, first.ID, ""); err != nil {
		t.Fatal(err)
	}
	b.judged(first.ID, attest.Valid, nil) // withdrawn, and still as it was
	b.judged(citing.ID, attest.Valid, nil)
	if _, err := b.Provenance(t.Context(), change.ID{9}); code(err) != reason.EntryNotFound {
		t.Errorf("of nothing: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Provenance(gone, citing.ID); err == nil {
		t.Error("answered nobody")
	}
}

// A hash without its receipt leaves a question open, and never more than that.
func TestProvenanceOfAReceipt(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	r, err := b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: lesson, ReceiptSHA: change.ID{1}}), view.Submit{})
	if err != nil {
		t.Fatal(err)
	}
	b.judged(r.ID, attest.Unverifiable, map[attest.Check]attest.Answer{attest.CheckReceipt: attest.Unknown})
	r, err = b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(1), Receipt: []byte(`{"ok":true}`)}), view.Submit{})
	if err != nil {
		t.Fatal(err)
	}
	b.judged(r.ID, attest.Valid, nil)
}

// citing writes an entry of its space at a time, whatever it cites.
func (s *stranger) citing(domain string, millis int64, cited ...change.ID) *change.Change {
	s.t.Helper()
	enc, err := body.Entry{Type: body.Pattern, Text: lesson + " Seen in " + domain + ".", Confidence: body.DefaultConfidence, Reuses: cited}.Encode()
	if err != nil {
		s.t.Fatal(err)
	}
	return change.Seal(change.Draft{Net: s.net, Space: change.Commons(domain), Kind: change.KindEntryPut, Body: enc, HLC: uint64(millis) << 10,
		Seq: 1, Proof: []change.ID{s.record.ID}}, s.key)
}

// What a peer's entry cites may not be here, which leaves a question open; that it
// came later contradicts the order of time.
func TestProvenanceOfCitations(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	eve := b.stranger("Eve")
	const at = 1767225600000 + 3_600_000
	late := eve.entry(lesson, at+1000, false)
	missing := eve.citing("rust", at, change.ID{7})
	early := eve.citing("zig", at, late.ID)
	b.bring(eve.record, late, missing, early)
	b.judged(late.ID, attest.Valid, nil)
	b.judged(missing.ID, attest.Unverifiable, map[attest.Check]attest.Answer{attest.CheckCitations: attest.Unknown})
	b.judged(early.ID, attest.Fabricated, map[attest.Check]attest.Answer{attest.CheckTimes: attest.No})
}

// A signature that was broken on the way proves nothing against the author: what
// the author signed afterwards vouches for the entry.
func TestProvenanceWithABrokenCopyOfTheSignature(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	eve := b.stranger("Eve")
	const at = 1767225600000 + 3_600_000
	first := eve.entry(lesson, at, false)
	second := eve.entry(lesson+" Twice.", at+1, false)
	head := *first.Head
	head.Sig[3] ^= 1
	broken, err := change.Decode(head.Encode(), first.Body)
	if err != nil || broken.ID != first.ID {
		t.Fatal(err)
	}
	b.bring(eve.record, broken, second)
	b.judged(first.ID, attest.Unverifiable, map[attest.Check]attest.Answer{attest.CheckSignature: attest.Unknown, attest.CheckKey: attest.Unknown})
	b.judged(second.ID, attest.Valid, nil)
}

// What a revocation cuts off was written without right.
func TestProvenanceBeyondACut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		home, laptop := c.nodes[0], c.nodes[1]
		ada := home.agent("Ada")
		lent := lend(t, home, laptop, ada, time.Hour)
		c.within(twoTurns, "the loan arrives", func() bool { a, err := laptop.Agent(t.Context(), ada.ID); return err == nil && a.Local })
		r := laptop.contribute(ada, lesson)
		c.within(twoTurns, "the world agrees", c.agree)
		home.judged(r.ID, attest.Valid, nil)
		if _, err := home.Revoke(t.Context(), ada.ID, lent.ID, body.Cuts{}, "stolen"); err != nil {
			t.Fatal(err)
		}
		home.judged(r.ID, attest.Fabricated, map[attest.Check]attest.Answer{attest.CheckAuthority: attest.No})
		c.within(twoTurns, "the revocation arrives", c.agree)
		laptop.judged(r.ID, attest.Fabricated, map[attest.Check]attest.Answer{attest.CheckAuthority: attest.No})
	})
}

// What a key signed beyond the cut of the rotation that replaced it was not the
// author's to sign; what lies inside of the cut stays as good as it was.
func TestProvenanceBeyondARotation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		old, home := c.nodes[0], c.nodes[1]
		own := keys.FromSeed(sha256.Sum256([]byte("own key of Ada")))
		name, _, err := old.NewActingKey(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ada, _, err := old.OpenAgent(t.Context(), view.Genesis{KeyName: name, Name: "Ada", Custody: "gateway", Controllers: []string{own.Key().String()}})
		if err != nil {
			t.Fatal(err)
		}
		inside := old.contribute(ada, lesson)
		c.within(twoTurns, "the world agrees", c.agree)
		c.net.Partition(1)
		late := old.contribute(ada, retold(1))
		_, err = home.RotateHere(t.Context(), ada.ID, func(line string) (binding.Consent, error) {
			sig := own.Sign([]byte(line))
			return binding.Consent{Alg: binding.AlgEd25519, Key: own.Key().String(), Sig: sig[:], Text: line}, nil
		}, view.Turn{})
		if err != nil {
			t.Fatal(err)
		}
		c.net.Heal()
		c.within(twoTurns, "the halves agree", c.agree)
		for _, b := range c.nodes {
			b.judged(inside.ID, attest.Valid, nil)
			b.judged(late.ID, attest.Fabricated, map[attest.Check]attest.Answer{attest.CheckKey: attest.No, attest.CheckAuthority: attest.Unknown})
		}
	})
}
