package bounty

import (
	"context"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// Bounties are the bounties of a guild, oldest first, also those that their home
// has not confirmed, whose status is "".
func (n *Rewards) Bounties(_ context.Context, guild change.ID) []view.Bounty {
	var out []view.Bounty
	for _, b := range n.core.Views.Bounties(guild) {
		out = append(out, n.bounty(b))
	}
	return out
}

// Bounty is one bounty, or bounty_not_found.
func (n *Rewards) Bounty(_ context.Context, id change.ID) (view.Bounty, error) {
	b, ok := n.core.Views.Bounty(id)
	if !ok {
		return view.Bounty{}, errNoBounty
	}
	return n.bounty(b), nil
}

var errNoBounty = reason.Refuse(reason.BountyNotFound, "no such bounty")

func (n *Rewards) bounty(b fold.Bounty) view.Bounty {
	guild, _ := b.Space.Guild()
	out := view.Bounty{
		ID: b.ID, Guild: guild, Space: b.Space, Title: b.Title, Amount: b.Amount, Currency: b.Currency, Task: b.Task, Home: b.Home.String(),
		HomeHere: n.core.Local.Has(b.Home), Creator: n.directory.AgentRef(b.Agent), CreatedAt: core.TimeOf(b.HLC), Names: map[change.AgentID]view.AgentRef{}, State: b.State,
	}
	if b.Deadline != 0 {
		out.Deadline = core.TimeOf(uint64(b.Deadline) << 10)
	}
	name := func(id change.AgentID) {
		if _, known := out.Names[id]; !known && !id.IsZero() {
			out.Names[id] = n.directory.AgentRef(id)
		}
	}
	name(b.Claimant)
	for _, s := range b.Submissions {
		name(s.Agent)
	}
	for _, e := range b.Events {
		name(e.Agent)
	}
	for _, s := range b.Steps {
		if !s.Confirmed {
			out.Waiting = append(out.Waiting, s)
		}
	}
	if out.Standing = b.State; len(out.Waiting) > 0 {
		out.Standing = bounty.Standing(b.Opening(), b.Steps)
	}
	return out
}

// BountyText is the description of a bounty.
func (n *Rewards) BountyText(ctx context.Context, id change.ID) (string, error) {
	rec, err := n.core.Log.Get(ctx, id)
	if err != nil {
		return "", fmt.Errorf("read bounty: %w", err)
	}
	if rec.Change.Body == nil {
		return "", errNoBounty
	}
	b, err := body.ParseBountyOpen(rec.Change.Body)
	return b.Text, err
}

// BountyStep is what a step of a bounty says, such as the solution of a
// submission.
func (n *Rewards) BountyStep(ctx context.Context, id change.ID) (body.BountyAct, error) {
	rec, err := n.core.Log.Get(ctx, id)
	if err != nil {
		return body.BountyAct{}, fmt.Errorf("read step of a bounty: %w", err)
	}
	if rec.Change.Body == nil {
		return body.BountyAct{}, reason.Refuse(reason.SubmissionNotFound, "its text is not here")
	}
	return body.ParseBountyAct(rec.Change.Body, rec.Change.Head.Parents())
}

// OpenBounty writes the opening of a bounty, whose home is this node. It counts
// once ConfirmBounty was called. In a public guild the service agent is the home.
// In a private team it has no role, so there it is the key that opens.
func (n *Rewards) OpenBounty(ctx context.Context, agent change.AgentID, b view.NewBounty, mark string) (view.Bounty, error) {
	g, ok := n.core.Views.Guild(b.Guild)
	if !ok {
		return view.Bounty{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	by := agent
	if g.Space.Area() == change.AreaGuild {
		var err error
		if by, err = n.social.ServiceAgent(ctx); err != nil {
			return view.Bounty{}, err
		}
	}
	sp, err := n.core.Author(by)
	if err != nil {
		return view.Bounty{}, err
	}
	v := body.BountyOpen{Title: b.Title, Text: b.Text, Amount: b.Amount, Currency: b.Currency, Home: sp.Signer.Key(), Task: b.Task}
	if !b.Deadline.IsZero() {
		v.Deadline = b.Deadline.UnixMilli()
	}
	enc, err := v.Encode()
	if err != nil {
		return view.Bounty{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	if mark != "" {
		mark = agent.String() + "/" + mark
	}
	rec, err := n.writing.Write(ctx, agent, ingest.Write{Space: g.Space, Kind: change.KindBountyOpen, Body: enc, Mark: mark})
	if err != nil {
		return view.Bounty{}, err
	}
	return n.Bounty(ctx, rec.Change.ID)
}

// StepBounty writes a step of an agent, after it has looked whether the step is
// allowed now. Where the step needs the home, it counts when that has confirmed
// it.
func (n *Rewards) StepBounty(ctx context.Context, agent change.AgentID, a body.BountyAct, mark string) (change.ID, error) {
	n.core.Speech.RLock()
	defer n.core.Speech.RUnlock()
	sp, err := n.core.Author(agent)
	if err != nil {
		return change.ID{}, err
	}
	if mark != "" {
		mark = agent.String() + "/" + mark
		if raw, err := n.core.Log.Mark(ctx, mark); err == nil && len(raw) == len(change.ID{}) {
			return change.ID(raw), nil
		}
	}
	b, ok := n.core.Views.Bounty(a.Bounty)
	if !ok {
		return change.ID{}, errNoBounty
	}
	return n.stepBounty(ctx, agent, sp, b, a, mark)
}

func (n *Rewards) stepBounty(ctx context.Context, agent change.AgentID, sp core.Author, b fold.Bounty, a body.BountyAct, mark string) (change.ID, error) {
	step := bounty.Step{
		HLC: uint64(n.core.Opt.Now().UnixMilli()) << 10, Agent: agent, Home: n.core.Views.SameLine(sp.Signer.Key(), b.Home), Act: a.Act, Ref: a.Ref, Percent: a.Percent,
	}
	w := ingest.Write{Space: b.Space, Kind: change.KindBountyAct, Deps: []change.ID{b.ID}, Proof: []change.ID{sp.Record}, Mark: mark}
	switch r, err := n.core.RightIn(agent, b.Space); {
	case err == nil:
		w.Proof = append(w.Proof, r.ID)
		step.Rank = role.Rank(r.Role)
	case b.Space.Area() == change.AreaTeam:
		return change.ID{}, errNoBounty // who is no member does not learn of it
	}
	if err := b.Check(&step); err != nil {
		return change.ID{}, err
	}
	if b.Last != b.ID {
		w.Deps = append(w.Deps, b.Last)
	}
	var err error
	if w.Body, err = a.Encode(); err != nil {
		return change.ID{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	rec, err := n.writing.Sign(ctx, sp, w)
	if err != nil {
		return change.ID{}, err
	}
	return rec.Change.ID, nil
}

// ConfirmBounty confirms the opening of a bounty, or a step of it, as its home.
// It refuses a step that is not allowed where it stands, and one that would undo
// what was confirmed before. Confirming twice changes nothing.
func (n *Rewards) ConfirmBounty(ctx context.Context, id, step change.ID) error {
	n.core.Speech.RLock()
	defer n.core.Speech.RUnlock()
	b, ok := n.core.Views.Bounty(id)
	if !ok {
		return errNoBounty
	}
	sp, err := n.homeAuthor(b.Home)
	if err != nil {
		return err
	}
	if step == id && b.Status != "" {
		return nil
	}
	if step != id {
		at := slices.IndexFunc(b.Steps, func(s bounty.Step) bool { return s.ID == step })
		if at >= 0 && b.Steps[at].Confirmed {
			return nil
		}
		if err := bounty.Confirmable(b.Opening(), b.Steps, step); err != nil {
			return err
		}
	}
	enc, err := body.Endorse{As: body.Confirm, IDs: []change.ID{step}}.Encode()
	if err != nil {
		return fmt.Errorf("encode a confirmation: %w", err)
	}
	w := ingest.Write{Space: b.Space, Kind: change.KindEndorse, Body: enc, Proof: []change.ID{sp.Record}}
	if agent, ok := n.core.Views.AgentByKey(b.Home); ok {
		if r, err := n.core.RightIn(agent.ID, b.Space); err == nil {
			w.Proof = append(w.Proof, r.ID)
		}
	}
	_, err = n.writing.Sign(ctx, sp, w)
	return err
}

// homeAuthor is the author whose key a home is, or who has that key's place since
// its agent rotated.
func (n *Rewards) homeAuthor(home did.Key) (core.Author, error) {
	if rec, ok := n.core.Views.AgentByKey(home); ok {
		if sp, err := n.core.Author(rec.ID); err == nil && n.core.Views.SameLine(sp.Signer.Key(), home) {
			return sp, nil
		}
	}
	for _, g := range n.core.Views.GrantsTo(home) {
		owner, ok := g.Space.Agent()
		if !ok {
			continue
		}
		if sp, err := n.core.Author(owner); err == nil && sp.Signer.Key() == home {
			return sp, nil
		}
	}
	return core.Author{}, reason.Refuse(reason.Forbidden, "the home of the bounty is another node")
}

// StepBountyAsHome writes and confirms the step that time brings about, when it
// is due now by what the home has confirmed. With refund it gives the reward back where time would have paid it
// out, for the reason in refund.
func (n *Rewards) StepBountyAsHome(ctx context.Context, id change.ID, refund string) (stepped bool, err error) {
	b, ok := n.core.Views.Bounty(id)
	if !ok {
		return false, errNoBounty
	}
	b.State = bounty.Standing(b.Opening(), b.Steps)
	act, at := b.Due()
	if act == "" || n.core.Opt.Now().UnixMilli() < at {
		return false, nil
	}
	sp, err := n.homeAuthor(b.Home)
	if err != nil {
		return false, err
	}
	home, ok := n.ownerOfKey(b.Home)
	if !ok {
		return false, reason.Refuse(reason.Forbidden, "the home of the bounty speaks for nobody")
	}
	a := body.BountyAct{Bounty: id, Act: act}
	if refund != "" && act == body.BountyPayout {
		a.Act, a.Text = body.BountyRefund, refund
	}
	step, err := n.stepBounty(ctx, home, sp, b, a, "")
	if err != nil {
		return false, err
	}
	return true, n.ConfirmBounty(ctx, id, step)
}

// ownerOfKey is the agent that a key writes for.
func (n *Rewards) ownerOfKey(k did.Key) (change.AgentID, bool) {
	if rec, ok := n.core.Views.AgentByKey(k); ok {
		return rec.ID, true
	}
	for _, g := range n.core.Views.GrantsTo(k) {
		if owner, ok := g.Space.Agent(); ok {
			return owner, true
		}
	}
	return change.AgentID{}, false
}

// SameHands reports whether two agents look like one party.
func (n *Rewards) SameHands(_ context.Context, a, b change.AgentID) bool {
	return n.core.Views.SameHands(a, b)
}

// Claims is how many bounties an agent works on, as far as this node knows, one
// bounty left out.
func (n *Rewards) Claims(_ context.Context, agent change.AgentID, but change.ID) int {
	return n.core.Views.Claims(agent, but)
}

// RoleIn is the role of an agent in a guild, "" for none.
func (n *Rewards) RoleIn(_ context.Context, agent change.AgentID, guild change.ID) string {
	r, err := n.core.RightIn(agent, change.TeamSpace(guild))
	if err != nil {
		return ""
	}
	return r.Role
}

// AllGuilds are all guilds that this node knows, the private ones too.
func (n *Rewards) AllGuilds(context.Context) []change.ID {
	var out []change.ID
	for _, g := range n.core.Views.Guilds() {
		out = append(out, g.ID)
	}
	return out
}

// WatchBounties calls moved for every bounty of which something came, until ctx
// ends. What comes faster than it returns may be left out: who must not miss
// anything looks at all bounties from time to time.
func (n *Rewards) WatchBounties(ctx context.Context, moved func(change.ID)) {
	sub := n.core.Bus.SubscribeLossy(events.BountyUpdated, 0)
	defer sub.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-sub.C():
			if !ok {
				return
			}
			if id, err := change.ParseID(change.PrefixBounty, e.Object); err == nil {
				moved(id)
			}
		}
	}
}

// BountyOpened is what OpenBounty wrote for an agent under a mark.
func (n *Rewards) BountyOpened(ctx context.Context, agent change.AgentID, mark string) (view.Bounty, bool) {
	if mark == "" {
		return view.Bounty{}, false
	}
	raw, err := n.core.Log.Mark(ctx, agent.String()+"/"+mark)
	if err != nil || len(raw) != len(change.ID{}) {
		return view.Bounty{}, false
	}
	b, err := n.Bounty(ctx, change.ID(raw))
	return b, err == nil
}

// AwaitStep returns nil when the home of a bounty has confirmed a step, a refusal
// when it has gone on without it, and the error of ctx when neither is known in
// time. A step that counts here without its home is not confirmed.
func (n *Rewards) AwaitStep(ctx context.Context, id, step change.ID) error {
	sub := n.core.Bus.SubscribeLossy(events.BountyUpdated, 0)
	defer sub.Close()
	for {
		b, ok := n.core.Views.Bounty(id)
		if !ok {
			return errNoBounty
		}
		switch at := slices.IndexFunc(b.Steps, func(s bounty.Step) bool { return s.ID == step }); {
		case at < 0:
			return errNoBounty
		case b.Steps[at].Confirmed:
			return nil
		default:
			if err := bounty.Confirmable(b.Opening(), b.Steps, step); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case _, open := <-sub.C():
			if !open {
				return reason.Refuse(reason.NotReady, "the node ends")
			}
		}
	}
}

// BountyCounts is how many bounties a guild has, and how many of them are open.
func (n *Rewards) BountyCounts(_ context.Context, guild change.ID) (all, open int) {
	for _, b := range n.core.Views.Bounties(guild) {
		if b.Status != "" {
			all++
		}
		if b.Status == bounty.Open {
			open++
		}
	}
	return all, open
}

// BountyCut reports whether an opening of a bounty is here and has no effect.
func (n *Rewards) BountyCut(_ context.Context, id change.ID) bool {
	of, known := n.core.Views.BountyOf(id)
	if !known || of != id {
		return false
	}
	_, stands := n.core.Views.Bounty(id)
	return !stands
}

// HomeSilenced reports whether the home of a bounty was this node and can confirm
// nothing any more: its agent acts by a key that lies elsewhere, whatever voice it
// lends this node since, or took back the voice that the home was, or lost its role
// in the team where the bounty lies.
func (n *Rewards) HomeSilenced(_ context.Context, id change.ID) bool {
	b, ok := n.core.Views.Bounty(id)
	if !ok || !n.core.Local.Has(b.Home) {
		return false
	}
	home, ok := n.core.Views.AgentByKey(b.Home)
	if !ok {
		// A voice that was lent for a term may be lent again; one taken back may not.
		lent := n.core.Views.GrantsTo(b.Home)
		return len(lent) > 0 && !slices.ContainsFunc(lent, func(g fold.Grant) bool { return g.Active })
	}
	if !n.core.Local.Has(home.Key) {
		return true
	}
	if b.Space.Area() != change.AreaTeam {
		return false
	}
	_, err := n.core.RightIn(home.ID, b.Space)
	return reason.Of(err) != ""
}
