package peering

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/p2p/join"
)

// JoinHandler takes an agent into a guild whose home is this node, by an invitation's
// code where one is needed, and returns its role. An agent that is in already
// stays what it is.
type JoinHandler = func(ctx context.Context, agent change.AgentID, guild change.ID, code string) (role string, err error)

// OnJoin sets who decides about agents of other nodes that want to be taken in.
// Before it is called nobody is.
func (n *Peering) OnJoin(handler JoinHandler) { n.joinHandler.Store(&handler) }

// JoinElsewhere has an agent hosted here be taken into a guild that another node
// keeps: it asks the connected peers, and returns the role once the grant is here.
// The code of an invitation is shown to nobody but the node that it names.
// Refusals are those of the guild's home; team_not_found when no peer is that.
func (n *Peering) JoinElsewhere(ctx context.Context, agent change.AgentID, guild change.ID, code string) (string, error) {
	n.core.Speech.RLock()
	sp, err := n.core.Author(agent)
	n.core.Speech.RUnlock()
	switch {
	case err != nil:
		return "", err
	case sp.Device != nil:
		return "", reason.Refuse(reason.Forbidden, "only the agent's own node asks for a place in a guild")
	}
	net := n.Net.Load()
	if net == nil {
		return "", reason.Refuse(reason.TeamNotFound, "this node is not connected to others")
	}
	mark := ""
	if code != "" {
		var marked bool
		if _, mark, marked = strings.Cut(code, "."); !marked {
			return "", reason.Refuse(reason.InviteInvalid, "the code does not say which node it is for")
		}
	}
	ctx, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	a, err := net.join.Ask(ctx, sp.Signer, join.Request{Guild: guild, Agent: agent, Code: code}, func(p peer.ID) bool {
		return mark == "" || mark == homeMark(p)
	}, func(ctx context.Context, a join.Answer) bool {
		return n.fetchGrant(ctx, net, guild, agent, a)
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return "", reason.Refuse(reason.Timeout, "the home of the guild did not answer in time")
	}
	return a.Role, err
}

// HomeMark is how the code of an invitation names this node, so that it is shown to
// no other: sixteen characters made of its peer id, 80 bits.
func (n *Peering) HomeMark() string { return homeMark(n.core.SelfID) }

func homeMark(p peer.ID) string {
	sum := sha256.Sum256([]byte("mesh-home-v1\x00" + string(p)))
	return change.Base32(sum[:10])
}

// fetchGrant reconciles with the home of a guild until an agent's place in it is
// here. What a private guild keeps is asked for as well: nobody but its members
// learns of it.
func (n *Peering) fetchGrant(ctx context.Context, net *Network, guild change.ID, agent change.AgentID, a join.Answer) bool {
	if g, known := n.core.Views.Guild(guild); !known || g.Space.Area() == change.AreaTeam {
		if err := n.team.FollowTeam(ctx, guild); err != nil {
			n.core.Opt.Log.Warn("team not followed", "team", guild.Text(change.PrefixGuild), "err", err)
			return false
		}
	}
	for pause := joinPause; ; pause *= 2 {
		if n.core.IsMember(guild, agent) {
			return true
		}
		if _, err := net.Sync.SyncNow(ctx, a.Home); err != nil {
			return false
		}
		if n.core.IsMember(guild, agent) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}

// Admission answers other nodes' requests to join.
type Admission struct{ Net *Network }

var _ join.Admitter = Admission{}

// Admit asks whether the request is the agent's, and then who decides here.
func (d Admission) Admit(ctx context.Context, r join.Request) (change.ID, string, error) {
	n := d.Net.n
	decide := n.joinHandler.Load()
	if decide == nil || !n.team.IsTeamHome(ctx, r.Guild) {
		return change.ID{}, "", reason.Refuse(reason.TeamNotFound, "this node is not the home of that guild")
	}
	a, ok := n.core.Views.Agent(r.Agent)
	switch {
	case !ok:
		return change.ID{}, "", reason.Refuse(reason.AgentNotFound, "this node has not heard of the agent yet")
	case a.Key != r.Key || a.Contested:
		return change.ID{}, "", reason.Refuse(reason.SignatureInvalid, "the key that signs does not speak for the agent")
	}
	role, err := (*decide)(ctx, r.Agent, r.Guild, r.Code)
	if err != nil {
		return change.ID{}, "", err
	}
	held := n.team.RolesOf(r.Guild, r.Agent)
	if len(held) == 0 { // the founder
		g, _ := n.core.Views.Guild(r.Guild)
		return g.Opened, role, nil
	}
	return held[0].ID, role, nil
}
