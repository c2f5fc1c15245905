package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/givers"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/knowledge"
	"github.com/meshd/meshd/node/manifest"
)

// Selection names changes by all of what is set in it. Changes that this node's own
// keys signed are in it only when Author names their agent.
type Selection struct {
	Author change.AgentID // whose they are; zero: anybody's
	Tree   change.AgentID // the same, or of whom it sponsored, and those, and so on
	From   string         // the peer that brought them first; "": whoever
	Since  time.Time      // came at or after that; where that is not known, the time they claim
}

// Empty reports whether nothing is set, which would select everything.
func (s Selection) Empty() bool {
	return s.Author.IsZero() && s.Tree.IsZero() && s.From == "" && s.Since.IsZero()
}

// Selected counts what a selection contains: members, and of these what a purge takes.
type Selected struct {
	Changes int            `json:"changes"`
	Bodies  int            `json:"bodies"` // of content kinds that are here
	Bytes   int64          `json:"bytes"`  // of those bodies
	Kinds   map[string]int `json:"kinds"`  // bodies by kind
	Agents  int            `json:"agents"` // or keys of none
	Purged  int            `json:"purged"` // bodies removed by this call
	// Unknown counts changes that came before the book of givers begins, of which
	// nobody can say who brought them; set with From alone.
	Unknown int `json:"unknown,omitempty"`
}

// Remedies undo what was done to a node from outside.
type Remedies struct{ n *Node }

// Remedies of this node.
func (n *Node) Remedies() Remedies { return Remedies{n} }

// ManifestsOf reads and signs the manifest of a node's network.
func ManifestsOf(n *Node) *manifest.Manifests {
	return manifest.New(n.Core, n.Directory, n.Social, n.Transfer)
}

// chosen is one change of a selection.
type chosen struct {
	rec    crdtlog.Record
	agent  string // or the key, of none
	at     time.Time
	ofBody bool // a purge takes its body
}

// each calls visit for every change of a selection, in order of arrival.
func (r Remedies) each(ctx context.Context, s Selection, visit func(chosen) error) (unknown int, err error) {
	n := r.n
	tree := n.treeOf(s.Tree)
	for seq, last := uint64(0), n.Log.LastSeq(); seq < last; {
		recs, err := n.Log.Since(ctx, seq, replayBatch)
		if err != nil {
			return unknown, fmt.Errorf("read the log: %w", err)
		}
		if len(recs) == 0 {
			break
		}
		for _, rec := range recs {
			seq = rec.Seq
			giver, at, known := n.givers.Of(rec.Seq)
			if s.From != "" && !known {
				unknown++
			}
			agent, key := n.WriterOf(rec.Change)
			claimed := time.UnixMilli(int64(rec.Change.Head.HLC >> 10))
			if !known {
				at = claimed
			}
			switch {
			case s.From != "" && (!known || giver != s.From),
				!s.Author.IsZero() && agent != s.Author,
				!s.Tree.IsZero() && !tree[agent],
				!s.Since.IsZero() && at.Before(s.Since.Truncate(time.Minute)),
				s.Author.IsZero() && n.Local.Has(key):
				continue
			}
			who := agent.String()
			if agent.IsZero() {
				who = key.String()
			}
			body := rec.State == crdtlog.Present && change.LaneOf(rec.Change.Head.Kind) == change.Content
			if err := visit(chosen{rec: rec, agent: who, at: at, ofBody: body}); err != nil {
				return unknown, err
			}
		}
	}
	return unknown, nil
}

// treeOf are an agent and all that it sponsored, at any depth; nil for none.
func (n *Node) treeOf(root change.AgentID) map[change.AgentID]bool {
	if root.IsZero() {
		return nil
	}
	under := map[change.AgentID][]change.AgentID{}
	for _, a := range n.Views.Agents() {
		rec, ok := n.Views.Agent(a.ID)
		if !ok || rec.Sponsor == nil {
			continue
		}
		if by, ok := n.Views.AgentByKey(*rec.Sponsor); ok {
			under[by.ID] = append(under[by.ID], a.ID)
		}
	}
	tree := map[change.AgentID]bool{root: true}
	for next := []change.AgentID{root}; len(next) > 0; next = next[1:] {
		for _, id := range under[next[0]] {
			if !tree[id] {
				tree[id] = true
				next = append(next, id)
			}
		}
	}
	return tree
}

// Count says what a selection contains and changes nothing.
func (r Remedies) Count(ctx context.Context, s Selection) (Selected, error) {
	out, _, err := r.look(ctx, s)
	return out, err
}

func (r Remedies) look(ctx context.Context, s Selection) (Selected, []*change.Change, error) {
	out := Selected{Kinds: map[string]int{}}
	agents := map[string]bool{}
	var bodies []*change.Change
	unknown, err := r.each(ctx, s, func(c chosen) error {
		out.Changes++
		agents[c.agent] = true
		if c.ofBody {
			out.Bodies++
			out.Bytes += int64(len(c.rec.Change.Body))
			out.Kinds[c.rec.Change.Head.Kind]++
			bodies = append(bodies, c.rec.Change.Stub())
		}
		return ctx.Err()
	})
	out.Agents, out.Unknown = len(agents), unknown
	return out, bodies, err
}

