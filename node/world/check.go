package world

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/view"
)

// Violation is a rule of scenarios.md that was broken.
type Violation struct {
	Rule    string
	Machine int
	At      time.Duration // virtual, since the beginning
	Text    string
}

func (v Violation) String() string {
	return fmt.Sprintf("%s at machine %d after %v: %s", v.Rule, v.Machine, v.At.Round(time.Second), v.Text)
}

// healLimit is how long nodes may take to agree after the last fault has ended:
// two intervals of reconciliation at their longest, and a restart.
const healLimit = 3 * time.Minute

// standing is the fingerprint of every public set and the hash of the views.
func standing(n *node.Node) string {
	s := n.Status()
	var b strings.Builder
	for _, set := range s.Sets {
		if !strings.HasPrefix(set.Name, "team/") {
			fmt.Fprintf(&b, "%s %d %.12s ", set.Name, set.Count, set.FP)
		}
	}
	return b.String()
}

// checker compares the nodes of a world with what was acknowledged and against each
// other.
type checker struct {
	*chronicle
	*fleet
	*strangers
	*teamwork
	plan   *Plan
	model  *model
	rng    *rand.Rand
	healed []time.Duration
	good   map[view.Signature]bool // signatures that were verified
}

// converged waits until all nodes that take part have the same sets, and the members
// of the team the same in it (R6). The time that counts is that of the public sets.
func (w *checker) converged() bool {
	begin, agreed := time.Now(), time.Duration(0) // 0: not yet
	for {
		stands, all := map[string][]int{}, w.present()
		whole := true
		for _, m := range all {
			n, _ := m.alive()
			stands[standing(n)] = append(stands[standing(n)], m.index)
			whole = whole && (n.Status().Deferred == 0 || w.orphans())
		}
		took := time.Since(begin)
		switch {
		case len(stands) > 1 || !whole:
			agreed = 0
		case agreed == 0 && w.mended():
			agreed = max(took, 1)
		}
		team := w.together()
		if agreed > 0 && team {
			w.healed = append(w.healed, agreed)
			w.record("all %d nodes agree %v after the last fault, members of a team after %v", len(all), agreed.Round(100*time.Millisecond), took.Round(100*time.Millisecond))
			return true
		}
		if took > healLimit {
			for s, who := range stands {
				w.violated("R6", who[0], "nodes %v do not agree with others %v after the last fault: %s", who, took.Round(time.Second), s)
			}
			if !team {
				w.violated("R6", w.team.members[0], "the members of a team do not agree")
			}
			for _, m := range all {
				if n, _ := m.alive(); w.scars[m.index] {
					r, err := n.Repair(context.Background())
					w.record("repair of machine %d: %+v, %v", m.index, r, err)
				}
				if n, _ := m.alive(); n.Status().Deferred > 0 || n.Damaged() > 0 {
					w.violated("R6", m.index, "%d changes wait for their past, %d are damaged, %d peers", n.Status().Deferred, n.Damaged(), n.Status().Peers)
				}
			}
			return false
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// forkSeen counts machines that know of a fork of a liar's chain.
const forkSeen = "a liar's fork is known"

// check compares every node with the model and with the others.
func (w *checker) check(ctx context.Context) {
	if !w.converged() {
		return
	}
	defer func() {
		w.mu.Lock()
		held := len(w.found) == 0
		w.mu.Unlock()
		if held {
			w.model.mu.Lock()
			defer w.model.mu.Unlock()
			w.record("the rules hold on all of them: %d entries, %d comments and %d votes were acknowledged", len(w.model.order), len(w.model.comments), len(w.model.votes))
		}
	}()
	time.Sleep(w.plan.Settle)
	shown, feeds := map[string][]int{}, map[string][]string{}
	hashes, inside := map[string][]int{}, map[string][]int{}
	for _, m := range w.present() {
		n, _ := m.alive()
		if hash := fmt.Sprint(n.Status().View); w.inTeam(m.index) { // whose rows are in the views too
			inside[hash+w.teamSet(n)] = append(inside[hash+w.teamSet(n)], m.index)
		} else {
			hashes[hash] = append(hashes[hash], m.index)
		}
		rows := w.checkFeed(ctx, m, n)
		sum := fmt.Sprintf("%.8x", sha256.Sum256([]byte(strings.Join(rows, "\n"))))
		shown[sum], feeds[sum] = append(shown[sum], m.index), rows
		w.checkSocial(ctx, m, n)
		for _, f := range n.Status().Forks {
			if !w.liarsFork(f) {
				w.violated("R2", m.index, "an honest chain is forked: %s", f)
				continue
			}
			w.count(forkSeen)
		}
	}
	if len(hashes) > 1 || len(inside) > 1 && w.together() {
		w.violated("R3", 0, "equal sets, and views differ: %v %v", hashes, inside)
	}
	if len(shown) > 1 {
		w.violated("R3", 0, "equal sets, and feeds differ: %v", shown)
		w.reportDifference(feeds)
	}
	whole := slices.DeleteFunc(w.present(), func(m *machine) bool { return w.scars[m.index] })
	if len(whole) > 0 {
		w.checkLog(ctx, whole[w.rng.IntN(len(whole))])
	}
	w.checkTeam(ctx)
	w.checkForgeries(ctx)
}

// mended reports whether every change in stores whose files were damaged is sound
// again. Damage shows when it is read, so all is read. Blocks that contain nothing of
// use stay unreadable until the node starts again.
func (w *checker) mended() bool {
	for _, m := range w.present() {
		if n, _ := m.alive(); w.scars[m.index] {
			if r, err := n.Repair(context.Background()); err != nil || !r.OK() {
				return false
			}
		}
	}
	return true
}

// orphans reports whether somebody sends changes whose past comes late or never.
func (w *checker) orphans() bool {
	return slices.ContainsFunc(w.plan.Lies, func(l Lie) bool { return l.Kind == Forge || l.Kind == Spam || l.Kind == Equivocate })
}

// reportDifference reports the first rows that stand in one feed only.
func (w *checker) reportDifference(feeds map[string][]string) {
	for sum, rows := range feeds {
		for other, theirs := range feeds {
			for _, r := range rows {
				if sum != other && !slices.Contains(theirs, r) {
					w.record("only in feed %s, not in %s: %s", sum, other, r)
					break
				}
			}
		}
	}
}

// checkFeed reads the whole feed of a node: R1, R2, R4, and the order of R3. It
// returns the rows of the feed, sorted.
func (w *checker) checkFeed(ctx context.Context, m *machine, n *node.Node) []string {
	seen := map[change.ID]bool{}
	rows, parts := []string{}, 1
	q := view.EntryQuery{Limit: 200, Intro: true}
	var last *view.Entry
	md := w.model
	for {
		page, err := n.Entries(ctx, q)
		if err != nil {
			w.violated("R1", m.index, "the feed fails: %v", err)
			return nil
		}
		if page.Damaged > 0 {
			w.violated("R1", m.index, "%d entries are damaged after healing", page.Damaged)
		}
		for i := range page.Entries {
			e := &page.Entries[i]
			if seen[e.ID] {
				w.violated("R2", m.index, "%s stands twice in the feed", e.ID)
			}
			seen[e.ID] = true
			w.checkEntry(m, e)
			if last != nil && last.CreatedAt.Before(e.CreatedAt) {
				// What a node puts behind, by its own judgement, begins anew.
				if parts++; parts > 2 {
					w.violated("R3", m.index, "the feed is out of order at %s", e.ID)
				}
			}
			last = e
			flat := *e
			flat.Agent.Handle, flat.Blurred = "", false // depend on where the reader is
			flat.Signature = view.Signature{}           // of the copy that is there
			b, err := json.Marshal(flat)
			if err != nil {
				w.violated("R3", m.index, "%v", err)
			}
			rows = append(rows, string(b))
		}
		if page.Next == nil {
			break
		}
		q.After = page.Next
	}
	for _, e := range md.acknowledged() {
		switch {
		case e.retracted == done && seen[e.id]:
			w.violated("R4", m.index, "%s was taken back and is shown", e.id)
		case e.retracted == not && !seen[e.id]:
			_, err := n.Entry(ctx, e.id)
			w.violated("R1", m.index, "%s of machine %d was acknowledged and is not in the feed: %v", e.id, e.machine, err)
		}
	}
	slices.Sort(rows)
	return rows
}

// checkEntry: what is shown was written by whom it names, in the words it has, and
// not in times to come.
func (w *checker) checkEntry(m *machine, e *view.Entry) {
	md := w.model
	if e.CreatedAt.After(m.now().Add(16 * time.Minute)) {
		w.violated("R2", m.index, "%s of %v is shown", e.ID, e.CreatedAt)
	}
	if s := e.Signature; s.Known() && !w.verifies(s) {
		w.violated("R2", m.index, "%s is shown with a signature that does not verify", e.ID)
	}
	md.mu.Lock()
	defer md.mu.Unlock()
	known := md.entries[e.ID]
	switch {
	case known != nil && (known.agent != e.Agent.ID || text(known.n) != e.Body.Text || known.domain != e.Domain):
		w.violated("R2", m.index, "%s is shown as by %s in %q: %q", e.ID, e.Agent.ID, e.Domain, e.Body.Text)
	case known != nil || w.liarsWrote(e.Agent.ID):
	default:
		i := strings.Index(e.Body.Text, "canary")
		if i < 0 || !md.doubt[strings.TrimSuffix(e.Body.Text[i:], ".")] {
			w.violated("R2", m.index, "nobody wrote %s: %q by %s", e.ID, e.Body.Text, e.Agent.Name)
		}
	}
}

// verifies reports whether a signature is good. Most are shown by every node, in
// every round, so that good ones are remembered.
func (w *checker) verifies(s view.Signature) bool {
	if !w.good[s] && keys.Verify(s.Key, s.ID.Preimage(), s.Sig[:]) {
		w.good[s] = true
	}
	return w.good[s]
}

// checkSocial: comments and votes that were acknowledged stand (R1).
func (w *checker) checkSocial(ctx context.Context, m *machine, n *node.Node) {
	md := w.model
	md.mu.Lock()
	defer md.mu.Unlock()
	for id, c := range md.comments {
		got, err := n.FindComment(ctx, id)
		if err != nil || got.Text != c.text || got.Agent.ID != c.agent || got.Target != c.target {
			w.violated("R1", m.index, "comment %s was acknowledged and reads %q: %v", id, got.Text, err)
		}
	}
	for b, v := range md.votes {
		if !v.sure {
			continue
		}
		if e := md.entries[b.target]; e != nil && e.retracted != not {
			continue
		}
		if got := n.Votes(b.target, b.agent); got.Mine != v.value {
			w.violated("R1", m.index, "a vote of %s about %s was acknowledged as %d and is %d", b.agent, b.target, v.value, got.Mine)
		}
	}
}

// checkLog reads every change of one node: what each honest agent has written is
// as many changes as were acknowledged, or not answered (R2, R5), and the store
// proves itself whole.
func (w *checker) checkLog(ctx context.Context, m *machine) {
	n, _ := m.alive()
	check, err := n.VerifyDeep(ctx)
	if err != nil || len(check.Problems) > 0 || !check.ViewsOK {
		w.violated("R3", m.index, "verify: %+v, %v", check, err)
	}
	var out bytes.Buffer
	if _, err := n.Export(ctx, &out, false); err != nil {
		w.violated("R1", m.index, "export: %v", err)
		return
	}
	authors := map[change.AgentID]int{}
	for line := range bytes.Lines(out.Bytes()) {
		c, err := exchange.Read(line)
		if err != nil {
			w.violated("R2", m.index, "an exported change is not sound: %v (%s)", err, reason.Of(err))
			continue
		}
		if strings.HasPrefix(string(c.Head.Space), "team/") {
			continue
		}
		for _, other := range w.machines {
			if other.born && other.agent.DID == c.Head.Author {
				authors[other.agent.ID]++
			}
		}
	}
	md := w.model
	md.mu.Lock()
	defer md.mu.Unlock()
	for agent, t := range md.chains {
		if got := authors[agent]; got < t.sure || got > t.most {
			w.violated("R5", m.index, "agent %s has %d changes; %d were acknowledged and %d more have no answer", agent, got, t.sure, t.most-t.sure)
		}
	}
}
