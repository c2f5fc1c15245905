package runtime

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/lang/run"
)

// TreeRunRequest runs a behaviour tree.
type TreeRunRequest struct {
	call.Request
	Tree       call.Opt[any]   `field:"tree"` // a source, or the tree as JSON
	Format     string          `field:"format"`
	Blackboard json.RawMessage `field:"blackboard"`
	Ticks      int             `field:"ticks"`
}

// TreeRunForm reads a TreeRunRequest.
var TreeRunForm = call.Define[TreeRunRequest](call.Form{
	{Name: "tree", Kind: call.TextOrMap, Max: scene.MaxCode, Judged: true, Required: true,
		Help: "A source with one behaviour tree, or the tree itself as {type, children?, check?, do?, duration?, times?, policy?}: check is an expression about the blackboard, as state.hunger > 3; do is what an action does, as state.hunger -= 1, and returns \"running\", false for failure, or anything else for success."},
	{Name: "format", Enum: []string{"auto", "holo", "hs", "hsplus"}, Default: "auto", Help: "Format of the source; auto: by its first word."},
	{Name: "blackboard", Kind: call.Object, Help: "First values of the state that the tree works on. Of a source only keys that the object of the tree has."},
	{Name: "ticks", Kind: call.Int, Min: 1, Max: maxTreeTicks, Default: 1, Help: "Ticks at most; the run ends before when the tree has succeeded or failed."},
})

// TreeRunReply is what a behaviour tree came to.
type TreeRunReply struct {
	Success    bool                       `json:"success"`
	Status     string                     `json:"status" enum:"success,failure,running"`
	Ticks      int                        `json:"ticks" doc:"that were made"`
	Time       float64                    `json:"time" doc:"simulated seconds"`
	Blackboard map[string]json.RawMessage `json:"blackboard"`
	Trace      []TreeVisit                `json:"trace" doc:"nodes in the order in which ticks came to their results"`
	Dropped    int                        `json:"dropped" doc:"visits that had no room in the trace"`
	Effects    []run.Entry                `json:"effects" doc:"what the leaves did: state set, logs, faults"`
	Warnings   []string                   `json:"warnings,omitempty"`
}

// TreeVisit is one node of the tree in one tick.
type TreeVisit struct {
	Tick   int    `json:"tick" doc:"from 1"`
	Node   string `json:"node" doc:"places among siblings from the root down, as in 0.2; the root is empty"`
	Type   string `json:"type"`
	Result string `json:"result" enum:"success,failure,running"`
}

// RunTree ticks a behaviour tree until it succeeds, fails or has used up its ticks,
// within the limits of a hosted run. Nothing of it is kept.
func (s *Service) RunTree(ctx context.Context, c call.Caller, r TreeRunRequest) (*TreeRunReply, error) {
	if _, err := runOwner(c); err != nil {
		return nil, err
	}
	if !r.Tree.Set() {
		return nil, scene.MissingField("tree")
	}
	board, err := readBlackboard(r.Blackboard)
	if err != nil {
		return nil, err
	}
	reply := &TreeRunReply{Success: true, Blackboard: map[string]json.RawMessage{}, Trace: []TreeVisit{}, Effects: []run.Entry{}, Warnings: r.Warnings()}
	hosted := &hostedRun{}
	err = s.runs.work(ctx, hosted, func() error { return hosted.tickTree(r, board, reply) })
	if err != nil {
		return nil, err
	}
	return reply, nil
}

// tickTree compiles the one tree of a request and ticks it.
func (r *hostedRun) tickTree(asked TreeRunRequest, board map[string]run.Value, reply *TreeRunReply) error {
	compiled, err := treeOf(asked, board, r.over)
	if err != nil {
		return err
	}
	if n := len(compiled.Program.Trees); n != 1 {
		return reason.Refuse(reason.SourceInvalid, "the source has %d behaviour trees, where one is run", n).With(map[string]any{"trees": n})
	}
	compiled.Program.Trees[0].Restart = false
	owner := compiled.Program.Trees[0].Node
	if err := boardFits(compiled.Program, owner, board); err != nil {
		return err
	}
	var m *run.Machine
	ticks := 0
	m, err = run.New(compiled.Program, run.Options{Nodes: compiled.Nodes, Hosted: true, Hz: treeHz, Interrupted: r.interrupted,
		First: func(of, key string) (run.Value, bool) {
			x, given := board[key]
			return x, given && of == owner
		},
		Visited: func(x run.Visit) {
			if len(reply.Trace) == maxTreeTrace {
				reply.Dropped++
				return
			}
			_, n := m.Tree(0)
			reply.Trace = append(reply.Trace, TreeVisit{n, x.Path, x.Type, x.Result})
		}})
	if err != nil {
		return scene.SourceFault(err)
	}
	m.Start()
	for {
		if reply.Status, ticks = m.Tree(0); ticks == asked.Ticks || ticks > 0 && reply.Status != "running" || m.Stopped() {
			break
		}
		m.Step()
		if err := r.over(); err != nil {
			return err
		}
	}
	reply.Ticks, reply.Time = ticks, m.Time()
	for _, x := range m.State() {
		if x.Owner == owner && len(reply.Blackboard) < maxStateShown {
			reply.Blackboard[x.Key] = run.JSON(x.Value)
		}
	}
	effects, lost := m.Trace()
	kept := effects[:min(len(effects), maxTreeTrace)]
	reply.Effects, reply.Dropped = append(reply.Effects, kept...), reply.Dropped+lost+len(effects)-len(kept)
	return nil
}

// treeOf compiles what a request calls its tree.
func treeOf(r TreeRunRequest, board map[string]run.Value, step func() error) (*run.Compiled, error) {
	source := scene.SourceFields{Format: r.Format}
	switch tree := r.Tree.Value.(type) {
	case json.RawMessage:
		code, err := treeSource(tree, board)
		if err != nil {
			return nil, err
		}
		source = scene.SourceFields{Code: code, Format: "hs"}
	case string:
		source.Code = tree
	}
	src, err := scene.SourceOf(source)
	if err != nil {
		return nil, err
	}
	return scene.Behaviour(src, step)
}

// readBlackboard reads the first values of a tree's state.
func readBlackboard(raw json.RawMessage) (map[string]run.Value, error) {
	if raw == nil {
		return nil, nil
	}
	if len(raw) > maxBlackboard {
		return nil, call.Invalid(call.Fault("blackboard", "must have at most %d bytes", maxBlackboard))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, call.Invalid(call.Fault("blackboard", "must be an object"))
	}
	out := make(map[string]run.Value, len(fields))
	for key, x := range fields {
		if !isKey(key) {
			return nil, call.Invalid(call.Fault("blackboard", "the key %s is no name of the language", strconv.Quote(call.Clip(key, 64))))
		}
		value, err := run.ParseValue(string(x))
		if err != nil {
			return nil, call.Invalid(call.Fault("blackboard."+key, "is too large or too deep"))
		}
		out[key] = value
	}
	return out, nil
}

// boardFits refuses values for state that the object of the tree does not have.
func boardFits(p *run.Program, owner string, board map[string]run.Value) error {
	known := map[string]bool{}
	for _, s := range p.State {
		if s.Owner == owner {
			known[s.Key] = true
		}
	}
	for key := range board {
		if !known[key] {
			return call.Invalid(call.Fault("blackboard."+key, "is no state of the object that has the tree"))
		}
	}
	return nil
}
