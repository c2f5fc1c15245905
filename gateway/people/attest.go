package people

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/runtime"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/attest/merkle"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/view"
)

// Sizes of what is attested here.
const (
	maxChangesetFiles = 2000    // more do not fit a request; `meshd attest verify` takes them
	maxDigestText     = 71      // characters: sha256: and 64 hex digits
	maxTrailerText    = 8 << 10 // characters of a commit message
	maxPlaySteps      = 1<<53 - 1
)

// ChangesetRequest asks whether somebody stands behind changed files.
type ChangesetRequest struct {
	call.Request
	Digest   call.Opt[string]          `field:"digest"`
	Files    call.Opt[json.RawMessage] `field:"files"`
	Trailers call.Opt[string]          `field:"trailers"`
}

// ChangesetForm reads a ChangesetRequest.
var ChangesetForm = call.Define[ChangesetRequest](call.Form{
	{Name: "digest", Max: maxDigestText, Required: true, Help: "SHA-256 of the sorted lines path:change:sha256, in hex."},
	{Name: "files", Kind: call.Objects, Items: maxChangesetFiles, Required: true, Help: "Changed files, as {path, change, sha256}."},
	{Name: "trailers", Max: maxTrailerText, Required: true, Help: "Commit message with the three trailers of meshd attest sign --trailers."},
})

// ChangesetReply is the answer, with the reason when it is no.
type ChangesetReply struct {
	Success bool    `json:"success"`
	Valid   bool    `json:"valid"`
	Signer  *string `json:"signer" doc:"did:key that signed; null when nobody is known to have"`
	AgentID *string `json:"agent_id" doc:"agent of this network whose acting key that is or was"`
	Digest  string  `json:"digest" doc:"of the files sent"`
	Reason  *string `json:"reason" enum:"signature_invalid,attestation_mismatch"`
}

// VerifyChangeset checks trailers against files. It says who signed, not whether
// they may.
func (s *Service) VerifyChangeset(ctx context.Context, r ChangesetRequest) (*ChangesetReply, error) {
	switch {
	case !r.Digest.Set():
		return nil, missing("digest")
	case !r.Files.Set():
		return nil, missing("files")
	case !r.Trailers.Set():
		return nil, missing("trailers")
	}
	stated, err := hexSum(strings.TrimPrefix(r.Digest.Value, "sha256:"))
	if err != nil {
		return nil, call.BadParam("digest", err.Error())
	}
	files, err := filesOf(r.Files.Value)
	if err != nil {
		return nil, call.BadParam("files", err.Error())
	}
	digest, err := attest.Digest(files)
	if err != nil {
		return nil, call.BadParam("files", err.Error())
	}
	t, err := attest.ParseTrailers(r.Trailers.Value)
	if err != nil {
		return nil, call.BadParam("trailers", err.Error())
	}
	reply := &ChangesetReply{Success: true, Digest: hex.EncodeToString(digest[:])}
	err = t.Verify(files)
	if errors.Is(err, attest.ErrSignature) {
		return reply.because(reason.SignatureInvalid), nil
	}
	signer := t.Author.String()
	reply.Signer, reply.AgentID = &signer, s.signerAgent(ctx, t.Author)
	if err != nil || stated != digest {
		return reply.because(reason.AttestationMismatch), nil
	}
	reply.Valid = true
	return reply, nil
}

// missing refuses a request that lacks a field.
func missing(field string) error {
	return reason.Refuse(reason.MissingField, "%s is missing", field).With(map[string]any{"field": field})
}

func (r *ChangesetReply) because(c reason.Code) *ChangesetReply {
	text := string(c)
	r.Reason = &text
	return r
}

