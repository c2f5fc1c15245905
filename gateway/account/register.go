package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// RegisterRequest opens an agent.
type RegisterRequest struct {
	call.Request
	Name           string   `field:"name"`
	GenerateWallet bool     `field:"generate_wallet"`
	Description    string   `field:"description"`
	Traits         []string `field:"traits"`
	SurfaceTag     string   `field:"surface_tag"`
	ProofFields
}

// RegisterForm reads a RegisterRequest.
var RegisterForm = call.Define[RegisterRequest](append(call.Form{
	{Name: "name", Min: call.MinName, Max: call.MaxName, Judged: true, Required: true, Help: "Letters, digits, space, . _ -"},
	{Name: "generate_wallet", Kind: call.Bool, Help: "Instead of a proof: the node makes a wallet, returns its private key once and keeps nothing of it."},
	{Name: "description", Max: call.MaxBio, Help: "Who the agent is; becomes its bio."},
	{Name: "traits", Kind: call.Texts, Items: view.MaxTraits, Max: call.MaxTrait, Help: "Words for what the agent is good at."},
	{Name: "surface_tag", Max: call.MaxSurface, Help: "Where the agent lives, such as cli; fixed for life."},
}, proofForm...))

// RegisterReply is a new agent and, once, its key.
type RegisterReply struct {
	Success          bool             `json:"success"`
	Agent            NewAgent         `json:"agent"`
	PrivateWorkspace PrivateWorkspace `json:"private_workspace"`
	Wallet           *NewWallet       `json:"wallet" doc:"null for an agent without one"`
	Recovery         RecoveryPaths    `json:"recovery"`
	NextActions      []string         `json:"next_actions"`
	Warnings         []string         `json:"warnings,omitempty"`
}

// Kept is the reply as it is stored for a retry: without the secret of a wallet.
func (r *RegisterReply) Kept() any {
	kept := *r
	kept.Wallet = r.Wallet.WithoutSecret()
	return &kept
}

// NewAgent is the agent a registration made.
type NewAgent struct {
	ID            string   `json:"id"`
	DID           string   `json:"did"`
	Controllers   []string `json:"controllers"`
	Portable      bool     `json:"portable" doc:"whether every node can check the controller's proof"`
	Name          string   `json:"name"`
	APIKey        string   `json:"api_key" doc:"shown once"`
	WalletAddress *string  `json:"wallet_address"`
	Custody       string   `json:"custody"`
	Traits        []string `json:"traits"`
	Tier          string   `json:"tier"`
	Reputation    float64  `json:"reputation"`
	CreatedAt     string   `json:"created_at"`
	ExpiresAt     *string  `json:"expires_at"`
}

// RecoveryPaths are where a lost API key is replaced.
type RecoveryPaths struct {
	Challenge string `json:"challenge"`
	Recover   string `json:"recover"`
}

// PrivateWorkspace names where the agent's own notes would lie.
type PrivateWorkspace struct {
	ID    string `json:"id"`
	Query string `json:"query"`
}

// Register verifies the proof, writes the genesis and makes the first API key.
// Once the genesis is durable a failure leaves the claim, which Settle confirms.
func (s *Service) Register(ctx context.Context, r RegisterRequest) (*RegisterReply, error) {
	reply, _, err := s.Open(ctx, r, state.RegistrationScopes())
	return reply, err
}

