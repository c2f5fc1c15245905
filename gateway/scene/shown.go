package scene

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/encode"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
)

// MadePrefix begins the address of what was made; the SHA-256 of its bytes follows.
const MadePrefix = "lang://artefact/"

// InlineField asks for the text itself.
var InlineField = call.Field{Name: "inline", Kind: call.Bool, Default: false,
	Help: "Give everything in the result, however long. Without it a long text comes as a link with its hash, size and first lines."}

// Link is where what was made can be read while it is kept.
type Link struct {
	URI       string `json:"uri"`
	MediaType string `json:"media_type"`
	Bytes     int    `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// Requests of models, who may ask for everything inline, and their forms.
type (
	// RenderToolRequest is a RenderRequest of a model.
	RenderToolRequest struct {
		RenderRequest
		Inline bool `field:"inline"`
	}
	// GenerateToolRequest is a GenerateRequest of a model.
	GenerateToolRequest struct {
		GenerateRequest
		Inline bool `field:"inline"`
	}
	// ParseHSToolRequest is a ParseHSRequest of a model.
	ParseHSToolRequest struct {
		ParseHSRequest
		Inline bool `field:"inline"`
	}
	// ParseHoloToolRequest is a ParseHoloRequest of a model.
	ParseHoloToolRequest struct {
		ParseHoloRequest
		Inline bool `field:"inline"`
	}
	// ValidateToolRequest is a ValidateRequest of a model.
	ValidateToolRequest struct {
		ValidateRequest
		Inline bool `field:"inline"`
	}
)

// The forms of these requests.
var (
	RenderToolForm    = call.Define[RenderToolRequest](endpoint.Fields(RenderForm.Form, call.Form{InlineField}))
	GenerateToolForm  = call.Define[GenerateToolRequest](endpoint.Fields(GenerateForm.Form, call.Form{InlineField}))
	ParseHSToolForm   = call.Define[ParseHSToolRequest](endpoint.Fields(ParseHSForm.Form, call.Form{InlineField}))
	ParseHoloToolForm = call.Define[ParseHoloToolRequest](endpoint.Fields(ParseHoloForm.Form, call.Form{InlineField}))
	ValidateToolForm  = call.Define[ValidateToolRequest](endpoint.Fields(ValidateForm.Form, call.Form{InlineField}))
)

// put keeps what was made and says where.
func (s *Service) put(data []byte, mediaType string) Link {
	return s.keep(Made{Data: data, MediaType: mediaType})
}

func (s *Service) keep(m Made) Link {
	sum := sha256.Sum256(m.Data)
	hash := hex.EncodeToString(sum[:])
	s.made.keep(hash, m, s.now())
	return Link{MadePrefix + hash, m.MediaType, len(m.Data), hash}
}

// Keep keeps a source that a stranger wrote, and says where.
func (s *Service) Keep(source []byte) Link {
	return s.keep(Made{Data: source, MediaType: sourceType, Foreign: true})
}

// Beginning is a text that a model is shown whole, or the first lines of a longer one.
func Beginning(text string) string {
	if size(text) <= maxWhole {
		return text
	}
	return firstLines(text)
}

// Few are as many findings as a result with a text beside them has room for.
func Few(found []diag.Diagnostic) []diag.Diagnostic {
	for _, n := range append([]int{len(found)}, shorter...) {
		if found = cut(found, n); size(found) <= maxWhole/2 {
			break
		}
	}
	return found
}

// Artefact is what was made within the last hour, by the SHA-256 of its bytes. Who
// knows the hash may read it.
func (s *Service) Artefact(hash string) (Made, error) {
	hash = strings.ToLower(hash)
	if m, ok := s.made.find(hash, s.now()); ok {
		return m, nil
	}
	gone := reason.Refuse(reason.NotFound, "nothing with this hash is kept here: an artefact stays for an hour at most")
	gone.Hint = "make it again: compile_source, render_scene and generate_scene give the same bytes for the same input, and a new hour"
	return Made{}, gone
}

// Beside is a link in a result.
func (l Link) Beside(name string) endpoint.Attachment {
	a := endpoint.Attachment{URI: l.URI, Name: name, MediaType: l.MediaType, Size: l.Bytes}
	if l.SHA256 != "" {
		a.Help = "SHA-256 " + l.SHA256
	}
	return a
}

// firstLines is the beginning of a text, in whole lines where it has short ones.
func firstLines(text string) string {
	most := min(len(text), maxFirst)
	cut, lines := 0, 0
	for lines < maxFirstLines {
		n := strings.IndexByte(text[cut:most], '\n')
		if n < 0 {
			break
		}
		cut, lines = cut+n+1, lines+1
	}
	if cut == 0 || most == len(text) && lines < maxFirstLines {
		cut = most
	}
	for cut < len(text) && cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}

// size is how long a value is in a result.
func size(v any) int {
	raw, err := encode.JSON(v)
	if err != nil {
		return 0 // the face says so
	}
	return len(raw)
}

// whole keeps a reply that is too long for a result, as JSON.
func (s *Service) whole(v any) (*Link, error) {
	raw, err := encode.JSON(v)
	if err != nil {
		return nil, err
	}
	l := s.put(raw, jsonType)
	return &l, nil
}

// shorter are the numbers of items that lists are cut to, one after another, until a
// result is short enough.
var shorter = []int{20, 10, 5, 2, 0}

// shortRefusal leaves out of a refusal the findings that a result has no room for.
func shortRefusal(err error) error {
	var r *reason.Refusal
	if !errors.As(err, &r) || size(r.Details) <= maxResult {
		return err
	}
	for _, n := range shorter {
		details := map[string]any{}
		for name, v := range r.Details {
			switch list := v.(type) {
			case []diag.Diagnostic:
				details[name], details["left_out"] = cut(list, n), len(list)-min(len(list), n)
			case []scene.Loss:
				details[name], details["left_out"] = cut(list, n), len(list)-min(len(list), n)
			default:
				details[name] = v
			}
		}
		short := *r
		short.Details = details
		if err = &short; size(details) <= maxResult {
			break
		}
	}
	return err
}

func cut[T any](list []T, n int) []T { return list[:min(len(list), n)] }

// cut leaves n of each weight.
func (f Findings) cut(n int) Findings {
	return Findings{cut(f.Errors, n), cut(f.Warnings, n), cut(f.Hints, n)}
}

// CompileShown is what a model sees of a compile.
type CompileShown struct {
	Success      bool              `json:"success" doc:"false while the compile runs"`
	JobID        string            `json:"job_id" doc:"for get_compilation_status"`
	Status       string            `json:"status" enum:"queued,running,done"`
	Target       string            `json:"target,omitempty"`
	Output       string            `json:"output,omitempty" doc:"content of the main file, where it is short or was asked for inline"`
	Files        []ShownFile       `json:"files"`
	Warnings     []diag.Diagnostic `json:"warnings"`
	Diagnostics  []diag.Diagnostic `json:"diagnostics"`
	Losses       []scene.Loss      `json:"losses"`
	NodeIDs      map[string]string `json:"node_ids" doc:"where each node is in the artefact"`
	SourceSHA256 string            `json:"source_sha256,omitempty"`
	Compiler     *CompilerInfo     `json:"compiler,omitempty"`
	Meta         *CompileMeta      `json:"meta,omitempty"`
	Whole        *Link             `json:"whole,omitempty" doc:"all findings, losses and ids, where some are left out here"`
}

// ShownFile is a file of an artefact with where it can be read.
type ShownFile struct {
	URI        string `json:"uri"`
	Path       string `json:"path"`
	Mime       string `json:"mime"`
	MediaType  string `json:"media_type"`
	Bytes      int    `json:"bytes"`
	SHA256     string `json:"sha256"`
	Encoding   string `json:"encoding" enum:"utf-8,base64"`
	FirstLines string `json:"first_lines,omitempty" doc:"of a text whose content is not here"`
	Content    string `json:"content,omitempty" doc:"where it is short or was asked for inline"`
}

// shownCompile is a reply as a model sees it, its files kept for whoever reads on.
func (s *Service) shownCompile(r *CompileReply, job string, inline bool) (*CompileShown, error) {
	out := &CompileShown{
		Success: true, JobID: job, Status: jobDone, Target: r.Target, Files: []ShownFile{}, Warnings: r.Warnings, Diagnostics: r.Diagnostics,
		Losses: r.Losses, NodeIDs: r.NodeIDs, SourceSHA256: r.SourceSHA256, Compiler: &r.Compiler, Meta: &r.Meta,
	}
	room := maxWhole
	for i, f := range r.Files {
		link := s.put(r.files[i].Data, f.MediaType)
		one := ShownFile{URI: link.URI, Path: f.Path, Mime: f.Mime, MediaType: f.MediaType, Bytes: f.Bytes, SHA256: f.SHA256, Encoding: f.Encoding}
		text := f.Encoding == "utf-8"
		switch {
		case inline, text && f.Bytes <= room:
			one.Content = f.Content
			room -= f.Bytes
		case text:
			one.FirstLines = firstLines(f.Content)
		}
		out.Files = append(out.Files, one)
	}
	out.Output = out.Files[0].Content
	if inline || size(out) <= maxResult {
		return out, nil
	}
	all := *out
	all.Output, all.Files = "", nil
	var err error
	if out.Whole, err = s.whole(all); err != nil {
		return nil, err
	}
	for _, n := range shorter {
		out.Warnings, out.Diagnostics, out.Losses = cut(all.Warnings, n), cut(all.Diagnostics, n), []scene.Loss{}
		for _, l := range cut(all.Losses, n) {
			l.Nodes = cut(l.Nodes, n)
			out.Losses = append(out.Losses, l)
		}
		if len(all.NodeIDs) > n {
			out.NodeIDs = map[string]string{}
		}
		if size(out) <= maxResult {
			return out, nil
		}
	}
	for i := range out.Files { // many files
		out.Files[i].FirstLines = ""
	}
	return out, nil
}

// beside are the links of a compile.
func (r *CompileShown) beside() (out []endpoint.Attachment) {
	for _, f := range r.Files {
		out = append(out, Link{f.URI, f.MediaType, f.Bytes, f.SHA256}.Beside(f.Path))
	}
	if r.Whole != nil {
		out = append(out, r.Whole.Beside("report.json"))
	}
	return out
}

// GenerateShown is what a model sees of what the rules made.
type GenerateShown struct {
	Link
	Code          string            `json:"code,omitempty" doc:"where it is short or was asked for inline"`
	FirstLines    string            `json:"first_lines,omitempty" doc:"of a code that is not here"`
	Format        string            `json:"format" enum:"holo,hs,hsplus"`
	Diagnostics   []diag.Diagnostic `json:"diagnostics"`
	Generator     Generator         `json:"generator"`
	NotUnderstood []string          `json:"not_understood" doc:"words that nothing was made of"`
	Notes         []string          `json:"notes,omitempty" doc:"the numbers that were used for words, and what was made to fit"`
}

func (s *Service) shownGenerate(r *GenerateReply, inline bool) *GenerateShown {
	out := &GenerateShown{Link: s.put([]byte(r.Code), sourceType), Code: r.Code, Format: r.Format, Diagnostics: r.Diagnostics,
		Generator: r.Generator, NotUnderstood: r.NotUnderstood, Notes: r.Notes}
	if inline || size(out) <= maxWhole {
		return out
	}
	out.Code, out.FirstLines = "", firstLines(r.Code)
	for _, n := range shorter {
		if size(out) <= maxResult {
			break
		}
		out.Diagnostics, out.Notes = cut(r.Diagnostics, n), cut(r.Notes, n)
	}
	return out
}

// RenderShown is what a model sees of a picture, which stands beside it.
type RenderShown struct {
	Link
	Format     string         `json:"format"`
	Width      int            `json:"width"`
	Height     int            `json:"height"`
	Image      string         `json:"image,omitempty" doc:"the picture in base64, where it was asked for inline"`
	FirstLines string         `json:"first_lines,omitempty" doc:"of an svg"`
	URL        string         `json:"url" doc:"where the picture can be had for a day"`
	PreviewURL string         `json:"previewUrl"`
	EmbedCode  string         `json:"embedCode"`
	Warnings   []RenderNotice `json:"warnings"`
	Success    bool           `json:"success"`
}

// shownRender is a picture as a model sees it: pixels as an image, a plan as the text
// that it is, and what is too large to look at as a link alone.
func (s *Service) shownRender(r *RenderReply, inline bool) (*RenderShown, []endpoint.Attachment) {
	p := r.Picture()
	out := &RenderShown{Link: s.put(p.Data, p.MediaType), Success: true, Format: r.Format, Width: r.Width, Height: r.Height, URL: r.URL,
		PreviewURL: r.PreviewURL, EmbedCode: r.EmbedCode, Warnings: r.Warnings}
	name := "picture." + r.Format
	beside := []endpoint.Attachment{out.Beside(name)}
	switch {
	case inline:
		out.Image = base64.StdEncoding.EncodeToString(p.Data)
	case r.Format == "svg":
		out.FirstLines = firstLines(string(p.Data))
	}
	if r.Format != "svg" && len(p.Data) <= maxLook {
		beside = append([]endpoint.Attachment{{Name: name, MediaType: p.MediaType, Picture: p.Data}}, beside...)
	}
	for _, n := range shorter {
		if inline || size(out) <= maxResult {
			break
		}
		out.Warnings = cut(r.Warnings, n)
	}
	return out, beside
}

// ParseHSShown is ParseHSReply, without a tree that is too long for a result.
type ParseHSShown struct {
	ParseHSReply
	Whole *Link `json:"whole,omitempty" doc:"the whole reply with its tree, where that is too long for here"`
}

// ParseHoloShown is ParseHoloReply, without a tree that is too long for a result.
type ParseHoloShown struct {
	ParseHoloReply
	Whole *Link `json:"whole,omitempty" doc:"the whole reply with its tree, where that is too long for here"`
}

// ValidateShown is ValidateReply with as many findings as a result has room for.
type ValidateShown struct {
	ValidateReply
	Whole *Link `json:"whole,omitempty" doc:"the whole reply, where findings are left out here"`
}

// shownParse keeps a reply that is too long, and takes away from out what makes it so:
// first by bare, then by leaving findings out.
func shownParse[T any](s *Service, out *T, inline bool, to func(*Link), bare func(), found *Findings) error {
	if inline || size(out) <= maxResult {
		return nil
	}
	link, err := s.whole(out)
	if err != nil {
		return err
	}
	to(link)
	bare()
	all := *found
	for _, n := range shorter {
		if size(out) <= maxResult {
			break
		}
		*found = all.cut(n)
	}
	return nil
}

// besideWhole is the link to what a result has no room for.
func besideWhole(l *Link, c *endpoint.Call) {
	if l != nil {
		c.Beside = append(c.Beside, l.Beside("reply.json"))
	}
}

func (s *Service) parseHSShown(ctx context.Context, r ParseHSRequest, inline bool) (*ParseHSShown, error) {
	p, err := s.ParseHS(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &ParseHSShown{ParseHSReply: *p}
	return out, shownParse(s, out, inline, func(l *Link) { out.Whole = l }, func() { out.AST, out.SourceMap = nil, nil }, &out.Findings)
}

func (s *Service) parseHoloShown(ctx context.Context, r ParseHoloRequest, inline bool) (*ParseHoloShown, error) {
	p, err := s.ParseHolo(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &ParseHoloShown{ParseHoloReply: *p}
	return out, shownParse(s, out, inline, func(l *Link) { out.Whole = l }, func() { out.Composition = nil }, &out.Findings)
}

func (s *Service) validateShown(ctx context.Context, r ValidateRequest, inline bool) (*ValidateShown, error) {
	v, err := s.Validate(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &ValidateShown{ValidateReply: *v}
	return out, shownParse(s, out, inline, func(l *Link) { out.Whole = l }, func() {}, &out.Findings)
}