// filesOf reads the files of a changeset strictly: a member that is not looked at
// would look as if it were signed.
func filesOf(raw json.RawMessage) ([]attest.File, error) {
	var in []struct {
		Path   string        `json:"path"`
		Change attest.Change `json:"change"`
		SHA256 string        `json:"sha256"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return nil, errors.New("want a list of {path, change, sha256}")
	}
	files := make([]attest.File, len(in))
	for i, f := range in {
		sum, err := hexSum(f.SHA256)
		if err != nil {
			return nil, fmt.Errorf("[%d].sha256 %w", i, err)
		}
		files[i] = attest.File{Path: f.Path, Change: f.Change, SHA256: sum}
	}
	return files, nil
}

var errHexSum = errors.New("must be 64 lower-case hex digits")

func hexSum(text string) (sum [sha256.Size]byte, err error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(sum) || hex.EncodeToString(raw) != text {
		return sum, errHexSum
	}
	return [sha256.Size]byte(raw), nil
}

// AttestRequest states what a play came to.
type AttestRequest struct {
	call.Request
	Program   string           `field:"program_sha256"`
	Input     string           `field:"input_sha256"`
	Output    string           `field:"output_sha256"`
	Steps     call.Opt[int]    `field:"steps"`
	Signature call.Opt[string] `field:"signature"`
	Source    call.Opt[string] `field:"program"`
	Ticks     call.Opt[string] `field:"input"`
}

// AttestForm reads an AttestRequest.
var AttestForm = call.Define[AttestRequest](call.Form{
	{Name: "program_sha256", Max: call.MaxSHA256, Required: true, Help: "SHA-256 of the scene or skill, in hex."},
	{Name: "input_sha256", Max: call.MaxSHA256, Required: true, Help: "Merkle root (RFC 6962) over the inputs, one a tick, in hex."},
	{Name: "output_sha256", Max: call.MaxSHA256, Required: true, Help: "Hash of the state at the end, in hex."},
	{Name: "steps", Kind: call.Int, Max: maxPlaySteps, Required: true, Help: "Steps done."},
	{Name: "signature", Max: signatureText, Required: true,
		Help: "Ed25519 over mesh-play-v1, a zero byte, the three hashes and the steps as 64 bits, by a key of the caller's agent; unpadded base64url."},
	{Name: "program", Max: scene.MaxCode, Judged: true, Help: "The program itself, a source or a program/1 document: it is run again."},
	{Name: "input", Max: runtime.MaxPlayInput, Judged: true,
		Help: "Its inputs, a line each tick: nothing, or a list of events, [{name, node?, payload?}], on one line. Absent: no tick."},
})

// AttestReply is the receipt of an attestation.
type AttestReply struct {
	Success bool        `json:"success"`
	Receipt PlayReceipt `json:"receipt"`
}

// PlayReceipt says that this node saw a claim, when, and whose signature it bore.
type PlayReceipt struct {
	ID   string `json:"id" doc:"of the record in this node's audit log"`
	Hash string `json:"hash" doc:"SHA-256 of the canonical JSON (RFC 8785) of the other members without id"`
	PlayClaim
}

// PlayClaim is what a receipt is about.
type PlayClaim struct {
	AgentID     string `json:"agent_id"`
	Signer      string `json:"signer"`
	Program     string `json:"program_sha256"`
	Input       string `json:"input_sha256"`
	Output      string `json:"output_sha256"`
	Steps       int    `json:"steps"`
	Signature   string `json:"signature"`
	RecordedAt  string `json:"recorded_at"`
	ReExecution string `json:"re_execution" enum:"proven,too_large,not_given" doc:"proven: run again here, it ends as claimed; too_large: it is more than is run here; not_given: the signature was checked, the program was not sent"`
}

// notGiven is what is recorded of a claim that came without its program, the
// signer's word alone.
const notGiven = "not_given"

// Attest records a signed claim about a play and returns a receipt. When the program
// comes with it, it is run again; a claim that is not true is recorded as refuted
// and answered with attestation_mismatch.
func (s *Service) Attest(ctx context.Context, c call.Caller, r AttestRequest) (*AttestReply, error) {
	if err := c.RequireScope(state.ScopeWrite); err != nil {
		return nil, err
	}
	agent, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	claim, sig, err := claimOf(r)
	if err != nil {
		return nil, err
	}
	a, err := s.mesh.Agent(ctx, agent)
	if err != nil {
		return nil, err
	}
	signer, ok := playSigner(a, claim, sig)
	if !ok {
		return nil, call.Hinted(reason.SignatureInvalid, "the claim is not signed by a key of your agent",
			"sign with its acting key, or with a did:key among its proved controllers")
	}
	outcome, why, err := s.playAgain(ctx, claim, r)
	if err != nil {
		return nil, err
	}
	now := s.access.Now()
	p := PlayClaim{AgentID: agent.String(), Signer: signer.String(), Program: r.Program, Input: r.Input,
		Output: r.Output, Steps: r.Steps.Value, Signature: r.Signature.Value, RecordedAt: call.Stamp(now), ReExecution: string(outcome)}
	raw, err := jcs.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encode receipt: %w", err)
	}
	sum := sha256.Sum256(raw)
	reply := &AttestReply{Success: true, Receipt: PlayReceipt{Hash: hex.EncodeToString(sum[:]), PlayClaim: p}}
	reply.Receipt.ID, err = s.state.AppendAudit(ctx, state.AuditEntry{At: now, Actor: p.AgentID, Action: "play.attested", Object: reply.Receipt.Hash,
		Detail: map[string]any{"signer": p.Signer, "program_sha256": p.Program, "input_sha256": p.Input, "output_sha256": p.Output,
			"steps": p.Steps, "signature": p.Signature, "re_execution": p.ReExecution}})
	if err != nil {
		return nil, fmt.Errorf("record attestation: %w", err)
	}
	if outcome == runtime.Refuted {
		return nil, reason.Refuse(reason.AttestationMismatch, "%s", why).With(map[string]any{"re_execution": p.ReExecution, "record": reply.Receipt.ID})
	}
	return reply, nil
}

// playAgain runs the program of a claim again, if it came with it.
func (s *Service) playAgain(ctx context.Context, claim attest.Claim, r AttestRequest) (o runtime.Outcome, why string, err error) {
	switch {
	case r.Source.Set():
		return s.runs.Replay(ctx, claim, r.Source.Value, r.Ticks.Value)
	case r.Ticks.Set():
		return "", "", missing("program")
	}
	return notGiven, "", nil
}

// claimOf reads a claim and its signature.
func claimOf(r AttestRequest) (attest.Claim, []byte, error) {
	var c attest.Claim
	var input [sha256.Size]byte
	for _, f := range []struct {
		name, text string
		sum        *[sha256.Size]byte
	}{{"program_sha256", r.Program, &c.Program}, {"input_sha256", r.Input, &input}, {"output_sha256", r.Output, &c.Output}} {
		if f.text == "" {
			return c, nil, missing(f.name)
		}
		var err error
		if *f.sum, err = hexSum(f.text); err != nil {
			return c, nil, call.BadParam(f.name, err.Error())
		}
	}
	switch {
	case !r.Steps.Set():
		return c, nil, missing("steps")
	case !r.Signature.Set():
		return c, nil, missing("signature")
	}
	c.Inputs, c.Steps = merkle.Hash(input), uint64(r.Steps.Value)
	text := r.Signature.Value
	sig, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(sig) != keys.SignatureSize || base64.RawURLEncoding.EncodeToString(sig) != text {
		return c, nil, call.BadParam("signature", "must be 64 bytes in unpadded base64url")
	}
	return c, sig, nil
}

// playSigner is the key of an agent that signed: its acting key, or a controller
// whose proof every node can check.
func playSigner(a view.Agent, c attest.Claim, sig []byte) (did.Key, bool) {
	if c.SignedBy(a.DID, sig) {
		return a.DID, true
	}
	for _, text := range a.Proven {
		if k, err := did.ParseKey(text); err == nil && c.SignedBy(k, sig) {
			return k, true
		}
	}
	return did.Key{}, false
}
