package social

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/block"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ruling"
)

// BlocksFile lies in the home: it is the owner's word, and no part of the log.
const BlocksFile = "blocks"

// Blocks is whom this node wants nothing to do with, and whose labels it follows.
type Blocks struct{ n *Social }

// Blocks are those of this node.
func (n *Social) Blocks() Blocks { return Blocks{n} }

// Rules are the blocks, by kind and id.
func (b Blocks) Rules() []block.Rule { return b.n.BlockBook.Rules() }

// Follows are the did:key of the labelers that are followed, those of the settings
// aside.
func (b Blocks) Follows() []string { return b.n.BlockBook.Follows() }

// Labeler is the did:key by which other nodes follow the labels of this one, "" when
// it has no service agent yet.
func (b Blocks) Labeler() string {
	key, ok := b.n.core.Local.Named(core.ServiceKey)
	if !ok {
		return ""
	}
	return key.String()
}

// Add blocks an agent, a tree, a peer or a domain. With a label it is said in public
// as well: the service agent labels the agent's beginning, so that nodes which follow
// its labels do as their policy for the value says. Only agents can be labelled.
func (b Blocks) Add(ctx context.Context, r block.Rule) error {
	if err := b.check(r); err != nil {
		return err
	}
	r.At = b.n.core.Opt.Now().UTC()
	if r.Label != "" {
		if err := b.publish(ctx, r.ID, r.Label, r.Why); err != nil {
			return err
		}
	}
	if err := b.n.BlockBook.Put(r); err != nil {
		if errors.Is(err, block.ErrFull) {
			return reason.Refuse(reason.ValidationFailed, "%v", err)
		}
		return err
	}
	b.inForce(r.Kind, r.ID, true)
	return nil
}

func (b Blocks) check(r block.Rule) error {
	var err error
	switch r.Kind {
	case block.Agent, block.Tree:
		_, err = change.ParseAgentID(r.ID)
	case block.Peer:
		var id peer.ID
		if id, err = peer.Decode(r.ID); err == nil && id == b.n.core.SelfID {
			err = errors.New("it is this node")
		}
	case block.Domain:
		if r.ID == "" || len(r.ID) > 64 {
			err = errors.New("no domain")
		}
	default:
		err = fmt.Errorf("kinds are %s", strings.Join(block.Kinds(), ", "))
	}
	if err != nil {
		return reason.Refuse(reason.InvalidParam, "cannot block %s %q: %v", r.Kind, r.ID, err)
	}
	if r.Label != "" && (r.Kind != block.Agent || !body.Refuses(r.Label)) {
		return reason.Refuse(reason.InvalidParam, "only the block of an agent can be published, as spam, secret, fabricated or abuse")
	}
	if len(r.Why) > body.MaxLabelWhy {
		return reason.Refuse(reason.InvalidParam, "a reason has at most %d bytes", body.MaxLabelWhy)
	}
	return nil
}

// Remove ends a block, and takes back what was published of it.
func (b Blocks) Remove(ctx context.Context, kind, id string) error {
	was, ok, err := b.n.BlockBook.Drop(kind, id)
	if err != nil {
		return err
	}
	if !ok {
		return reason.Refuse(reason.NotFound, "%s %q is not blocked", kind, id)
	}
	b.inForce(kind, id, false)
	if was.Label == "" {
		return nil
	}
	return b.publish(ctx, id, body.LabelDismissed, "the block ended")
}

// Follow begins or ends to follow a labeler: its labels decide here, as those of
// moderation.labelers do.
func (b Blocks) Follow(labeler string, on bool) error {
	if _, err := did.ParseKey(labeler); err != nil {
		return reason.Refuse(reason.InvalidParam, "a labeler is named by its did:key")
	}
	err := b.n.BlockBook.Follow(labeler, on)
	b.n.directory.AgentCache.Gen.Add(1)
	return err
}

// publish labels the beginning of an agent as this node's service agent, which is
// born here when a node that has just begun has none yet.
func (b Blocks) publish(ctx context.Context, id, value, why string) error {
	agent, err := change.ParseAgentID(id)
	if err != nil {
		return reason.Refuse(reason.InvalidParam, "%v", err)
	}
	genesis := b.n.core.Views.Genesis(agent)
	if genesis.IsZero() {
		return reason.Refuse(reason.AgentNotFound, "nothing is known of %s here", id)
	}
	by, err := b.n.ServiceAgent(ctx)
	if err != nil {
		return fmt.Errorf("open the service agent: %w", err)
	}
	return b.n.labelAs(ctx, by, genesis, value, why)
}

// inForce lets connections know of a block of a peer, and lists of any other.
func (b Blocks) inForce(kind, id string, on bool) {
	b.n.directory.AgentCache.Gen.Add(1)
	peers := b.n.core.Connected()
	if kind != block.Peer || peers == nil {
		return
	}
	if p, err := peer.Decode(id); err == nil {
		peers.Deny(p, on)
	}
}

// DeniedPeers are the peers that this node never connects to.
func (n *Social) DeniedPeers() (out []peer.ID) {
	for _, r := range n.BlockBook.Rules() {
		if p, err := peer.Decode(r.ID); err == nil && r.Kind == block.Peer {
			out = append(out, p)
		}
	}
	return out
}

// shuns reports whether what an agent writes is not shown here: it is blocked, or one
// above it in its tree is, or somebody whose labels decide has labelled its beginning
// with what the policy hides.
func (n *Social) shuns(id change.AgentID) bool {
	if id.IsZero() {
		return false
	}
	if n.BlockBook.Has(block.Agent, id.String()) || n.inBlockedTree(id) {
		return true
	}
	labels := n.core.Views.AgentLabels(id)
	if len(labels) == 0 {
		return false
	}
	cfg := n.core.Config().Moderation
	for _, l := range ruling.Of(labels, n.voices(cfg)).Standing {
		if p := policyOf(cfg, l.Value); p == "hide" || p == "refuse" {
			return true
		}
	}
	return false
}

func (n *Social) inBlockedTree(id change.AgentID) bool {
	if !n.BlockBook.Any(block.Tree) {
		return false
	}
	for range core.MaxSponsorDepth {
		if n.BlockBook.Has(block.Tree, id.String()) {
			return true
		}
		a, ok := n.core.Views.Agent(id)
		if !ok || a.Sponsor == nil {
			return false
		}
		above, ok := n.core.Views.AgentByKey(*a.Sponsor)
		if !ok {
			return false
		}
		id = above.ID
	}
	return false
}

// Blocked reports whether a content change is of somebody or something that is
// blocked here, so that its body is not relayed. Its place in sets and its effect on
// rights cannot be blocked.
func (n *Social) Blocked(c *change.Change) bool {
	if change.LaneOf(c.Head.Kind) == change.Control || c.Head.Space.Area() == change.AreaTeam {
		return false
	}
	if d := c.Head.Space.Domain(); d != "" && n.BlockBook.Has(block.Domain, d) {
		return true
	}
	agent, key := n.core.WriterOf(c)
	return !n.core.Local.Has(key) && n.shuns(agent)
}

// Unblocked is c as it is relayed: without its body when it is blocked.
func (n *Social) Unblocked(c *change.Change) *change.Change {
	if c.Body != nil && n.Blocked(c) {
		return c.Stub()
	}
	return c
}

// Relayed are the changes of a run as they are relayed.
func (n *Social) Relayed(run []*change.Change) []*change.Change {
	run = slices.Clone(run)
	for i, c := range run {
		run[i] = n.Unblocked(c)
	}
	return run
}
