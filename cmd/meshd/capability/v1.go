package capability

import (
	"errors"
	"slices"
	"time"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// readChain reads the delegations of a container, leaf first.
func readChain(token string) ([]*v1.Delegation, error) {
	b, err := v1.Read([]byte(token), nil)
	if err != nil {
		return nil, err
	}
	return b.Chain()
}

// verifyV1 judges a container of UCAN 1.x, in which root, unless it is "", has to own the
// resource.
func verifyV1(s *session.Session, token, root string) error {
	check := v1.Check{Now: time.Now().Unix()}
	if root != "" {
		owner, err := did.ParseController(root)
		if err != nil {
			return session.Usage("--root: %v", err)
		}
		check.Owner = func(subject did.Key, _ string) bool { return did.OfKey(subject) == owner }
	}
	var a ucan.Authority
	b, err := v1.Read([]byte(token), nil)
	if err == nil {
		a, err = b.Authority(check)
	}
	out := tokenVerdict{Valid: err == nil, Errors: []v0.Code{}}
	if err == nil {
		out.Authority = &tokenGrant{Subject: a.Subject, Issuer: a.Issuer, NotBefore: a.NotBefore, Expires: a.Expires,
			Capabilities: []tokenRight{{a.Resource, a.Ability, a.Constraints, a.Chain}}}
		return s.PrintJSON(out)
	}
	found := v1.FindingsOf(err)
	for _, f := range found {
		if code := v0.Code(f.Code); !slices.Contains(out.Errors, code) { // one text for both versions
			out.Errors = append(out.Errors, code)
		}
		out.Findings = append(out.Findings, tokenFinding{Code: v0.Code(f.Code), Why: v0.Why(f.Why), Token: f.At})
	}
	out.Missing = found.Missing()
	if err := s.PrintJSON(out); err != nil {
		return err
	}
	return errors.New("the token is not valid: " + err.Error())
}
