package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/workshop"
	"github.com/meshd/meshd/lang/run"
)

// VMRunRequest begins a hosted run.
type VMRunRequest struct {
	call.Request
	Code     call.Opt[string] `field:"code"`
	Format   string           `field:"format"`
	Bytecode json.RawMessage  `field:"bytecode"`
	Kind     string           `field:"kind"`
	Hz       call.Opt[int]    `field:"hz"`
}

// pace is how many steps a second of a run has.
type pace struct{ low, high, usual int }

// What the two kinds of runs may have.
var (
	spatialPace   = pace{60, 90, 60}
	cognitivePace = pace{2, 10, 5}
)

// String is the range, and what is usual in it.
func (p pace) String() string { return fmt.Sprintf("%d to %d (%d)", p.low, p.high, p.usual) }

// VMRunForm reads a VMRunRequest.
var VMRunForm = call.Define[VMRunRequest](call.Form{
	{Name: "code", Max: scene.MaxCode, Judged: true, Help: "Source text whose behaviour runs. This or bytecode."},
	{Name: "format", Enum: []string{"auto", "holo", "hs", "hsplus"}, Default: "auto", Help: "Format of the source; auto: by its first word."},
	{Name: "bytecode", Kind: call.Object, Help: "A program/1 document, as compiled behaviour is kept in artefacts. This or code."},
	{Name: "kind", Enum: []string{"spatial", "cognitive"}, Default: "spatial", Help: "spatial moves things, cognitive thinks: it has longer turns and fewer of them."},
	{Name: "hz", Kind: call.Int, Judged: true, Help: fmt.Sprintf("Steps in a second: %s of a spatial run, %s of a cognitive one.", spatialPace, cognitivePace)},
})

// VMStepRequest lets the time of a run pass.
type VMStepRequest struct {
	call.Request
	Millis call.Opt[int]   `field:"ms"`
	Events json.RawMessage `field:"events"`
}

// VMStepForm reads a VMStepRequest.
var VMStepForm = call.Define[VMStepRequest](call.Form{
	{Name: "ms", Kind: call.Int, Min: 1, Max: maxStepMillis, Required: true, Help: "Simulated milliseconds."},
	{Name: "events", Kind: call.Objects, Items: maxStepEvents, Help: "What happens at the beginning, a list of {name, node?, payload?}. node is a name or path of names; without it the event reaches every node."},
})

// VMRunReply is a hosted run as it stands.
type VMRunReply struct {
	Success   bool        `json:"success"`
	ID        string      `json:"id"`
	Kind      string      `json:"kind" enum:"spatial,cognitive"`
	Hz        int         `json:"hz"`
	Status    string      `json:"status" enum:"waiting,ended,failed" doc:"waiting: for the next step, without which no time passes; ended: its log has no room for a further step; failed: it took more time than it may, and goes no further"`
	Time      float64     `json:"time" doc:"simulated seconds"`
	Steps     int         `json:"steps"`
	Busy      bool        `json:"busy" doc:"turns are left over for the next step"`
	State     []VMSetting `json:"state"`
	StateHash string      `json:"state_sha256,omitempty" doc:"of all keys, each a line of JSON [owner,key,value]: the output of a play; absent when there are more keys than are shown, or it is longer than 1 MiB"`
	Faults    int         `json:"faults"`
	Replay    VMReplay    `json:"replay"`
	ExpiresAt string      `json:"expires_at" doc:"unless it is asked for before"`
	Warnings  []string    `json:"warnings,omitempty"`
}

// VMSetting is one key of the state of a run.
type VMSetting struct {
	Owner string          `json:"owner"`
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// VMReplay is what decides a run, and what came of it. The same program with the
// same inputs gives the same trace, here and elsewhere.
type VMReplay struct {
	ProgramSHA256 string      `json:"program_sha256"`
	Seed          [4]uint32   `json:"seed"`
	Inputs        []VMInput   `json:"inputs"`
	Trace         []run.Entry `json:"trace" doc:"what happened, as far as there was room for it"`
	Dropped       int         `json:"dropped" doc:"entries that had no room"`
	TraceSHA256   string      `json:"trace_sha256" doc:"of the trace as JSON"`
}

// VMInput is one step request.
type VMInput struct {
	Millis int             `json:"ms"`
	Events json.RawMessage `json:"events,omitempty"`
}

// hostedRuns are the runs that are alive, in memory: a restart ends them, and
// their replay begins them anew.
type hostedRuns struct {
	benches *workshop.Workshop
	mu      sync.Mutex
	live    map[string]*hostedRun
}

func newHostedRuns(w *workshop.Workshop) *hostedRuns {
	return &hostedRuns{w, sync.Mutex{}, map[string]*hostedRun{}}
}

// hostedRun is one of them. Its owner's requests take turns.
type hostedRun struct {
	id, owner, kind string
	hz              int
	program         string // hash
	seed            [4]uint32
	expires         time.Time // guarded by hostedRuns.mu

	mu      sync.Mutex
	failed  bool         // a step was not brought to its end
	over    func() error // whether the time of the request under way is up
	machine *run.Machine
	find    func(name string) (string, bool)
	millis  int
	inputs  []VMInput
	input   int // bytes of them
}

// begin makes room for a run and keeps it.
func (h *hostedRuns) begin(r *hostedRun, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	own := 0
	for id, other := range h.live {
		switch {
		case !now.Before(other.expires):
			delete(h.live, id)
		case other.owner == r.owner:
			own++
		}
	}
	if own >= maxRunsOfOne {
		return reason.Refuse(reason.LimitReached, "you have %d live runs, which is the most; end one", own).With(map[string]any{"limit": maxRunsOfOne})
	}
	if len(h.live) >= maxRuns {
		return reason.Refuse(reason.Overloaded, "every place for a run is taken; try again").With(map[string]any{"retry_after": 60})
	}
	r.expires = now.Add(runLife)
	h.live[r.id] = r
	return nil
}

// find is a live run of an owner, whose end is put off; to others
// there is none.
func (h *hostedRuns) find(id, owner string, now time.Time) (*hostedRun, time.Time, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.live[id]
	if r == nil || r.owner != owner || !now.Before(r.expires) {
		return nil, time.Time{}, errNoRun
	}
	r.expires = now.Add(runLife)
	return r, r.expires, nil
}

func (h *hostedRuns) end(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.live, id)
}

