package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
	"github.com/meshd/meshd/node/core"
)

// teamsFile names the teams that this node was asked to follow.
const teamsFile = "teams.json"

func newTeams() *core.Followed {
	return &core.Followed{
		Asked: map[change.ID]bool{}, Met: map[peer.ID]map[did.Key]time.Time{}, Unmet: map[peer.ID]bool{}, Turns: map[peer.ID]int{},
		Lent: map[change.AgentID]*v1.Delegation{}, LentEnd: map[change.AgentID]time.Time{}, Shown: map[core.Showing]core.ShownProof{},
	}
}

// LoadTeams reads which teams this node follows.
func (n *Teams) LoadTeams() error {
	n.core.Followed = newTeams()
	raw, err := os.ReadFile(n.core.Opt.Home.Path(teamsFile))
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
		n.core.Followed.Asked[id] = true
	}
	return nil
}

// FollowTeam has this node ask members for the content of a private team that one
// of its agents was taken into: where the roles are kept in the team itself,
// nobody outside can know of them.
func (n *Teams) FollowTeam(_ context.Context, id change.ID) error {
	if err := n.askForTeam(id); err != nil {
		return err
	}
	if p := n.core.Connected(); p != nil { // any of them may speak for a member
		p.ReconcileSoon()
	}
	return nil
}

// askForTeam notes that a team is followed, for later starts too.
func (n *Teams) askForTeam(id change.ID) error {
	n.core.Followed.Mu.Lock()
	defer n.core.Followed.Mu.Unlock()
	if n.core.Followed.Asked[id] {
		return nil
	}
	if len(n.core.Followed.Asked) >= maxFollowed {
		return reason.Refuse(reason.LimitReached, "this node follows %d teams already", maxFollowed)
	}
	n.core.Followed.Asked[id] = true
	texts := make([]string, 0, len(n.core.Followed.Asked))
	for t := range n.core.Followed.Asked {
		texts = append(texts, t.Text(change.PrefixGuild))
	}
	slices.Sort(texts)
	raw, err := json.Marshal(texts)
	if err != nil {
		return fmt.Errorf("write followed teams: %w", err)
	}
	path := n.core.Opt.Home.Path(teamsFile)
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return fmt.Errorf("write followed teams: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write followed teams: %w", err)
	}
	return nil
}

// TeamAgents are the agents whose acting key lies here and who are in a guild, or
// all when a team is followed whose members are not known yet.
func (n *Teams) TeamAgents() []fold.Agent {
	n.core.Followed.Mu.Lock()
	waiting := len(n.core.Followed.Asked) > 0
	n.core.Followed.Mu.Unlock()
	guilds := n.core.Views.Guilds()
	if !waiting && len(guilds) == 0 {
		return nil
	}
	var out []fold.Agent
	for _, a := range n.core.Spoken() {
		in := waiting || slices.ContainsFunc(guilds, func(g fold.Guild) bool { return n.core.IsMember(g.ID, a.ID) })
		if in && n.core.Local.Has(a.Key) {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b fold.Agent) int { return change.ID(a.ID).Compare(change.ID(b.ID)) })
	return out
}

// ProofOf is a proof for a responder that this node speaks for an agent. It is made once for
// a quarter of its term.
func (n *Teams) ProofOf(a fold.Agent, responder did.Key) ([]byte, error) {
	now, to := n.core.Opt.Now(), core.Showing{Agent: a.ID, Responder: responder}
	d, err := n.lend(a, now)
	if err != nil {
		return nil, err
	}
	n.core.Followed.Mu.Lock()
	last := n.core.Followed.Shown[to]
	n.core.Followed.Mu.Unlock()
	if last.Usable(d, now) {
		return last.Proof, nil
	}
	seed, err := n.core.NodeSeed()
	if err != nil {
		return nil, err
	}
	proof, err := v1.NodeInvocation(keys.FromSeed(seed), v1.SyncProof{
		Agent: a.Key, Chain: []*v1.Delegation{d}, Net: n.core.Judge.Net().String(), Responder: responder, Now: now.Unix(), Expires: now.Add(core.ProofTerm).Unix(),
	}, n.core.Opt.Rand)
	if err != nil {
		return nil, err
	}
	n.core.Followed.Mu.Lock()
	defer n.core.Followed.Mu.Unlock()
	if len(n.core.Followed.Shown) >= core.MaxMet {
		clear(n.core.Followed.Shown)
	}
	n.core.Followed.Shown[to] = core.ShownProof{Proof: proof, Of: d, At: now}
	return proof, nil
}

// lend is a's delegation of its voice to the node's key, made anew when the last one
// is about to end or a's key is another.
func (n *Teams) lend(a fold.Agent, now time.Time) (*v1.Delegation, error) {
	n.core.Followed.Mu.Lock()
	d, end := n.core.Followed.Lent[a.ID], n.core.Followed.LentEnd[a.ID]
	n.core.Followed.Mu.Unlock()
	if d != nil && d.Issuer == a.Key && !now.Add(core.ProofTerm).After(end) {
		return d, nil
	}
	signer, ok, err := n.core.Local.Signer(a.Key)
	if err != nil || !ok {
		return nil, errors.Join(err, errors.New("the acting key lies elsewhere"))
	}
	end = now.Add(lentTerm)
	until := end.Unix()
	if d, err = v1.Delegate(signer, v1.Grant{Audience: n.core.NodeDID, Command: v1.SyncCommand, Expires: &until}, n.core.Opt.Rand); err != nil {
		return nil, fmt.Errorf("lend a voice to the node: %w", err)
	}
	n.core.Followed.Mu.Lock()
	defer n.core.Followed.Mu.Unlock()
	n.core.Followed.Lent[a.ID], n.core.Followed.LentEnd[a.ID] = d, end
	return d, nil
}

// Meet remembers whom a peer has proved to speak for; a proof that is not valid is
// remembered as such.
func (n *Teams) Meet(p peer.ID, proof []byte) {
	node, err := KeyOf(p)
	if err != nil {
		return
	}
	s, err := v1.VerifySync(proof, v1.SyncCheck{
		Now: n.core.Opt.Now().Unix(), Net: n.core.Judge.Net().String(), Node: node, Responder: n.core.NodeDID, Revoked: n.right.RevokedToken, Memo: &n.core.Followed.Memo,
	})
	n.core.Followed.Mu.Lock()
	defer n.core.Followed.Mu.Unlock()
	if err != nil {
		n.core.Opt.Log.Debug("proof of a peer refused", "peer", p.String(), "err", err)
		if len(n.core.Followed.Unmet) > core.MaxMet {
			clear(n.core.Followed.Unmet)
		}
		n.core.Followed.Unmet[p] = true
		return
	}
	delete(n.core.Followed.Unmet, p)
	if len(n.core.Followed.Met) > core.MaxMet {
		clear(n.core.Followed.Met)
	}
	if n.core.Followed.Met[p] == nil {
		n.core.Followed.Met[p] = map[did.Key]time.Time{}
	}
	if len(n.core.Followed.Met[p]) < maxFollowed || !n.core.Followed.Met[p][s.Agent].IsZero() {
		n.core.Followed.Met[p][s.Agent] = time.Unix(s.Expires, 0)
	}
}

// KeyOf is the Ed25519 key behind a peer id.
func KeyOf(p peer.ID) (did.Key, error) {
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
