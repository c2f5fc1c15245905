package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
)

// KeyRecord is an API key without its secret.
type KeyRecord struct {
	ID          string   `json:"id"`
	Prefix      string   `json:"prefix"`
	AgentID     string   `json:"agent_id"`
	Scopes      []string `json:"scopes"`
	Label       string   `json:"label"`
	CreatedAt   string   `json:"created_at"`
	LastUsedAt  *string  `json:"last_used_at"`
	ExpiresAt   *string  `json:"expires_at"`
	RotatedFrom *string  `json:"rotated_from"`
	MadeBy      *string  `json:"made_by" doc:"the key that asked for it and with which it ends"`
	RevokedAt   *string  `json:"revoked_at"`
}

func recordOf(k state.Key) KeyRecord {
	r := KeyRecord{ID: k.ID, Prefix: k.Prefix, AgentID: k.AgentID, Scopes: k.Scopes.Strings(), Label: k.Label,
		CreatedAt: call.Stamp(k.CreatedAt), LastUsedAt: call.StampOrNil(k.LastUsedAt), ExpiresAt: call.StampOrNil(k.ExpiresAt),
		RevokedAt: call.StampOrNil(k.RevokedAt)}
	if k.RotatedFrom != "" {
		r.RotatedFrom = &k.RotatedFrom
	}
	if k.MadeBy != "" {
		r.MadeBy = &k.MadeBy
	}
	return r
}

// KeysReply lists the caller's keys.
type KeysReply struct {
	Success bool        `json:"success"`
	Keys    []KeyRecord `json:"keys"`
	Count   int         `json:"count"`
}

// Keys lists the caller's keys, newest first, without their secrets.
func (s *Service) Keys(ctx context.Context, c call.Caller) (*KeysReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	keys, err := s.state.KeysOf(ctx, c.AgentID)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	reply := &KeysReply{Success: true, Keys: []KeyRecord{}, Count: len(keys)}
	for _, k := range keys {
		reply.Keys = append(reply.Keys, recordOf(k))
	}
	return reply, nil
}

// RotateKeyRequest replaces a key.
type RotateKeyRequest struct {
	call.Request
	KeyID      string             `field:"key_id"`
	GraceS     int                `field:"grace_s"`
	Scopes     call.Opt[[]string] `field:"scopes"`
	ExpiresAt  time.Time          `field:"expires_at"`
	Label      string             `field:"label"`
	KeepIssued bool               `field:"keep_issued"`
}

// RotateForm reads a RotateKeyRequest.
var RotateForm = call.Define[RotateKeyRequest](call.Form{
	{Name: "key_id", Max: call.MaxIDText, Help: "The key to replace; the one in use when absent."},
	{Name: "grace_s", Kind: call.Int, Max: maxGrace, Default: 0, Help: "Seconds the old key stays usable."},
	{Name: "scopes", Kind: call.Texts, Items: maxScopes, Max: maxScope, Help: "Scopes of the new key; they may only shrink."},
	{Name: "expires_at", Kind: call.Time, Help: "When the new key ends."},
	{Name: "label", Max: maxKeyLabel, Help: "A name for the new key."},
	{Name: "keep_issued", Kind: call.Bool, Help: "Hand the keys and capabilities that the old key issued to the new one, instead of ending them with it."},
})

// RotateReply is a new key, once in the clear.
type RotateReply struct {
	Success bool      `json:"success"`
	APIKey  string    `json:"api_key" doc:"shown once"`
	Key     KeyRecord `json:"key"`
}

// RotatedKeyReply is a new key in the place of another, and what ended with that.
type RotatedKeyReply struct {
	RotateReply
	Ended capability.EndedWith `json:"ended" doc:"what ends with the old key, when its grace is over"`
}