var errNoRun = call.Hinted(reason.NotFound, "you have no such run", "runs end ten minutes after they were last asked for, and when the gateway starts again")

// runOwner is whose a run is.
func runOwner(c call.Caller) (string, error) {
	if err := c.RequireKey(); err != nil {
		return "", err
	}
	return fmt.Sprint(c.Kind, "/", c.AgentID), nil
}

// BeginRun starts a run of what a source does, or of a compiled program.
func (s *Service) BeginRun(ctx context.Context, c call.Caller, asked VMRunRequest) (*VMRunReply, error) {
	owner, err := runOwner(c)
	if err != nil {
		return nil, err
	}
	r := &hostedRun{owner: owner, kind: asked.Kind, hz: asked.Hz.Value}
	within := spatialPace
	if r.kind == "cognitive" {
		within = cognitivePace
	}
	if !asked.Hz.Set() {
		r.hz = within.usual
	}
	if r.hz < within.low || r.hz > within.high {
		return nil, reason.Refuse(reason.HzOutOfRange, "a %s run makes %d to %d steps a second", r.kind, within.low, within.high).With(map[string]any{"min": within.low, "max": within.high})
	}
	if r.id, err = s.ids.NewID("run_", s.now()); err != nil {
		return nil, err
	}
	if err := s.runs.begin(r, s.now()); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err = s.runs.work(ctx, r, func() error {
		compiled, err := programOf(asked, r.over)
		if err != nil {
			return err
		}
		encoded, err := compiled.Program.Encode()
		if err != nil {
			return err
		}
		r.program, r.seed = hashOf(encoded), compiled.Program.Seed
		r.find = compiled.Owner
		r.machine, err = run.New(compiled.Program, run.Options{Nodes: compiled.Nodes, Hosted: true, Long: r.kind == "cognitive", Hz: r.hz, Interrupted: r.interrupted})
		if err != nil {
			return scene.SourceFault(err)
		}
		r.machine.Start()
		return nil
	})
	if err != nil {
		s.runs.end(r.id)
		return nil, err
	}
	reply := r.reply(s.now().Add(runLife))
	reply.Warnings = asked.Warnings()
	return reply, nil
}

// work does a piece of work on a run whose lock the caller holds. A machine that
// was stopped by the clock goes no further, since what it did depends on it.
func (h *hostedRuns) work(ctx context.Context, r *hostedRun, f func() error) error {
	return h.benches.Do(ctx, runTime, reason.Timeout, func(step func() error) error {
		r.over = step
		defer func() { r.over = nil }()
		if err := f(); err != nil {
			return err
		}
		return step()
	})
}

func (r *hostedRun) interrupted() bool { return r.over == nil || r.over() != nil }

// programOf reads what a run is of.
func programOf(r VMRunRequest, step func() error) (*run.Compiled, error) {
	if r.Bytecode != nil && r.Code.Given {
		return nil, call.Invalid(call.Fault("bytecode", "stands in the place of code; give one of them"))
	}
	if r.Bytecode != nil {
		p, err := run.Read(r.Bytecode)
		if err != nil {
			return nil, scene.SourceFault(err)
		}
		return &run.Compiled{Program: p}, nil
	}
	src, err := scene.SourceOf(scene.SourceFields{Code: r.Code.Value, Format: r.Format})
	if err != nil {
		return nil, err
	}
	return scene.Behaviour(src, step)
}

// Run is a run of the caller as it stands.
func (s *Service) Run(_ context.Context, c call.Caller, id string) (*VMRunReply, error) {
	r, until, err := s.ownRun(c, id)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reply(until), nil
}

func (s *Service) ownRun(c call.Caller, id string) (*hostedRun, time.Time, error) {
	owner, err := runOwner(c)
	if err != nil {
		return nil, time.Time{}, err
	}
	return s.runs.find(id, owner, s.now())
}

