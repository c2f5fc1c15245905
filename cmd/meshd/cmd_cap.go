package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/strictjson"
	"github.com/meshd/meshd/identity/ucan/v0"
)

func (p *program) cmdCap() *cobra.Command {
	c := &cobra.Command{
		Use: "cap", Short: "Give, take and check capabilities", Args: subcommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.cmdCapIssue(), p.cmdCapRevoke(), p.cmdCapList(), p.cmdCapVerify(), p.cmdCapBuild(), p.cmdCapCID())
	return c
}

// readInput reads the file named by the only word, or standard input for "-" or
// no word.
func (p *program) readInput(args []string) ([]byte, error) {
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	in, err := p.openInput(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err != nil {
		return nil, fmt.Errorf("read input: %w", err)
	}
	if len(data) > maxText {
		return nil, fmt.Errorf("input has more than %d bytes", maxText)
	}
	return bytes.TrimSpace(data), nil
}

func fileOrInput(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("%s takes one file, or - for standard input: %s", c.CommandPath(), c.UseLine())
	}
	return nil
}

func (p *program) cmdCapVerify() *cobra.Command {
	var root string
	c := &cobra.Command{
		Use: "verify [FILE|-]", Short: "Check a token and what proves it", Args: fileOrInput,
		Long: "Check a UCAN 0.10 token. The input is the token, or JSON: {\"token\": TOKEN, \"proofs\": {CID: TOKEN}}, or a\n" +
			"collection {\"/\": TOKEN, CID: TOKEN}. Prints every finding, and what the token grants when there is none. The exit\n" +
			"code is 1 for a token that is not valid.\n\n" +
			"Without --root, whoever signs a token without proofs owns what it speaks of; with it, nobody but that DID does.\n" +
			"With --home given, the node of that home judges with its log: who owns what, which keys are in force, what was\n" +
			"revoked, and proofs that were not sent.",
		RunE: func(c *cobra.Command, args []string) error {
			data, err := p.readInput(args)
			if err != nil {
				return err
			}
			token, proofs, err := readPresented(data)
			if err != nil {
				return err
			}
			if c.Flags().Changed("home") {
				if root != "" {
					return usage("with --home the log says who owns what: leave out --root")
				}
				return p.verifyAtHome(c.Context(), token, proofs)
			}
			check := v0.Check{Now: time.Now().Unix(), Proofs: proofs.Find}
			if root != "" {
				owner, err := did.ParseController(root)
				if err != nil {
					return usage("--root: %v", err)
				}
				check.Owner = func(issuer did.DID, _ string) bool { return issuer == owner }
			}
			return p.printVerdict(v0.Verify(token, check))
		},
	}
	c.Flags().StringVar(&root, "root", "", "the DID that owns the resources")
	return c
}

// readPresented tells a bare token, a token with proofs and a collection apart.
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

func (p *program) printVerdict(r v0.Result) error {
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
	if err := p.printJSON(out); err != nil || out.Valid {
		return err
	}
	names := make([]string, len(out.Errors))
	for i, c := range out.Errors {
		names[i] = string(c)
	}
	return errors.New("the token is not valid: " + strings.Join(names, ", "))
}

func (p *program) cmdCapBuild() *cobra.Command {
	return &cobra.Command{
		Use: "build [FILE|-]", Short: "Sign a token, byte for byte repeatable", Args: fileOrInput,
		Long: "Sign a UCAN 0.10 token. The input is JSON:\n\n" +
			"  {\"version\": \"0.10.0\", \"issuer_base64_key\": BASE64, \"signature_scheme\": \"Ed25519\", \"audience\": DID,\n" +
			"   \"not_before\"?: SECONDS, \"expiration\": SECONDS or null, \"facts\"?: {}, \"capabilities\": {URI: {ABILITY: [{}]}},\n" +
			"   \"proofs\"?: [CID], \"nonce\"?: TEXT}\n\n" +
			"The key is 64 bytes: seed, public key. It is read from the input only, never from the command line, and nothing of\n" +
			"it is kept. A proof may also be given as the token it is. Without a nonce the same input gives the same token.",
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := p.readInput(args)
			if err != nil {
				return err
			}
			draft, signer, err := readDraft(data)
			if err != nil {
				return fmt.Errorf("read draft: %w", err)
			}
			token, err := v0.Build(draft, signer, nil)
			if err != nil {
				return err
			}
			return p.printJSON(map[string]string{"token": token})
		},
	}
}

