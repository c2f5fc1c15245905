// Package edit changes source text by operations on the scene it describes: the
// tree, the inspector, the assistant's tools and the prompt rules all write
// through it.
//
// Apply takes a text and a list of operations and answers text edits. It is
// pure, and it does all of the operations or none: what cannot be done is a
// Refusal that says why and where. Comments and every byte that an operation
// does not mean stay as they are.
//
// A node is named by its id or by its path in the text as it is before the
// operation; a bare name will do where only one node has it.
package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Source is the text to change and what it is read by.
type Source struct {
	Path   string
	Text   string // UTF-8
	Format ast.Format
	// More are the modules that the text imports, in the order of evaluation.
	// Their templates are known; they are not changed.
	More []*ast.File
	// Check says how the result is judged.
	Check check.Options
}

// Edit replaces the bytes from Offset up to EndOffset.
type Edit struct {
	Offset    int    `json:"offset"`
	EndOffset int    `json:"end_offset"`
	Text      string `json:"text"`
}

// Result is what Apply did.
type Result struct {
	// Edits turn the text into Text. They are in order and do not touch.
	Edits []Edit
	Text  string
	// Diagnostics are the findings of the new text.
	Diagnostics []diag.Diagnostic
	// Related are the places in the new text that still mean what is gone or
	// goes by another name now.
	Related []diag.Related
	// Inverse are operations that turn Text back into the text before.
	Inverse []Op
}

// The codes of a Refusal.
const (
	NotFound   = "object_not_found"      // no node of that id or path; Nearest has names
	Invalid    = "validation_failed"     // the operation does not fit what it names
	Moved      = "version_conflict"      // base_sha256 is of another text
	Unreadable = "source_invalid"        // the text would not parse any more
	Elsewhere  = "unsupported_construct" // what is asked is not written where an operation can reach it
)

// Refusal says why nothing was done.
type Refusal struct {
	Code    string        `json:"code"`
	Message string        `json:"message"`
	Op      int           `json:"op"` // the place of the operation in its list
	Nearest []string      `json:"nearest,omitempty"`
	Place   *diag.Related `json:"place,omitempty"` // the expression, declaration or name in the way
}

// Error implements error.
func (r *Refusal) Error() string { return fmt.Sprintf("operation %d: %s", r.Op, r.Message) }

func refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Hash is the base_sha256 of a text.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Apply carries out operations one after the other, each on what the ones before
// it left. The error is always a *Refusal.
func Apply(src Source, ops []Op) (*Result, error) {
	if len(ops) > MaxOps {
		return nil, refuse(Invalid, "there are %d operations, at most %d are done at once", len(ops), MaxOps)
	}
	if len(src.Text) > MaxText {
		return nil, refuse(Invalid, "the text has %d bytes, at most %d can be edited", len(src.Text), MaxText)
	}
	s := newSession(src)
	for i, op := range ops {
		if err := s.do(op); err != nil {
			err.Op = i
			return nil, err
		}
	}
	if err := s.flush(); err != nil {
		err.Op = len(ops) - 1
		return nil, err
	}
	r := &Result{Edits: s.pieces.edits(len(src.Text)), Text: s.text, Related: s.relatedPlaces()}
	r.Diagnostics = s.judged().Diagnostics
	r.Inverse = inverse(src.Text, r)
	return r, nil
}

// Patch is the text that edits make of a text. They are in order and do not
// touch, as in a Result.
func Patch(text string, edits []Edit) string {
	var b strings.Builder
	last := 0
	for _, e := range edits {
		b.WriteString(text[last:e.Offset])
		b.WriteString(e.Text)
		last = e.EndOffset
	}
	b.WriteString(text[last:])
	return b.String()
}

func inverse(before string, r *Result) []Op {
	var out []Op
	base, shift := Hash(r.Text), 0
	for _, e := range r.Edits {
		at := e.Offset + shift
		out = append(out, Op{Op: "text", Offset: at, EndOffset: at + len(e.Text), Text: before[e.Offset:e.EndOffset], BaseSHA256: base})
		shift += len(e.Text) - (e.EndOffset - e.Offset)
	}
	return out
}

// session is an Apply under way. The text and what was read of it belong
// together; changes wait in pending until something must be read again.
type session struct {
	src     Source
	pieces  pieces
	text    string
	pending []Edit
	added   map[string]bool // parents and names that pending adds to
	related []mention
	exact   bool // the pending edits are the caller's own text
	wide    bool // the operation means a node that only some platforms have

	tree   *ast.File
	found  []diag.Diagnostic
	errors int
	model  *scene.Scene
	places map[[2]int]*element
	guards map[ast.Node]ast.Node // nil until asked for
	result *check.Result
	nl     string
	step   string // one level of indentation
}

