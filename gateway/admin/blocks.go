package admin

import (
	"context"
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/block"
	"github.com/meshd/meshd/node/social"
)

// Blocks is what the handlers need to keep the lists of who is blocked; node.Blocks
// is one.
type Blocks interface {
	Rules() []block.Rule
	Follows() []string
	Labeler() string
	Add(ctx context.Context, r block.Rule) error
	Remove(ctx context.Context, kind, id string) error
	Follow(labeler string, on bool) error
}

var _ Blocks = social.Blocks{}

// BlocksReply is the answer of GET /control/blocks.
type BlocksReply struct {
	Blocks  []block.Rule `json:"blocks"`
	Follows []string     `json:"follows"`           // did:key of labelers, those of the settings aside
	Labeler string       `json:"labeler,omitempty"` // by which others follow the labels of this node
}

// BlockOrder is the body of POST /control/blocks. An agent is an id or a DID.
type BlockOrder struct {
	Do    string `json:"do"`   // add, remove, follow or unfollow
	Kind  string `json:"kind"` // of add and remove: one of block.Kinds
	ID    string `json:"id"`
	Why   string `json:"why,omitempty"`
	Label string `json:"label,omitempty"` // of add: publish it as this
}

func (h *handlers) blocks(w http.ResponseWriter, _ *http.Request) {
	h.reply(w, BlocksReply{Blocks: append([]block.Rule{}, h.Blocks.Rules()...), Follows: append([]string{}, h.Blocks.Follows()...), Labeler: h.Blocks.Labeler()})
}

func (h *handlers) block(r *http.Request, in BlockOrder) (BlockOrder, error) {
	err := h.doBlock(r.Context(), &in)
	return in, err
}

func (h *handlers) doBlock(ctx context.Context, in *BlockOrder) error {
	if in.Kind == block.Agent || in.Kind == block.Tree {
		if a, err := h.Node.FindAgent(ctx, in.ID); err == nil { // else it may be one that nothing is known of yet
			in.ID = a.ID.String()
		}
	}
	switch in.Do {
	case "add":
		return h.Blocks.Add(ctx, block.Rule{Kind: in.Kind, ID: in.ID, Why: in.Why, Label: in.Label})
	case "remove":
		return h.Blocks.Remove(ctx, in.Kind, in.ID)
	case "follow", "unfollow":
		return h.Blocks.Follow(in.ID, in.Do == "follow")
	}
	return reason.Refuse(reason.InvalidParam, "do is add, remove, follow or unfollow")
}
