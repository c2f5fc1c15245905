package scene

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/trait"
)

// sourceFormats are what a caller may say of a source's format.
var sourceFormats = []string{"holo", "hs", "hsplus", "auto"}

// codeField is a source text, and codeOrFiles one in whose place files may stand. Their
// length is judged by the use case, which has a code of its own for it.
var (
	codeField   = call.Field{Name: "code", Max: MaxCode, Judged: true, Required: true, Help: "The source text."}
	codeOrFiles = call.Field{Name: "code", Max: MaxCode, Judged: true, Help: "The source text; this or files is required."}
)

// SourceFields are a source and what its format is said to be.
type SourceFields struct {
	Code   string `field:"code"`
	Format string `field:"format"` // holo, hs or hsplus; anything else: by its first word
}

// format is that of the source.
func (f SourceFields) format() ast.Format {
	if format, known := ast.ParseFormat(f.Format); known {
		return format
	}
	return ast.GuessFormat(f.Code)
}

// ParseRequest asks what the parser makes of a source.
type ParseRequest struct {
	call.Request
	SourceFields
	FileFields
	Strict           bool `field:"strict"`
	IncludeSourceMap bool `field:"include_source_map"`
}

// ParseHSRequest is a ParseRequest for processes and modules.
type ParseHSRequest struct {
	call.Request
	SourceFields
	FileFields
	IncludeSourceMap bool `field:"include_source_map"`
}

// ParseHoloRequest is a ParseRequest for scenes.
type ParseHoloRequest struct {
	call.Request
	Code string `field:"code"`
	FileFields
	Strict bool `field:"strict"`
}

// ValidateRequest asks what the checker says of a source.
type ValidateRequest struct {
	call.Request
	SourceFields
	FileFields
	IncludeWarnings    bool `field:"include_warnings"`
	IncludeSuggestions bool `field:"include_suggestions"`
}

// TraitsRequest selects traits.
type TraitsRequest struct {
	call.Request
	Category string `field:"category"`
	Query    string `field:"q"`
}

// SuggestRequest asks which traits fit a description.
type SuggestRequest struct {
	call.Request
	Description string `field:"description"`
	Context     string `field:"context"`
}

// ExplainRequest names a trait.
type ExplainRequest struct {
	call.Request
	Name string `field:"name"`
}

// The forms of the use cases about sources; each reads the request of its name.
var (
	ParseForm = call.Define[ParseRequest](call.Form{codeOrFiles, filesField, entryField,
		{Name: "format", Enum: sourceFormats, Default: "auto", Help: "Format of the source; auto: by its first word."},
		{Name: "strict", Kind: call.Bool, Default: false, Help: "Count errors of meaning and warnings as failures."},
		{Name: "include_source_map", Kind: call.Bool, Default: false, Help: "Add where each line begins, for the spans of the tree."},
	})
	ParseHSForm = call.Define[ParseHSRequest](call.Form{codeOrFiles, filesField, entryField,
		{Name: "format", Enum: []string{"hs", "hsplus"}, Default: "hs", Help: "Format of the source."},
		{Name: "include_source_map", Kind: call.Bool, Default: false, Help: "Add where each line begins, for the spans of the tree."},
	})
	ParseHoloForm = call.Define[ParseHoloRequest](ParseForm.Pick("code", "files", "entry", "strict"))
	ValidateForm  = call.Define[ValidateRequest](call.Form{
		{Name: "code", Aliases: []string{"content"}, Max: MaxCode, Judged: true, Help: "The source text; this or files is required."},
		filesField, entryField,
		{Name: "format", Enum: sourceFormats, Default: "auto", Help: "Format of the source; auto: by its first word."},
		{Name: "include_warnings", Kind: call.Bool, Default: true, Help: "List warnings, infos and hints too."},
		{Name: "include_suggestions", Kind: call.Bool, Default: true, Help: "Name the nearest right spelling and the fixes of each finding."},
	})
	TraitsForm = call.Define[TraitsRequest](call.Form{
		{Name: "category", Max: maxChoice, Default: "all", Help: "all, the name of a category, or an alias of one."},
		{Name: "q", Max: call.MaxFilter, Help: "Words that the name or the summary contains."},
	})
	SuggestForm = call.Define[SuggestRequest](call.Form{
		{Name: "description", Min: minPrompt, Max: maxDescription, Required: true, Help: "What the object shall do, in words."},
		{Name: "context", Max: maxDescription, Help: "What surrounds it."},
	})
	ExplainForm = call.Define[ExplainRequest](call.Form{{Name: "name", Max: trait.MaxName + 1, Required: true, Help: "The trait, with or without its @."}})
)

