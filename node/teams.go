package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// teamsFile names the teams that this node was told to follow.
const teamsFile = "teams.json"

// teams is who may see which private team: what peers have proved about
// themselves, and what this node follows.
type teams struct {
	mu      sync.Mutex
	asked   map[change.ID]bool                // followed before the fold knows of a membership
	met     map[peer.ID]map[did.Key]time.Time // agents that a peer has shown to speak for, until when
	unmet   map[peer.ID]bool                  // peers whose last proof did not hold; one of the two clocks may be wrong, for a while
	turns   map[peer.ID]int                   // whose proof it is shown next
	lent    map[change.AgentID]*v1.Delegation // of agents here to the key of this node
	lentEnd map[change.AgentID]time.Time
	shown   map[showing]shownProof // proofs made of late
	memo    v1.Memo                // tokens of peers whose signatures were good
}

// showing is which agent a proof is about and to whom it is shown.
type showing struct {
	agent     change.AgentID
	responder did.Key
}

// shownProof is a proof that is shown again for a quarter of its term: it takes two
// signatures and two verifications to make, and every session asks for one.
type shownProof struct {
	proof []byte
	of    *v1.Delegation
	at    time.Time
}

// holds reports whether s may be shown at a moment.
func (s shownProof) holds(of *v1.Delegation, now time.Time) bool {
	age := now.Sub(s.at)
	return s.of == of && 0 <= age && age < proofTerm/4
}

func newTeams() *teams {
	return &teams{
		asked: map[change.ID]bool{}, met: map[peer.ID]map[did.Key]time.Time{}, unmet: map[peer.ID]bool{}, turns: map[peer.ID]int{},
		lent: map[change.AgentID]*v1.Delegation{}, lentEnd: map[change.AgentID]time.Time{}, shown: map[showing]shownProof{},
	}
}

// loadTeams reads which teams this node follows.
func (n *Node) loadTeams() error {
	n.teams = newTeams()
	raw, err := os.ReadFile(n.opt.Home.Path(teamsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read followed teams: %w", err)
	}
	var ids []string
	if err := json.Unmarshal(raw, &ids); err != nil {
		return fmt.Errorf("read followed teams: %w", err)
	}
	for _, text := range ids {
		id, err := change.ParseID(change.PrefixGuild, text)
		if err != nil {
			return fmt.Errorf("read followed teams: %q is no id", text)
		}
		n.teams.asked[id] = true
	}
	return nil
}

// FollowTeam has this node ask members for the content of a private team that one
// of its agents was taken into: where the roles are kept in the team itself,
// nobody outside can know of them.
func (n *Node) FollowTeam(_ context.Context, id change.ID) error {
	if err := n.askForTeam(id); err != nil {
		return err
	}
	if p := n.connected(); p != nil { // any of them may speak for a member
		p.ReconcileSoon()
	}
	return nil
}

// askForTeam notes that a team is followed, for later starts too.
func (n *Node) askForTeam(id change.ID) error {
	n.teams.mu.Lock()
	defer n.teams.mu.Unlock()
	if n.teams.asked[id] {
		return nil
	}
	if len(n.teams.asked) >= maxFollowed {
		return reason.Refuse(reason.LimitReached, "this node follows %d teams already", maxFollowed)
	}
	n.teams.asked[id] = true
	texts := make([]string, 0, len(n.teams.asked))
	for t := range n.teams.asked {
		texts = append(texts, t.Text(change.PrefixGuild))
	}
	slices.Sort(texts)
	raw, err := json.Marshal(texts)
	if err != nil {
		return fmt.Errorf("write followed teams: %w", err)
	}
	path := n.opt.Home.Path(teamsFile)
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return fmt.Errorf("write followed teams: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write followed teams: %w", err)
	}
	return nil
}

