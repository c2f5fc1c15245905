package account

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/view"
)

// Wallets says how wallets prove themselves.
type Wallets struct {
	Domains []string // names of the typed-data domain, the first is offered; nil: "Mesh"
	Chain   uint64   // EVM chain of the identifiers; 0: 8453
}

func (w *Wallets) fill() {
	if len(w.Domains) == 0 {
		w.Domains = []string{"Mesh"}
	}
	if w.Chain == 0 {
		w.Chain = 8453
	}
}

// proof is a registration whose subject has proved itself.
type proof struct {
	subject   subject
	challenge binding.Challenge
	keyName   string         // of the acting key, in the vault
	proof     *binding.Proof // nil: the signature names no key, and convinces this node alone
	secret    *wallet.Key    // of a wallet made here
}

// proven reads the proof of a registration, or makes a wallet that gives it.
func (s *Service) proven(ctx context.Context, r RegisterRequest) (proof, error) {
	if !r.GenerateWallet {
		return s.takeProof(ctx, r.ProofFields)
	}
	for _, f := range []struct{ name, text string }{
		{"wallet_address", r.WalletAddress}, {"did", r.DID}, {"nonce", r.Nonce}, {"signature", r.Signature},
	} {
		if f.text != "" {
			return proof{}, reason.Refuse(reason.InvalidParam, "generate_wallet goes without a proof").With(map[string]any{"field": f.name})
		}
	}
	return s.makeWallet(ctx)
}

// takeProof consumes the nonce and judges the signature. A failed one has burnt
// the nonce, and the acting key goes with it.
func (s *Service) takeProof(ctx context.Context, f ProofFields) (proof, error) {
	sub, err := s.readSubject(f.SubjectFields)
	if err != nil {
		return proof{}, err
	}
	taken, err := s.take(ctx, sub, state.Registration, f)
	if err != nil {
		return proof{}, err
	}
	p := proof{subject: sub, keyName: taken.ActingKey}
	if p.challenge, err = binding.ParseChallenge(taken.Text); err != nil {
		return proof{}, fmt.Errorf("read stored challenge: %w", err)
	}
	if p.proof, err = s.prove(taken, wallet.Registration, sub, f.Signature); err != nil {
		return proof{}, errors.Join(err, s.DropKey(ctx, taken.ActingKey))
	}
	return p, nil
}

// take consumes the challenge that f answers.
func (s *Service) take(ctx context.Context, sub subject, p state.Purpose, f ProofFields) (state.Challenge, error) {
	if f.Nonce == "" || f.Signature == "" {
		return state.Challenge{}, proofRequired()
	}
	if len(f.Nonce) > maxNonce {
		return state.Challenge{}, reason.Refuse(reason.NonceInvalid, "the nonce is none of this node")
	}
	return s.state.TakeChallenge(ctx, state.Answer{Nonce: f.Nonce, Subject: sub.String(), Purpose: p, Domain: s.host()}, s.access.Now())
}

// prove finds which form of a challenge the subject signed. The proof is nil for
// typed data, which names no key. Anything else is signature_invalid.
func (s *Service) prove(c state.Challenge, p wallet.Purpose, sub subject, signature string) (*binding.Proof, error) {
	if sub.address == "" {
		return proveTexts(sub, signature, keys.SignatureSize, signedText{binding.AlgEd25519, c.Text})
	}
	found, err := proveTexts(sub, signature, wallet.SignatureSize, signedText{binding.AlgEIP191, c.Text}, signedText{binding.AlgSIWE, c.SIWE})
	if err == nil {
		return found, nil
	}
	account, _ := sub.Account()
	sig, readErr := readSignature(signature, wallet.SignatureSize)
	if readErr != nil {
		return nil, err
	}
	for _, name := range s.cfg.Wallets.Domains {
		who, recoverErr := wallet.Recover(wallet.NewTypedData(p, name, c.Nonce).Digest(), sig)
		if recoverErr == nil && who == account.Address {
			return nil, nil
		}
	}
	return nil, err
}

// signedText is a text and how it may be signed.
type signedText struct{ alg, text string }

// proveTexts finds which of some texts the subject signed.
func proveTexts(sub subject, signature string, size int, forms ...signedText) (*binding.Proof, error) {
	refusal := call.Hinted(reason.SignatureInvalid, "the signature is not one of this subject over what the challenge gave out",
		"the nonce is used up; ask for a new challenge and sign exactly what it gives")
	sig, err := readSignature(signature, size)
	if err != nil {
		return nil, refusal
	}
	for _, f := range forms {
		if f.text != "" && binding.VerifyText(f.alg, sub.DID, f.text, sig) == nil {
			return &binding.Proof{Alg: f.alg, By: sub.String(), Sig: sig, Text: f.text}, nil
		}
	}
	return nil, refusal
}

