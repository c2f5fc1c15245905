package scene

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/target"
)

// FileFields are several sources in the place of one.
type FileFields struct {
	Files json.RawMessage `field:"files"`
	Entry string          `field:"entry"`
}

// The fields of FileFields.
var (
	filesField = call.Field{Name: "files", Kind: call.Object,
		Help: "Texts by their paths, in the place of code: {\"main.holo\": \"...\", \"parts/lamp.holo\": \"...\"}. They import each other and nothing else; together they are as long as one source may be."}
	entryField = call.Field{Name: "entry", Max: maxFilePath, Help: "Which of the files is begun with. A source that comes alone needs none."}
)

// sources are what a request brings: a text, or files and which of them is begun with.
type sources struct {
	name   string
	text   string
	format ast.Format
	files  module.Memory // nil for a text that comes alone
}

// alone is a text without files.
func alone(text string, format ast.Format) *sources {
	return &sources{name: "main." + format.String(), text: text, format: format}
}

// given reads the source or the files of a request and refuses what cannot be read.
func given(s SourceFields, f FileFields) (*sources, error) {
	if len(f.Files) == 0 {
		if f.Entry != "" && s.Code == "" {
			return nil, MissingField("files")
		}
		if err := s.fits(); err != nil {
			return nil, err
		}
		return alone(s.Code, s.format()), nil
	}
	if s.Code != "" {
		return nil, call.Invalid(call.Fault("files", "stands in the place of code; give one of them"))
	}
	var texts map[string]string
	if err := json.Unmarshal(f.Files, &texts); err != nil {
		return nil, call.Invalid(call.Fault("files", "holds a text for each path"))
	}
	if len(texts) > maxFiles {
		return nil, call.Invalid(call.Fault("files", "has %d files, at most %d are read", len(texts), maxFiles))
	}
	out, chars, begins := &sources{files: module.Memory{}}, 0, []string{}
	for _, path := range paths(texts) {
		if !fs.ValidPath(path) || path == "." || strings.ContainsAny(path, "\\:\x00") || call.Chars(path) > maxFilePath {
			return nil, call.Invalid(call.Fault("files", "has %q, which is no path of a file: names with / between them, without . and .., of at most %d characters", call.Clip(path, 64), maxFilePath))
		}
		if _, ok := ast.FormatOf(path); ok {
			begins = append(begins, path)
		}
		chars += call.Chars(texts[path])
		out.files[path] = []byte(texts[path])
	}
	if chars > MaxCode {
		return nil, reason.Refuse(reason.BodyTooLarge, "the files are too long").With(map[string]any{"field": "files", "max": MaxCode, "actual": chars})
	}
	switch {
	case f.Entry != "":
		out.name = f.Entry
	case len(begins) == 1:
		out.name = begins[0]
	default:
		return nil, MissingField("entry")
	}
	text, there := texts[out.name]
	format, source := ast.FormatOf(out.name)
	switch {
	case !there:
		return nil, call.Invalid(call.Fault("entry", "is none of the files; the sources among them: %s", call.Clip(strings.Join(begins, ", "), maxFilePath)))
	case !source:
		return nil, call.Invalid(call.Fault("entry", "is no source: its name ends in .holo, .hs or .hsplus"))
	}
	out.text, out.format = text, format
	return out, nil
}

func paths(texts map[string]string) []string {
	out := make([]string, 0, len(texts))
	for path := range texts {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}

// load reads the source with what it imports, which is work for a bench.
func (s *sources) load() target.Source {
	if s.files == nil {
		return target.Load(nil, s.name, []byte(s.text), s.format)
	}
	return target.Load(s.files, s.name, []byte(s.text), s.format)
}

// judgement is what a source comes to without a target: the tree of that which is begun
// with, what the parser says, and what everything that judges a source says.
type judgement struct {
	parsed
	all           []diag.Diagnostic
	nodes, traits int
}

// judge finds what is wrong in the source that came alone, or in every source among the
// files, that which is begun with first: as the checker, the scene and its program see
// it. What a source that came alone imports stays open. Its error is that of step.
func (s *sources) judge(step func() error) (j judgement, err error) {
	var project *module.Project
	if s.files != nil {
		if project, j.all, err = module.Open(s.files); err != nil {
			j.all = append(j.all, diag.Diagnostic{Code: "IMP001", Message: err.Error(), File: module.Settings, Line: 1, Column: 1, EndLine: 1, EndColumn: 1})
			project, _, _ = module.Open(module.Memory{s.name: []byte(s.text)})
		}
	}
	type place struct {
		code    diag.Code
		file    string
		offset  int
		message string
	}
	said := map[place]bool{}
	for _, name := range append([]string{s.name}, s.others()...) {
		text, format := []byte(s.text), s.format
		if name != s.name {
			text = s.files[name]
			format, _ = ast.FormatOf(name)
		}
		f, syntax := parse.File(name, text, format)
		if name == s.name {
			j.file = f
		}
		j.found = append(j.found, syntax...)
		r := check.File(f, syntax, check.Options{Project: project})
		j.nodes, j.traits = j.nodes+r.Nodes, j.traits+r.Traits
		found, err := target.Judge(target.Of(project, f, r), serverLimits, step)
		if err != nil {
			return j, err
		}
		for _, d := range found {
			if at := (place{d.Code, d.File, d.Offset, d.Message}); !said[at] {
				said[at] = true
				j.all = append(j.all, d)
			}
		}
	}
	return j, nil
}

// others are the sources among the files but that which is begun with, in order.
func (s *sources) others() (names []string) {
	for name := range s.files {
		if _, source := ast.FormatOf(name); source && name != s.name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
