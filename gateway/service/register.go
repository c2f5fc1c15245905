package service

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

const (
	challengePath = "POST /api/mesh/register/challenge"
	minName       = 2 // characters of an agent's name
	maxName       = 64
)

// KeyDropper is a Mesh that can also remove an acting key which never opened an
// agent. Without it such keys stay in the vault, unused.
type KeyDropper interface {
	DropActingKey(ctx context.Context, vaultName string) error
}

// ChallengeForm asks for a text to sign.
var ChallengeForm = Form{
	{Name: "did", Max: maxIDText, Help: "did:key of the Ed25519 key that shall control the agent."},
	{Name: "wallet_address", Max: 64, Help: "0x and 40 hex digits; this node takes did proofs only."},
}

// RegisterForm opens an agent.
var RegisterForm = Form{
	{Name: "name", Min: minName, Max: maxName, Judged: true, Required: true, Help: "2 to 64 of letters, digits, space, . _ -"},
	{Name: "did", Max: maxIDText, Help: "The did:key the challenge was asked for."},
	{Name: "nonce", Max: 64, Help: "The challenge's nonce."},
	{Name: "signature", Max: 256, Help: "Ed25519 signature of the challenge's text, base64url or hex."},
	{Name: "wallet_address", Max: 64, Help: "A wallet; this node takes did proofs only."},
	{Name: "generate_wallet", Kind: Bool, Help: "Let the node make a wallet; this node takes did proofs only."},
	{Name: "description", Max: maxBio, Help: "Who the agent is; becomes its bio."},
	{Name: "traits", Kind: Texts, Items: maxTraits, Max: maxTrait, Help: "Up to 8 words for what the agent is good at."},
	{Name: "surface_tag", Max: maxSurface, Help: "Where the agent lives, such as cli; fixed for life."},
}

// ChallengeReply is a text to sign.
type ChallengeReply struct {
	Success      bool         `json:"success"`
	Nonce        string       `json:"nonce"`
	ExpiresIn    int          `json:"expires_in" doc:"seconds"`
	Challenge    Challenge    `json:"challenge"`
	Instructions Instructions `json:"instructions"`
}

// Challenge is what is to be signed, and by whom.
type Challenge struct {
	Subject string `json:"subject"`
	Text    string `json:"text" doc:"seven lines; sign exactly these bytes"`
}

// Instructions say what comes next.
type Instructions struct {
	Next       string `json:"next"`
	SignFormat string `json:"sign_format"`
}

// Challenge makes a nonce, the acting key it authorises, and the text that ties
// both to the subject.
func (s *Service) Challenge(ctx context.Context, v Values) (*ChallengeReply, error) {
	if v.Text("wallet_address") != "" {
		return nil, noWallets()
	}
	subject, err := readSubject(v.Text("did"))
	if err != nil {
		return nil, err
	}
	_, err = s.state.AgentBySubject(ctx, subject.String())
	switch {
	case err == nil:
		return nil, hinted(reason.WalletTaken, "this key already has an agent here", "use the API key of that agent")
	case reason.Of(err) != reason.AgentNotFound:
		return nil, fmt.Errorf("find agent of subject: %w", err)
	}
	nonce, err := s.state.NewNonce()
	if err != nil {
		return nil, fmt.Errorf("make nonce: %w", err)
	}
	name, key, err := s.mesh.NewActingKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("make acting key: %w", err)
	}
	now := s.cfg.Now()
	_, network := s.mesh.Network()
	issued := now.UTC().Truncate(time.Second)
	text, err := binding.Challenge{Purpose: wallet.Registration, Network: network, Subject: subject, Nonce: nonce,
		Key: key, Issued: issued, Expires: issued.Add(state.ChallengeTTL)}.Text()
	if err == nil {
		err = s.state.PutChallenge(ctx, state.Challenge{Nonce: nonce, Subject: subject.String(), Purpose: state.Registration,
			ActingKey: name, Text: text, ExpiresAt: now.Add(state.ChallengeTTL)}, now)
	}
	if err != nil {
		return nil, errors.Join(err, s.dropKey(ctx, name))
	}
	return &ChallengeReply{
		Success: true, Nonce: nonce, ExpiresIn: int(state.ChallengeTTL.Seconds()),
		Challenge: Challenge{Subject: subject.String(), Text: text},
		Instructions: Instructions{
			Next:       "POST /api/mesh/register with name, did, nonce and signature",
			SignFormat: "base64url or hex of the 64-byte Ed25519 signature over the UTF-8 bytes of challenge.text",
		},
	}, nil
}

// readSubject reads a did:key.
func readSubject(text string) (did.DID, error) {
	if text == "" {
		return did.DID{}, proofRequired()
	}
	key, err := did.ParseKey(text)
	if err != nil {
		return did.DID{}, reason.Refuse(reason.InvalidDID, "did must be the did:key of an Ed25519 key")
	}
	return did.OfKey(key), nil
}

func proofRequired() error {
	return hinted(reason.ProofRequired, "registration needs a proof of a key", challengePath+" with did gives a text to sign; send did, nonce and signature")
}

// noWallets answers wallet requests of a node that cannot verify them.
func noWallets() error {
	return hinted(reason.ProofRequired, "this node takes proofs by did:key only, not by wallet", challengePath+" with did instead of wallet_address")
}

// RegisterReply is a new agent and, once, its key.
type RegisterReply struct {
	Success          bool             `json:"success"`
	Agent            NewAgent         `json:"agent"`
	PrivateWorkspace PrivateWorkspace `json:"private_workspace"`
	NextActions      []string         `json:"next_actions"`
	Warnings         []string         `json:"warnings,omitempty"`
}

