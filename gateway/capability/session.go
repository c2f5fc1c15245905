package capability

import (
	"context"
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
	"github.com/meshd/meshd/node/view"
)

// The formats of tokens.
const (
	formatV0 = "ucan-0.10"
	formatV1 = "ucan-1.0"
)

func formatOf(token string) string {
	if ucan.Sniff(token) == ucan.V1 {
		return formatV1
	}
	return formatV0
}

// keep stores tokens for sessions that were just signed. key is the API key that issued
// them, or "".
func (s *Service) keep(ctx context.Context, agent, key string, lent ...view.Lent) error {
	now := s.access.Now()
	var kept []state.SessionToken
	for _, l := range lent {
		if l.Expires == nil {
			return reason.Refuse(reason.InvalidParam, "a token beside the log needs an end")
		}
		kept = append(kept, state.SessionToken{
			CID: l.CID, Agent: agent, Audience: l.Audience.String(), Token: l.Token, Source: l.Source, KeyID: key, CreatedAt: now, ExpiresAt: *l.Expires,
		})
	}
	return s.state.KeepTokens(ctx, kept, now)
}

// ReissueRequest asks for a token in the other version.
type ReissueRequest struct {
	call.Request
	Token string `field:"token"`
}

// ReissueForm reads a ReissueRequest.
var ReissueForm = call.Define[ReissueRequest](call.Form{
	{Name: "token", Max: maxTokenText, Required: true, Help: "A token that the caller issued, or its content id: UCAN 0.10 becomes 1.0, and the reverse."},
})

// ReissueReply is what a token became.
type ReissueReply struct {
	Success bool       `json:"success"`
	Source  string     `json:"source" doc:"cid of the token that they were made from"`
	Format  string     `json:"format" enum:"ucan-0.10,ucan-1.0"`
	Tokens  []Reissued `json:"tokens" doc:"one for each right where it became UCAN 1.0"`
}

// Reissued is a token that was made from one of the other version.
type Reissued struct {
	Token        string      `json:"token"`
	CID          string      `json:"cid"`
	Exp          *string     `json:"exp"`
	Capabilities []CapRecord `json:"capabilities"`
}

// Reissue says a capability that the caller issued in the other version of UCAN. What is
// made begins a chain, is for sessions alone, and ends with the one it was made from when
// that is revoked here.
func (s *Service) Reissue(ctx context.Context, c call.Caller, r ReissueRequest) (*ReissueReply, error) {
	if err := c.RequireScope(state.ScopeKeys); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	token := r.Token
	if ucan.CheckCanonical(token) == nil {
		if token, err = s.tokenOf(ctx, token); err != nil {
			return nil, err
		}
	}
	s.issuing.RLock()
	defer s.issuing.RUnlock()
	now := s.access.Now()
	lent, err := s.mesh.Reissue(agent, token, s.check(ctx, nil))
	if err != nil {
		return nil, auth.RefuseToken(err, now)
	}
	reply := &ReissueReply{Success: true, Source: lent[0].Source, Format: formatOf(lent[0].Token), Tokens: []Reissued{}}
	key, err := s.keyOf(ctx, reply.Source)
	if err != nil {
		return nil, err
	}
	for _, l := range lent {
		for _, cap := range l.Caps {
			d := view.Delegation{With: cap.With, Can: []string{cap.Can}, Expires: l.Expires}
			if err := s.within(ctx, c, &d); err != nil {
				return nil, err
			}
			if d.Key != "" {
				key = d.Key
			}
		}
		reply.Tokens = append(reply.Tokens, Reissued{Token: l.Token, CID: l.CID, Exp: stampOfPtr(l.Expires), Capabilities: capRecords(l.Caps)})
	}
	return reply, s.keep(ctx, agent.String(), key, lent...)
}

// tokenOf is a token that is in the log or was issued here, by its content id.
func (s *Service) tokenOf(ctx context.Context, cid string) (string, error) {
	if raw, ok := s.mesh.TokenOf(cid); ok {
		return raw, nil
	}
	t, ok, err := s.state.SessionToken(ctx, cid)
	switch {
	case err != nil:
		return "", err
	case !ok:
		return "", reason.Refuse(reason.NotFound, "no such capability is known here")
	}
	return t.Token, nil
}

// keyOf is the API key that a known token was issued by, or "".
func (s *Service) keyOf(ctx context.Context, cid string) (string, error) {
	if found, err := s.mesh.FindCapability(ctx, cid); err == nil {
		return found.Key, nil
	} else if reason.Of(err) != reason.NotFound {
		return "", err
	}
	t, _, err := s.state.SessionToken(ctx, cid)
	return t.KeyID, err
}

