package account

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// An agent that lives on its own node logs in here: it signs a text that names this gateway, and
// gets a key to its own account for some hours. It stays who it is everywhere; nothing is
// signed for it here.

// LoginScopes are those of the key that a login opens: reading, and its own money. The key
// makes no other keys and delegates nothing.
func LoginScopes() state.Scopes { return state.Scopes{state.ScopeRead, state.ScopePay} }

// LoginChallengeRequest asks for a text to log in with.
type LoginChallengeRequest struct {
	call.Request
	AgentID string `field:"agent_id"`
	SubjectFields
}

// LoginChallengeForm reads a LoginChallengeRequest.
var LoginChallengeForm = call.Define[LoginChallengeRequest](append(call.Form{
	{Name: "agent_id", Max: call.MaxIDText, Judged: true, Help: "The agent that logs in, by its id; a did needs none."},
}, ChallengeForm.Form...))

// LoginChallengeReply is a text to sign.
type LoginChallengeReply struct {
	Success      bool         `json:"success"`
	Nonce        string       `json:"nonce"`
	ExpiresIn    int          `json:"expires_in" doc:"seconds"`
	Challenge    LoginText    `json:"challenge"`
	Instructions Instructions `json:"instructions"`
}

// LoginText is what is to be signed, for whom and by whom.
type LoginText struct {
	AgentID string `json:"agent_id"`
	Subject string `json:"subject"`
	Gateway string `json:"gateway" doc:"address of this gateway; sign only when it is the one that was asked"`
	Service string `json:"service" doc:"DID of this gateway"`
	Text    string `json:"text" doc:"nine lines; sign exactly these bytes"`
}

// loginSubject stands for the subject of a stored challenge whose text is that of a login,
// and says who signs it. It is no DID, so no recovery takes a login, nor the reverse.
const loginSubject = "login"

// Logins let agents in by a signature. It is safe for concurrent use.
type Logins struct {
	*Service
	local bool // agents that live here too
}

// Logins are those of programs: of agents of other nodes alone.
func (s *Service) Logins() Logins { return Logins{Service: s} }

// OfPeople are those of people at a page of this gateway. Who controls an agent that lives
// here proves no less by a signature than who recovers its keys by one, and gets the
// scopes of a registration, without the one to make keys, which would outlive the session.
func (s Logins) OfPeople() Logins { return Logins{s.Service, true} }

// Audience is the DID that tokens for this gateway are made for, "" when it takes none.
func (s Logins) Audience() string { return s.cfg.Service }

// scopes are those of a login's key.
func (s Logins) scopes(a view.Agent) state.Scopes {
	if !a.Local {
		return LoginScopes()
	}
	return slices.DeleteFunc(state.RegistrationScopes(), func(x state.Scope) bool { return x == state.ScopeKeys })
}

// visitor is an agent that logs in and who speaks for it.
type visitor struct {
	view.Agent
	by subject
}

// speaks refuses a subject that does not speak for the agent now, and where programs log
// in an agent that lives here.
func (s Logins) speaks(ctx context.Context, a view.Agent, by subject) error {
	if a.Local && s.local {
		if here, err := access.Recovers(ctx, s.state, a.ID.String(), by.DID); here || err != nil {
			return err
		}
	} else if a.Local {
		return call.Hinted(reason.Forbidden, "the agent lives here, and has API keys of this node", "a lost one is replaced: "+call.RecoverChallengePath)
	}
	return s.mesh.Speaks(a.ID, by.DID)
}

// visitorOf finds who asks to log in.
func (s Logins) visitorOf(ctx context.Context, r LoginChallengeRequest) (visitor, error) {
	by, err := s.readSubject(r.SubjectFields)
	if err != nil {
		return visitor{}, err
	}
	text := r.AgentID
	if text == "" && s.local { // a page names none where this gateway knows
		a, known, err := s.agentOf(ctx, by)
		if err != nil {
			return visitor{}, err
		}
		if known {
			text = a.ID
		}
	}
	if text == "" {
		if by.address != "" {
			return visitor{}, reason.Refuse(reason.MissingField, "agent_id is needed: a wallet may control several agents").With(map[string]any{"field": "agent_id"})
		}
		text = by.String()
	}
	a, err := s.mesh.FindAgent(ctx, text)
	if reason.Of(err) == reason.AgentNotFound {
		return visitor{}, call.Hinted(reason.AgentNotFound, "this gateway does not know that agent", "connect its node to the network, so that its record comes here (meshd sync --wait)")
	}
	if err != nil {
		return visitor{}, err
	}
	return visitor{a, by}, s.speaks(ctx, a, by)
}

// Challenge makes the text by which an agent of another node logs in.
func (s Logins) Challenge(ctx context.Context, r LoginChallengeRequest) (*LoginChallengeReply, error) {
	service, err := did.ParseKey(s.cfg.Service)
	if err != nil || s.access.FullURL() == "" {
		return nil, reason.Refuse(reason.NotReady, "this gateway has no address or key of its own that a login could name")
	}
	v, err := s.visitorOf(ctx, r)
	if err != nil {
		return nil, err
	}
	nonce, err := s.state.NewNonce()
	if err != nil {
		return nil, fmt.Errorf("make nonce: %w", err)
	}
	_, network := s.mesh.Network()
	now := s.access.Now()
	issued := now.UTC().Truncate(time.Second)
	l := binding.Login{Network: network, Agent: v.ID.String(), Subject: v.by.DID, Gateway: s.access.FullURL(), Service: service, Nonce: nonce,
		Issued: issued, Expires: issued.Add(state.ChallengeTTL)}
	text, err := l.Text()
	if err != nil {
		return nil, fmt.Errorf("write login: %w", err)
	}
	kept := state.Challenge{Nonce: nonce, Subject: loginSubject, Purpose: state.Recovery, Domain: s.host(), Text: text, ExpiresAt: l.Expires}
	if err := s.state.PutChallenge(ctx, kept, now); err != nil {
		return nil, err
	}
	format := "base64url or hex of the 64-byte Ed25519 signature over the UTF-8 bytes of challenge.text"
	if v.by.address != "" {
		format = "0x and the hex of the 65-byte signature: personal_sign (EIP-191) of challenge.text"
	}
	return &LoginChallengeReply{Success: true, Nonce: nonce, ExpiresIn: int(state.ChallengeTTL.Seconds()),
		Challenge:    LoginText{AgentID: l.Agent, Subject: v.by.String(), Gateway: l.Gateway, Service: l.Service.String(), Text: text},
		Instructions: Instructions{Next: call.LoginPath + " with nonce and signature", SignFormat: format}}, nil
}

