package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/events"
)

// announce reports what happened to a key, after it is durable.
func (s *Service) announce(kind events.Kind, k state.Key) {
	if id, err := change.ParseAgentID(k.AgentID); err == nil {
		s.mesh.AnnounceKey(kind, id, events.APIKey{ID: k.ID, Prefix: k.Prefix})
	}
}

// RecoverRequest brings the proof of a subject that lost its API key.
type RecoverRequest struct {
	call.Request
	RevokeAll call.Opt[bool] `field:"revoke_all"`
	ProofFields
}

// RecoverForm reads a RecoverRequest.
var RecoverForm = call.Define[RecoverRequest](append(call.Form{
	{Name: "revoke_all", Kind: call.Bool, Default: true, Help: "End every other API key of the agent at once. Send false only to keep keys that are surely in good hands."},
}, proofForm...))

// RecoverReply is a new API key.
type RecoverReply struct {
	Success     bool                 `json:"success"`
	Recovered   bool                 `json:"recovered"`
	Agent       RecoveredAgent       `json:"agent"`
	RevokedKeys int                  `json:"revoked_keys"`
	Ended       capability.EndedWith `json:"ended"`
	Warnings    []string             `json:"warnings,omitempty"`
}

// RecoveredAgent is the agent a recovery gave a key to.
type RecoveredAgent struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	APIKey string `json:"api_key" doc:"shown once"`
}

// RecoveryChallenge makes what a subject signs to get a new API key. A subject
// without an agent here gets the same, with a key that belongs to nobody, so
// that the answer does not show who is registered.
func (s *Service) RecoveryChallenge(ctx context.Context, r ChallengeRequest) (*ChallengeReply, error) {
	sub, err := s.readSubject(r.SubjectFields)
	if err != nil {
		return nil, err
	}
	key, err := s.keyFor(ctx, sub)
	if err != nil {
		return nil, err
	}
	reply, err := s.offer(ctx, wallet.Recovery, sub, key, "")
	if err != nil {
		return nil, err
	}
	reply.Instructions.Next = call.RecoverPath + " with the same wallet_address or did, nonce and signature"
	return reply, nil
}

// keyFor is the acting key of the subject's agent, or its decoy. The decoy is
// made either way, so that both take as long.
func (s *Service) keyFor(ctx context.Context, sub subject) (did.Key, error) {
	decoy := keys.FromSeed(s.state.Decoy(sub.String())).Key()
	hosted, known, err := s.agentOf(ctx, sub)
	if err != nil || !known {
		return decoy, err
	}
	id, err := change.ParseAgentID(hosted.ID)
	if err != nil {
		return decoy, fmt.Errorf("read the id of an agent: %w", err)
	}
	a, err := s.mesh.Agent(ctx, id)
	switch {
	case reason.Of(err) == reason.AgentNotFound: // its log is gone; recovery of the key still works
		return decoy, nil
	case err != nil:
		return decoy, fmt.Errorf("find agent: %w", err)
	}
	return a.DID, nil
}

// Recover gives a subject that proved itself a new API key and ends the old
// ones. A bad signature and an unknown subject are the same refusal, and both
// pass every step before it.
func (s *Service) Recover(ctx context.Context, r RecoverRequest) (*RecoverReply, error) {
	sub, err := s.readSubject(r.SubjectFields)
	if err != nil {
		return nil, err
	}
	hosted, known, err := s.agentOf(ctx, sub)
	if err != nil {
		return nil, err
	}
	known = known && !hosted.Visitor() // who lives elsewhere logs in
	taken, err := s.take(ctx, sub, state.Recovery, r.ProofFields)
	if err != nil {
		return nil, err
	}
	_, err = s.prove(taken, wallet.Recovery, sub, r.Signature)
	if err == nil && !known {
		err = errors.New("no agent of this subject")
	}
	if err != nil {
		return nil, call.Hinted(reason.SignatureInvalid, "the signature is not one of a subject with an agent here over what the challenge gave out",
			"the nonce is used up; ask for a new challenge and sign exactly what it gives")
	}
	keep := r.RevokeAll.Set() && !r.RevokeAll.Value // only a plain false
	k, secret, revoked, err := s.state.RecoverKey(ctx, state.Reissue{AgentID: hosted.ID, KeepOthers: keep}, s.access.Now())
	if err != nil {
		return nil, fmt.Errorf("recover key: %w", err)
	}
	s.announce(events.KeyRecovered, k)
	ended := capability.EndedWith{Keys: []string{}, Capabilities: []string{}, Invitations: []string{}, Open: []string{}}
	if !keep {
		ended = s.capability.EndAll(ctx, hosted.ID, revoked)
	}
	return &RecoverReply{Success: true, Recovered: true, RevokedKeys: len(revoked), Ended: ended, Warnings: r.Warnings(),
		Agent: RecoveredAgent{ID: hosted.ID, Name: hosted.Name, APIKey: secret.Reveal()}}, nil
}
