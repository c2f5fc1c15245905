package scene

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// CompileRequest describes a compile.
type CompileRequest struct {
	call.Request
	SourceFields
	FileFields
	Target  string          `field:"target"`
	Options json.RawMessage `field:"options"`
}

// CompileForm reads a CompileRequest.
var CompileForm = call.Define[CompileRequest](call.Form{
	{Name: "code", Aliases: []string{"source"}, Max: MaxCode, Judged: true, Help: "The source text; this or files is required."},
	filesField, entryField,
	{Name: "target", Required: true, Max: maxChoice, Judged: true, Help: "Id or alias of a target of GET /api/targets."},
	{Name: "format", Enum: []string{"auto", "holo", "hs", "hsplus"}, Default: "auto", Help: "Format of the source; auto: by its first word."},
	{Name: "options", Kind: call.Object, Help: "Options of the target, by its options_schema."},
})

// TargetsReply lists what sources compile to.
type TargetsReply struct {
	Targets    []*target.Target `json:"targets"`
	Categories []string         `json:"categories"`
	Count      int              `json:"count"`
}

// Targets is the registry of targets, the only list of values of target.
func (s *Service) Targets() *TargetsReply {
	all := target.All()
	return &TargetsReply{all, target.Categories(), len(all)}
}

// CompileReply is a compiled source.
type CompileReply struct {
	Success      bool              `json:"success"`
	Target       string            `json:"target"`
	Output       string            `json:"output" doc:"content of the main file, base64 when it is no text"`
	Files        []CompiledFile    `json:"files"`
	Warnings     []diag.Diagnostic `json:"warnings"`
	Diagnostics  []diag.Diagnostic `json:"diagnostics"`
	Losses       []scene.Loss      `json:"losses"`
	NodeIDs      map[string]string `json:"node_ids" doc:"where each node is in the artefact"`
	SourceSHA256 string            `json:"source_sha256"`
	Compiler     CompilerInfo      `json:"compiler"`
	Meta         CompileMeta       `json:"meta"`

	files []artefact.File
}

// CompiledFile is a file of an artefact.
type CompiledFile struct {
	Path      string `json:"path"`
	Mime      string `json:"mime"`
	MediaType string `json:"media_type"`
	Bytes     int    `json:"bytes"`
	SHA256    string `json:"sha256"`
	Encoding  string `json:"encoding" enum:"utf-8,base64"`
	Content   string `json:"content"`
}

// CompilerInfo names what compiled.
type CompilerInfo struct {
	Version       string `json:"version"`
	TargetVersion string `json:"target_version"`
}

// CompileMeta is what differs between two equal compiles.
type CompileMeta struct {
	Millis int64 `json:"ms"`
}

// size are about the bytes that the reply takes until it is sent: the files, their
// content, and both again as JSON.
func (r *CompileReply) size() int {
	n := 2 * len(r.Output)
	for i := range r.Files {
		n += r.Files[i].Bytes + 3*len(r.Files[i].Content)
	}
	return n
}

// Raw are the files of the artefact as they are.
func (r *CompileReply) Raw() []artefact.File { return r.files }