// RotateKey replaces one of the caller's keys.
func (s *Service) RotateKey(ctx context.Context, c call.Caller, r RotateKeyRequest) (*RotatedKeyReply, error) {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return nil, err
	}
	id := r.KeyID
	if id == "" {
		id = c.KeyID
	}
	if id == "" {
		return nil, reason.Refuse(reason.MissingField, "key_id names the key to replace").With(map[string]any{"field": "key_id"})
	}
	id, err := keyID(ctx, s.state, c.AgentID, id)
	if err != nil {
		return nil, err
	}
	rotation := state.Rotation{Grace: time.Duration(r.GraceS) * time.Second, Label: r.Label, ExpiresAt: r.ExpiresAt, By: c.KeyID, Keep: r.KeepIssued}
	if r.Scopes.Set() {
		scopes, err := state.ParseScopes(r.Scopes.Value)
		if err != nil {
			return nil, err
		}
		rotation.Scopes = scopes
	}
	key, secret, ended, err := s.state.RotateKey(ctx, c.AgentID, id, rotation, s.access.Now())
	if err != nil {
		return nil, err
	}
	s.announce(events.KeyCreated, key)
	reply := &RotatedKeyReply{RotateReply: RotateReply{Success: true, APIKey: secret.Reveal(), Key: recordOf(key)}}
	switch {
	case rotation.Keep, rotation.Grace > 0: // kept, or owed for when the grace is over
		reply.Ended = s.capability.EndsWith(ctx, ended)
	default:
		reply.Ended = s.capability.EndWith(ctx, c.AgentID, ended)
	}
	return reply, nil
}

// keyID reads the id of one of an agent's keys: whole, or so much of its beginning that
// no other of its keys fits. Several are refused with their ids.
func keyID(ctx context.Context, all *state.DB, agent, text string) (string, error) {
	keys, err := all.KeysOf(ctx, agent)
	if err != nil {
		return "", fmt.Errorf("list keys: %w", err)
	}
	var fit []string
	for _, k := range keys {
		if k.ID == text {
			return text, nil
		}
		if len(text) >= minKeyBegun && strings.HasPrefix(k.ID, text) {
			fit = append(fit, k.ID)
		}
	}
	switch len(fit) {
	case 0:
		return text, nil // of which the store says that there is none
	case 1:
		return fit[0], nil
	}
	return "", reason.Ambiguous(text, fit)
}

// RevokedKeyReply is what ended with a key.
type RevokedKeyReply struct {
	Success bool                 `json:"success"`
	KeyID   string               `json:"key_id"`
	Ended   capability.EndedWith `json:"ended"`
}

// RevokeKey ends one of the caller's keys at once, the key in use when id is "", and
// everything that came of it: the keys it made, the capabilities and the invitations
// it issued.
func (s *Service) RevokeKey(ctx context.Context, c call.Caller, id string) (*RevokedKeyReply, error) {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return nil, err
	}
	if id == "" {
		if c.Kind != auth.Key {
			return nil, reason.Refuse(reason.NotFound, "the owner of the node uses no key")
		}
		id = c.KeyID
	}
	id, err := keyID(ctx, s.state, c.AgentID, id)
	if err != nil {
		return nil, err
	}
	k, err := s.state.KeyByID(ctx, c.AgentID, id)
	if err != nil {
		return nil, err
	}
	ended, err := s.state.RevokeKey(ctx, c.AgentID, id, s.access.Now())
	if err != nil {
		return nil, err
	}
	s.announce(events.KeyRevoked, k)
	return &RevokedKeyReply{Success: true, KeyID: id, Ended: s.capability.EndWith(ctx, c.AgentID, ended)}, nil
}

// CreateKeyRequest makes one more key.
type CreateKeyRequest struct {
	call.Request
	Label     string    `field:"label"`
	Scopes    []string  `field:"scopes"`
	ExpiresAt time.Time `field:"expires_at"`
}

// KeyForm reads a CreateKeyRequest.
var KeyForm = call.Define[CreateKeyRequest](call.Form{
	{Name: "label", Max: maxKeyLabel, Required: true, Help: "What the key is for, such as ci."},
	{Name: "scopes", Kind: call.Texts, Items: maxScopes, Max: maxScope, Required: true, Help: "What it may be used for; no more than the key in use."},
	{Name: "expires_at", Kind: call.Time, Help: "When it ends; no later than the key in use."},
})