// EndRun ends a run of the caller.
func (s *Service) EndRun(_ context.Context, c call.Caller, id string) error {
	if _, _, err := s.ownRun(c, id); err != nil {
		return err
	}
	s.runs.end(id)
	return nil
}

// StepRun lets simulated time pass in a run of the caller.
func (s *Service) StepRun(ctx context.Context, c call.Caller, id string, asked VMStepRequest) (*VMRunReply, error) {
	r, until, err := s.ownRun(c, id)
	if err != nil {
		return nil, err
	}
	if !asked.Millis.Given {
		return nil, scene.MissingField("ms")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.machine == nil || r.failed {
		return nil, reason.Refuse(reason.BadTransition, "the run has failed and goes no further")
	}
	in := VMInput{asked.Millis.Value, asked.Events}
	events, err := r.events(in.Events)
	if err != nil {
		return nil, err
	}
	if r.full() || r.input+len(in.Events) > maxRunInput {
		return nil, reason.Refuse(reason.LimitReached, "the run has been stepped as often as its log allows").With(map[string]any{"limit": maxRunInputs, "limit_bytes": maxRunInput})
	}
	err = s.runs.work(ctx, r, func() error {
		r.failed = true // until the step has come to its end
		r.inputs, r.input, r.millis = append(r.inputs, in), r.input+len(in.Events), r.millis+in.Millis
		for _, e := range events {
			r.machine.Inject(e)
		}
		for end := r.millis * r.hz / 1000; r.machine.Steps() < end && !r.machine.Stopped(); {
			r.machine.Step()
			if err := r.over(); err != nil { // between steps too, and nothing is half done
				return err
			}
		}
		r.failed = r.machine.Stopped()
		return nil
	})
	if err != nil {
		return nil, err
	}
	reply := r.reply(until)
	reply.Warnings = asked.Warnings()
	return reply, nil
}

// full reports a run whose log has no room for a further step.
func (r *hostedRun) full() bool { return len(r.inputs) >= maxRunInputs || r.input >= maxRunInput }

// events reads what happens at the beginning of a step.
func (r *hostedRun) events(raw json.RawMessage) ([]run.Event, error) {
	if raw == nil {
		return nil, nil
	}
	var given []struct {
		Name    string          `json:"name"`
		Node    string          `json:"node"`
		Payload json.RawMessage `json:"payload"`
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, call.Invalid(call.Fault("events", "must be a list of {name, node, payload}"))
	}
	var out []run.Event
	for i, g := range given {
		e := run.Event{Node: run.Everywhere, Name: g.Name}
		at := "events[" + strconv.Itoa(i) + "]."
		if g.Name == "" || len(g.Name) > maxEventName {
			return nil, call.Invalid(call.Fault(at+"name", "must have 1 to %d bytes", maxEventName))
		}
		if g.Node != "" {
			id, known := r.find(g.Node)
			if !known {
				return nil, call.Invalid(call.Fault(at+"node", "names no node of the run"))
			}
			e.Node = id
		}
		if len(g.Payload) > 0 {
			payload, err := run.ParseValue(string(g.Payload))
			if err != nil {
				return nil, call.Invalid(call.Fault(at+"payload", "is too large or too deep"))
			}
			e.Payload = payload
		}
		out = append(out, e)
	}
	return out, nil
}

// reply shows a run whose lock the caller holds.
func (r *hostedRun) reply(until time.Time) *VMRunReply {
	out := &VMRunReply{Success: true, ID: r.id, Kind: r.kind, Hz: r.hz, Status: "failed", State: []VMSetting{}, ExpiresAt: call.Stamp(until),
		Replay: VMReplay{ProgramSHA256: r.program, Seed: r.seed, Inputs: append([]VMInput{}, r.inputs...), Trace: []run.Entry{}}}
	m := r.machine
	if m == nil {
		return out
	}
	switch {
	case r.failed:
	case r.full():
		out.Status = "ended"
	default:
		out.Status = "waiting"
	}
	out.Time, out.Steps, out.Busy = m.Time(), m.Steps(), m.Busy()
	for _, x := range m.State() {
		if len(out.State) == maxStateShown {
			break
		}
		out.State = append(out.State, VMSetting{m.Label(x.Owner), x.Key, run.JSON(x.Value)})
	}
	if len(out.State) < maxStateShown {
		left := maxStateHashed
		if sum, err := m.StateHash(func(n int) error {
			if left -= n; left < 0 {
				return run.ErrLongValue
			}
			return nil
		}); err == nil {
			out.StateHash = hex.EncodeToString(sum[:])
		}
	}
	trace, dropped := m.Trace()
	out.Replay.Trace, out.Replay.Dropped = append(out.Replay.Trace, trace...), dropped
	for i := range trace {
		if trace[i].Kind == "fault" {
			out.Faults++
		}
	}
	if raw, err := json.Marshal(out.Replay.Trace); err == nil {
		sum := sha256.Sum256(raw)
		out.Replay.TraceSHA256 = hex.EncodeToString(sum[:])
	}
	return out
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