// NewAgent is the agent a registration made.
type NewAgent struct {
	ID            string   `json:"id"`
	DID           string   `json:"did"`
	Controllers   []string `json:"controllers"`
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

// PrivateWorkspace names where the agent's own notes would lie.
type PrivateWorkspace struct {
	ID    string `json:"id"`
	Query string `json:"query"`
}

// Register verifies the proof, writes the genesis and makes the first API key.
// Once the genesis is durable a failure leaves the claim, which Settle confirms.
func (s *Service) Register(ctx context.Context, v Values) (*RegisterReply, error) {
	name := norm.NFC.String(strings.TrimSpace(v.Text("name")))
	if err := CheckName(name); err != nil {
		return nil, err
	}
	fields, err := s.firstPage(v)
	if err != nil {
		return nil, err
	}
	subject, taken, sig, err := s.takeProof(ctx, v)
	if err != nil {
		return nil, err
	}
	challenge, err := binding.ParseChallenge(taken.Text)
	if err != nil {
		return nil, fmt.Errorf("read stored challenge: %w", err)
	}
	_, network := s.mesh.Network()
	id := change.DeriveAgent(network, challenge.Key)
	claim := state.Agent{ID: id.String(), Name: name, Subject: subject.String(), ActingKey: taken.ActingKey,
		Custody: state.CustodyGateway, CreatedAt: s.cfg.Now()}
	if err := s.state.ClaimName(ctx, claim, s.cfg.Now()); err != nil {
		return nil, errors.Join(err, s.dropKey(ctx, taken.ActingKey))
	}
	agent, _, err := s.mesh.OpenAgent(ctx, view.Genesis{
		KeyName: taken.ActingKey, Name: name, Custody: string(state.CustodyGateway), Controllers: []string{subject.String()},
		Proof: &binding.Proof{Alg: binding.AlgEd25519, By: subject.String(), Sig: sig, Text: taken.Text},
	})
	if err != nil {
		return nil, s.abandon(ctx, claim, id, err)
	}
	if err := s.state.ConfirmAgent(ctx, claim.ID); err != nil {
		return nil, fmt.Errorf("confirm agent: %w", err)
	}
	_, secret, err := s.state.CreateKey(ctx, state.NewKey{AgentID: claim.ID, Scopes: state.RegistrationScopes()}, s.cfg.Now())
	if err != nil {
		return nil, fmt.Errorf("make first key: %w", err)
	}
	warnings := v.Warnings
	if len(fields) > 0 {
		if _, err := s.mesh.EditPage(ctx, id, fields, -1); err != nil {
			warnings = append(warnings, "profile_not_written: send it again with PATCH /api/mesh/profile")
		}
	}
	return &RegisterReply{
		Success: true,
		Agent: NewAgent{
			ID: claim.ID, DID: agent.DID.String(), Controllers: []string{subject.String()}, Name: name,
			APIKey: secret.Reveal(), Custody: string(state.CustodyGateway), Traits: textsOf(fieldOf(fields, "traits")),
			Tier: Tiers[0].Tier, CreatedAt: stamp(agent.CreatedAt),
		},
		PrivateWorkspace: PrivateWorkspace{ID: "private:" + claim.ID, Query: "GET /api/mesh/knowledge/private"},
		NextActions:      []string{"PATCH /api/mesh/profile", "POST /api/mesh/contribute", "POST /api/mesh/guilds/{id}/join"},
		Warnings:         warnings,
	}, nil
}

// takeProof consumes the nonce and verifies the signature over its text. A
// failed signature has burnt the nonce, and the acting key goes with it.
func (s *Service) takeProof(ctx context.Context, v Values) (did.DID, state.Challenge, []byte, error) {
	var none state.Challenge
	if v.Text("wallet_address") != "" || v.Bool("generate_wallet") {
		return did.DID{}, none, nil, noWallets()
	}
	subject, err := readSubject(v.Text("did"))
	if err != nil {
		return subject, none, nil, err
	}
	if v.Text("nonce") == "" || v.Text("signature") == "" {
		return subject, none, nil, proofRequired()
	}
	taken, err := s.state.TakeChallenge(ctx, v.Text("nonce"), subject.String(), state.Registration, s.cfg.Now())
	if err != nil {
		return subject, none, nil, err
	}
	sig, err := readSignature(v.Text("signature"))
	if err == nil {
		err = binding.VerifyText(binding.AlgEd25519, subject, taken.Text, sig)
	}
	if err != nil {
		refusal := hinted(reason.SignatureInvalid, "the signature does not verify", "the nonce is used up; ask for a new challenge")
		return subject, none, nil, errors.Join(refusal, s.dropKey(ctx, taken.ActingKey))
	}
	return subject, taken, sig, nil
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
	d, ok := s.mesh.(KeyDropper)
	if !ok || name == "" {
		return nil
	}
	if err := d.DropActingKey(context.WithoutCancel(ctx), name); err != nil {
		return fmt.Errorf("drop acting key: %w", err)
	}
	return nil
}

// readSignature reads 64 bytes in base64url or hex.
func readSignature(text string) ([]byte, error) {
	if sig, err := hex.DecodeString(strings.TrimPrefix(text, "0x")); err == nil && len(sig) == 64 {
		return sig, nil
	}
	sig, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(sig) != 64 {
		return nil, errors.New("not a signature")
	}
	return sig, nil
}

// CheckName refuses what is no agent's name: 2 to 64 letters, digits, space and
// . _ - with a letter or digit at both ends.
func CheckName(name string) error {
	refusal := hinted(reason.InvalidName, "name must be 2 to 64 letters, digits, space or . _ -, with a letter or digit at both ends", "")
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
func (s *Service) firstPage(v Values) ([]doc.Field, error) {
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
	return errors.Join(faults...)
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
