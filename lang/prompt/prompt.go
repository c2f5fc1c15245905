// Package prompt makes and changes scenes from sentences by fixed rules: a small
// English vocabulary, a grammar of commands, and a layout that lets things stand
// on something and meet nothing. It is no language model, and it guesses
// nothing: words that it does not know come back in NotUnderstood.
//
// Run is pure. The same prompt, seed and scene give the same bytes. All that it
// writes goes through the operations of package edit.
package prompt

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/edit"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
)

// Name and Version are how the rules sign what they make. The version changes
// when the same prompt gives other bytes.
const (
	Name    = "scene rules"
	Version = "1"
)

// Label is the comment in a source that the rules began.
const Label = "// Built by fixed rules (" + Name + " " + Version + "), no AI model."

// Request is one prompt, and the scene that it is about.
type Request struct {
	Prompt string
	Seed   uint64
	// Code is the scene to change; empty begins a new one.
	Code   string
	Format ast.Format
	Check  check.Options
	// Bare makes things alone: no scene around them, no ground, camera or light.
	Bare bool
}

// Result is the scene after the prompt.
type Result struct {
	Code string
	// Ops made the scene out of Base, which is the code of the request or an empty
	// scene.
	Ops         []edit.Op
	Base        string
	Edits       []edit.Edit
	Diagnostics []diag.Diagnostic
	// NotUnderstood are the words that nothing was made of.
	NotUnderstood []string
	// Notes say which numbers were used for words, and what was made to fit.
	Notes []string
}

// The codes of a Refusal.
const (
	Invalid  = "validation_failed"
	NotFound = "object_not_found"
	Broken   = "source_invalid"
)

// Refusal says why nothing was made or changed.
type Refusal struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Choices []string `json:"choices,omitempty"` // what may have been meant, or what can be asked
	// NotUnderstood are the words that nothing was made of.
	NotUnderstood []string `json:"not_understood,omitempty"`
}

// Error implements error.
func (r *Refusal) Error() string { return r.Message }

func refuse(format string, args ...any) *Refusal {
	return &Refusal{Code: Invalid, Message: fmt.Sprintf(format, args...)}
}

func missing(format string, args ...any) *Refusal {
	return &Refusal{Code: NotFound, Message: fmt.Sprintf(format, args...)}
}

// Can are five things that the rules can do, for those who asked for something
// else.
var Can = []string{
	"a red ball on a wooden table",
	"five trees in a circle around a pond",
	"a tall robot next to a house at night",
	"make the red ball bigger",
	"a glowing cube that spins and can be grabbed",
}

const fresh = Label + `
composition "Scene" {
  environment {
    skybox: { top: "#4a90d9", bottom: "#dfeaf5" }
    ambient_light: 0.5
    shadows: true
  }
}
`

// Run carries a prompt out. The error is always a *Refusal.
func Run(r Request) (*Result, error) {
	if n := utf8.RuneCountInString(r.Prompt); n > MaxPrompt || !utf8.ValidString(r.Prompt) {
		return nil, refuse("the prompt has %d characters, at most %d of UTF-8 are read", n, MaxPrompt)
	}
	base, format := r.Code, r.Format
	if strings.TrimSpace(base) == "" {
		base, format = fresh, ast.Holo
		if r.Bare {
			base = Label + "\n"
		}
	}
	path := "main." + format.String()
	file, found := parse.File(path, []byte(base), format)
	for _, d := range found {
		if d.Severity == diag.Error {
			return nil, &Refusal{Code: Broken, Message: fmt.Sprintf("the scene has errors; the first, in line %d: %s", d.Line, d.Message)}
		}
	}
	model, _ := scene.Build(file, nil, scene.Options{Registry: r.Check.Registry})
	if len(model.Nodes) > MaxScene {
		return nil, refuse("the scene has %d nodes, at most %d are changed by a prompt", len(model.Nodes), MaxScene)
	}
	commands, unknown := parsePrompt(r.Prompt)
	w := newWorld(model, r.Seed)
	for _, c := range commands {
		if err := w.do(c); err != nil {
			err.NotUnderstood = unknown
			return nil, err
		}
	}
	if len(commands) == 0 {
		return nil, &Refusal{Code: Invalid, Message: "nothing of this is understood. These rules can do, for example: " + strings.Join(Can, "; ") + ".", Choices: Can, NotUnderstood: unknown}
	}
	ops := w.ops(model, r.Bare)
	out, err := edit.Apply(edit.Source{Path: path, Text: base, Format: format, Check: r.Check}, ops)
	if err != nil {
		e := err.(*edit.Refusal)
		return nil, &Refusal{Code: e.Code, Message: e.Message, Choices: e.Nearest, NotUnderstood: unknown}
	}
	return &Result{Code: out.Text, Ops: ops, Base: base, Edits: out.Edits, Diagnostics: out.Diagnostics, NotUnderstood: unknown, Notes: w.notes}, nil
}