// Purge removes the bodies of a selection from this node for good, as the purge of
// one entry does: heads stay, so that fingerprints do not change, and what was
// removed is taken from nobody again. Control changes keep their bodies. It calls
// progress now and then. A purge that was cut short goes on when it is called again.
func (r Remedies) Purge(ctx context.Context, s Selection, progress func(done, of int)) (Selected, error) {
	if s.Empty() {
		return Selected{}, reason.Refuse(reason.MissingField, "say whose changes are purged: author, tree, from or since")
	}
	out, bodies, err := r.look(ctx, s)
	if err != nil {
		return out, err
	}
	progress(0, len(bodies))
	for part := range slices.Chunk(bodies, purgeBatch) {
		done, err := r.purge(ctx, part)
		if out.Purged += done; err != nil {
			return out, err
		}
		progress(out.Purged, len(bodies))
	}
	return out, nil
}

// effect is what a purged change takes out of the views.
type effect struct {
	delta fold.Delta
	cause change.ID
}

// purge removes the bodies of a few changes while nothing is appended.
func (r Remedies) purge(ctx context.Context, cs []*change.Change) (int, error) {
	n := r.n
	ids := make([]change.ID, len(cs))
	byID := make(map[change.ID]*change.Change, len(cs))
	for i, c := range cs {
		ids[i], byID[c.ID] = c.ID, c
	}
	var gone []*change.Change
	var effects []effect
	var failed error
	err := n.Ingest.Quiet(ctx, func() {
		n.forgetCheckpoint()
		failed = n.Log.PurgeAll(ctx, ids, reason.Purged, func(id change.ID) {
			c := byID[id]
			gone = append(gone, c)
			for _, d := range n.Views.Withdraw(c) {
				effects = append(effects, effect{d, c.ID})
			}
		})
	})
	n.AgentCache.Gen.Add(1)
	for _, e := range effects {
		n.Announce(e.delta, e.cause, 0)
	}
	var errs []error
	for _, c := range gone {
		n.Copies.Drop(c.ID)
		n.Bus.Publish(events.Event{Kind: events.ChangePurged, Space: string(c.Head.Space), Object: c.ID.Text(change.PrefixChange)})
		errs = append(errs, n.Search.Ix.Delete(knowledge.PublicSpace, c.ID.String()))
	}
	if err := errors.Join(append(errs, err, failed)...); err != nil {
		return len(gone), fmt.Errorf("purge: %w", err)
	}
	return len(gone), nil
}

// Gift is one row of what a peer gave first.
type Gift struct {
	Agent   string `json:"agent"` // or the key, of none
	Name    string `json:"name,omitempty"`
	Kind    string `json:"kind"`
	Changes int    `json:"changes"`
	Bytes   int64  `json:"bytes"` // of heads and the bodies that are here
	First   string `json:"first"` // when the first and the last of them came, to the minute
	Last    string `json:"last"`
}

// Gifts is what a peer gave first.
type Gifts struct {
	Peer    string `json:"peer"`
	Changes int    `json:"changes"`
	Bytes   int64  `json:"bytes"`
	Gifts   []Gift `json:"gifts"`   // most changes first, at most maxGifts
	More    int    `json:"more"`    // rows beyond them
	Unknown int    `json:"unknown"` // changes that came before the book of givers begins
}

// Gave counts the changes that came first from a peer, by author and kind.
func (r Remedies) Gave(ctx context.Context, peer string) (Gifts, error) {
	type of struct{ agent, kind string }
	rows := map[of]*Gift{}
	out := Gifts{Peer: peer, Gifts: []Gift{}}
	unknown, err := r.each(ctx, Selection{From: peer}, func(c chosen) error {
		k := of{c.agent, c.rec.Change.Head.Kind}
		at := c.at.UTC().Format(time.RFC3339)
		g := rows[k]
		if g == nil {
			g = &Gift{Agent: k.agent, Kind: k.kind, First: at}
			rows[k] = g
		}
		size := int64(len(c.rec.Change.RawHead) + len(c.rec.Change.Body))
		g.Changes, g.Bytes, g.Last = g.Changes+1, g.Bytes+size, at
		out.Changes, out.Bytes = out.Changes+1, out.Bytes+size
		return ctx.Err()
	})
	if err != nil {
		return out, err
	}
	for _, g := range rows {
		if id, err := change.ParseAgentID(g.Agent); err == nil {
			if a, ok := r.n.Views.Agent(id); ok {
				g.Name = a.Name
			}
		}
		out.Gifts = append(out.Gifts, *g)
	}
	slices.SortFunc(out.Gifts, func(a, b Gift) int {
		return cmp.Or(cmp.Compare(b.Changes, a.Changes), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Kind, b.Kind))
	})
	out.Unknown, out.More = unknown, max(0, len(out.Gifts)-maxGifts)
	out.Gifts = out.Gifts[:min(len(out.Gifts), maxGifts)]
	return out, nil
}

// openGivers opens the book beside the log that it is about.
func (n *Node) openGivers() (err error) {
	path := ""
	if _, dir, kept := n.Opt.Files(); kept {
		path = filepath.Join(dir, giversFile)
	}
	n.givers, err = givers.Open(path, n.Log.LastSeq())
	return err
}

// noteGiver remembers who sent a change that is new. Of one that an earlier batch
// left on disk the sender is lost.
func (n *Node) noteGiver(c ingest.Arrival) {
	from := c.From
	if !c.Local && from == "" {
		from = "unknown"
	}
	n.givers.Note(c.Seq, from, n.Opt.Now())
}
