package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/view"
)

// An agent that this gateway acts for gets a new acting key here, such as one with an
// ML-DSA-65 half, by the consent of its wallet or own key: the gateway offers a key and
// the line to sign, and completes the rotation with the signature. Until then the old
// key acts, and what it wrote meanwhile keeps its effect.

// OfferRequest asks for a new key.
type OfferRequest struct {
	call.Request
	SubjectFields
	Hybrid call.Opt[bool] `field:"hybrid"`
}

// OfferForm reads an OfferRequest.
var OfferForm = call.Define[OfferRequest](append(call.Form{
	{Name: "hybrid", Kind: call.Bool, Help: "Whether the new key has an ML-DSA-65 half and signs control changes twice; as the key in force when absent."},
}, call.Form{
	{Name: "wallet_address", Max: maxAddress, Judged: true, Help: "The controlling wallet that will consent; the agent's first controller when both are absent."},
	{Name: "did", Max: call.MaxIDText, Judged: true, Help: "Or the controlling did:key that will."},
}...))

// OfferReply is a rotation that waits for a consent.
type OfferReply struct {
	Success      bool          `json:"success"`
	Nonce        string        `json:"nonce"`
	ExpiresIn    int           `json:"expires_in" doc:"seconds"`
	Controller   string        `json:"controller" doc:"who is to sign"`
	Algorithm    string        `json:"algorithm" enum:"ed25519,ed25519+ml-dsa-65" doc:"what the new key signs control changes with"`
	Rotation     RotationReply `json:"rotation" doc:"sign exactly the bytes of its line"`
	Instructions Instructions  `json:"instructions"`
}

// offered is what is kept of an offer: a rotation whose consent lacks its signature.
type offered struct {
	Agent string `json:"agent"`
	To    string `json:"to"`
	Body  []byte `json:"body"`
}

// offers makes rotations that wait for a consent, and completes them.
type offers struct{ *Service }

// OfferRotation makes a key for the caller's agent and says what its controller signs.
func (s *Service) OfferRotation(ctx context.Context, c call.Caller, r OfferRequest) (*OfferReply, error) {
	id, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	a, err := s.mesh.Agent(ctx, id)
	if err != nil {
		return nil, err
	}
	o := offers{s}
	controller, sub, err := o.consenter(a, r.SubjectFields)
	if err != nil {
		return nil, err
	}
	second := view.SecondKept
	switch {
	case r.Hybrid.Set() && r.Hybrid.Value:
		second = view.SecondMade
	case r.Hybrid.Set():
		second = view.SecondLeft
	}
	name, d, err := s.mesh.OfferRotation(ctx, id, second)
	if err != nil {
		return nil, err
	}
	reply, err := o.make(ctx, name, d, controller, sub)
	if err != nil {
		return nil, errors.Join(err, s.DropKey(ctx, name))
	}
	return reply, nil
}

func (s offers) make(ctx context.Context, name string, d view.RotationDraft, controller string, sub subject) (*OfferReply, error) {
	alg := binding.AlgEd25519
	format := "base64url or hex of the 64-byte Ed25519 signature over the UTF-8 bytes of rotation.line"
	if sub.address != "" {
		alg, format = binding.AlgEIP191, "0x and the hex of the 65-byte signature: personal_sign (EIP-191) of rotation.line"
	}
	unsigned := d.Body
	unsigned.By = binding.Consent{Alg: alg, Key: controller, Text: d.Line}
	enc, err := unsigned.Encode()
	if err != nil {
		return nil, reason.Refuse(reason.RotationInvalid, "%v", err)
	}
	text, err := json.Marshal(offered{d.Agent.String(), d.To.String(), enc})
	if err != nil {
		return nil, fmt.Errorf("write offer: %w", err)
	}
	nonce, err := s.state.NewNonce()
	if err != nil {
		return nil, fmt.Errorf("make nonce: %w", err)
	}
	now := s.access.Now()
	err = s.state.PutChallenge(ctx, state.Challenge{Nonce: nonce, Subject: sub.String(), Purpose: state.Succession, Domain: s.host(),
		ActingKey: name, Text: string(text), ExpiresAt: now.Add(state.ChallengeTTL)}, now)
	if err != nil {
		return nil, err
	}
	return &OfferReply{Success: true, Nonce: nonce, ExpiresIn: int(state.ChallengeTTL.Seconds()), Controller: controller,
		Algorithm: keys.SchemeOf(d.Body.PQ), Rotation: *rotationReply(s.mesh, d),
		Instructions: Instructions{Next: call.RotateIdentityPath + " with nonce, signature and the same wallet_address or did", SignFormat: format}}, nil
}

