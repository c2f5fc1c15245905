package escrow

import (
	"context"
	"errors"

	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// freeStranded closes the escrows here whose bounties nobody can end any more: the
// opening was cut, or the key that is their home has no place in the team or was
// moved away. Each is in the audit log. A bounty that has effect again later finds
// its reward gone, and goes no further. homes must not be held.
func (s *Service) freeStranded(ctx context.Context) error {
	held, err := s.state.OpenEscrows(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, text := range held {
		if id, err := change.ParseID(change.PrefixBounty, text); err == nil {
			errs = append(errs, s.freeOne(ctx, id))
		}
	}
	return errors.Join(errs...)
}

func (s *Service) freeOne(ctx context.Context, id change.ID) error {
	s.homes.Lock()
	defer s.homes.Unlock()
	why, share, claimant := "", 0, ""
	b, err := s.mesh.Bounty(ctx, id)
	switch {
	case reason.Of(err) == reason.BountyNotFound:
		if !s.mesh.BountyCut(ctx, id) {
			return nil // not received: the log may lack what the ledger has
		}
		why = "the opening has no effect"
	case err != nil:
		return err
	case !s.mesh.HomeSilenced(ctx, id):
		return nil
	default:
		var at int64
		if share, at = b.Stranded(); s.access.Now().UnixMilli() < at {
			return nil
		}
		why = "the home can confirm nothing"
	}
	if share > 0 && b.Status != bounty.Paid && s.sharesHands(ctx, &b) {
		share = 0 // as the home would have done; what was decided stands
	}
	if share > 0 {
		claimant = b.Claimant.String()
	}
	text := id.Text(change.PrefixBounty)
	if e, err := s.state.EscrowOf(ctx, text); err != nil || e.State != state.EscrowReserved {
		return err
	}
	if _, err := s.state.AppendAudit(ctx, state.AuditEntry{At: s.access.Now(), Actor: "gateway", Action: "escrow.freed", Object: text,
		Detail: map[string]any{"reason": why, "share": share}}); err != nil {
		return err
	}
	_, err = s.state.CloseEscrow(ctx, text, claimant, share, s.access.Now())
	return err
}

// oneParty is what a step between two sides that are one is refused with, and why a
// reward went back.
const oneParty = "who pays and who earns share a wallet or a sponsor"

// sharesHands reports whether who pays and who earns look like one party by now:
// a wallet may be proven after the claim.
func (s *Service) sharesHands(ctx context.Context, b *view.Bounty) bool {
	return !b.Claimant.IsZero() && s.mesh.SameHands(ctx, b.Claimant, b.State.Creator)
}

// HoldsReward reports whether a reward of a guild's bounties is still on hold: here,
// or as far as this node knows elsewhere.
func (s *Service) HoldsReward(ctx context.Context, guild change.ID) (bool, error) {
	for _, b := range s.mesh.Bounties(ctx, guild) {
		if b.Status == "" || b.Status.Terminal() {
			continue
		}
		if !b.HomeHere {
			return true, nil
		}
		e, err := s.state.EscrowOf(ctx, b.ID.Text(change.PrefixBounty))
		if err != nil || e.State == state.EscrowReserved {
			return true, err
		}
	}
	return false, nil
}
