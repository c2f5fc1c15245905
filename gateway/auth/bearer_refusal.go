package auth

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jose"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// MissingProofs is a refusal for proofs that were not sent. The API answers it
// with 510 Not Extended, the content ids as top-level "prf", and the header
// ucan-cache-expiry (UCAN 0.10 as HTTP bearer); elsewhere it is its refusal.
type MissingProofs struct {
	*reason.Refusal
	Proofs []string  // content ids, sorted
	Kept   time.Time // until when this gateway keeps the proofs that were sent
}

// Unwrap gives the refusal to errors.As.
func (m *MissingProofs) Unwrap() error { return m.Refusal }

// CacheExpiry is the value of the header ucan-cache-expiry: seconds since 1970.
func (m *MissingProofs) CacheExpiry() string { return strconv.FormatInt(m.Kept.Unix(), 10) }

// Texts of refusals. They say nothing that stands in the token.
var bearerTexts = map[reason.Code]string{
	reason.InvalidToken:         "the token cannot be read",
	reason.TokenExpired:         "the token, or one it rests on, is past its end",
	reason.TokenNotYetValid:     "the term of the token, or of one it rests on, has not begun",
	reason.KeyRevoked:           "the token, or one it rests on, was revoked",
	reason.SignatureInvalid:     "the token, or one it rests on, is not signed by its issuer",
	reason.ChainInvalid:         "the chain of tokens does not hold together",
	reason.AttenuationViolation: "the token says more than the tokens it rests on",
	reason.CapabilityDenied:     "the token does not begin with an owner of what it speaks of",
	reason.ProofMissing:         "a token that this one rests on was not sent",
}

func bearerRefusal(c reason.Code) *reason.Refusal { return reason.Refuse(c, "%s", bearerTexts[c]) }

// refuseV0 is the table of protocols §1.3 for a bearer.
func refuseV0(r v0.Result, now time.Time) error {
	if len(r.Findings) == 0 {
		return bearerRefusal(reason.CapabilityDenied) // it is valid and gives nothing
	}
	switch code := codeV0(r.Findings[0]); code {
	case reason.ProofMissing:
		return missing(r.Missing, now)
	default:
		return bearerRefusal(code)
	}
}

// RefuseResult is the refusal for a token of 0.10 that is not valid.
func RefuseResult(r v0.Result, now time.Time) error { return refuseV0(r, now) }

// RefuseToken is the refusal for a token of either version that is not valid, or that the
// other version has no words for; another error is returned as it is.
func RefuseToken(err error, now time.Time) error {
	var of0 v0.Findings
	var of1 v1.Findings
	switch {
	case errors.As(err, &of0):
		return refuseV0(v0.Result{Findings: of0}, now)
	case errors.As(err, &of1):
		return refuseV1(err, did.Key{}, now)
	case errors.Is(err, v1.ErrNoEquivalent):
		return reason.Refuse(reason.UnsupportedConstruct, "the other version of UCAN cannot say this: %s", strings.TrimPrefix(err.Error(), v1.ErrNoEquivalent.Error()+": "))
	}
	return err
}

func codeV0(f v0.Finding) reason.Code {
	switch f.Code {
	case v0.Expired:
		return reason.TokenExpired
	case v0.NotReady:
		return reason.TokenNotYetValid
	case v0.UnavailableProof:
		return reason.ProofMissing
	case v0.TimeBoundsViolation:
		return reason.ChainInvalid
	case v0.InvalidDelegation:
		if f.Why == v0.WhyCoverage {
			return reason.AttenuationViolation
		}
		return reason.ChainInvalid
	case v0.NotRootOwner:
		return reason.CapabilityDenied
	case v0.Revoked:
		return reason.KeyRevoked
	case v0.InvalidSignature:
		return reason.SignatureInvalid
	}
	return reason.InvalidToken
}

// refuseV1 is the same table for 1.x.
func refuseV1(err error, service did.Key, now time.Time) error {
	var f v1.Findings
	if !errors.As(err, &f) {
		return bearerRefusal(reason.InvalidToken)
	}
	first := f.First()
	switch first.Code {
	case v1.Expired:
		return bearerRefusal(reason.TokenExpired)
	case v1.NotReady:
		return bearerRefusal(reason.TokenNotYetValid)
	case v1.UnavailableProof:
		return missing(f.Missing(), now)
	case v1.InvalidDelegation:
		if first.Why.OfChain() {
			return bearerRefusal(reason.ChainInvalid)
		}
		return bearerRefusal(reason.AttenuationViolation)
	case v1.WrongAudience:
		return wrongAudience(service)
	case v1.NotRootOwner:
		return bearerRefusal(reason.CapabilityDenied)
	case v1.Revoked:
		return bearerRefusal(reason.KeyRevoked)
	case v1.InvalidSignature:
		return bearerRefusal(reason.SignatureInvalid)
	}
	return bearerRefusal(reason.InvalidToken)
}

// missing requests proofs. None is kept between requests, so each request has to
// carry all of them, and the header says: kept until now.
func missing(cids []string, now time.Time) error {
	r := hinted(bearerRefusal(reason.ProofMissing), "send it, with all the others, in the header ucans: <token>, <token>")
	return &MissingProofs{Refusal: r.With(map[string]any{"prf": cids}), Proofs: cids, Kept: now}
}

func wrongAudience(service did.Key) *reason.Refusal {
	return hinted(reason.Refuse(reason.WrongAudience, "the token is made for another gateway"),
		"make one for the audience "+service.String())
}

func refuseRole(err error) *reason.Refusal {
	switch {
	case errors.Is(err, jose.ErrSignature):
		return reason.Refuse(reason.SignatureInvalid, "the role token is not signed by a known key")
	case errors.Is(err, jose.ErrExpired):
		return reason.Refuse(reason.TokenExpired, "the role token is past its end")
	case errors.Is(err, jose.ErrNotYet):
		return reason.Refuse(reason.TokenNotYetValid, "the term of the role token has not begun")
	case errors.Is(err, jose.ErrAudience):
		return reason.Refuse(reason.WrongAudience, "the role token is for another audience")
	}
	return reason.Refuse(reason.InvalidToken, "the role token is broken, or of another issuer")
}
