package delegation

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/meshd/meshd/cmd/meshd/session"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// homeVerdict is what `cap verify` prints when a home was asked.
type homeVerdict struct {
	Valid   bool     `json:"valid"`
	Errors  []string `json:"errors"`
	Allowed bool     `json:"allowed"` // it grants something
}

// Verify has the node of the home judge a token by its log.
func Verify(ctx context.Context, s *session.Session, token string, proofs v0.Proofs) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	in := map[string]any{"token": token}
	if len(proofs) > 0 {
		var sent []string
		for _, proof := range proofs {
			sent = append(sent, proof)
		}
		in["proofs"] = sent
	}
	data, _, err := d.Do(ctx, http.MethodPost, "/api/mesh/capabilities/verify", nil, in, nil)
	if err != nil {
		return s.Refused(err)
	}
	out := homeVerdict{Errors: []string{}}
	if err := session.Decode(data, &out); err != nil {
		return err
	}
	out.Valid = len(out.Errors) == 0
	if err := s.PrintJSON(out); err != nil || out.Valid {
		return err
	}
	return errors.New("the token is not valid: " + strings.Join(out.Errors, ", "))
}
