package account

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet"
)

// SubjectFields name who proves itself: a wallet or a key.
type SubjectFields struct {
	WalletAddress string `field:"wallet_address"`
	DID           string `field:"did"`
}

// ChallengeRequest asks for a text to sign.
type ChallengeRequest struct {
	call.Request
	SubjectFields
}

// ChallengeForm reads a ChallengeRequest. Its bounds are judged where the subject
// is read, which has a code for each.
var ChallengeForm = call.Define[ChallengeRequest](call.Form{
	{Name: "wallet_address", Max: maxAddress, Judged: true, Help: "Address of the wallet that shall control the agent: 0x and 40 hex digits; mixed case carries a checksum."},
	{Name: "did", Max: call.MaxIDText, Judged: true, Help: "Instead of a wallet: did:key of the Ed25519 key that shall control the agent."},
})

// ProofFields answer a challenge.
type ProofFields struct {
	Nonce     string `field:"nonce"`
	Signature string `field:"signature"`
	SubjectFields
}

// proofForm is the fields of ProofFields.
var proofForm = append(call.Form{
	{Name: "nonce", Max: maxNonce, Judged: true, Help: "The challenge's nonce."},
	{Name: "signature", Max: call.MaxSignature, Judged: true,
		Help: "Of a wallet: 0x and 130 hex digits over challenge.text or challenge.siwe (personal_sign) or challenge.typed_data. Of a did: base64url or hex of 64 bytes over challenge.text."},
}, ChallengeForm.Form...)

// ChallengeReply is a text to sign.
type ChallengeReply struct {
	Success      bool         `json:"success"`
	Nonce        string       `json:"nonce"`
	ExpiresIn    int          `json:"expires_in" doc:"seconds"`
	Challenge    Challenge    `json:"challenge"`
	Instructions Instructions `json:"instructions"`
}

// Challenge is what is to be signed, and by whom. A wallet signs one of text,
// siwe and typed_data; a did:key signs text.
type Challenge struct {
	Subject       string              `json:"subject"`
	WalletAddress *string             `json:"walletAddress,omitempty" doc:"in its EIP-55 form"`
	Domain        wallet.TypedDomain  `json:"domain" doc:"the domain of typed_data"`
	Message       wallet.TypedMessage `json:"message" doc:"the message of typed_data"`
	TypedData     wallet.TypedData    `json:"typed_data" doc:"EIP-712; proves the wallet to this node only, since it names no key"`
	Text          string              `json:"text" doc:"seven lines; sign exactly these bytes"`
	SIWE          string              `json:"siwe,omitempty" doc:"EIP-4361; sign exactly these bytes"`
}

// Instructions say what comes next.
type Instructions struct {
	Next       string `json:"next"`
	SignFormat string `json:"sign_format"`
}

// subject is who proves itself: a wallet or a key.
type subject struct {
	did.DID
	address string // EIP-55, "" for a key
}

// readSubject reads wallet_address or did.
func (s *Service) readSubject(f SubjectFields) (subject, error) {
	address, id := f.WalletAddress, f.DID
	switch {
	case address != "" && id != "":
		return subject{}, reason.Refuse(reason.InvalidParam, "send either wallet_address or did").With(map[string]any{"field": "did"})
	case address != "":
		a, err := did.ParseAddress(address)
		if err != nil {
			return subject{}, call.Hinted(reason.InvalidWallet, "wallet_address must be 0x and 40 hex digits, in mixed case with a right checksum",
				"copy the address again; a wrong checksum means that a digit is wrong")
		}
		return subject{did.OfAccount(did.Account{Chain: s.cfg.Wallets.Chain, Address: a}), a.String()}, nil
	case id != "":
		key, err := did.ParseKey(id)
		if err != nil {
			return subject{}, reason.Refuse(reason.InvalidDID, "did must be the did:key of an Ed25519 key")
		}
		return subject{DID: did.OfKey(key)}, nil
	}
	return subject{}, proofRequired()
}

func proofRequired() error {
	return call.Hinted(reason.ProofRequired, "this needs the proof of a wallet or a key",
		call.ChallengePath+" (to recover: "+call.RecoverChallengePath+") with wallet_address or did gives what to sign; send the same with nonce and signature")
}

// agentOf finds the agent of a subject. A wallet has one agent whatever the
// chain its subject was recorded with.
func (s *Service) agentOf(ctx context.Context, sub subject) (state.Agent, bool, error) {
	var a state.Agent
	var err error
	if sub.address != "" {
		a, err = s.state.AgentByWallet(ctx, sub.address)
	} else {
		a, err = s.state.AgentBySubject(ctx, sub.String())
	}
	if err != nil && reason.Of(err) != reason.AgentNotFound {
		return a, false, fmt.Errorf("find agent of subject: %w", err)
	}
	return a, err == nil, nil
}