// readSignature reads a signature of so many bytes, in hex with or without 0x,
// or in base64url.
func readSignature(text string, size int) ([]byte, error) {
	if len(text) > call.MaxSignature {
		return nil, errors.New("not a signature")
	}
	if sig, err := hex.DecodeString(strings.TrimPrefix(text, "0x")); err == nil && len(sig) == size {
		return sig, nil
	}
	sig, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(sig) != size {
		return nil, errors.New("not a signature")
	}
	return sig, nil
}

// makeWallet makes a wallet and lets it authorise a new acting key, by the same
// text that a person would sign.
func (s *Service) makeWallet(ctx context.Context) (proof, error) {
	k, err := wallet.Generate(s.cfg.Random)
	if err != nil {
		return proof{}, fmt.Errorf("make wallet: %w", err)
	}
	nonce, err := s.state.NewNonce()
	if err != nil {
		return proof{}, fmt.Errorf("make nonce: %w", err)
	}
	name, key, err := s.mesh.NewActingKey(ctx)
	if err != nil {
		return proof{}, fmt.Errorf("make acting key: %w", err)
	}
	sub := s.subjectOf(k.Address())
	c := s.challengeOf(wallet.Registration, sub, key, state.Offer{Nonce: nonce, Issued: s.access.Now()})
	text, err := c.Text()
	if err != nil {
		return proof{}, errors.Join(fmt.Errorf("write challenge: %w", err), s.DropKey(ctx, name))
	}
	sig := k.SignText(text)
	return proof{subject: sub, challenge: c, keyName: name, secret: k,
		proof: &binding.Proof{Alg: binding.AlgEIP191, By: sub.String(), Sig: sig[:], Text: text}}, nil
}

// subjectOf is the subject of an address on the configured chain.
func (s *Service) subjectOf(a did.Address) subject {
	return subject{did.OfAccount(did.Account{Chain: s.cfg.Wallets.Chain, Address: a}), a.String()}
}

// NewWallet is the wallet of a new agent.
type NewWallet struct {
	Address    string `json:"address" doc:"in its EIP-55 form"`
	Source     string `json:"source" enum:"client,generated"`
	PrivateKey string `json:"private_key,omitempty" doc:"of a generated wallet, shown once"`
	Portable   bool   `json:"portable" doc:"whether every node can check that the wallet controls the agent"`
	Note       string `json:"note"`
}

// WithoutSecret is w as it may be kept.
func (w *NewWallet) WithoutSecret() *NewWallet {
	if w == nil || w.PrivateKey == "" {
		return w
	}
	kept := *w
	kept.PrivateKey, kept.Note = "", "The private key was in the first answer to this request and is kept nowhere."
	return &kept
}

// wallet is the wallet of a registration, nil when a did proved itself.
func (p proof) wallet() *NewWallet {
	if p.subject.address == "" {
		return nil
	}
	w := &NewWallet{Address: p.subject.address, Source: "client", Portable: p.proof != nil}
	switch {
	case p.secret != nil:
		secret := p.secret.Secret()
		w.Source, w.PrivateKey = "generated", "0x"+hex.EncodeToString(secret[:])
		w.Note = "Keep the private key: it recovers the agent, and nobody else has it. It is not shown again."
	case w.Portable:
		w.Note = "The wallet controls the agent, and every node can check it. Losing the wallet and the API key loses the agent."
	default:
		w.Note = "The wallet controls the agent at this node. Sign the challenge's text and send it to " + call.BindPath + " to make that checkable everywhere."
	}
	return w
}

// BindRequest brings the signature of a wallet that has signed typed data.
type BindRequest struct {
	call.Request
	Signature string `field:"signature"`
}

// BindForm reads a BindRequest.
var BindForm = call.Define[BindRequest](call.Form{
	{Name: "signature", Max: call.MaxSignature, Judged: true, Required: true, Help: "The wallet's signature over the text or the siwe of GET on this path, which are those of the challenge it registered with."},
})

// BindTextReply is what a wallet signs to make its control checkable.
type BindTextReply struct {
	Success      bool         `json:"success"`
	Portable     bool         `json:"portable" doc:"true: nothing is left to do"`
	Challenge    BindText     `json:"challenge"`
	Instructions Instructions `json:"instructions"`
}

// BindText names the agent's acting key. It has no nonce to use up: a signature
// over it authorises that key for this agent and can do nothing else.
type BindText struct {
	Subject       string `json:"subject"`
	WalletAddress string `json:"walletAddress"`
	Text          string `json:"text"`
	SIWE          string `json:"siwe,omitempty"`
}

