package capability

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
	"github.com/meshd/meshd/node/view"
)

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
