package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

const (
	minName = 2 // characters of an agent's name
	maxName = 64
)

// KeyDropper is a Mesh that can also remove an acting key which never opened an
// agent. Without it such keys stay in the vault, unused.
type KeyDropper interface {
	DropActingKey(ctx context.Context, vaultName string) error
}

// RegisterForm opens an agent.
var RegisterForm = append(call.Form{
	{Name: "name", Min: minName, Max: maxName, Judged: true, Required: true, Help: "2 to 64 of letters, digits, space, . _ -"},
	{Name: "generate_wallet", Kind: call.Bool, Help: "Instead of a proof: the node makes a wallet, returns its private key once and keeps nothing of it."},
	{Name: "description", Max: maxBio, Help: "Who the agent is; becomes its bio."},
	{Name: "traits", Kind: call.Texts, Items: maxTraits, Max: maxTrait, Help: "Up to 8 words for what the agent is good at."},
	{Name: "surface_tag", Max: maxSurface, Help: "Where the agent lives, such as cli; fixed for life."},
}, proofFields...)

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
func (s *Service) Register(ctx context.Context, v call.Values) (*RegisterReply, error) {
	reply, _, err := s.open(ctx, v, state.RegistrationScopes())
	return reply, err
}

// open is Register with a choice of scopes. It also returns the first key.
func (s *Service) open(ctx context.Context, v call.Values, scopes state.Scopes) (*RegisterReply, state.Key, error) {
	name := norm.NFC.String(strings.TrimSpace(v.Text("name")))
	if err := CheckName(name); err != nil {
		return nil, state.Key{}, err
	}
	fields, err := s.firstPage(v)
	if err != nil {
		return nil, state.Key{}, err
	}
	p, err := s.proven(ctx, v)
	if err != nil {
		return nil, state.Key{}, err
	}
	_, network := s.mesh.Network()
	id := change.DeriveAgent(network, p.challenge.Key)
	claim := state.Agent{ID: id.String(), Name: name, Subject: p.subject.String(), Wallet: p.subject.address, ActingKey: p.keyName,
		Custody: state.CustodyGateway, CreatedAt: s.cfg.Now(), Offer: state.Offer{Nonce: p.challenge.Nonce, Issued: p.challenge.Issued}}
	if err := s.state.ClaimName(ctx, claim, s.cfg.Now()); err != nil {
		return nil, state.Key{}, errors.Join(err, s.dropKey(ctx, p.keyName))
	}
	agent, _, err := s.mesh.OpenAgent(ctx, view.Genesis{
		KeyName: p.keyName, Name: name, Custody: string(state.CustodyGateway), Controllers: []string{p.subject.String()}, Proof: p.proof,
	})
	if err != nil {
		return nil, state.Key{}, s.abandon(ctx, claim, id, err)
	}
	if err := s.state.ConfirmAgent(ctx, claim.ID); err != nil {
		return nil, state.Key{}, fmt.Errorf("confirm agent: %w", err)
	}
	key, secret, err := s.state.CreateKey(ctx, state.NewKey{AgentID: claim.ID, Scopes: scopes}, s.cfg.Now())
	if err != nil {
		return nil, state.Key{}, fmt.Errorf("make first key: %w", err)
	}
	s.announce(events.KeyCreated, key)
	warnings := v.Warnings
	if len(fields) > 0 {
		if _, err := s.mesh.EditPage(ctx, id, fields, -1); err != nil {
			warnings = append(warnings, "profile_not_written: send it again with PATCH /api/mesh/profile")
		}
	}
	reply := &RegisterReply{
		Success: true,
		Agent: NewAgent{
			ID: claim.ID, DID: agent.DID.String(), Controllers: []string{claim.Subject}, Portable: p.proof != nil, Name: name,
			APIKey: secret.Reveal(), Custody: string(state.CustodyGateway), Traits: textsOf(fieldOf(fields, "traits")),
			Tier: Tiers[0].Tier, CreatedAt: call.Stamp(agent.CreatedAt),
		},
		PrivateWorkspace: PrivateWorkspace{ID: "private:" + claim.ID, Query: "GET /api/mesh/knowledge/private"},
		Wallet:           p.wallet(),
		Recovery:         RecoveryPaths{Challenge: recoverChallengePath, Recover: recoverPath},
		NextActions:      []string{"PATCH /api/mesh/profile", "POST /api/mesh/contribute", "POST /api/mesh/guilds/{id}/join"},
		Warnings:         warnings,
	}
	if w := reply.Wallet; w != nil {
		reply.Agent.WalletAddress = &w.Address
		if !w.Portable {
			reply.NextActions = append([]string{bindPath}, reply.NextActions...)
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
	return errors.Join(fmt.Errorf("open agent: %w", cause), s.dropKey(ctx, claim.ActingKey))
}

func (s *Service) dropKey(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	if err := s.mesh.DropActingKey(context.WithoutCancel(ctx), name); err != nil {
		return fmt.Errorf("drop acting key: %w", err)
	}
	return nil
}

// CheckName refuses what is no agent's name: 2 to 64 letters, digits, space and
// . _ - with a letter or digit at both ends.
func CheckName(name string) error {
	refusal := call.Hinted(reason.InvalidName, "name must be 2 to 64 letters, digits, space or . _ -, with a letter or digit at both ends", "")
	n := utf8.RuneCountInString(name)
	if n < minName || n > maxName {
		return refusal
	}
	for i, r := range []rune(name) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
		case unicode.IsMark(r) && i > 0:
		case strings.ContainsRune(" ._-", r) && i > 0 && i < n-1:
		default:
			return refusal
		}
	}
	return nil
}