// draftJSON is the input of `cap build`.
type draftJSON struct {
	Version      *string                                `json:"version"`
	Key          []byte                                 `json:"issuer_base64_key"`
	Scheme       *string                                `json:"signature_scheme"`
	Audience     *string                                `json:"audience"`
	NotBefore    *int64                                 `json:"not_before"`
	Expiration   json.RawMessage                        `json:"expiration"`
	Facts        map[string]any                         `json:"facts"`
	Capabilities map[string]map[string][]map[string]any `json:"capabilities"`
	Proofs       []string                               `json:"proofs"`
	Nonce        string                                 `json:"nonce"`
}

func readDraft(data []byte) (v0.Draft, keys.Signer, error) {
	if _, err := strictjson.Object(data); err != nil { // the decoder below lets a later member win over an earlier one
		return v0.Draft{}, nil, err
	}
	var in draftJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return v0.Draft{}, nil, err
	}
	switch {
	case in.Version == nil || in.Audience == nil || in.Scheme == nil || in.Key == nil || in.Capabilities == nil || in.Expiration == nil:
		return v0.Draft{}, nil, errors.New("version, issuer_base64_key, signature_scheme, audience, expiration (a number or null) and capabilities are needed")
	case *in.Scheme != "Ed25519":
		return v0.Draft{}, nil, errors.New("signature_scheme must be Ed25519")
	case len(in.Key) != keys.SeedSize+32:
		return v0.Draft{}, nil, errors.New("issuer_base64_key must hold 64 bytes: seed, public key")
	}
	signer := keys.FromSeed([keys.SeedSize]byte(in.Key))
	if !bytes.Equal(signer.Key().Public(), in.Key[keys.SeedSize:]) {
		return v0.Draft{}, nil, errors.New("issuer_base64_key: the public key is not that of the seed")
	}
	draft := v0.Draft{
		Version: *in.Version, Audience: *in.Audience, NotBefore: in.NotBefore, Facts: in.Facts, Nonce: in.Nonce,
	}
	if err := json.Unmarshal(in.Expiration, &draft.Expires); err != nil {
		return v0.Draft{}, nil, fmt.Errorf("expiration: %w", err)
	}
	for with, abilities := range in.Capabilities {
		if len(abilities) == 0 {
			return v0.Draft{}, nil, fmt.Errorf("capabilities: %q has no ability", with)
		}
		for can, caveats := range abilities {
			draft.Caps = append(draft.Caps, v0.Cap{With: with, Can: can, Caveats: caveats})
		}
	}
	for _, proof := range in.Proofs {
		if strings.Count(proof, ".") == 2 {
			proof = ucan.CID(proof)
		}
		draft.Proofs = append(draft.Proofs, proof)
	}
	return draft, signer, nil
}

func (p *program) cmdCapCID() *cobra.Command {
	var hasher string
	c := &cobra.Command{
		Use: "cid [FILE|-]", Short: "Print a token's content id", Args: fileOrInput,
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := p.readInput(args)
			if err != nil {
				return err
			}
			token, _, err := readPresented(data)
			if err != nil {
				return err
			}
			if token == "" {
				return errors.New("input is empty")
			}
			cid, err := v0.CIDWith(ucan.Hasher(hasher), token)
			if err != nil {
				return usage("--hasher: %v", err)
			}
			if p.json {
				return p.printJSON(map[string]string{"cid": cid})
			}
			_, err = fmt.Fprintln(p.out, cid)
			return err
		},
	}
	c.Flags().StringVar(&hasher, "hasher", string(ucan.SHA256), "SHA2-256, SHA2-512 or BLAKE3-256")
	return c
}
