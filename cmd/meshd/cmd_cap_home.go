package main

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/meshd/meshd/identity/ucan/v0"
)

// homeVerdict is what `cap verify` prints when a home was asked.
type homeVerdict struct {
	Valid   bool     `json:"valid"`
	Errors  []string `json:"errors"`
	Allowed bool     `json:"allowed"` // it grants something
}

// verifyAtHome has the node of the home judge a token by its log.
func (p *program) verifyAtHome(ctx context.Context, token string, proofs v0.Proofs) (err error) {
	d, err := p.door(ctx, existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	in := map[string]any{"token": token}
	if len(proofs) > 0 {
		var sent []string
		for _, proof := range proofs {
			sent = append(sent, proof)
		}
		in["proofs"] = sent
	}
	data, _, err := d.do(ctx, http.MethodPost, "/api/mesh/capabilities/verify", nil, in, nil)
	if err != nil {
		return p.refused(err)
	}
	out := homeVerdict{Errors: []string{}}
	if err := decode(data, &out); err != nil {
		return err
	}
	out.Valid = len(out.Errors) == 0
	if err := p.printJSON(out); err != nil || out.Valid {
		return err
	}
	return errors.New("the token is not valid: " + strings.Join(out.Errors, ", "))
}
