package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/view"
)

// team is a private team of two machines' agents, whose words nobody else may ever
// have.
type team struct {
	id      change.ID
	members []int // machines; the first is the founder's
	said    []*entry
}

// teamwork is the private team of a world, and what is checked of it.
type teamwork struct {
	*chronicle
	*fleet
	model *model
	team  *team // nil in small worlds
}

// assemble makes the private team of a world, between the machines 0 and 1.
func (w *teamwork) assemble(ctx context.Context) error {
	if len(w.machines) < 3 || w.gone[0] || w.gone[1] {
		return nil
	}
	founder, member := w.machines[0], w.machines[1]
	n, _ := founder.alive()
	for until := time.Now().Add(2 * time.Minute); ; time.Sleep(500 * time.Millisecond) {
		if _, err := n.Agent(ctx, member.agent.ID); err == nil {
			break
		}
		if time.Now().After(until) {
			return errors.New("two nodes do not learn of one another's agents within two minutes")
		}
	}
	g, err := n.OpenGuild(ctx, founder.agent.ID, view.NewGuild{Name: "Quiet", Type: "research", Visibility: body.Private})
	if err != nil {
		return fmt.Errorf("found a team: %w", err)
	}
	if _, err := n.SetRole(ctx, founder.agent.ID, g.ID, member.agent.ID, "member"); err != nil {
		return fmt.Errorf("make a member: %w", err)
	}
	w.team = &team{id: g.ID, members: []int{0, 1}}
	return w.follow(member)
}

// follow lets a member's node ask for the team, as its owner does once and again
// after a start.
func (w *teamwork) follow(m *machine) error {
	n, _ := m.alive()
	if w.team == nil || n == nil || m.index == w.team.members[0] || !w.inTeam(m.index) {
		return nil
	}
	return n.FollowTeam(context.Background(), w.team.id)
}

// inTeam reports whether a machine is of the team.
func (w *teamwork) inTeam(machine int) bool {
	return w.team != nil && slices.Contains(w.team.members, machine)
}

// whisper writes an entry in the team.
func (p person) whisper(ctx context.Context, n uint64) {
	t := p.w.team
	if !p.w.inTeam(p.m.index) {
		return
	}
	passed, err := p.w.pass("go", text(n))
	if err != nil {
		p.w.violated("R5", p.m.index, "the gate refuses: %v", err)
		return
	}
	r, err := p.n.ContributeToTeam(ctx, p.agent, t.id, passed, view.Submit{})
	if code := reason.Of(err); p.m.index != t.members[0] && slices.Contains([]reason.Code{reason.NotAMember, reason.CapabilityMissing, reason.TeamNotFound}, code) {
		p.w.count("refused: " + string(code)) // it has not received its role yet
		return
	}
	if p.outcome("contribute to a team", err) == done {
		p.w.model.mu.Lock()
		defer p.w.model.mu.Unlock()
		t.said = append(t.said, &entry{id: r.ID, n: n, agent: p.agent, machine: p.m.index})
	}
}

// whispered are the team's entries that were acknowledged.
func (w *teamwork) whispered() []*entry {
	w.model.mu.Lock()
	defer w.model.mu.Unlock()
	return slices.Clone(w.team.said)
}

// together reports whether the members have the same in the team.
func (w *teamwork) together() bool {
	if w.team == nil {
		return true
	}
	stands := map[string]bool{}
	for _, i := range w.team.members {
		if n, _ := w.machines[i].alive(); n != nil && !w.gone[i] {
			stands[w.teamSet(n)] = true
		}
	}
	return len(stands) < 2
}

func (w *teamwork) teamSet(n *node.Node) string {
	for _, s := range n.Status().Sets {
		if s.Name == string(change.TeamSpace(w.team.id)) {
			return fmt.Sprint(s.Count, s.FP)
		}
	}
	return ""
}

// checkTeam: members have every word of the team (R1); no other node has its id, a
// count of it or a byte of it, in memory or on disk (R9); and nothing that anybody
// may read shows it, on members' nodes either (R8).
func (w *teamwork) checkTeam(ctx context.Context) {
	if w.team == nil {
		return
	}
	said := w.whispered()
	for _, m := range w.present() {
		n, _ := m.alive()
		if w.inTeam(m.index) {
			w.checkMember(ctx, m, n, said)
			continue
		}
		if s := w.teamSet(n); s != "" {
			w.violated("R9", m.index, "an outsider has a set of the team: %s", s)
		}
		if g, err := n.Guild(ctx, w.team.id); reason.Of(err) != reason.TeamNotFound {
			w.violated("R9", m.index, "an outsider knows the team %q: %v", g.Name, err)
		}
		if cs, _, err := n.ChangesIn(ctx, change.TeamSpace(w.team.id), 0, 10); err == nil && len(cs) > 0 {
			w.violated("R9", m.index, "an outsider has %d changes of the team", len(cs))
		}
		w.checkBytes(m, said)
	}
}

func (w *teamwork) checkMember(ctx context.Context, m *machine, n *node.Node, said []*entry) {
	for _, e := range said {
		if e.machine != m.index && !w.together() {
			continue // it may be on its way, in a large world
		}
		got, err := n.TeamEntry(ctx, w.team.id, e.id)
		if err != nil || got.Body.Text != text(e.n) || got.Agent.ID != e.agent {
			w.violated("R1", m.index, "the team's %s of machine %d was acknowledged and reads %q: %v", e.id, e.machine, got.Body.Text, err)
		}
	}
	var public bytes.Buffer
	if _, err := n.Export(ctx, &public, true); err != nil {
		w.violated("R8", m.index, "export: %v", err)
	}
	for _, e := range said[max(0, len(said)-5):] {
		page, err := n.Entries(ctx, view.EntryQuery{Text: canary(e.n), Limit: 5})
		if err != nil || slices.ContainsFunc(page.Entries, func(x view.Entry) bool { return x.ID == e.id }) {
			w.violated("R8", m.index, "a public search finds the team's %s: %v", e.id, err)
		}
		if _, err := n.Entry(ctx, e.id); err == nil {
			w.violated("R8", m.index, "the team's %s is read as public", e.id)
		}
		if strings.Contains(public.String(), e.id.Text(change.PrefixChange)) {
			w.violated("R8", m.index, "a public export has the team's %s", e.id)
		}
	}
}

// checkBytes looks for the team's words in every file of a machine. Tables are
// compressed, so some of a word may escape; what the log has was asked before.
func (w *teamwork) checkBytes(m *machine, said []*entry) {
	err := filepath.WalkDir(m.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // files come and go while the node runs
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		for _, e := range said {
			if bytes.Contains(b, []byte(canary(e.n))) || bytes.Contains(b, e.id[:]) {
				w.violated("R9", m.index, "the team's %s is in %s of an outsider", e.id, filepath.Base(path))
			}
		}
		return nil
	})
	if err != nil {
		w.violated("R9", m.index, "%v", err)
	}
}
