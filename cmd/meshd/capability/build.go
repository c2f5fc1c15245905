package capability

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/strictjson"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

func cmdBuild(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "build [FILE|-]", Short: "Sign a token, byte for byte repeatable", Args: fileOrInput,
		Long: "Sign a UCAN 0.10 token. The input is JSON:\n\n" +
			"  {\"version\": \"0.10.0\", \"issuer_base64_key\": BASE64, \"signature_scheme\": \"Ed25519\", \"audience\": DID,\n" +
			"   \"not_before\"?: SECONDS, \"expiration\": SECONDS or null, \"facts\"?: {}, \"capabilities\": {URI: {ABILITY: [{}]}},\n" +
			"   \"proofs\"?: [CID], \"nonce\"?: TEXT}\n\n" +
			"The key is 64 bytes: seed, public key. It is read from the input only, never from the command line, and nothing of\n" +
			"it is kept. A proof may also be given as the token it is. Without a nonce the same input gives the same token.",
		Example: "  meshd cap build draft.json",
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := readInput(s, args)
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
			return s.PrintJSON(map[string]string{"token": token})
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