// free refuses, with wallet_taken, a second agent for a subject that has one: hosted here,
// or at home elsewhere and logged in here, or the agent that the key itself acts for.
func (s *Service) free(ctx context.Context, sub subject) error {
	a, taken, err := s.agentOf(ctx, sub)
	if err != nil {
		return err
	}
	if !taken {
		return s.actsElsewhere(ctx, sub)
	}
	if a.Visitor() {
		return state.SubjectElsewhere()
	}
	return state.SubjectTaken()
}

// actsElsewhere refuses the acting key of an agent of another node: it has an identity.
func (s *Service) actsElsewhere(ctx context.Context, sub subject) error {
	key, ok := sub.Key()
	if !ok {
		return nil
	}
	a, err := s.mesh.FindAgent(ctx, sub.String())
	switch {
	case reason.Of(err) == reason.AgentNotFound, reason.Of(err) == reason.InvalidParam, err == nil && (a.Local || a.DID != key):
		return nil
	case err != nil:
		return fmt.Errorf("find the agent of a key: %w", err)
	}
	return state.SubjectElsewhere()
}

// Challenge makes a nonce, the acting key it authorises, and the texts that tie
// both to the subject.
func (s *Service) Challenge(ctx context.Context, r ChallengeRequest) (*ChallengeReply, error) {
	sub, err := s.readSubject(r.SubjectFields)
	if err != nil {
		return nil, err
	}
	if err := s.free(ctx, sub); err != nil {
		return nil, err
	}
	name, key, err := s.mesh.NewActingKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("make acting key: %w", err)
	}
	reply, err := s.offer(ctx, wallet.Registration, sub, key, name)
	if err != nil {
		return nil, errors.Join(err, s.DropKey(ctx, name))
	}
	reply.Instructions.Next = call.RegisterPath + " with name, the same wallet_address or did, nonce and signature"
	return reply, nil
}

// purposes are the stored names of what a challenge is for.
var purposes = map[wallet.Purpose]state.Purpose{wallet.Registration: state.Registration, wallet.Recovery: state.Recovery}

// offer stores a challenge that names key and returns it. vaultName is that of a
// key made for it, or "".
func (s *Service) offer(ctx context.Context, p wallet.Purpose, sub subject, key did.Key, vaultName string) (*ChallengeReply, error) {
	nonce, err := s.state.NewNonce()
	if err != nil {
		return nil, fmt.Errorf("make nonce: %w", err)
	}
	now := s.access.Now()
	c := s.challengeOf(p, sub, key, state.Offer{Nonce: nonce, Issued: now})
	all, err := s.written(c, sub)
	if err != nil {
		return nil, fmt.Errorf("write challenge: %w", err)
	}
	err = s.state.PutChallenge(ctx, state.Challenge{Nonce: nonce, Subject: sub.String(), Purpose: purposes[p], Domain: s.host(),
		ActingKey: vaultName, Text: all.Text, SIWE: all.SIWE, ExpiresAt: c.Expires}, now)
	if err != nil {
		return nil, err
	}
	return &ChallengeReply{Success: true, Nonce: nonce, ExpiresIn: int(state.ChallengeTTL.Seconds()), Challenge: all,
		Instructions: Instructions{SignFormat: signFormat(sub)}}, nil
}

func signFormat(sub subject) string {
	if sub.address == "" {
		return "base64url or hex of the 64-byte Ed25519 signature over the UTF-8 bytes of challenge.text"
	}
	return "0x and the hex of the 65-byte signature: personal_sign (EIP-191) of challenge.text or challenge.siwe, " +
		"which every node can check, or signTypedData (EIP-712) of challenge.typed_data, which proves the wallet to this node only"
}

// challengeOf is the challenge of an offer; its times have whole seconds.
func (s *Service) challengeOf(p wallet.Purpose, sub subject, key did.Key, o state.Offer) binding.Challenge {
	_, network := s.mesh.Network()
	issued := o.Issued.UTC().Truncate(time.Second)
	return binding.Challenge{Purpose: p, Network: network, Subject: sub.DID, Nonce: o.Nonce, Key: key,
		Issued: issued, Expires: issued.Add(state.ChallengeTTL)}
}

// written is every form of a challenge. A sign-in text needs an address of
// this gateway that a wallet can show.
func (s *Service) written(c binding.Challenge, sub subject) (Challenge, error) {
	text, err := c.Text()
	if err != nil {
		return Challenge{}, err
	}
	typed := wallet.NewTypedData(c.Purpose, s.cfg.Wallets.Domains[0], c.Nonce)
	out := Challenge{Subject: sub.String(), Domain: typed.Domain, Message: typed.Message, TypedData: typed, Text: text}
	if sub.address == "" {
		return out, nil
	}
	out.WalletAddress = &sub.address
	if host := s.host(); host != "" {
		siwe, err := c.SIWE(host, s.access.FullURL())
		if err != nil {
			return Challenge{}, err
		}
		if out.SIWE, err = siwe.Text(); err != nil {
			return Challenge{}, err
		}
	}
	return out, nil
}

// host is this gateway's own name, with its port when it has an unusual one.
func (s *Service) host() string {
	u, err := url.Parse(s.access.FullURL())
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}
