package fold_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/rules"
)

type opinionIn struct {
	foldIn
	Target vectortest.Hex `json:"target"`
}

type opinionOut struct {
	Up       int         `json:"up"`
	Down     int         `json:"down"`
	Comments []remarkOut `json:"comments"` // those that stand, in (hlc, id) order
}

type remarkOut struct {
	ID       vectortest.Hex `json:"id"`
	Depth    int            `json:"depth"`
	Hidden   bool           `json:"hidden"`
	Approved bool           `json:"approved"`
}

func opinionOf(v *fold.Views, target change.ID) opinionOut {
	up, down := v.Votes(target)
	out := opinionOut{up, down, []remarkOut{}}
	for _, c := range v.Comments(target) {
		out.Comments = append(out.Comments, remarkOut{c.ID[:], c.Depth, c.Deleted, c.Approved})
	}
	return out
}

// TestOpinionVectors: whose votes count, which comments stand. Each story says
// what it comes to.
func TestOpinionVectors(t *testing.T) {
	t.Parallel()
	type vector = vectortest.Vector[opinionIn, opinionOut]
	var made []vector
	type stage struct {
		w           *worldtest.World
		ada, bo, cy *worldtest.Author
		one         *change.Change
		cs          []*change.Change
	}
	add := func(rule, name string, story func(s *stage) (target *change.Change, out opinionOut)) {
		t.Helper()
		s := &stage{w: worldtest.NewRooted(5)}
		s.ada, s.bo, s.cy = s.w.Agent("ada"), s.w.Agent("bo"), s.w.Agent("cy")
		s.cs = append(s.cs, s.ada.Bind(), s.bo.Bind(), s.cy.Bind())
		s.one = s.ada.Entry("go", "one")
		s.cs = append(s.cs, s.one)
		target, out := story(s)
		if out.Comments == nil {
			out.Comments = []remarkOut{}
		}
		made = append(made, vector{Name: name, In: opinionIn{logOf(t, s.w, s.cs), target.ID[:]}, Out: &out, Rule: rule})
	}
	keep := func(s *stage, c *change.Change) *change.Change { s.cs = append(s.cs, c); return c }
	stands := func(c *change.Change, depth int) remarkOut { return remarkOut{ID: c.ID[:], Depth: depth} }
	hidden := func(c *change.Change, depth int) remarkOut { return remarkOut{ID: c.ID[:], Depth: depth, Hidden: true} }
	votes := func(up, down int) opinionOut { return opinionOut{Up: up, Down: down} }

	add("13.23", "two votes", func(s *stage) (*change.Change, opinionOut) {
		keep(s, s.bo.Vote(s.one, 1))
		keep(s, s.cy.Vote(s.one, -1))
		return s.one, votes(1, 1)
	})
	add("13.23", "the last vote of an agent counts", func(s *stage) (*change.Change, opinionOut) {
		keep(s, s.bo.Vote(s.one, 1))
		keep(s, s.bo.Vote(s.one, -1))
		return s.one, votes(0, 1)
	})
	add("13.23", "a vote of 0 takes a vote back", func(s *stage) (*change.Change, opinionOut) {
		keep(s, s.bo.Vote(s.one, 1))
		keep(s, s.bo.Vote(s.one, 0))
		return s.one, votes(0, 0)
	})
	add("13.22", "a retracted vote counts as if it were not there", func(s *stage) (*change.Change, opinionOut) {
		keep(s, s.bo.Vote(s.one, 1))
		v := keep(s, s.bo.Vote(s.one, -1))
		keep(s, s.bo.Retract(v.ID))
		return s.one, votes(1, 0)
	})
	add("13.22", "a retract by another agent does nothing", func(s *stage) (*change.Change, opinionOut) {
		v := keep(s, s.bo.Vote(s.one, 1))
		keep(s, s.cy.Retract(v.ID))
		return s.one, votes(1, 0)
	})
	add("13.23", "the author's own vote does not count", func(s *stage) (*change.Change, opinionOut) {
		keep(s, s.ada.Vote(s.one, 1))
		return s.one, votes(0, 0)
	})
	add("13.22", "a vote in another space does not count", func(s *stage) (*change.Change, opinionOut) {
		b, err := body.Vote{Target: s.one.ID, Value: 1}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		keep(s, s.bo.Change(change.KindVote, change.Commons("rust"), b, worldtest.Options{Deps: []change.ID{s.one.ID}}))
		return s.one, votes(0, 0)
	})
	add("13.23", "votes on a fork do not count", func(s *stage) (*change.Change, opinionOut) {
		twin := s.bo.Clone()
		keep(s, s.bo.Vote(s.one, 1))
		keep(s, twin.Vote(s.one, -1))
		keep(s, s.cy.Vote(s.one, 1))
		return s.one, votes(1, 0)
	})
	add("13.23", "what was said about an older version counts for the newer", func(s *stage) (*change.Change, opinionOut) {
		keep(s, s.bo.Vote(s.one, 1))
		c := keep(s, s.bo.Comment(s.one, nil, "first"))
		two := keep(s, s.ada.EntryAs("go", entryOf("two", func(v *body.Entry) { v.Supersedes = s.one.ID })))
		keep(s, s.cy.Vote(two, -1))
		return two, opinionOut{Up: 1, Down: 1, Comments: []remarkOut{stands(c, 1)}}
	})
	add("13.24", "a thread of four levels, and no fifth", func(s *stage) (*change.Change, opinionOut) {
		var out opinionOut
		var parent *change.Change
		for i := range 5 {
			c := keep(s, s.bo.Comment(s.one, parent, fmt.Sprint("level ", i+1)))
			if i < 4 {
				out.Comments = append(out.Comments, stands(c, i+1))
			}
			parent = c
		}
		return s.one, out
	})
	add("13.24", "an answer to a comment about something else does not stand", func(s *stage) (*change.Change, opinionOut) {
		two := keep(s, s.ada.Entry("go", "two"))
		c := keep(s, s.bo.Comment(two, nil, "about two"))
		keep(s, s.cy.Comment(s.one, c, "about one"))
		return s.one, opinionOut{}
	})
	add("13.24", "an answer to what is no comment does not stand", func(s *stage) (*change.Change, opinionOut) {
		keep(s, s.cy.Comment(s.one, s.one, "to the entry"))
		return s.one, opinionOut{}
	})
	add("13.24", "a retracted comment is hidden, and its answer stands", func(s *stage) (*change.Change, opinionOut) {
		c := keep(s, s.bo.Comment(s.one, nil, "first"))
		a := keep(s, s.cy.Comment(s.one, c, "answer"))
		keep(s, s.bo.Retract(c.ID))
		return s.one, opinionOut{Comments: []remarkOut{hidden(c, 1), stands(a, 2)}}
	})
	for _, who := range []string{"the author of the thread", "its own agent", "another"} {
		add("13.24", "dismissed by "+who, func(s *stage) (*change.Change, opinionOut) {
			c := keep(s, s.bo.Comment(s.one, nil, "first"))
			keep(s, map[string]*worldtest.Author{"the author of the thread": s.ada, "its own agent": s.bo, "another": s.cy}[who].Label(c, body.LabelDismissed))
			out := stands(c, 1)
			out.Hidden = who != "another"
			return s.one, opinionOut{Comments: []remarkOut{out}}
		})
	}
	add("13.24", "a guest, without a manifest", func(s *stage) (*change.Change, opinionOut) {
		c := keep(s, s.bo.CommentAs(s.one, body.Comment{Text: "hello", Guest: "Eve"}))
		return s.one, opinionOut{Comments: []remarkOut{stands(c, 1)}}
	})
	for _, listed := range []bool{true, false} {
		add("13.24", fmt.Sprintf("a guest of a gateway of the manifest: %t", listed), func(s *stage) (*change.Change, opinionOut) {
			speaks := s.cy
			if listed {
				speaks = s.bo
			}
			keep(s, s.w.Manifest(body.Manifest{Gateways: []body.Gateway{{Host: "g", Key: speaks.Key.Key()}}}))
			c := keep(s, s.bo.CommentAs(s.one, body.Comment{Text: "hello", Guest: "Eve"}))
			if !listed {
				return s.one, opinionOut{}
			}
			return s.one, opinionOut{Comments: []remarkOut{stands(c, 1)}}
		})
	}
	for _, who := range []string{"its owner", "another"} {
		add("13.24", "a note of a guestbook, approved by "+who, func(s *stage) (*change.Change, opinionOut) {
			c := keep(s, s.bo.Comment(s.ada.Binding, nil, "a note"))
			by := s.ada
			if who == "another" {
				by = s.cy
			}
			keep(s, by.Endorse(by.ID.Space(), body.Approve, c))
			out := stands(c, 1)
			out.Approved = who == "its owner"
			return s.ada.Binding, opinionOut{Comments: []remarkOut{out}}
		})
	}
	for _, v := range vectortest.Golden(t, "machines/opinion.json", made) {
		file, err := change.ParseNetworkFile(v.In.Network)
		if err != nil {
			t.Fatal(err)
		}
		judge, err := rules.NewJudge(file.Genesis)
		if err != nil {
			t.Fatal(err)
		}
		past := members{}
		var log []*change.Change
		for _, raw := range v.In.Log {
			c, err := raw.Decode()
			if err == nil {
				_, err = judge.Check(c, rules.OwnSignature, past)
			}
			if err != nil {
				t.Fatalf("%s: %v", v.Name, err)
			}
			past[c.ID] = c
			log = append(log, c)
		}
		for order := range uint64(4) {
			views := fold.New(judge.Net())
			apply(views, shuffled(log, order)...)
			if got := opinionOf(views, change.ID(v.In.Target)); fmt.Sprint(got) != fmt.Sprint(*v.Out) {
				t.Errorf("%s, order %d:\n got %+v\nwant %+v", v.Name, order, got, *v.Out)
				break
			}
		}
	}
}