// BindText says what the wallet of the caller signs.
func (s *Service) BindText(ctx context.Context, c call.Caller) (*BindTextReply, error) {
	a, sub, all, err := s.bindable(ctx, c)
	if err != nil {
		return nil, err
	}
	return &BindTextReply{Success: true, Portable: proves(a, sub),
		Challenge:    BindText{Subject: sub.String(), WalletAddress: sub.address, Text: all.Text, SIWE: all.SIWE},
		Instructions: Instructions{Next: call.BindPath + " with signature", SignFormat: "0x and the hex of the 65-byte signature: personal_sign (EIP-191) of challenge.text or challenge.siwe"},
	}, nil
}

// BindReply is an agent whose wallet every node can check.
type BindReply struct {
	Success       bool     `json:"success"`
	DID           string   `json:"did"`
	WalletAddress string   `json:"wallet_address"`
	Controllers   []string `json:"controllers"`
	Portable      bool     `json:"portable"`
}

// Bind writes the proof of the caller's wallet into the log. A wallet that is
// proven already stays so, whatever is sent.
func (s *Service) Bind(ctx context.Context, c call.Caller, r BindRequest) (*BindReply, error) {
	id, err := s.access.Writer(ctx, c, ucan.ProfileEdit)
	if err != nil {
		return nil, err
	}
	a, sub, all, err := s.bindable(ctx, c)
	if err != nil {
		return nil, err
	}
	if r.Signature == "" {
		return nil, reason.Refuse(reason.MissingField, "signature is needed").With(map[string]any{"field": "signature"})
	}
	p, err := proveTexts(sub, r.Signature, wallet.SignatureSize, signedText{binding.AlgEIP191, all.Text}, signedText{binding.AlgSIWE, all.SIWE})
	if err != nil {
		return nil, call.Hinted(reason.SignatureInvalid, "the signature is not one of this agent's wallet over its text", "GET on this path returns the text")
	}
	if !proves(a, sub) {
		if a, err = s.mesh.BindController(ctx, id, *p); err != nil {
			return nil, fmt.Errorf("bind wallet: %w", err)
		}
	}
	return &BindReply{Success: true, DID: a.DID.String(), WalletAddress: sub.address, Controllers: call.ListOf(a.Controllers), Portable: true}, nil
}

// bindable finds the caller's agent, its wallet as the log names it, and the
// challenge it registered with, for the key that acts for it now.
func (s *Service) bindable(ctx context.Context, c call.Caller) (view.Agent, subject, Challenge, error) {
	fail := func(err error) (view.Agent, subject, Challenge, error) {
		return view.Agent{}, subject{}, Challenge{}, err
	}
	id, err := access.Actor(c)
	if err != nil {
		return fail(err)
	}
	hosted, err := s.state.AgentByID(ctx, id.String())
	if err != nil {
		return fail(err)
	}
	if hosted.Wallet == "" || hosted.Visitor() {
		return fail(reason.Refuse(reason.InvalidWallet, "this agent has no wallet"))
	}
	named, err := did.ParseAccount(hosted.Subject)
	if err != nil {
		return fail(fmt.Errorf("read the subject of an agent: %w", err))
	}
	a, err := s.mesh.Agent(ctx, id)
	if err != nil {
		return fail(err)
	}
	sub := subject{did.OfAccount(named), hosted.Wallet}
	all, err := s.written(s.challengeOf(wallet.Registration, sub, a.DID, hosted.Offer), sub)
	if err != nil {
		return fail(fmt.Errorf("write challenge: %w", err))
	}
	return a, sub, all, nil
}

// proves reports whether every node can check that sub controls a.
func proves(a view.Agent, sub subject) bool { return slices.Contains(a.Proven, sub.String()) }

// Portable reports whether every node can check each controller of a.
func Portable(a view.Agent) bool {
	return !slices.ContainsFunc(a.Controllers, func(by string) bool { return !slices.Contains(a.Proven, by) })
}

// WalletAddress is the address of the wallet among an agent's controllers, or nil.
func WalletAddress(a view.Agent) *string {
	for _, by := range a.Controllers {
		if account, err := did.ParseAccount(by); err == nil {
			address := account.Address.String()
			return &address
		}
	}
	return nil
}

// ShownWallet is walletAddress for everybody, once its agent says so on its page.
func ShownWallet(a view.Agent, p view.Page) *string {
	if show, _ := p.Fields["show_wallet"].(bool); !show {
		return nil
	}
	return WalletAddress(a)
}