// Findings are diagnostics by their weight.
type Findings struct {
	Errors   []diag.Diagnostic `json:"errors"`
	Warnings []diag.Diagnostic `json:"warnings"`
	Hints    []diag.Diagnostic `json:"hints" doc:"infos and hints"`
}

func findings(found []diag.Diagnostic) Findings {
	f := Findings{[]diag.Diagnostic{}, []diag.Diagnostic{}, []diag.Diagnostic{}}
	for _, d := range found {
		switch d.Severity {
		case diag.Error:
			f.Errors = append(f.Errors, d)
		case diag.Warning:
			f.Warnings = append(f.Warnings, d)
		default:
			f.Hints = append(f.Hints, d)
		}
	}
	return f
}

// ParseReply is what the parser makes of a source, with everything that is found in it.
type ParseReply struct {
	Success     bool   `json:"success" doc:"all of it could be read, and with strict nothing is an error or a warning"`
	Format      string `json:"format" enum:"holo,hs,hsplus"`
	AST         any    `json:"ast,omitempty" doc:"the syntax tree, form ast/1"`
	Composition any    `json:"composition" doc:"the first composition or scene, form ast/1, or null"`
	Findings
	SourceMap *SourceMap `json:"source_map,omitempty"`
}

// ParseHSReply is ParseReply for processes and modules.
type ParseHSReply struct {
	Success bool   `json:"success"`
	Format  string `json:"format" enum:"hs,hsplus"`
	AST     any    `json:"ast" doc:"the syntax tree, form ast/1"`
	Findings
	SourceMap *SourceMap `json:"source_map,omitempty"`
}

// ParseHoloReply is ParseReply for scenes.
type ParseHoloReply struct {
	Success     bool `json:"success" doc:"all of it could be read, and with strict nothing is an error or a warning"`
	Composition any  `json:"composition" doc:"the first composition or scene, form ast/1, or null"`
	Findings
}

// SourceMap says where the lines of a source begin.
type SourceMap struct {
	File  string `json:"file"`
	Lines []int  `json:"lines" doc:"byte offset of each line's first character"`
}

// ValidateReply is what the checker says of a source.
type ValidateReply struct {
	Valid  bool   `json:"valid" doc:"no errors"`
	Format string `json:"format" enum:"holo,hs,hsplus"`
	Findings
	Summary ValidateSummary `json:"summary"`
}

// ValidateSummary counts.
type ValidateSummary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Nodes    int `json:"nodes"`
	Traits   int `json:"traits"`
}

// TraitsReply lists all traits, or those of one category.
type TraitsReply struct {
	Total         int            `json:"total,omitempty"`
	Categories    map[string]int `json:"categories,omitempty" doc:"traits by category"`
	CategorySlugs []string       `json:"categorySlugs,omitempty"`
	Aliases       any            `json:"aliases,omitempty" doc:"other names of categories"`
	List          any            `json:"list,omitempty" doc:"name, category, summary and params of each trait"`

	Category    string `json:"category,omitempty"`
	RequestedAs string `json:"requestedAs,omitempty"`
	Count       *int   `json:"count,omitempty"`
	Traits      any    `json:"traits,omitempty" doc:"name, category, summary and params of each trait"`
}

// SuggestReply names traits for a description.
type SuggestReply struct {
	Traits     []string          `json:"traits" doc:"best first"`
	Reasoning  map[string]string `json:"reasoning" doc:"why, by trait"`
	Confidence float64           `json:"confidence" doc:"0 to 0.95: how much of the description was understood"`
}

