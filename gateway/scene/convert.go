package scene

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/format"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
)

// FormatRequest asks for the canonical form of a source.
type FormatRequest struct {
	call.Request
	SourceFields
	Inline bool `field:"inline"`
}

// ConvertRequest asks for a source in another format.
type ConvertRequest struct {
	call.Request
	Code   string `field:"code"`
	Format string `field:"format"`
	To     string `field:"to"`
	Inline bool   `field:"inline"`
}

// described is the format of a scene that is described as JSON.
const described = "description"

// The forms of these requests.
var (
	// FormatForm reads a FormatRequest.
	FormatForm = call.Define[FormatRequest](call.Form{codeField,
		{Name: "format", Enum: sourceFormats, Default: "auto", Help: "Format of the source; auto: by its first word."}, InlineField})
	// ConvertForm reads a ConvertRequest.
	ConvertForm = call.Define[ConvertRequest](call.Form{codeField,
		{Name: "format", Enum: append(slices.Clone(sourceFormats), described), Default: "auto", Help: "Format of the source; auto: by its first word, and description where it begins with {: a scene as JSON, as render_scene takes it."},
		{Name: "to", Enum: []string{"holo", "hs", "hsplus"}, Required: true, Help: "The format wanted."}, InlineField})
)

// ConvertReply is a source in its canonical form or in another format.
type ConvertReply struct {
	Link
	Code       string            `json:"code,omitempty" doc:"where it is short or was asked for inline"`
	FirstLines string            `json:"first_lines,omitempty" doc:"of a code that is not here"`
	Format     string            `json:"format" enum:"holo,hs,hsplus"`
	Changed    bool              `json:"changed" doc:"the text differs from what was given"`
	Lossless   bool              `json:"lossless" doc:"it means what was given, and has no error that was not there before"`
	Warnings   []diag.Diagnostic `json:"warnings" doc:"syntax errors that formatting went around; of a conversion, what the other format finds and the first did not"`
}

// FormatSource prints a source in its canonical form, around what cannot be read.
func (s *Service) FormatSource(ctx context.Context, r FormatRequest) (*ConvertReply, error) {
	code, kind, err := r.text(ctx)
	if err != nil {
		return nil, err
	}
	var text string
	var found []diag.Diagnostic
	lossless := false
	err = s.atBench(ctx, func() {
		before := parseSource(code, kind)
		text, found = format.File(before.file), before.found
		lossless = ast.Equal(before.file, parseSource(text, kind).file)
	})
	if err != nil {
		return nil, err
	}
	return s.shownSource(code, text, kind, lossless, severe(found), r.Inline), nil
}

// Convert prints a source in another format. The formats share one grammar, so that the
// text may stay; the reply reports what the other format judges otherwise.
func (s *Service) Convert(ctx context.Context, r ConvertRequest) (*ConvertReply, error) {
	to, known := ast.ParseFormat(r.To)
	if !known {
		return nil, MissingField("to")
	}
	fields := SourceFields{r.Code, r.Format}
	code, from, err := fields.text(ctx)
	if err != nil {
		return nil, err
	}
	isJSON := r.Format == described || r.Format != "hs" && r.Format != "hsplus" && r.Format != "holo" && json.Valid([]byte(code)) && code[0] == '{'
	var text string
	var found []diag.Diagnostic
	lossless := false
	var refused error
	err = s.atBench(ctx, func() {
		source := code
		if isJSON {
			if source, refused = Described([]byte(code), scene.ServerNodes); refused != nil {
				return
			}
			from = ast.Holo
		}
		before := judged(source, from)
		if before.broken() {
			refused = reason.Refuse(reason.SourceInvalid, "the source cannot be read; the first error, in line %d: %s", before.errors[0].Line, before.errors[0].Message).
				With(map[string]any{"diagnostics": severe(before.found)})
			return
		}
		file, _ := parse.File("main."+to.String(), []byte(source), to)
		text = format.File(file)
		after := judged(text, to)
		lossless = sameItems(before.file, after.file) && len(after.errors) <= len(before.errors)
		for _, d := range after.found {
			if !slices.ContainsFunc(before.found, func(o diag.Diagnostic) bool {
				return o.Code == d.Code && o.Severity == d.Severity && o.Message == d.Message
			}) {
				found = append(found, d)
			}
		}
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, shortRefusal(err)
	}
	return s.shownSource(code, text, to, lossless, severe(found), r.Inline), nil
}

// checked is a source with what parser and checker say of it.
type checked struct {
	parsed
	syntax []diag.Diagnostic
	errors []diag.Diagnostic
}

func judged(code string, kind ast.Format) checked {
	p := parseSource(code, kind)
	j := checked{parsed: parsed{p.file, check.File(p.file, p.found, check.Options{}).Diagnostics}, syntax: p.found}
	for _, d := range j.found {
		if d.Severity == diag.Error {
			j.errors = append(j.errors, d)
		}
	}
	return j
}

// broken reports whether the parser could not read all of it.
func (j checked) broken() bool {
	return slices.ContainsFunc(j.syntax, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// sameItems compares two files without what they are called and their format.
func sameItems(a, b *ast.File) bool {
	comments := func(f *ast.File) (out []string) {
		for _, c := range f.Stream.Comments {
			out = append(out, f.CommentText(c))
		}
		return out
	}
	return slices.EqualFunc(a.Items(), b.Items(), ast.EqualNodes) && slices.Equal(comments(a), comments(b))
}

// severe are the errors and warnings.
func severe(found []diag.Diagnostic) []diag.Diagnostic {
	out := []diag.Diagnostic{}
	for _, d := range found {
		if d.Severity <= diag.Warning && len(out) < MaxDiagnostics {
			out = append(out, d)
		}
	}
	return out
}

func (s *Service) shownSource(given, text string, kind ast.Format, lossless bool, found []diag.Diagnostic, inline bool) *ConvertReply {
	out := &ConvertReply{Link: s.put([]byte(text), sourceType), Code: text, Format: kind.String(), Changed: text != given, Lossless: lossless, Warnings: found}
	if inline || len(text) <= maxExample && size(out) <= maxResult {
		return out
	}
	if len(text) > maxExample {
		out.Code, out.FirstLines = "", firstLines(text)
	}
	for _, n := range shorter {
		if size(out) <= maxResult {
			break
		}
		out.Warnings = cut(found, n)
	}
	return out
}

// fileName is what a source is called in a link.
func (r *ConvertReply) fileName() string { return fmt.Sprintf("main.%s", r.Format) }