// check is what this gateway checks a token of 0.10 against, with proofs that were sent.
func (s *Service) check(ctx context.Context, sent []string) v0.Check {
	return v0.Check{
		Now: s.access.Now().Unix(), MaxDepth: v1.MaxChain, Owner: s.mesh.OwnsResource, Aligned: s.mesh.SameParty, Revoked: s.revokedToken(ctx),
		Proofs: func(cid string) (string, bool) {
			for _, p := range sent {
				if ucan.Names(cid, p) {
					return p, true
				}
			}
			return s.mesh.TokenOf(cid)
		},
	}
}

// revokedToken looks into the log and what was shown here; a store that does not answer counts
// as a yes.
func (s *Service) revokedToken(ctx context.Context) ucan.Revoked {
	return func(cid string) bool {
		if s.mesh.RevokedToken(cid) {
			return true
		}
		ended, err := s.state.TokenRevoked(ctx, cid)
		return ended || err != nil
	}
}

func (s *Service) ownsKey(k did.Key, resource string) bool {
	return s.mesh.OwnsResource(did.OfKey(k), resource)
}

// verifyV1 judges a container of 1.x: what its invocation does, or what its delegations
// allow.
func (s *Service) verifyV1(ctx context.Context, r VerifyRequest) *VerifyCapabilityReply {
	reply := &VerifyCapabilityReply{Success: true, Mode: "capability", Chain: []string{}, Errors: []string{}}
	check := v1.Check{Now: s.access.Now().Unix(), Owner: s.ownsKey, Revoked: s.revokedToken(ctx)}
	var a ucan.Authority
	var chain []*v1.Delegation
	b, err := v1.Read([]byte(r.Token), nil)
	if err == nil {
		a, err = b.Authority(check)
		chain, _ = b.Chain() // none beside an invocation
	}
	if err != nil {
		for _, f := range v1.FindingsOf(err) {
			if code := string(f.Code); !slices.Contains(reply.Errors, code) {
				reply.Errors = append(reply.Errors, code)
			}
		}
		code := string(v1.FindingsOf(err).Code())
		reply.Reason = &code
		return reply
	}
	switch {
	case r.Action == "" && r.Resource == "":
		reply.Allowed = true
		return reply
	case chain != nil && r.Action != "" && r.Resource != "":
		if check.Command, err = v1.Command(r.Action); err == nil {
			check.Args = map[string]any{v1.ResourceArg: r.Resource}
			a, err = v1.VerifyChain(chain, check)
		}
	default:
		if _, ok := ucan.Permits([]ucan.Authority{a}, ucan.Act{Resource: r.Resource, Ability: r.Action}, nil); !ok {
			err = reason.Refuse(reason.CapabilityDenied, "it does not cover the act")
		}
	}
	if err != nil {
		why := string(reason.CapabilityDenied)
		reply.Reason = &why
		return reply
	}
	reply.Allowed, reply.Chain = true, call.ListOf(a.Chain)
	reply.Matched = &CapRecord{With: a.Resource, Can: a.Ability, Nb: a.Constraints}
	return reply
}

// sessionRecords are the tokens beside the log that an agent issued and that its key received.
func (s *Service) sessionRecords(ctx context.Context, agent view.Agent) (issued, received []CapabilityRecord, err error) {
	me := agent.ID.String()
	all, err := s.state.SessionTokens(ctx, me, agent.DID.String())
	if err != nil {
		return nil, nil, err
	}
	for _, t := range all {
		l, err := s.mesh.ReadLent(t.Token)
		if err != nil {
			return nil, nil, err
		}
		r := CapabilityRecord{CID: t.CID, Token: t.Token, Format: formatOf(t.Token), State: string(view.Active), Issuer: l.Issuer.String(), AgentID: t.Agent,
			Audience: t.Audience, Att: capRecords(l.Caps), CreatedAt: call.Stamp(t.CreatedAt), ExpiresAt: stampOfPtr(l.Expires)}
		switch {
		case t.Revoked:
			r.State = string(view.Revoked)
		case t.ExpiresAt.Before(s.access.Now()):
			r.State = string(view.Expired)
		}
		if t.KeyID != "" {
			r.KeyID = &t.KeyID
		}
		if t.Source != "" {
			r.Source = &t.Source
		}
		if t.Agent == me {
			issued = append(issued, r)
		}
		if t.Audience == agent.DID.String() {
			received = append(received, r)
		}
	}
	return issued, received, nil
}