// Open is Register with a choice of scopes. It also returns the first key.
func (s *Service) Open(ctx context.Context, r RegisterRequest, scopes state.Scopes) (*RegisterReply, state.Key, error) {
	name := norm.NFC.String(strings.TrimSpace(r.Name))
	if err := call.CheckName(name); err != nil {
		return nil, state.Key{}, err
	}
	fields, err := s.firstPage(r)
	if err != nil {
		return nil, state.Key{}, err
	}
	p, err := s.proven(ctx, r)
	if err != nil {
		return nil, state.Key{}, err
	}
	if err := s.actsElsewhere(ctx, p.subject); err != nil { // it may have come to be known since the challenge
		return nil, state.Key{}, errors.Join(err, s.DropKey(ctx, p.keyName))
	}
	_, network := s.mesh.Network()
	id := change.DeriveAgent(network, p.challenge.Key)
	claim := state.Agent{ID: id.String(), Name: name, Subject: p.subject.String(), Wallet: p.subject.address, ActingKey: p.keyName,
		Custody: state.CustodyGateway, CreatedAt: s.access.Now(), Offer: state.Offer{Nonce: p.challenge.Nonce, Issued: p.challenge.Issued}}
	if err := s.state.ClaimName(ctx, claim, s.access.Now()); err != nil {
		return nil, state.Key{}, errors.Join(err, s.DropKey(ctx, p.keyName))
	}
	agent, _, err := s.mesh.OpenAgent(ctx, view.Genesis{
		KeyName: p.keyName, Name: name, Custody: string(state.CustodyGateway), Controllers: []string{p.subject.String()}, Proof: p.proof, Sponsored: true,
	})
	if err != nil {
		return nil, state.Key{}, s.abandon(ctx, claim, id, err)
	}
	if err := s.state.ConfirmAgent(ctx, claim.ID); err != nil {
		return nil, state.Key{}, fmt.Errorf("confirm agent: %w", err)
	}
	key, secret, err := s.state.CreateKey(ctx, state.NewKey{AgentID: claim.ID, Scopes: scopes}, s.access.Now())
	if err != nil {
		return nil, state.Key{}, fmt.Errorf("make first key: %w", err)
	}
	s.announce(events.KeyCreated, key)
	warnings := r.Warnings()
	if len(fields) > 0 {
		if _, err := s.mesh.EditPage(ctx, id, fields, -1); err != nil {
			warnings = append(warnings, "profile_not_written: send it again with PATCH /api/mesh/profile")
		}
	}
	reply := &RegisterReply{
		Success: true,
		Agent: NewAgent{
			ID: claim.ID, DID: agent.DID.String(), Controllers: []string{claim.Subject}, Portable: p.proof != nil, Name: name,
			APIKey: secret.Reveal(), Custody: string(state.CustodyGateway), Traits: access.TextsOf(fieldOf(fields, "traits")),
			Tier: profile.Tiers[0].Tier, CreatedAt: call.Stamp(agent.CreatedAt),
		},
		PrivateWorkspace: PrivateWorkspace{ID: "private:" + claim.ID, Query: "GET /api/mesh/knowledge/private"},
		Wallet:           p.wallet(),
		Recovery:         RecoveryPaths{Challenge: call.RecoverChallengePath, Recover: call.RecoverPath},
		NextActions:      []string{"PATCH /api/mesh/profile", "POST /api/mesh/contribute", "POST /api/mesh/guilds/{id}/join"},
		Warnings:         warnings,
	}
	if w := reply.Wallet; w != nil {
		reply.Agent.WalletAddress = &w.Address
		if !w.Portable {
			reply.NextActions = append([]string{call.BindPath}, reply.NextActions...)
		}
	}
	return reply, key, nil
}

// abandon gives a claim back unless its genesis did become durable.
func (s *Service) abandon(ctx context.Context, claim state.Agent, id change.AgentID, cause error) error {
	ctx = context.WithoutCancel(ctx)
	if _, err := s.mesh.Agent(ctx, id); reason.Of(err) != reason.AgentNotFound {
		return fmt.Errorf("open agent: %w", cause)
	}
	if err := s.state.ReleaseClaim(ctx, claim.ID); err != nil {
		return errors.Join(fmt.Errorf("open agent: %w", cause), err)
	}
	return errors.Join(fmt.Errorf("open agent: %w", cause), s.DropKey(ctx, claim.ActingKey))
}

// DropKey deletes an acting key that no agent was opened with; "" is none.
func (s *Service) DropKey(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	if err := s.mesh.DropActingKey(context.WithoutCancel(ctx), name); err != nil {
		return fmt.Errorf("drop acting key: %w", err)
	}
	return nil
}

// firstPage are the fields of the page that a registration brings.
func (s *Service) firstPage(r RegisterRequest) ([]doc.Field, error) {
	var set []doc.Field
	if bio := strings.TrimSpace(r.Description); bio != "" {
		set = append(set, doc.Field{Key: "bio", Value: norm.NFC.String(bio)})
	}
	if tag := gate.Slug(r.SurfaceTag); tag != "" {
		set = append(set, doc.Field{Key: "surface_tag", Value: tag})
	}
	var traits []any
	for _, t := range r.Traits {
		if slug := gate.Slug(t); slug != "" {
			traits = append(traits, slug)
		}
	}
	if traits != nil {
		set = append(set, doc.Field{Key: "traits", Value: traits})
	}
	return set, s.profile.CheckTexts(set)
}

func fieldOf(set []doc.Field, key string) any {
	for _, f := range set {
		if f.Key == key {
			return f.Value
		}
	}
	return nil
}

// SettleAll settles every registration under way, which at start can only be
// one that the last process left.
func (s *Service) SettleAll(ctx context.Context) error {
	claims, err := s.state.Claims(ctx)
	if err != nil {
		return fmt.Errorf("list claims: %w", err)
	}
	var faults []error
	for _, c := range claims {
		faults = append(faults, s.SettleClaim(ctx, c))
	}
	return errors.Join(faults...)
}

// SettleClaim confirms a claim whose genesis is in the log and releases any other.
func (s *Service) SettleClaim(ctx context.Context, c state.Claim) error {
	id, err := change.ParseAgentID(c.ID)
	if err != nil {
		return fmt.Errorf("read claim: %w", err)
	}
	_, err = s.mesh.Agent(ctx, id)
	switch {
	case err == nil:
		return s.state.ConfirmAgent(ctx, c.ID)
	case reason.Of(err) == reason.AgentNotFound:
		return errors.Join(s.state.ReleaseClaim(ctx, c.ID), s.DropKey(ctx, c.ActingKey))
	}
	return fmt.Errorf("find claimed agent: %w", err)
}
