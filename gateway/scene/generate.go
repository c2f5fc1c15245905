package scene

import (
	"context"
	"errors"
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/prompt"
)

// maxSeed is the largest seed: numbers up to it are exact in JSON.
const maxSeed = 1<<53 - 1

// GenerateRequest asks for a scene or an object in words.
type GenerateRequest struct {
	call.Request
	Prompt string `field:"prompt"`
	Seed   int    `field:"seed"`
	Code   string `field:"code"`
}

// GenerateForm reads a GenerateRequest.
var GenerateForm = call.Define[GenerateRequest](call.Form{
	{Name: "prompt", Min: minPrompt, Max: prompt.MaxPrompt, Required: true, Help: "What there shall be, or what shall change, in plain English: a red ball on a wooden table; make the ball bigger."},
	{Name: "seed", Kind: call.Int, Min: 0, Max: maxSeed, Default: 0, Help: "Another seed gives other places where the words leave them open."},
	{Name: "code", Max: MaxCode, Judged: true, Help: "The scene to change. Without it a new one is made."},
})

// GenerateReply is what the rules made.
type GenerateReply struct {
	Code          string            `json:"code"`
	Format        string            `json:"format" enum:"holo,hs,hsplus"`
	Diagnostics   []diag.Diagnostic `json:"diagnostics"`
	Generator     Generator         `json:"generator"`
	NotUnderstood []string          `json:"not_understood" doc:"words that nothing was made of"`
	Notes         []string          `json:"notes,omitempty" doc:"the numbers that were used for words, and what was made to fit"`
}

// Generator says what made a source.
type Generator struct {
	Kind    string `json:"kind" enum:"rules,model"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

// rules is the label of everything that the rules make.
var rules = Generator{"rules", prompt.Name, prompt.Version}

// GenerateScene makes or changes a scene by fixed rules. No model has a part in it.
func (s *Service) GenerateScene(ctx context.Context, r GenerateRequest) (*GenerateReply, error) {
	return s.generate(ctx, r, false)
}

// GenerateObject makes things without a scene around them.
func (s *Service) GenerateObject(ctx context.Context, r GenerateRequest) (*GenerateReply, error) {
	return s.generate(ctx, r, true)
}

func (s *Service) generate(ctx context.Context, r GenerateRequest, bare bool) (*GenerateReply, error) {
	req := prompt.Request{Prompt: r.Prompt, Seed: uint64(r.Seed), Code: r.Code, Bare: bare}
	if req.Prompt == "" {
		return nil, MissingField("prompt")
	}
	if n := call.Chars(req.Code); n > MaxCode {
		return nil, reason.Refuse(reason.BodyTooLarge, "the source has %d characters, at most %d are read", n, MaxCode).
			With(map[string]any{"field": "code", "max": MaxCode, "actual": n})
	}
	if req.Code != "" {
		req.Format = ast.GuessFormat(req.Code)
	}
	var out *prompt.Result
	var failed error
	if err := s.atBench(ctx, func() { out, failed = prompt.Run(req) }); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, promptRefusal(failed)
	}
	if n := call.Chars(out.Code); n > MaxCode {
		return nil, reason.Refuse(reason.ValidationFailed, "the scene would have %d characters, at most %d are made", n, MaxCode).
			With(map[string]any{"field": "prompt", "generator": rules})
	}
	return &GenerateReply{
		Code: out.Code, Format: req.Format.String(), Generator: rules, Notes: out.Notes,
		Diagnostics:   append([]diag.Diagnostic{}, out.Diagnostics[:min(len(out.Diagnostics), MaxDiagnostics)]...),
		NotUnderstood: append([]string{}, out.NotUnderstood...),
	}, nil
}

// promptRefusal says why nothing was made, with what may have been meant.
func promptRefusal(err error) error {
	var r *prompt.Refusal
	if !errors.As(err, &r) {
		return err
	}
	code := reason.ValidationFailed
	if known := []reason.Code{reason.SourceInvalid, reason.UnsupportedConstruct, reason.ObjectNotFound}; slices.Contains(known, reason.Code(r.Code)) {
		code = reason.Code(r.Code)
	}
	details := map[string]any{"field": "prompt", "generator": rules, "not_understood": append([]string{}, r.NotUnderstood...)}
	if len(r.Choices) > 0 {
		details["choices"] = r.Choices
	}
	return reason.Refuse(code, "%s", r.Message).With(details)
}
