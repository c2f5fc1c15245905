package attest

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/attest/merkle"
	"github.com/meshd/meshd/identity/did"
)

// book is a log: entries, and what it says to the other questions.
type book struct {
	entries    map[string]Entry
	keyValid   func(author string, key did.Key, at int64) Answer
	authorised Answer
	root       Answer
}

func (b book) Entry(id string) (Entry, bool) { e, ok := b.entries[id]; return e, ok }

func (b book) KeyValid(author string, key did.Key, at int64) Answer {
	if b.keyValid == nil {
		return Yes
	}
	return b.keyValid(author, key, at)
}

func (b book) Authorised(Entry) Answer { return b.authorised }

func (b book) RootKnown(merkle.Hash, int64) Answer { return b.root }

// sound is an entry of a log that knows all about it.
func sound() (Entry, book) {
	key := signer(1)
	content, receipt := []byte("what was learned"), []byte(`{"seq":2}`)
	e := Entry{
		ID: "e", Author: "ada", At: 100, Content: content, Digest: sha256.Sum256(content), Key: key.Key(),
		Cites: []string{"c", "d"}, Receipt: receipt, ReceiptHash: sha256.Sum256(receipt),
	}
	e.Signed = append([]byte("head "), e.Digest[:]...)
	sig := key.Sign(e.Signed)
	e.Signature = sig[:]
	leaves := [][]byte{[]byte("c"), []byte("d"), []byte("e")}
	proof, err := merkle.Prove(leaves, 2)
	if err != nil {
		panic(err)
	}
	e.Inclusion = &Inclusion{merkle.Root(leaves), 3, 2, proof}
	return e, book{authorised: Yes, root: Yes, entries: map[string]Entry{
		"c": {ID: "c", At: 50, Cites: []string{"d"}}, "d": {ID: "d", At: 40}, "e": e,
	}}
}

// summary names the checks that are not Yes: open ones with ?, contradicted with !.
func summary(findings []Finding) string {
	var out []string
	for _, f := range findings {
		switch f.Answer {
		case Unknown:
			out = append(out, "?"+string(f.Check))
		case No:
			out = append(out, "!"+string(f.Check))
		}
		if (f.Detail == "") != (f.Answer == Yes) {
			out = append(out, "detail of "+string(f.Check))
		}
	}
	return strings.Join(out, " ")
}

func TestJudge(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		edit func(*Entry, *book)
		want Verdict
		says string
	}{
		{"all is known", func(*Entry, *book) {}, Valid, ""},
		{"no optional parts", func(e *Entry, _ *book) {
			e.Cites, e.Receipt, e.ReceiptHash, e.Inclusion = nil, nil, [32]byte{}, nil
		}, Valid, ""},
		{"cited at the same time", func(e *Entry, b *book) { b.entries["c"] = Entry{At: 100} }, Valid, ""},

		{"content is not here", func(e *Entry, _ *book) { e.Content = nil }, Unverifiable, "?digest"},
		{"empty content", func(e *Entry, _ *book) { e.Content = []byte{} }, Fabricated, "!digest"},
		{"content was changed", func(e *Entry, _ *book) { e.Content = []byte("what was Learned") }, Fabricated, "!digest"},
		{"digest was changed with it", func(e *Entry, _ *book) {
			e.Content = []byte("x")
			e.Digest = sha256.Sum256(e.Content)
		}, Fabricated, "!digest"},
		{"no signature", func(e *Entry, _ *book) { e.Signature = nil }, Unverifiable, "?signature ?key"},
		{"nothing signed", func(e *Entry, _ *book) { e.Signed = nil }, Unverifiable, "?digest ?signature ?key"},
		{"no key", func(e *Entry, _ *book) { e.Key = did.Key{} }, Unverifiable, "?signature ?key"},
		{"signature of another", func(e *Entry, _ *book) {
			sig := signer(2).Sign(e.Signed)
			e.Signature = sig[:]
		}, Fabricated, "!signature"},
		{"half a signature", func(e *Entry, _ *book) { e.Signature = e.Signature[:32] }, Fabricated, "!signature"},
		{"keys unknown", func(_ *Entry, b *book) { b.keyValid = func(string, did.Key, int64) Answer { return Unknown } }, Unverifiable, "?key"},
		{"key of another time", func(_ *Entry, b *book) {
			b.keyValid = func(_ string, _ did.Key, at int64) Answer {
				if at < 100 {
					return Yes
				}
				return No
			}
		}, Fabricated, "!key"},
		{"keys denied, but none claimed", func(e *Entry, b *book) {
			e.Signature = nil
			b.keyValid = func(string, did.Key, int64) Answer { return No }
		}, Unverifiable, "?signature ?key"},
		{"rights unknown", func(_ *Entry, b *book) { b.authorised = Unknown }, Unverifiable, "?authority"},
		{"no right", func(_ *Entry, b *book) { b.authorised = No }, Fabricated, "!authority"},
		{"an answer that is none", func(_ *Entry, b *book) { b.authorised = 7 }, Unverifiable, "?authority"},
		{"cited entry is not here", func(_ *Entry, b *book) { delete(b.entries, "d") }, Unverifiable, "?citations"},
		{"cites the future", func(_ *Entry, b *book) { b.entries["d"] = Entry{ID: "d", At: 101} }, Fabricated, "!times"},
		{"what it cites cites the future", func(_ *Entry, b *book) { b.entries["d"] = Entry{ID: "d", At: 60} }, Fabricated, "!times"},
		{"cites itself", func(e *Entry, _ *book) { e.Cites = []string{"e"} }, Fabricated, "!acyclic"},
		{"a circle", func(_ *Entry, b *book) { b.entries["d"] = Entry{ID: "d", At: 40, Cites: []string{"c"}} }, Fabricated, "!acyclic !times"},
		{"a circle in no time", func(e *Entry, b *book) {
			b.entries["c"] = Entry{ID: "c", At: 40, Cites: []string{"d"}}
			b.entries["d"] = Entry{ID: "d", At: 40, Cites: []string{"c"}}
		}, Fabricated, "!acyclic"},
		{"receipt is not here", func(e *Entry, _ *book) { e.Receipt = nil }, Unverifiable, "?receipt"},
		{"receipt without its hash", func(e *Entry, _ *book) { e.ReceiptHash = [32]byte{} }, Unverifiable, "?receipt"},
		{"receipt of another", func(e *Entry, _ *book) { e.Receipt = []byte(`{"seq":3}`) }, Fabricated, "!receipt"},
		{"log unknown", func(_ *Entry, b *book) { b.root = Unknown }, Unverifiable, "?inclusion"},
		{"log has another root", func(_ *Entry, b *book) { b.root = No }, Fabricated, "!inclusion"},
		{"another place", func(e *Entry, _ *book) { e.Inclusion.Index = 1 }, Fabricated, "!inclusion"},
		{"contradicted and open", func(e *Entry, b *book) {
			e.Content, b.authorised = nil, No
		}, Fabricated, "?digest !authority"},
	}
	for _, c := range cases {
		e, b := sound()
		c.edit(&e, &b)
		verdict, findings := Judge(e, b)
		if verdict != c.want || summary(findings) != c.says {
			t.Errorf("%s: %s (%s), want %s (%s)", c.name, verdict, summary(findings), c.want, c.says)
		}
		if len(findings) != 9 {
			t.Errorf("%s: %d findings, want all 9", c.name, len(findings))
		}
	}
}