func newSession(src Source) *session {
	s := &session{src: src, text: src.Text, pieces: pieces{{end: len(src.Text), base: true}}, added: map[string]bool{}, nl: "\n"}
	if i := strings.IndexAny(src.Text, "\r\n"); i >= 0 {
		switch {
		case strings.HasPrefix(src.Text[i:], "\r\n"):
			s.nl = "\r\n"
		case src.Text[i] == '\r':
			s.nl = "\r"
		}
	}
	s.read()
	return s
}

// read parses the text anew.
func (s *session) read() {
	s.tree, s.found = parse.File(s.src.Path, []byte(s.text), s.src.Format)
	s.model, s.places, s.guards, s.result = nil, nil, nil, nil
	s.errors, s.step = 0, ""
	for _, d := range s.found {
		if d.Severity == diag.Error {
			s.errors++
		}
	}
}

// scene is the model of the text as it was last read.
func (s *session) scene() *scene.Scene {
	if s.model == nil {
		s.model, _ = scene.Build(s.tree, s.src.More, scene.Options{Registry: s.src.Check.Registry, Everywhere: s.wide})
		s.places = s.index()
	}
	return s.model
}

// widen reads the scene with the nodes of all platforms when an operation names
// one that a scene for no platform lacks, and without them when it does not.
func (s *session) widen(op Op) {
	lacks := func() bool {
		for _, name := range []string{op.Node, op.Parent} {
			if name == "" {
				continue
			}
			if _, err := s.node(name); err != nil {
				return true
			}
		}
		return false
	}
	if s.wide {
		s.wide, s.model = false, nil
	}
	if strings.Contains(s.text, "platform") && lacks() {
		s.wide, s.model = true, nil
	}
}

// guard is the @platform on the line before an item, which goes where the item
// goes; nil for none.
func (s *session) guard(n ast.Node) ast.Node {
	if s.guards == nil {
		s.guards = map[ast.Node]ast.Node{}
		ast.Walk(s.tree, func(n ast.Node) bool {
			b, ok := n.(*ast.Body)
			for i := 1; ok && i < len(b.Items); i++ {
				if a, ok := b.Items[i-1].(*ast.Attribute); ok && a.Name == "platform" {
					s.guards[b.Items[i]] = a
				}
			}
			return true
		})
	}
	return s.guards[n]
}

func (s *session) judged() *check.Result {
	if s.result == nil {
		s.result = check.File(s.tree, s.found, s.src.Check)
	}
	return s.result
}

func (s *session) registry() *trait.Registry { return s.judged().Registry }

// change notes an edit of the text as it was last read.
func (s *session) change(from, to int, text string) {
	if from == to && text == "" {
		return
	}
	s.pending = append(s.pending, Edit{from, to, text})
}

// flush carries the pending edits out and reads the text again. A text that no
// longer parses is refused, and so are edits that touch each other.
func (s *session) flush() *Refusal {
	if len(s.pending) == 0 {
		return nil
	}
	edits := s.pending
	s.pending = nil
	clear(s.added)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Offset - b.Offset })
	for i := 1; i < len(edits); i++ {
		if edits[i].Offset < edits[i-1].EndOffset {
			return refuse(Invalid, "the operation changes one place twice")
		}
	}
	text := Patch(s.text, edits)
	if len(text) > MaxText {
		return refuse(Invalid, "the text would have %d bytes, at most %d can be edited", len(text), MaxText)
	}
	s.pieces = s.pieces.apply(edits)
	s.shiftRelated(edits)
	before := s.errors
	s.text = text
	s.read()
	if s.errors > before && !s.exact {
		d := s.found[slices.IndexFunc(s.found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })]
		return refuse(Unreadable, "the text would not parse any more: %s", d.Message)
	}
	s.exact = false
	return nil
}

// place is where a node stands, for a Refusal.
func (s *session) place(n ast.Node, message string) *diag.Related {
	return placeIn(s.tree, n, message)
}

func placeIn(f *ast.File, n ast.Node, message string) *diag.Related {
	at := n.Span()
	line, column := f.Stream.Source.Position(int(at.Start))
	return &diag.Related{Message: message, File: f.Path(), Line: line, Column: column, Offset: int(at.Start), EndOffset: int(at.End)}
}