// CompileTag names a compile by everything that decides its bytes.
func CompileTag(r CompileRequest) string {
	h := sha256.New()
	for _, part := range []string{r.Code, r.Target, r.Format, string(r.Options), string(r.Files), r.Entry, artefact.Version} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Compile compiles one source that comes alone, or one of several files that import
// each other and nothing else; no address in them is ever asked.
func (s *Service) Compile(ctx context.Context, r CompileRequest) (*CompileReply, error) {
	return s.compile(ctx, r, func() {})
}

// compile says when it has a place to work at.
func (s *Service) compile(ctx context.Context, r CompileRequest, begun func()) (*CompileReply, error) {
	start := time.Now()
	given, err := given(r.SourceFields, r.FileFields)
	if err != nil {
		return nil, err
	}
	if r.Target == "" {
		return nil, MissingField("target")
	}
	var options map[string]any
	if len(r.Options) > 0 {
		if len(r.Options) > target.MaxOptions {
			return nil, reason.Refuse(reason.OptionsInvalid, "the options are too large").With(map[string]any{"option": "options", "max": target.MaxOptions})
		}
		if err := json.Unmarshal(r.Options, &options); err != nil {
			return nil, reason.Refuse(reason.OptionsInvalid, "the options are no object").With(map[string]any{"option": "options"})
		}
	}
	var result *target.Result
	err = s.work.Do(ctx, compileTime, reason.CompileTimeout, func(step func() error) (err error) {
		begun()
		result, err = target.Compile(given.load(), target.Request{
			Target: r.Target, Options: options, Limits: serverLimits, MaxSize: maxArtifact, Step: step,
		})
		return err
	})
	if err != nil {
		return nil, compileRefusal(err)
	}
	reply := compileReply(result, time.Since(start))
	s.work.Keep(ctx, reply.size())
	return reply, nil
}

// fits refuses a request without a source, or with one that is too long to be read.
func (f SourceFields) fits() error {
	if f.Code == "" {
		return MissingField("code")
	}
	if n := utf8.RuneCountInString(f.Code); n > MaxCode {
		return reason.Refuse(reason.BodyTooLarge, "the source is too long").With(map[string]any{"field": "code", "max": MaxCode, "actual": n})
	}
	return nil
}

// SourceOf reads the source of a request, which is work for a bench.
func SourceOf(f SourceFields) (*target.Source, error) {
	if err := f.fits(); err != nil {
		return nil, err
	}
	format := f.format()
	src := target.Load(nil, "main."+format.String(), []byte(f.Code), format)
	return &src, nil
}

// MissingField refuses a request without a field that it needs.
func MissingField(name string) error {
	return reason.Refuse(reason.MissingField, "%s", name+" is missing").With(map[string]any{"field": name})
}

// serverLimits are the bounds of language.md §14 for what strangers send.
var serverLimits = scene.ServerLimits()

// compileRefusal says why a compile failed.
func compileRefusal(err error) error {
	var unknown *target.UnknownTarget
	var option *target.OptionsError
	var bad *target.SourceError
	var left *target.Unsupported
	switch {
	case errors.As(err, &unknown):
		details := map[string]any{"targets": target.IDs()}
		if unknown.Nearest != "" {
			details["nearest"] = unknown.Nearest
		}
		if unknown.Planned {
			details["planned"] = true
		}
		return reason.Refuse(reason.UnknownTarget, "%s", unknown.Error()).With(details)
	case errors.As(err, &option):
		details := map[string]any{"option": option.Name}
		if option.Nearest != "" {
			details["nearest"] = option.Nearest
		}
		return reason.Refuse(reason.OptionsInvalid, "%s", option.Error()).With(details)
	case errors.As(err, &bad):
		code := reason.SourceInvalid
		for _, d := range bad.All {
			if d.Code == "LIM006" && d.Severity == diag.Error {
				code = reason.ArtifactTooLarge
			}
		}
		return reason.Refuse(code, "%s", bad.Error()).With(map[string]any{"diagnostics": bad.All})
	case errors.As(err, &left):
		return reason.Refuse(reason.UnsupportedConstruct, "%s", left.Error()).With(map[string]any{"losses": left.Losses})
	}
	return err
}

func compileReply(r *target.Result, took time.Duration) *CompileReply {
	out := &CompileReply{
		Success: true, Target: r.Target.ID, Files: []CompiledFile{}, Warnings: []diag.Diagnostic{}, Diagnostics: []diag.Diagnostic{},
		Losses: []scene.Loss{}, NodeIDs: map[string]string{}, SourceSHA256: r.SourceSHA256,
		Compiler: CompilerInfo{r.Compiler, r.Compiler}, Meta: CompileMeta{took.Milliseconds()}, files: r.Files,
	}
	for i := range r.Files {
		f := &r.Files[i]
		c := CompiledFile{Path: f.Path, Mime: f.MediaType, MediaType: f.MediaType, Bytes: len(f.Data), SHA256: f.SHA256(), Encoding: "utf-8", Content: string(f.Data)}
		if !utf8.Valid(f.Data) {
			c.Encoding, c.Content = "base64", base64.StdEncoding.EncodeToString(f.Data)
		}
		out.Files = append(out.Files, c)
	}
	out.Output = out.Files[0].Content
	out.Diagnostics = append(out.Diagnostics, r.Diagnostics...)
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Warning {
			out.Warnings = append(out.Warnings, d)
		}
	}
	out.Losses = append(out.Losses, r.Losses...)
	for _, p := range r.Places {
		out.NodeIDs[p.ID] = p.Place
	}
	return out
}
