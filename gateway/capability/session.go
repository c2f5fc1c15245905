package capability

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

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

// Revocation is a revocation as POST /api/mesh/capabilities/revocations takes it.
type Revocation struct {
	Record    json.RawMessage `json:"record,omitempty" doc:"of UCAN 0.10: iss, revoke and challenge"`
	Token     string          `json:"token,omitempty" doc:"the token of 0.10 that ends"`
	Container string          `json:"container,omitempty" doc:"of UCAN 1.0: an invocation of /ucan/revoke, with the delegation that ends"`
}

func revocationOf(signed, token string) *Revocation {
	if formatOf(token) == formatV1 {
		return &Revocation{Container: signed}
	}
	return &Revocation{Record: json.RawMessage(signed), Token: token}
}

// revokeLent ends a token beside the log that the caller's agent issued.
func (s *Service) revokeLent(ctx context.Context, by view.Agent, t state.SessionToken) (*RevokeReply, error) {
	if t.Agent != by.ID.String() {
		return nil, reason.Refuse(reason.CapabilityMissing, "the capability was given by another agent")
	}
	signed, err := s.mesh.SignRevocation(by.ID, t.Token)
	if err != nil {
		return nil, auth.RefuseToken(err, s.access.Now())
	}
	ended, err := s.state.RevokeToken(ctx, state.TokenRevocation{CID: t.CID, Issuer: by.DID.String(), Record: signed, Expires: &t.ExpiresAt}, s.access.Now())
	if err != nil && reason.Of(err) != reason.TokenReplayed { // it is revoked either way
		return nil, err
	}
	return &RevokeReply{Success: true, CID: t.CID, Cut: map[string]map[string]string{}, Reissued: call.ListOf(ended), Revocation: revocationOf(signed, t.Token)}, nil
}

// RevocationRequest shows a signed revocation.
type RevocationRequest struct {
	call.Request
	Record    json.RawMessage `field:"record"`
	Token     string          `field:"token"`
	Proofs    []string        `field:"proofs"`
	Container string          `field:"container"`
}

// RevocationForm reads a RevocationRequest.
var RevocationForm = call.Define[RevocationRequest](call.Form{
	{Name: "record", Kind: call.Object, Help: "Of UCAN 0.10: {\"iss\", \"revoke\", \"challenge\"}."},
	{Name: "token", Max: maxTokenText, Help: "The token of 0.10 that ends; one that is known here need not be sent."},
	{Name: "proofs", Kind: call.TextOrList, Items: v0.MaxProofs, Max: maxTokenText, Help: "Tokens it rests on; those in the log need not be sent."},
	{Name: "container", Max: maxTokenText, Help: "Of UCAN 1.x: an invocation of /ucan/revoke, with the delegation that ends."},
})

// RevocationReply says what ended.
type RevocationReply struct {
	Success  bool     `json:"success"`
	CID      string   `json:"cid" doc:"of the token that ended, with all that rests on it"`
	Issuer   string   `json:"issuer" doc:"who revoked"`
	Reissued []string `json:"reissued" doc:"cids of tokens of the other version that were made from it here and end with it"`
	ChangeID *string  `json:"change_id" doc:"of the revocation in the log, where this node writes for who revoked"`
}

// shown is a revocation that was read and whose signer may revoke.
type shown struct {
	state.TokenRevocation
	inLog bool // the token may be a grant in the log
}

// AcceptRevocation takes a revocation that an issuer of a token's chain has signed. It is
// its own credential. A forged one is signature_invalid, one by somebody else
// capability_missing, one of a token that gives nothing here capability_denied, and one
// that was shown before token_replayed.
func (s *Service) AcceptRevocation(ctx context.Context, r RevocationRequest) (*RevocationReply, error) {
	read := s.readRecord
	switch {
	case r.Record == nil && r.Container == "":
		return nil, reason.Refuse(reason.MissingField, "record or container is missing").With(map[string]any{"field": "record"})
	case r.Record != nil && r.Container != "":
		return nil, reason.Refuse(reason.InvalidParam, "record and container are of two versions: send one").With(map[string]any{"param": "container"})
	case r.Container != "":
		read = s.readContainer
	}
	got, err := read(ctx, r)
	if err != nil {
		return nil, err
	}
	reply := &RevocationReply{Success: true, CID: got.CID, Issuer: got.Issuer}
	if got.inLog {
		if reply.ChangeID, err = s.revokeInLog(ctx, got); err != nil {
			return nil, err
		}
	}
	ended, err := s.state.RevokeToken(ctx, got.TokenRevocation, s.access.Now())
	if err != nil {
		return nil, err
	}
	reply.Reissued = call.ListOf(ended)
	return reply, nil
}