// ExplainReply is everything about a trait.
type ExplainReply struct {
	Name      string            `json:"name"`
	Kind      string            `json:"kind" enum:"trait,directive"`
	Category  string            `json:"category"`
	Summary   string            `json:"summary"`
	Params    any               `json:"params" doc:"name, type, default, range and values of each parameter"`
	Requires  [][]string        `json:"requires" doc:"of each inner list one is needed on the same node"`
	Conflicts []string          `json:"conflicts"`
	Core      bool              `json:"core" doc:"it becomes a capability of the scene"`
	Lowers    []string          `json:"lowers" doc:"the capabilities it becomes"`
	Targets   map[string]string `json:"targets" doc:"proven support: full or partial by target"`
	Support   []target.Support  `json:"support" doc:"what every target makes of it, by the tables that compiles read"`
	Example   string            `json:"example"`
}

// text reads the code of a request that has no files, and its format.
func (f SourceFields) text(ctx context.Context) (code string, format ast.Format, err error) {
	if err := f.fits(); err != nil {
		return "", 0, err
	}
	return f.Code, f.format(), ctx.Err()
}

// parsed is a source, and what the parser says of it.
type parsed struct {
	file  *ast.File
	found []diag.Diagnostic
}

func parseSource(code string, format ast.Format) parsed {
	f, found := parse.File("main."+format.String(), []byte(code), format)
	return parsed{f, found}
}

// composition is the first composition or scene of the file, or nil.
func (p parsed) composition() any {
	for _, n := range p.file.Items() {
		if e, ok := n.(*ast.Export); ok && e.Item != nil {
			n = e.Item
		}
		if b, ok := n.(*ast.Block); ok && (b.BlockKind == "composition" || b.BlockKind == "scene") {
			return json.RawMessage(ast.AppendNodeJSON(nil, p.file, b))
		}
	}
	return nil
}

func (p parsed) sourceMap(wanted bool) *SourceMap {
	if !wanted {
		return nil
	}
	m := &SourceMap{File: p.file.Path()}
	for at := 0; ; {
		m.Lines = append(m.Lines, at)
		end := p.file.Stream.Source.LineEnd(at)
		if end >= len(p.file.Text()) {
			return m
		}
		if strings.HasPrefix(p.file.Text()[end:], "\r\n") {
			end++
		}
		at = end + 1
	}
}

// atBench works on a source, on one of the places that compiling has too, so
// that many large sources do not take all processors. The work is linear in the
// text, whose length is bounded.
func (s *Service) atBench(ctx context.Context, work func()) error {
	return s.work.Do(ctx, compileTime, reason.Timeout, func(func() error) error {
		work()
		return nil
	})
}

// Parse reads a source of any format, alone or as one of several files.
func (s *Service) Parse(ctx context.Context, r ParseRequest) (*ParseReply, error) {
	given, err := given(r.SourceFields, r.FileFields)
	if err != nil {
		return nil, err
	}
	return s.parse(ctx, given, r.Strict, r.IncludeSourceMap)
}

func (s *Service) parse(ctx context.Context, given *sources, strict, sourceMap bool) (*ParseReply, error) {
	reply := &ParseReply{Format: given.format.String()}
	readable := true
	err := s.work.Do(ctx, compileTime, reason.Timeout, func(step func() error) error {
		p, err := given.judge(step)
		if err != nil {
			return err
		}
		reply.AST, reply.Composition = json.RawMessage(ast.AppendJSON(nil, p.file)), p.composition()
		reply.Findings, reply.SourceMap = findings(p.all), p.sourceMap(sourceMap)
		readable = len(findings(p.found).Errors) == 0
		return nil
	})
	if err != nil {
		return nil, err
	}
	reply.Success = readable && !(strict && len(reply.Errors)+len(reply.Warnings) > 0)
	return reply, nil
}

// ParseHS reads a process or a module.
func (s *Service) ParseHS(ctx context.Context, r ParseHSRequest) (*ParseHSReply, error) {
	given, err := given(r.SourceFields, r.FileFields)
	if err != nil {
		return nil, err
	}
	if given.files != nil && given.format == ast.Holo {
		return nil, call.Invalid(call.Fault("entry", "is no process or module: its name ends in .hs or .hsplus"))
	}
	p, err := s.parse(ctx, given, false, r.IncludeSourceMap)
	if err != nil {
		return nil, err
	}
	return &ParseHSReply{Success: p.Success, Format: p.Format, AST: p.AST, Findings: p.Findings, SourceMap: p.SourceMap}, nil
}