// firstPage are the fields of the page that a registration brings.
func (s *Service) firstPage(v call.Values) ([]doc.Field, error) {
	var set []doc.Field
	if bio := strings.TrimSpace(v.Text("description")); bio != "" {
		set = append(set, doc.Field{Key: "bio", Value: norm.NFC.String(bio)})
	}
	if tag := gate.Slug(v.Text("surface_tag")); tag != "" {
		set = append(set, doc.Field{Key: "surface_tag", Value: tag})
	}
	var traits []any
	for _, t := range v.Texts("traits") {
		if slug := gate.Slug(t); slug != "" {
			traits = append(traits, slug)
		}
	}
	if traits != nil {
		set = append(set, doc.Field{Key: "traits", Value: traits})
	}
	return set, s.checkTexts(set)
}

func fieldOf(set []doc.Field, key string) any {
	for _, f := range set {
		if f.Key == key {
			return f.Value
		}
	}
	return nil
}

// Housekeeping settles registrations that broke off and forgets what is past
// its time. Call it at start and about once a minute.
func (s *Service) Housekeeping(ctx context.Context) error {
	now := s.cfg.Now()
	claims, err := s.state.Claims(ctx)
	if err != nil {
		return fmt.Errorf("list claims: %w", err)
	}
	var faults []error
	for _, c := range claims {
		if c.Until.Before(now) {
			faults = append(faults, s.settle(ctx, c))
		}
	}
	swept, err := s.state.Sweep(ctx, now)
	faults = append(faults, err)
	for _, name := range swept.ActingKeys {
		faults = append(faults, s.dropKey(ctx, name))
	}
	faults = append(faults, s.owed.Work(ctx))
	return errors.Join(append(faults, s.SettleServed(ctx))...)
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
		faults = append(faults, s.settle(ctx, c))
	}
	return errors.Join(faults...)
}

// settle confirms a claim whose genesis is in the log and releases any other.
func (s *Service) settle(ctx context.Context, c state.Claim) error {
	id, err := change.ParseAgentID(c.ID)
	if err != nil {
		return fmt.Errorf("read claim: %w", err)
	}
	_, err = s.mesh.Agent(ctx, id)
	switch {
	case err == nil:
		return s.state.ConfirmAgent(ctx, c.ID)
	case reason.Of(err) == reason.AgentNotFound:
		return errors.Join(s.state.ReleaseClaim(ctx, c.ID), s.dropKey(ctx, c.ActingKey))
	}
	return fmt.Errorf("find claimed agent: %w", err)
}