// LoginRequest answers a challenge.
type LoginRequest struct {
	call.Request
	Nonce     string `field:"nonce"`
	Signature string `field:"signature"`
}

// LoginForm reads a LoginRequest.
var LoginForm = call.Define[LoginRequest](call.Form{
	{Name: "nonce", Max: maxNonce, Judged: true, Required: true, Help: "The challenge's nonce."},
	{Name: "signature", Max: call.MaxSignature, Judged: true, Required: true,
		Help: "Of a did: base64url or hex of 64 bytes over challenge.text. Of a wallet: 0x and 130 hex digits over challenge.text (personal_sign)."},
})

// LoginReply is a key to the account of an agent that lives elsewhere.
type LoginReply struct {
	Success bool         `json:"success"`
	Agent   LoggedIn     `json:"agent"`
	APIKey  string       `json:"api_key" doc:"shown once; it opens the agent's account here and nothing else"`
	Key     KeyRecord    `json:"key"`
	Account LoginAccount `json:"account"`
	Next    []string     `json:"next_actions"`
}

// LoggedIn is the agent that has logged in.
type LoggedIn struct {
	ID     string `json:"id"`
	DID    string `json:"did"`
	Handle string `json:"handle"`
}

// LoginAccount is what the agent has here.
type LoginAccount struct {
	Balance float64 `json:"balance" doc:"credits"`
}

// Enter gives an agent that lives elsewhere, and that signed the challenge, a key to its
// own account. The nonce is used up whatever becomes of it.
func (s Logins) Enter(ctx context.Context, r LoginRequest) (*LoginReply, error) {
	if r.Nonce == "" || r.Signature == "" {
		return nil, call.Hinted(reason.ProofRequired, "this needs the proof of a key or a wallet", call.LoginChallengePath+" with did gives what to sign")
	}
	if len(r.Nonce) > maxNonce {
		return nil, reason.Refuse(reason.NonceInvalid, "the nonce is none of this node")
	}
	now := s.access.Now()
	taken, err := s.state.TakeChallenge(ctx, state.Answer{Nonce: r.Nonce, Subject: loginSubject, Purpose: state.Recovery, Domain: s.host()}, now)
	if err != nil {
		return nil, err
	}
	l, err := binding.ParseLogin(taken.Text)
	if err != nil {
		return nil, fmt.Errorf("read stored login: %w", err)
	}
	sub, form, size := subject{DID: l.Subject}, binding.AlgEd25519, keys.SignatureSize
	if account, ok := l.Subject.Account(); ok {
		sub.address, form, size = account.Address.String(), binding.AlgEIP191, wallet.SignatureSize
	}
	if _, err := proveTexts(sub, r.Signature, size, signedText{form, taken.Text}); err != nil {
		return nil, err
	}
	id, err := change.ParseAgentID(l.Agent)
	if err != nil {
		return nil, fmt.Errorf("read who logs in: %w", err)
	}
	a, err := s.mesh.Agent(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.speaks(ctx, a, sub); err != nil { // it may have changed since the challenge
		return nil, err
	}
	key, secret, err := s.state.OpenLogin(ctx, state.Visit{Agent: l.Agent, Born: a.CreatedAt, Subject: sub.String(), Wallet: sub.address, Scopes: s.scopes(a)}, now)
	if err != nil {
		return nil, err
	}
	s.announce(events.KeyCreated, key)
	have, err := s.state.Balance(ctx, state.AgentAccount(l.Agent))
	if err != nil {
		return nil, err
	}
	return &LoginReply{Success: true, Agent: LoggedIn{ID: l.Agent, DID: a.DID.String(), Handle: a.Handle}, APIKey: secret.Reveal(), Key: recordOf(key),
		Account: LoginAccount{Balance: float64(have) / state.MicroPerCredit},
		Next:    []string{"GET /api/credits", "GET /api/mesh/transactions", "POST /api/mesh/entry/{id}/buy", "POST /api/credits/withdraw", LogoutPath}}, nil
}

// LogoutPath ends a login.
const LogoutPath = "DELETE /api/mesh/login"

// Leave ends the key of a login, which is the one in use.
func (s Logins) Leave(ctx context.Context, c call.Caller) (*RevokedKeyReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	if c.Kind != auth.Key || c.Login == "" {
		return nil, reason.Refuse(reason.NotFound, "the request has no key of a login")
	}
	k, err := s.state.KeyByID(ctx, c.AgentID, c.KeyID)
	if err != nil {
		return nil, err
	}
	ended, err := s.state.RevokeKey(ctx, c.AgentID, c.KeyID, s.access.Now())
	if err != nil {
		return nil, err
	}
	s.announce(events.KeyRevoked, k)
	return &RevokedKeyReply{Success: true, KeyID: c.KeyID, Ended: s.capability.EndsWith(ctx, ended)}, nil
}
