package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// A scene collects vectors out of one world. The past of each vector is all that
// its change refers to, however indirectly.
type scene struct {
	t   testing.TB
	w   *worldtest.World
	out []changeVector
}

func newScene(t testing.TB) *scene { return &scene{t: t, w: worldtest.New(1)} }

func (s *scene) in(c *change.Change) changeIn {
	s.t.Helper()
	file, err := change.NetworkFile{Genesis: s.w.Genesis}.Encode()
	if err != nil {
		s.t.Fatal(err)
	}
	in := changeIn{Network: file, Change: vectortest.Of(c), Past: []vectortest.Change{}}
	for _, p := range past(s.w, c) {
		in.Past = append(in.Past, vectortest.Of(p))
	}
	return in
}

// past are the changes that c rests on, causes first.
func past(w rules.Past, c *change.Change) []*change.Change {
	seen := map[change.ID]*change.Change{}
	for queue := []*change.Change{c}; len(queue) > 0; queue = queue[1:] {
		h := queue[0].Head
		for _, id := range slices.Concat(h.Parents(), h.Proof) {
			if p, _ := w.Member(id); p != nil && seen[id] == nil {
				seen[id] = p
				queue = append(queue, p)
			}
		}
	}
	out := make([]*change.Change, 0, len(seen))
	for _, p := range seen {
		out = append(out, p)
	}
	slices.SortFunc(out, (*change.Change).Compare)
	return out
}

// ok adds a change that is a member with a good row.
func (s *scene) ok(name string, c *change.Change) *change.Change {
	s.t.Helper()
	s.out = append(s.out, changeVector{Name: name, In: s.in(c), Out: &changeOut{
		ID: c.ID[:], Author: c.Head.Author.String(), Set: change.SetOf(c.Head.Space, c.Head.Kind, s.w.Genesis.Shards),
		Lane: change.LaneOf(c.Head.Kind).String(),
	}})
	return c
}

// bad adds a change that is refused.
func (s *scene) bad(code reason.Code, name string, c *change.Change) {
	s.t.Helper()
	s.out = append(s.out, changeVector{Name: string(code) + ": " + name, In: s.in(c), Code: code})
}

// entryIn is an entry by a in any space, with its proof unless one is given. Like
// token it forks the chain.
func (s *scene) entryIn(a *worldtest.Author, space change.Space, proof ...*change.Change) *change.Change {
	b, err := entry().Encode()
	if err != nil {
		s.t.Fatal(err)
	}
	var o worldtest.Options
	if len(proof) > 0 {
		o.Proof = ids(proof...)
	}
	return a.Clone().Change(change.KindEntryPut, space, b, o)
}

func (s *scene) body(v interface{ Encode() ([]byte, error) }) []byte {
	s.t.Helper()
	b, err := v.Encode()
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// token writes a grant by a with a token made by hand. It forks a's chain, so that
// what a writes later does not rest on a grant that is refused.
func (s *scene) token(a *worldtest.Author, space change.Space, d v0.Draft, v body.Grant, o worldtest.Options) *change.Change {
	s.t.Helper()
	if v.Token == "" {
		raw, err := v0.Build(d, a.Key, nil)
		if err != nil {
			s.t.Fatal(err)
		}
		v.Token = raw
	}
	return a.Clone().Change(change.KindGrant, space, s.body(v), o)
}

// cidOf is the content id of a grant's token, otherCID the one by another hash.
func (s *scene) cidOf(grant *change.Change) string { return s.tokenOf(grant).CID() }

func (s *scene) otherCID(grant *change.Change) string {
	s.t.Helper()
	cid, err := v0.CIDWith(ucan.BLAKE3, s.tokenOf(grant).Raw)
	if err != nil {
		s.t.Fatal(err)
	}
	return cid
}

func (s *scene) tokenOf(grant *change.Change) *v0.Token {
	s.t.Helper()
	v, err := body.ParseGrant(grant.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	t, findings := v0.Parse(v.Token)
	if t == nil {
		s.t.Fatal(findings)
	}
	return t
}

// keep seals a change with two signatures that others may refer to.
func (s *scene) keep(d change.Draft, k *keys.HybridSigner) *change.Change {
	s.t.Helper()
	c, err := change.SealHybrid(d, k)
	if err != nil {
		s.t.Fatal(err)
	}
	s.w.Keep(c)
	return c
}

// prove compares the vectors with their file and the judge with what it says. It
// returns the codes that were seen.
func (s *scene) prove(path string) map[reason.Code]bool {
	s.t.Helper()
	return prove(s.t, vectortest.Golden(s.t, path, s.out))
}

// prove checks a judge against vectors.
func prove(t testing.TB, vectors []changeVector) map[reason.Code]bool {
	t.Helper()
	seen := map[reason.Code]bool{}
	for _, v := range vectors {
		j, past := replay(t, v.In)
		if err := agrees(v, j, past); err != nil {
			t.Error(err)
		}
		seen[v.Code] = true
	}
	return seen
}

// agrees says how a judge that knows the past of a vector departs from it.
func agrees(v changeVector, j *rules.Judge, past log) error {
	got, err := check(j, past, v.In.Change)
	if code := reason.Of(err); code != v.Code {
		return fmt.Errorf("%s: got %v", v.Name, err)
	}
	if missing := rules.MissingIDs(err); (len(missing) > 0) != (v.Code == reason.MissingDeps) {
		return fmt.Errorf("%s: missing %v", v.Name, missing)
	}
	if v.Code != "" {
		return nil
	}
	c := got.Change()
	if id := change.ID(v.Out.ID); c.ID != id || got.Set() != v.Out.Set || change.LaneOf(c.Head.Kind).String() != v.Out.Lane || c.Head.Author.String() != v.Out.Author {
		return fmt.Errorf("%s: id %s, set %s, author %s", v.Name, c.ID, got.Set(), c.Head.Author)
	}
	return nil
}

func wantCodes(t *testing.T, seen map[reason.Code]bool, codes ...reason.Code) {
	t.Helper()
	for _, c := range codes {
		if !seen[c] {
			t.Errorf("no vector is refused with %s", c)
		}
	}
}

var free = []map[string]any{{}}