// consenter is the controller of an agent that the caller names, or its first one, as
// the log has it.
func (s offers) consenter(a view.Agent, f SubjectFields) (controller string, sub subject, err error) {
	if f.WalletAddress != "" || f.DID != "" {
		if sub, err = s.readSubject(f); err != nil {
			return "", sub, err
		}
		i := slices.IndexFunc(a.Controllers, func(text string) bool { return controls(text, sub) })
		if i < 0 {
			return "", sub, call.Hinted(reason.ProofRequired, "that wallet or key does not control the agent", "its controllers stand in GET /api/mesh/me")
		}
		return a.Controllers[i], sub, nil
	}
	if len(a.Controllers) == 0 {
		return "", sub, call.Hinted(reason.ProofRequired, "nobody outranks the agent's acting key here", "rotate on the agent's own node: meshd id rotate")
	}
	controller = a.Controllers[0]
	d, err := did.ParseController(controller)
	if err != nil {
		return "", sub, fmt.Errorf("read a controller: %w", err)
	}
	if account, ok := d.Account(); ok {
		sub, err = s.readSubject(SubjectFields{WalletAddress: account.Address.String()})
		return controller, sub, err
	}
	return controller, subject{DID: d}, nil
}

// controls reports whether a controller is the subject. The chain of a wallet is the
// gateway's to choose.
func controls(text string, sub subject) bool {
	d, err := did.ParseController(text)
	if err != nil {
		return false
	}
	its, isAccount := d.Account()
	mine, isWallet := sub.Account()
	if isAccount && isWallet {
		return its.Address == mine.Address
	}
	return d == sub.DID
}

// take takes an offer with its consent. A wrong signature uses the nonce up,
// and the key that was made goes with it.
func (s offers) take(ctx context.Context, f ProofFields) (view.Agent, error) {
	sub, err := s.readSubject(f.SubjectFields)
	if err != nil {
		return view.Agent{}, err
	}
	taken, err := s.Service.take(ctx, sub, state.Succession, f)
	if err != nil {
		return view.Agent{}, err
	}
	a, err := s.complete(ctx, taken, sub, f.Signature)
	if err != nil {
		return view.Agent{}, errors.Join(err, s.DropKey(ctx, taken.ActingKey))
	}
	return a, nil
}

func (s offers) complete(ctx context.Context, taken state.Challenge, sub subject, signature string) (view.Agent, error) {
	var o offered
	if err := json.Unmarshal([]byte(taken.Text), &o); err != nil {
		return view.Agent{}, fmt.Errorf("read offer: %w", err)
	}
	agent, err1 := change.ParseAgentID(o.Agent)
	to, err2 := did.ParseKey(o.To)
	r, err3 := body.ParseRotate(o.Body)
	if err := errors.Join(err1, err2, err3); err != nil {
		return view.Agent{}, fmt.Errorf("read offer: %w", err)
	}
	size := keys.SignatureSize
	if sub.address != "" {
		size = wallet.SignatureSize
	}
	refusal := call.Hinted(reason.SignatureInvalid, "the signature is not one of this controller over the line of the rotation",
		"the nonce is used up; ask for a new offer and sign exactly its line")
	sig, err := readSignature(signature, size)
	if err != nil {
		return view.Agent{}, refusal
	}
	r.By.Sig = sig
	if _, err := r.By.Verify(r.By.Text); err != nil {
		return view.Agent{}, refusal
	}
	a, err := s.mesh.CompleteRotation(ctx, agent, to, r)
	if err != nil {
		return view.Agent{}, err
	}
	if err := s.state.SetActingKey(ctx, agent.String(), taken.ActingKey, state.CustodyGateway); err != nil && reason.Of(err) != reason.AgentNotFound {
		return view.Agent{}, fmt.Errorf("record acting key: %w", err)
	}
	return a, nil
}