// CreateKey makes one more key for the caller's agent, which can do no more and
// lives no longer than the one in use.
func (s *Service) CreateKey(ctx context.Context, c call.Caller, r CreateKeyRequest) (*RotateReply, error) {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return nil, err
	}
	missing := ""
	switch {
	case strings.TrimSpace(r.Label) == "":
		missing = "label"
	case len(r.Scopes) == 0:
		missing = "scopes"
	}
	if missing != "" {
		return nil, reason.Refuse(reason.MissingField, "%s is needed", missing).With(map[string]any{"field": missing})
	}
	if _, err := access.Actor(c); err != nil {
		return nil, err
	}
	scopes, err := state.ParseScopes(r.Scopes)
	if err != nil {
		return nil, err
	}
	key, secret, err := s.state.CreateKey(ctx, state.NewKey{AgentID: c.AgentID, Scopes: scopes, Label: r.Label,
		ExpiresAt: r.ExpiresAt, By: c.KeyID}, s.access.Now())
	if err != nil {
		return nil, err
	}
	s.announce(events.KeyCreated, key)
	return &RotateReply{Success: true, APIKey: secret.Reveal(), Key: recordOf(key)}, nil
}

// VerifyKeyRequest names a key to look at; without it the caller's own is meant.
type VerifyKeyRequest struct {
	call.Request
	Token string `field:"token"`
}

// VerifyForm reads a VerifyKeyRequest.
var VerifyForm = call.Define[VerifyKeyRequest](call.Form{
	{Name: "token", Max: state.SecretLen, Judged: true, Help: "An API key; the one in the header when absent."},
})

// VerifyReply is whose key it is and what it is good for.
type VerifyReply struct {
	Success   bool          `json:"success"`
	Agent     VerifiedAgent `json:"agent"`
	Scopes    []string      `json:"scopes"`
	ExpiresAt *string       `json:"expires_at"`
}

// VerifiedAgent is the agent of a key.
type VerifiedAgent struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	DID           string  `json:"did"`
	WalletAddress *string `json:"walletAddress"`
}

// VerifyKey says whose API key a token is. It refuses like an endpoint that needs a
// key: invalid_token, key_revoked or token_expired.
func (s *Service) VerifyKey(ctx context.Context, c call.Caller, r VerifyKeyRequest) (*VerifyReply, error) {
	reply := &VerifyReply{Success: true, Scopes: c.Scopes.Strings()}
	agent, keyID := c.AgentID, c.KeyID
	if r.Token != "" {
		secret, err := state.ParseSecret(r.Token)
		if err != nil {
			return nil, err
		}
		k, err := s.state.KeyBySecret(ctx, secret, s.access.Now())
		if err != nil {
			return nil, err
		}
		if c.Kind == auth.Key && k.ID != c.KeyID {
			return nil, reason.Refuse(reason.AmbiguousCredentials, "the token is not the API key in the header")
		}
		agent, keyID, reply.Scopes = k.AgentID, k.ID, k.Scopes.Strings()
	} else if err := c.RequireKey(); err != nil {
		return nil, err
	}
	if keyID != "" {
		k, err := s.state.KeyByID(ctx, agent, keyID)
		if err != nil {
			return nil, err
		}
		reply.ExpiresAt = call.StampOrNil(k.ExpiresAt)
	}
	id, err := access.Actor(call.Caller{Principal: auth.Principal{AgentID: agent}})
	if err != nil {
		return nil, err
	}
	a, err := s.mesh.Agent(ctx, id)
	if err != nil {
		return nil, err
	}
	reply.Agent = VerifiedAgent{ID: agent, Name: a.Name, DID: a.DID.String()}
	if hosted, err := s.state.AgentByID(ctx, agent); err == nil && hosted.Wallet != "" {
		reply.Agent.WalletAddress = &hosted.Wallet
	}
	return reply, nil
}
