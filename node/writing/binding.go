package writing

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// BindController adds the proof of a controller to an agent hosted here, by a
// later binding. The refusal is that of the rules: binding_invalid when the proof
// does not authorise the key that acts for the agent, or is by no controller.
func (n *Writer) BindController(ctx context.Context, id change.AgentID, p binding.Proof) (view.Agent, error) {
	enc, err := body.Bind{Proof: &p}.Encode()
	if err != nil {
		return view.Agent{}, reason.Refuse(reason.BindingInvalid, "%v", err)
	}
	if _, err := n.Write(ctx, id, ingest.Write{Space: id.Space(), Kind: change.KindBind, Body: enc}); err != nil {
		return view.Agent{}, err
	}
	return n.directory.Agent(ctx, id)
}
