package fold_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/rules"
)

// rightsOut is what a history of rights ends in.
type rightsOut struct {
	Counts []string         `json:"counts"` // ids of entries with effect
	Not    []string         `json:"not"`    // and of those without
	Rows   []vectortest.Hex `json:"rows"`
	Hash   vectortest.Hex   `json:"hash"`
}

// TestRightsVectors publishes every tale of rights, and proves the views against
// what is published, in several orders of arrival.
func TestRightsVectors(t *testing.T) {
	t.Parallel()
	var made []vectortest.Vector[foldIn, rightsOut]
	for _, name := range slices.Sorted(maps.Keys(tales)) {
		w := worldtest.New(7)
		s := tales[name](w)
		v := fold.New(w.Net)
		apply(v, s.changes...)
		out := rightsOut{Counts: names(s.counts), Not: names(s.not)}
		for _, r := range v.Rows() {
			out.Rows = append(out.Rows, r)
		}
		_, hash := v.Hash()
		out.Hash = hash[:]
		made = append(made, vectortest.Vector[foldIn, rightsOut]{Name: name, In: logOf(t, w, s.changes), Out: &out})
	}
	for _, vec := range vectortest.Golden(t, "rights/tales.json", made) {
		t.Run(vec.Name, func(t *testing.T) {
			file, err := change.ParseNetworkFile(vec.In.Network)
			if err != nil {
				t.Fatal(err)
			}
			judge, err := rules.NewJudge(file.Genesis)
			if err != nil {
				t.Fatal(err)
			}
			past := members{}
			var log []*change.Change
			for _, raw := range vec.In.Log {
				c, err := raw.Decode()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := judge.Check(c, rules.OwnSignature, past); err != nil {
					t.Fatalf("%s: %v", c.Head.Kind, err)
				}
				past[c.ID] = c
				log = append(log, c)
			}
			for seed := range uint64(4) {
				v := fold.New(judge.Net())
				apply(v, shuffled(log, seed)...)
				if _, hash := v.Hash(); string(hash[:]) != string(vec.Out.Hash) || len(v.Rows()) != len(vec.Out.Rows) {
					t.Fatalf("order %d: hash %x, published %x", seed, hash, vec.Out.Hash)
				}
				for _, c := range log {
					e, ok := v.Entry(c.ID)
					id := c.ID.Text(change.PrefixEntry)
					if ok && (slices.Contains(vec.Out.Counts, id) && e.State != fold.Live || slices.Contains(vec.Out.Not, id) && e.State != fold.Excluded) {
						t.Errorf("%s is in state %d", id, e.State)
					}
				}
			}
		})
	}
}

func names(cs []*change.Change) []string {
	out := []string{}
	for _, c := range cs {
		out = append(out, c.ID.Text(change.PrefixEntry))
	}
	return out
}

// members are a past for the judge.
type members map[change.ID]*change.Change

func (m members) Member(id change.ID) (*change.Change, error) { return m[id], nil }