func (s *Service) readRecord(ctx context.Context, r RevocationRequest) (shown, error) {
	record, err := ucan.ParseRevocation(r.Record)
	if err != nil {
		return shown{}, refuseRecord(err)
	}
	token := r.Token
	if token == "" {
		if token, err = s.tokenOf(ctx, record.Token()); err != nil {
			return shown{}, err
		}
	}
	if formatOf(token) == formatV1 || ucan.CID(token) != record.Token() {
		return shown{}, reason.Refuse(reason.InvalidParam, "the record is about another token; one of UCAN 1.x is revoked by an invocation").With(map[string]any{"param": "token"})
	}
	check := s.check(ctx, r.Proofs)
	check.Revoked = nil // who stands above may say it again
	res := v0.Verify(token, check)
	if !res.Valid() {
		return shown{}, auth.RefuseResult(res, s.access.Now())
	}
	if !record.AllowedBy(res.Issuers) && !slices.ContainsFunc(res.Issuers, func(is string) bool { return s.mesh.SameParty(is, record.Issuer()) }) {
		return shown{}, foreignRevocation()
	}
	return shown{state.TokenRevocation{CID: record.Token(), Issuer: record.Issuer(), Record: string(r.Record), Expires: momentOf(res.Token.Expires)}, true}, nil
}

func (s *Service) readContainer(ctx context.Context, r RevocationRequest) (shown, error) {
	now := s.access.Now()
	b, err := v1.Read([]byte(r.Container), nil)
	if err != nil {
		return shown{}, auth.RefuseToken(err, now)
	}
	got, err := b.Revocation(now.Unix())
	switch f := v1.FindingsOf(err); {
	case f.Code() == v1.NotRootOwner:
		return shown{}, foreignRevocation()
	case err != nil:
		return shown{}, auth.RefuseToken(err, now)
	}
	d := got.Token
	if d.Expires != nil && *d.Expires < now.Unix() {
		return shown{}, reason.Refuse(reason.TokenExpired, "the delegation has ended by itself")
	}
	subject := d.Subject
	if subject.IsZero() {
		subject = d.Issuer
	}
	if right, err := v1.RightOf(d.Command, d.Policy); err != nil || !s.ownsKey(subject, right.Resource) {
		if _, err := s.access.FindAgent(ctx, subject.String()); err != nil {
			return shown{}, reason.Refuse(reason.CapabilityDenied, "the delegation gives nothing here: nobody here is its subject")
		}
	}
	return shown{state.TokenRevocation{CID: d.CID, Issuer: got.Issuer.String(), Record: r.Container, Expires: momentOf(d.Expires)}, false}, nil
}

// revokeInLog writes the revocation of a grant into the log, with a cut, where this node
// writes for who revoked; everywhere else only this gateway knows of it.
func (s *Service) revokeInLog(ctx context.Context, r shown) (*string, error) {
	found, err := s.mesh.FindCapability(ctx, r.CID)
	if err != nil || found.State != view.Active {
		return nil, unlessNotFound(err)
	}
	by, err := s.access.FindAgent(ctx, r.Issuer)
	if err != nil || !by.Local {
		return nil, unlessNotFound(err)
	}
	done, err := s.mesh.Revoke(ctx, by.ID, found.ID, nil, "a revocation was shown at a gateway")
	if err != nil {
		return nil, err
	}
	return changeText(done.ID), nil
}

func unlessNotFound(err error) error {
	if code := reason.Of(err); code == reason.NotFound || code == reason.AgentNotFound {
		return nil
	}
	return err
}

func refuseRecord(err error) error {
	if errors.Is(err, ucan.ErrChallenge) {
		return reason.Refuse(reason.SignatureInvalid, "the revocation is not signed by its issuer")
	}
	return reason.Refuse(reason.InvalidParam, "record must be a revocation of UCAN 0.10: iss, revoke and challenge").With(map[string]any{"param": "record"})
}

func foreignRevocation() error {
	return reason.Refuse(reason.CapabilityMissing, "only who issued the token, or one that it rests on, may revoke it")
}

func momentOf(seconds *int64) *time.Time {
	if seconds == nil {
		return nil
	}
	t := time.Unix(*seconds, 0).UTC()
	return &t
}