// teamSets are the private sets that this node follows: of teams in which an
// agent of its own is a member, and of those it was told to follow.
func (n *Node) teamSets() []string {
	var spoken []fold.Agent
	guilds := n.views.Guilds()
	if len(guilds) > 0 {
		spoken = n.spoken()
	}
	var out []string
	for _, g := range guilds {
		if slices.ContainsFunc(spoken, func(a fold.Agent) bool { return n.isMember(g.ID, a.ID) }) {
			out = append(out, string(change.TeamSpace(g.ID)))
		}
	}
	n.teams.mu.Lock()
	defer n.teams.mu.Unlock()
	for id := range n.teams.asked {
		if name := string(change.TeamSpace(id)); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// isMember reports whether an agent has a role in a guild now.
func (n *Node) isMember(guild change.ID, agent change.AgentID) bool {
	_, err := n.rightIn(agent, change.TeamSpace(guild))
	return err == nil
}

// Proof is what the hello to a peer carries so that it may name private teams to
// this node: an invocation about one of the agents here, bound to both ends. A
// node whose agents are in several teams shows them in turn.
func (r replica) Proof(_ context.Context, to peer.ID) []byte {
	n := r.net.n
	agents := n.teamAgents()
	responder, err := keyOf(to)
	if len(agents) == 0 || err != nil {
		return nil
	}
	n.teams.mu.Lock()
	turn := n.teams.turns[to]
	if len(n.teams.turns) > maxMet {
		clear(n.teams.turns)
	}
	n.teams.turns[to] = turn + 1
	n.teams.mu.Unlock()
	proof, err := n.proofOf(agents[turn%len(agents)], responder)
	if err != nil {
		n.opt.Log.Warn("no proof for a team", "err", err)
		return nil
	}
	return proof
}

// teamAgents are the agents whose acting key lies here and who are in a guild, or
// all when a team is followed whose members are not known yet.
func (n *Node) teamAgents() []fold.Agent {
	n.teams.mu.Lock()
	waiting := len(n.teams.asked) > 0
	n.teams.mu.Unlock()
	guilds := n.views.Guilds()
	if !waiting && len(guilds) == 0 {
		return nil
	}
	var out []fold.Agent
	for _, a := range n.spoken() {
		in := waiting || slices.ContainsFunc(guilds, func(g fold.Guild) bool { return n.isMember(g.ID, a.ID) })
		if in && n.local.has(a.Key) {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b fold.Agent) int { return change.ID(a.ID).Compare(change.ID(b.ID)) })
	return out
}

// proofOf is a proof for a responder that this node speaks for a.
func (n *Node) proofOf(a fold.Agent, responder did.Key) ([]byte, error) {
	now, to := n.opt.Now(), showing{a.ID, responder}
	d, err := n.lend(a, now)
	if err != nil {
		return nil, err
	}
	n.teams.mu.Lock()
	last := n.teams.shown[to]
	n.teams.mu.Unlock()
	if last.holds(d, now) {
		return last.proof, nil
	}
	seed, err := n.nodeSeed()
	if err != nil {
		return nil, err
	}
	proof, err := v1.NodeInvocation(keys.FromSeed(seed), v1.SyncProof{
		Agent: a.Key, Chain: []*v1.Delegation{d}, Net: n.judge.Net().String(), Responder: responder, Now: now.Unix(), Expires: now.Add(proofTerm).Unix(),
	}, n.opt.Rand)
	if err != nil {
		return nil, err
	}
	n.teams.mu.Lock()
	defer n.teams.mu.Unlock()
	if len(n.teams.shown) >= maxMet {
		clear(n.teams.shown)
	}
	n.teams.shown[to] = shownProof{proof, d, now}
	return proof, nil
}

// lend is a's delegation of its voice to the node's key, made anew when the last one
// is about to end or a's key is another.
func (n *Node) lend(a fold.Agent, now time.Time) (*v1.Delegation, error) {
	n.teams.mu.Lock()
	d, end := n.teams.lent[a.ID], n.teams.lentEnd[a.ID]
	n.teams.mu.Unlock()
	if d != nil && d.Issuer == a.Key && !now.Add(proofTerm).After(end) {
		return d, nil
	}
	signer, ok, err := n.local.signer(a.Key)
	if err != nil || !ok {
		return nil, errors.Join(err, errors.New("the acting key lies elsewhere"))
	}
	end = now.Add(lentTerm)
	until := end.Unix()
	if d, err = v1.Delegate(signer, v1.Grant{Audience: n.nodeDID, Command: v1.SyncCommand, Expires: &until}, n.opt.Rand); err != nil {
		return nil, fmt.Errorf("lend a voice to the node: %w", err)
	}
	n.teams.mu.Lock()
	defer n.teams.mu.Unlock()
	n.teams.lent[a.ID], n.teams.lentEnd[a.ID] = d, end
	return d, nil
}

// MaySee reports whether a peer may see a private team: an agent that it has
// proved to speak for is a member, by the fold of this node.
func (r replica) MaySee(_ context.Context, p peer.ID, set string, proof []byte) bool {
	n := r.net.n
	if proof != nil {
		n.meet(p, proof)
	}
	guild, ok := change.Space(set).Guild()
	if !ok {
		return false
	}
	now := n.opt.Now()
	n.teams.mu.Lock()
	var agents []did.Key
	for k, until := range n.teams.met[p] {
		if now.Before(until) {
			agents = append(agents, k)
		}
	}
	followed := n.teams.asked[guild]
	n.teams.mu.Unlock()
	for _, k := range agents {
		rec, ok := n.views.AgentByKey(k)
		if ok && rec.Key == k && !rec.Contested && n.isMember(guild, rec.ID) {
			return true
		}
	}
	// Who was told to follow a team it does not know yet asks for it by name: of
	// peers that have proved to be somebody, and only while it knows no member.
	_, known := n.views.Guild(guild)
	return followed && !known && len(agents) > 0
}

// meet remembers whom a peer has proved to speak for.
func (n *Node) meet(p peer.ID, proof []byte) {
	node, err := keyOf(p)
	if err != nil {
		return
	}
	s, err := v1.VerifySync(proof, v1.SyncCheck{
		Now: n.opt.Now().Unix(), Net: n.judge.Net().String(), Node: node, Responder: n.nodeDID, Revoked: n.RevokedToken, Memo: &n.teams.memo,
	})
	n.teams.mu.Lock()
	defer n.teams.mu.Unlock()
	if err != nil {
		n.opt.Log.Debug("proof of a peer refused", "peer", p.String(), "err", err)
		if len(n.teams.unmet) > maxMet {
			clear(n.teams.unmet)
		}
		n.teams.unmet[p] = true
		return
	}
	delete(n.teams.unmet, p)
	if len(n.teams.met) > maxMet {
		clear(n.teams.met)
	}
	if n.teams.met[p] == nil {
		n.teams.met[p] = map[did.Key]time.Time{}
	}
	if len(n.teams.met[p]) < maxFollowed || !n.teams.met[p][s.Agent].IsZero() {
		n.teams.met[p][s.Agent] = time.Unix(s.Expires, 0)
	}
}

// keyOf is the Ed25519 key behind a peer id.
func keyOf(p peer.ID) (did.Key, error) {
	pub, err := p.ExtractPublicKey()
	if err != nil {
		return did.Key{}, err
	}
	if pub.Type() != crypto.Ed25519 {
		return did.Key{}, errors.New("not an Ed25519 peer")
	}
	raw, err := pub.Raw()
	if err != nil {
		return did.Key{}, err
	}
	return did.KeyFromPublic(raw)
}