// ParseHolo reads a scene.
func (s *Service) ParseHolo(ctx context.Context, r ParseHoloRequest) (*ParseHoloReply, error) {
	given, err := given(SourceFields{Code: r.Code, Format: ast.Holo.String()}, r.FileFields)
	if err != nil {
		return nil, err
	}
	if given.format != ast.Holo {
		return nil, call.Invalid(call.Fault("entry", "is no scene: its name ends in .holo"))
	}
	p, err := s.parse(ctx, given, r.Strict, false)
	if err != nil {
		return nil, err
	}
	return &ParseHoloReply{Success: p.Success, Composition: p.Composition, Findings: p.Findings}, nil
}

// Validate checks a source, or every source among the files. What a source that stands
// alone imports stays open.
func (s *Service) Validate(ctx context.Context, r ValidateRequest) (*ValidateReply, error) {
	given, err := given(r.SourceFields, r.FileFields)
	if err != nil {
		return nil, err
	}
	var j judgement
	err = s.work.Do(ctx, compileTime, reason.Timeout, func(step func() error) (err error) {
		j, err = given.judge(step)
		return err
	})
	if err != nil {
		return nil, err
	}
	found, nodes, traits := j.all, j.nodes, j.traits
	if !r.IncludeSuggestions {
		for i := range found {
			found[i].Suggestion, found[i].Fixes = "", nil
		}
	}
	reply := &ValidateReply{Format: given.format.String(), Findings: findings(found)}
	reply.Valid = len(reply.Errors) == 0
	reply.Summary = ValidateSummary{len(reply.Errors), len(reply.Warnings), nodes, traits}
	if !r.IncludeWarnings {
		reply.Warnings, reply.Hints = []diag.Diagnostic{}, []diag.Diagnostic{}
	}
	return reply, nil
}

// Traits lists the registry of traits.
func (s *Service) Traits(r TraitsRequest) (*TraitsReply, error) {
	registry, category := trait.Builtin(), r.Category
	if category == "" || category == "all" {
		l := registry.List(r.Query)
		return &TraitsReply{Total: l.Total, Categories: l.Categories, CategorySlugs: l.CategorySlugs, Aliases: l.Aliases, List: l.List}, nil
	}
	sec, ok := registry.ListCategory(category, r.Query)
	if !ok {
		return nil, reason.Refuse(reason.UnknownCategory, "there is no category %q", call.Clip(category, 64)).
			With(map[string]any{"nearest": append([]string{}, registry.NearestCategories(category)...)})
	}
	return &TraitsReply{Category: sec.Category, RequestedAs: sec.RequestedAs, Count: &sec.Count, Traits: sec.Traits}, nil
}

// SuggestTraits names traits for what a description asks of an object.
func (s *Service) SuggestTraits(r SuggestRequest) (*SuggestReply, error) {
	if r.Description == "" {
		return nil, MissingField("description")
	}
	fit := trait.Builtin().SuggestFor(r.Description, r.Context)
	return &SuggestReply{Traits: fit.Traits, Reasoning: fit.Reasoning, Confidence: fit.Confidence}, nil
}

// ExplainTrait describes one trait.
func (s *Service) ExplainTrait(r ExplainRequest) (*ExplainReply, error) {
	name := strings.TrimPrefix(r.Name, "@")
	if name == "" {
		return nil, MissingField("name")
	}
	registry := trait.Builtin()
	e, ok := registry.Explain(name)
	if !ok {
		nearest := []string{}
		if near, found := registry.Nearest(name); found {
			nearest = append(nearest, near)
		}
		return nil, reason.Refuse(reason.NotFound, "there is no trait %q", call.Clip(name, 64)).With(map[string]any{"nearest": nearest})
	}
	lowers := make([]string, len(e.Lowers))
	for i, c := range e.Lowers {
		lowers[i] = string(c)
	}
	support, targets := target.SupportOf(e), map[string]string{}
	for _, t := range support {
		if (t.Level == target.Full || t.Level == target.Partial) && t.Verified != target.Unproven {
			targets[t.Target] = t.Level
		}
	}
	return &ExplainReply{Name: e.Name, Kind: e.Kind, Category: e.Category, Summary: e.Summary, Params: e.Params, Requires: e.Requires,
		Conflicts: e.Conflicts, Core: e.Core, Lowers: lowers, Targets: targets, Support: support, Example: e.Example}, nil
}
