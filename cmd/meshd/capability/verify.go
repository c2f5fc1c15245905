package capability

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/delegation"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/strictjson"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

func cmdVerify(s *session.Session) *cobra.Command {
	var root string
	c := &cobra.Command{
		Use: "verify [FILE|-]", Short: "Verify a token and its proofs", Args: fileOrInput,
		Long: "Check a UCAN token. The input is a token of 0.10, a container of 1.0 (delegations, or an invocation with them), or JSON: {\"token\": TOKEN, \"proofs\": {CID: TOKEN}}, or a\n" +
			"collection {\"/\": TOKEN, CID: TOKEN}. Prints every finding, and what the token grants when there is none. The exit\n" +
			"code is 1 for a token that is not valid.\n\n" +
			"Without --root, whoever signs a token without proofs owns what it speaks of; with it, nobody but that DID does.\n" +
			"With --home given, the node of that home judges with its log: who owns what, which keys are in force, what was\n" +
			"revoked, and proofs that were not sent.",
		Example: "  meshd cap verify token.jwt\n" +
			"  meshd cap verify --root did:key:z6MktNWXFy7fn9kNfwfvD9e2rDK3RPetS4MRKtZH8AxQzg9y token.jwt",
		RunE: func(c *cobra.Command, args []string) error {
			data, err := readInput(s, args)
			if err != nil {
				return err
			}
			token, proofs, err := readPresented(data)
			if err != nil {
				return err
			}
			if c.Flags().Changed("home") {
				if root != "" {
					return session.Usage("with --home the log says who owns what: leave out --root")
				}
				return delegation.Verify(c.Context(), s, token, proofs)
			}
			check := v0.Check{Now: time.Now().Unix(), Proofs: proofs.Find}
			if ucan.Sniff(token) == ucan.V1 {
				return verifyV1(s, token, root)
			}
			if root != "" {
				owner, err := did.ParseController(root)
				if err != nil {
					return session.Usage("--root: %v", err)
				}
				check.Owner = func(issuer did.DID, _ string) bool { return issuer == owner }
			}
			return printVerdict(s, v0.Verify(token, check))
		},
	}
	c.Flags().StringVar(&root, "root", "", "the DID that owns the resources")
	return c
}

// readPresented reads a bare token, a token with proofs, or a collection.
func readPresented(data []byte) (string, v0.Proofs, error) {
	if !bytes.HasPrefix(data, []byte("{")) {
		return string(data), nil, nil
	}
	o, err := strictjson.Object(data)
	if err != nil {
		return "", nil, fmt.Errorf("read input: %w", err)
	}
	if _, ok := o["/"]; ok {
		c, err := v0.ParseCollection(data)
		return c.Root, c.Proofs, err
	}
	token, ok := o["token"].(string)
	if !ok {
		return "", nil, errors.New(`input has neither "token" nor "/"`)
	}
	named, ok := o["proofs"].(map[string]any)
	if !ok && o["proofs"] != nil {
		return "", nil, errors.New(`"proofs" is not an object of tokens by content id`)
	}
	proofs := v0.Proofs{}
	for cid, v := range named {
		if proofs[cid], ok = v.(string); !ok {
			return "", nil, fmt.Errorf("proof %q is not a token", cid)
		}
	}
	return token, proofs, nil
}

// tokenVerdict is what `cap verify` prints.
type tokenVerdict struct {
	Valid     bool           `json:"valid"`
	Errors    []v0.Code      `json:"errors"`
	Findings  []tokenFinding `json:"findings,omitempty"`
	Missing   []string       `json:"missing,omitempty"`
	Authority *tokenGrant    `json:"authority"`
}

type tokenFinding struct {
	Code  v0.Code `json:"code"`
	Why   v0.Why  `json:"why,omitempty"`
	At    string  `json:"at,omitempty"`
	Token string  `json:"token,omitempty"`
}

type tokenGrant struct {
	Subject      string       `json:"subject"`
	Issuer       string       `json:"issuer"`
	NotBefore    *int64       `json:"not_before"`
	Expires      *int64       `json:"expires"`
	Capabilities []tokenRight `json:"capabilities"`
}

type tokenRight struct {
	Resource    string           `json:"resource"`
	Ability     string           `json:"ability"`
	Constraints []map[string]any `json:"constraints"`
	Chain       []string         `json:"chain"`
}

func printVerdict(s *session.Session, r v0.Result) error {
	out := tokenVerdict{Valid: r.Valid(), Errors: r.Findings.Codes(), Missing: r.Missing}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, tokenFinding{f.Code, f.Why, f.At, f.In})
	}
	if r.Token != nil && (r.Valid() || len(r.Authorities) > 0) {
		out.Authority = &tokenGrant{
			Subject: r.Token.Audience, Issuer: r.Token.Issuer, NotBefore: r.Token.NotBefore, Expires: r.Token.Expires,
			Capabilities: []tokenRight{},
		}
		for _, a := range r.Authorities {
			out.Authority.Capabilities = append(out.Authority.Capabilities, tokenRight{a.Resource, a.Ability, a.Constraints, a.Chain})
		}
	}
	if err := s.PrintJSON(out); err != nil || out.Valid {
		return err
	}
	names := make([]string, len(out.Errors))
	for i, c := range out.Errors {
		names[i] = string(c)
	}
	return errors.New("the token is not valid: " + strings.Join(names, ", "))
}