// What is taken away from an entry or its log never makes it fabricated: absence
// is no contradiction.
func TestAbsenceIsNeverFabrication(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, b := sound()
		away := func(name string) bool { return rapid.Bool().Draw(t, name) }
		if away("content") {
			e.Content = nil
		}
		if away("signature") {
			e.Signature = nil
		}
		if away("signed") {
			e.Signed = nil
		}
		if away("key") {
			e.Key = did.Key{}
		}
		if away("keys") {
			b.keyValid = func(string, did.Key, int64) Answer { return Unknown }
		}
		if away("rights") {
			b.authorised = Unknown
		}
		if away("receipt") {
			e.Receipt = nil
		}
		if away("hash") {
			e.ReceiptHash = [32]byte{}
		}
		if away("root") {
			b.root = Unknown
		}
		if away("inclusion") {
			e.Inclusion = nil
		}
		for _, id := range []string{"c", "d"} {
			if away(id) {
				delete(b.entries, id)
			}
		}
		if verdict, findings := Judge(e, b); verdict == Fabricated {
			t.Fatalf("fabricated: %s", summary(findings))
		}
	})
}

func TestCitationsHaveALimit(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]Verdict{MaxCited: Valid, MaxCited + 1: Unverifiable} {
		e, b := sound()
		e.At, e.Cites = int64(n)+1, []string{"0"}
		for i := range n {
			cited := Entry{ID: fmt.Sprint(i), At: int64(n - i)}
			if i+1 < n {
				cited.Cites = []string{fmt.Sprint(i + 1)}
			}
			b.entries[cited.ID] = cited
		}
		if verdict, findings := Judge(e, b); verdict != want {
			t.Errorf("a chain of %d: %s (%s), want %s", n, verdict, summary(findings), want)
		}
	}
}

// Random graphs: fabricated exactly when a walk from the entry finds a circle or
// a citation of the future, by the definition.
func TestWalkEqualsItsDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "entries")
		e, b := sound()
		all := make([]Entry, n)
		for i := range all {
			all[i] = Entry{ID: fmt.Sprint(i), At: int64(rapid.IntRange(0, 3).Draw(t, "at"))}
			for _, c := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "cites") {
				all[i].Cites = append(all[i].Cites, fmt.Sprint(c))
			}
			b.entries[all[i].ID] = all[i]
		}
		e.Cites, e.At = []string{"0"}, 3
		bad := false
		var reach func(from Entry, way map[string]bool)
		reach = func(from Entry, way map[string]bool) {
			for _, id := range from.Cites {
				to := b.entries[id]
				bad = bad || to.At > from.At || way[id]
				if !way[id] {
					way[id] = true
					reach(to, way)
					delete(way, id)
				}
			}
		}
		reach(e, map[string]bool{"e": true})
		if verdict, findings := Judge(e, b); (verdict == Fabricated) != bad {
			t.Fatalf("%s (%s), want fabricated %v", verdict, summary(findings), bad)
		}
	})
}

func TestDetailIsBounded(t *testing.T) {
	t.Parallel()
	e, b := sound()
	e.Cites = []string{strings.Repeat("é", 5000)}
	_, findings := Judge(e, b)
	for _, f := range findings {
		if n := len([]rune(f.Detail)); n > maxDetail {
			t.Errorf("%s: a detail of %d characters", f.Check, n)
		}
	}
}
