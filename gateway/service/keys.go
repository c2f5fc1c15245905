package service

import (
	"context"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/state"
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
	RevokedAt   *string  `json:"revoked_at"`
}

func recordOf(k state.Key) KeyRecord {
	r := KeyRecord{ID: k.ID, Prefix: k.Prefix, AgentID: k.AgentID, Scopes: k.Scopes.Strings(), Label: k.Label,
		CreatedAt: stamp(k.CreatedAt), LastUsedAt: stampOrNil(k.LastUsedAt), ExpiresAt: stampOrNil(k.ExpiresAt),
		RevokedAt: stampOrNil(k.RevokedAt)}
	if k.RotatedFrom != "" {
		r.RotatedFrom = &k.RotatedFrom
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
func (s *Service) Keys(ctx context.Context, c Caller) (*KeysReply, error) {
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

// RotateForm replaces a key.
var RotateForm = Form{
	{Name: "key_id", Max: maxIDText, Help: "The key to replace; the one in use when absent."},
	{Name: "grace_s", Kind: Int, Max: maxGrace, Default: 0, Help: "Seconds the old key stays usable."},
	{Name: "scopes", Kind: Texts, Items: 16, Max: 32, Help: "Scopes of the new key; they may only shrink."},
	{Name: "expires_at", Kind: Time, Help: "When the new key ends."},
	{Name: "label", Max: maxKeyLabel, Help: "A name for the new key."},
}

// RotateReply is a new key, once in the clear.
type RotateReply struct {
	Success bool      `json:"success"`
	APIKey  string    `json:"api_key" doc:"shown once"`
	Key     KeyRecord `json:"key"`
}

// RotateKey replaces one of the caller's keys.
func (s *Service) RotateKey(ctx context.Context, c Caller, v Values) (*RotateReply, error) {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return nil, err
	}
	id := v.Text("key_id")
	if id == "" {
		id = c.KeyID
	}
	if id == "" {
		return nil, reason.Refuse(reason.MissingField, "key_id names the key to replace").With(map[string]any{"field": "key_id"})
	}
	r := state.Rotation{Grace: time.Duration(v.Int("grace_s")) * time.Second, Label: v.Text("label"), ExpiresAt: v.Time("expires_at")}
	if names := v.Texts("scopes"); len(names) > 0 {
		scopes, err := state.ParseScopes(names)
		if err != nil {
			return nil, err
		}
		if !c.Scopes.Covers(scopes) {
			return nil, reason.Refuse(reason.ScopeMissing, "scopes may only shrink")
		}
		r.Scopes = scopes
	}
	key, secret, err := s.state.RotateKey(ctx, c.AgentID, id, r, s.cfg.Now())
	if err != nil {
		return nil, err
	}
	return &RotateReply{Success: true, APIKey: secret.Reveal(), Key: recordOf(key)}, nil
}

// RevokeKey ends the key in use.
func (s *Service) RevokeKey(ctx context.Context, c Caller) error {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return err
	}
	if c.Kind != auth.Key {
		return reason.Refuse(reason.NotFound, "the owner of the node uses no key")
	}
	return s.state.RevokeKey(ctx, c.AgentID, c.KeyID, s.cfg.Now())
}
