// Package lsp is the language server: LSP 3.17 over messages that the caller
// carries, one JSON-RPC message in, any number out.
//
// A Server belongs to one client and one goroutine. It reads no file and keeps
// no clock: the texts are those that the client opened, and what they import is
// read through the fs.FS that Config.Open roots at the client's folder. Every
// answer is worked out while Handle runs, so that answers come in the order of
// their questions and a cancelled request needs no handling. What is found in a
// changed text is reported by Publish, when the caller sees that the client pauses.
package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Config is what a server needs to know of its world.
type Config struct {
	// Open roots a file system at a folder, for what sources import; nil: sources
	// stand alone. The folder is the path of the client's root URI.
	Open func(folder string) (fs.FS, error)
	// Losses says what a target cannot carry of a document; nil: no hints say so. An
	// error is shown to the person who chose the target; a source with errors has no
	// losses and is none.
	Losses func(Compiling) ([]scene.Loss, error)
	// Judge is everything that is found in a document: what its scene and program come to
	// as well as what the checker says; nil: the checker alone is asked.
	Judge func(Judging) ([]diag.Diagnostic, error)
	// Name and Version are sent to the client.
	Name, Version string
}

// Server is a language server. Make one with New.
type Server struct {
	cfg     Config
	ready   bool
	down    bool // shutdown was asked
	ended   bool
	utf8    bool
	root    string // path of the root URI, with a final slash; empty for none
	project *module.Project
	texts   map[string][]byte // of the open documents below the root
	docs    map[string]*document
	closed  map[string][]symbolInformation // of sources that are not open, by path; nil: not read
	out     [][]byte

	target    string // of the client's settings, whose losses are shown; empty for none
	complaint string // the last about the target
	refreshes bool   // the client can be asked to renew its hints
	asked     int    // questions of the server
}

// New returns a server for one client.
func New(cfg Config) *Server {
	return &Server{cfg: cfg, docs: map[string]*document{}, texts: map[string][]byte{}}
}

// Ended says whether the client has asked the server to exit, and whether it
// did so in order, after a shutdown.
func (s *Server) Ended() (ended, inOrder bool) { return s.ended, s.down }

// Handle takes one message and returns those to send, in order. It never fails:
// what it cannot read is answered with an error of JSON-RPC.
func (s *Server) Handle(message []byte) [][]byte {
	s.out = nil
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		code := codeRequest
		if !json.Valid(message) {
			code = codeParse
		}
		s.send(failure{"2.0", json.RawMessage("null"), rpcError{Code: code, Message: "the message cannot be read"}})
		return s.out
	}
	if r.Method == "" { // an answer to a question that this server does not ask
		if len(r.ID) == 0 {
			s.send(failure{"2.0", json.RawMessage("null"), rpcError{Code: codeRequest, Message: "the message has no method"}})
		}
		return s.out
	}
	result, err := s.dispatch(r)
	if len(r.ID) == 0 {
		return s.out // a notification has no answer, not even a bad one
	}
	var fault *rpcError
	switch {
	case err == nil:
		s.send(response{"2.0", r.ID, result})
	case errors.As(err, &fault):
		s.send(failure{"2.0", r.ID, *fault})
	default:
		s.send(failure{"2.0", r.ID, rpcError{Code: codeInternal, Message: err.Error()}})
	}
	return s.out
}

func (s *Server) send(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) == nil {
		s.out = append(s.out, bytes.TrimSpace(b.Bytes()))
	}
}

func (s *Server) notify(method string, params any) { s.send(notification{"2.0", method, params}) }

// dispatch answers a message. A fault of the server is caught and becomes an
// internal error; the documents are as before.
func (s *Server) dispatch(r request) (result any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			result, err = nil, &rpcError{Code: codeInternal, Message: fmt.Sprintf("internal fault in %s (%v)", r.Method, fault)}
		}
	}()
	if !s.ready && r.Method != "initialize" && r.Method != "exit" {
		return nil, &rpcError{Code: codeNotInitialized, Message: "initialize comes first"}
	}
	if s.down && r.Method != "exit" {
		return nil, &rpcError{Code: codeRequest, Message: "the server is shut down"}
	}
	switch r.Method {
	case "initialize":
		return s.initialize(r.Params)
	case "initialized", "$/cancelRequest", "$/setTrace", "textDocument/didSave":
		return nil, nil
	case "workspace/didChangeConfiguration":
		var p struct {
			Settings json.RawMessage `json:"settings"`
		}
		if json.Unmarshal(r.Params, &p) == nil {
			s.configure(p.Settings)
		}
		return nil, nil
	case "workspace/didChangeWatchedFiles":
		s.reopen()
		for _, d := range s.sorted() {
			s.publish(d)
		}
		return nil, nil
	case "shutdown":
		s.down = true
		return nil, nil
	case "exit":
		s.ended = true
		return nil, nil
	case "textDocument/didOpen":
		return nil, s.didOpen(r.Params)
	case "textDocument/didChange":
		return nil, s.didChange(r.Params)
	case "textDocument/didClose":
		return nil, s.didClose(r.Params)
	case "workspace/symbol":
		return s.workspaceSymbols(r.Params)
	}
	if studioAnswers[r.Method] != nil {
		return s.studio(r.Method, r.Params)
	}
	if answer := answers[r.Method]; answer != nil {
		var ref struct {
			Document documentRef `json:"textDocument"`
		}
		if json.Unmarshal(r.Params, &ref) != nil {
			return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
		}
		d := s.docs[ref.Document.URI]
		if d == nil {
			return nil, &rpcError{Code: codeParams, Message: "the document is not open"}
		}
		return answer(s, d, r.Params)
	}
	return nil, &rpcError{Code: codeMethod, Message: "there is no method " + r.Method}
}

// answers are the requests about a document.
var answers = map[string]func(*Server, *document, json.RawMessage) (any, error){
	"textDocument/completion":          (*Server).completion,
	"textDocument/hover":               (*Server).hover,
	"textDocument/definition":          (*Server).definition,
	"textDocument/references":          (*Server).references,
	"textDocument/prepareRename":       (*Server).prepareRename,
	"textDocument/rename":              (*Server).rename,
	"textDocument/formatting":          (*Server).formatting,
	"textDocument/rangeFormatting":     (*Server).rangeFormatting,
	"textDocument/codeAction":          (*Server).codeActions,
	"textDocument/documentSymbol":      (*Server).documentSymbols,
	"textDocument/foldingRange":        (*Server).foldingRanges,
	"textDocument/inlayHint":           (*Server).inlayHints,
	"textDocument/documentColor":       (*Server).documentColors,
	"textDocument/colorPresentation":   (*Server).presentations,
	"textDocument/semanticTokens/full": (*Server).semanticTokens,
	"textDocument/signatureHelp":       (*Server).signature,
	"textDocument/documentHighlight":   (*Server).highlight,
}

// Waits says whether a document has changed since its findings were reported.
func (s *Server) Waits() bool {
	for _, d := range s.docs {
		if d.waits {
			return true
		}
	}
	return false
}

// Publish judges one of the documents that wait and returns the message with its
// findings. Judging takes longer than any answer: the caller calls it when the
// client has paused, so that who types waits for parsing only.
func (s *Server) Publish() [][]byte {
	s.out = nil
	for _, d := range s.sorted() {
		if d.waits {
			s.publish(d)
			break
		}
	}
	return s.out
}

// judged is what the checker says of a document.
func (s *Server) judged(d *document) *check.Result {
	if d.result == nil {
		r := d.read()
		d.result = check.File(r.File, r.Found, s.options(d))
	}
	return d.result
}

// around is what is known at a place of a document that may not have been judged.
func (s *Server) around(d *document, offset int) *check.Result {
	return check.Around(d.parsed(), offset, s.options(d), d.before)
}

func (s *Server) options(d *document) check.Options {
	if d.inside && s.project != nil {
		return check.Options{Project: s.project}
	}
	return check.Options{Registry: trait.Builtin()}
}

// sorted are the open documents in the order of their URIs.
func (s *Server) sorted() []*document {
	out := make([]*document, 0, len(s.docs))
	for _, d := range s.docs {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b *document) int { return strings.Compare(a.uri, b.uri) })
	return out
}

// publish sends the findings of a document to the client.
func (s *Server) publish(d *document) {
	d.waits = false
	found := s.findings(d)
	out := make([]diagnostic, 0, len(found))
	for _, f := range found {
		out = append(out, s.diagnostic(d, f))
	}
	s.notify("textDocument/publishDiagnostics", map[string]any{"uri": d.uri, "version": d.version, "diagnostics": out})
}

// diagnostic converts a finding to the positions of the client.
func (s *Server) diagnostic(d *document, f diag.Diagnostic) diagnostic {
	out := diagnostic{Range: d.span(f.Offset, f.EndOffset), Severity: int(f.Severity) + 1, Code: string(f.Code), Source: "meshd", Message: f.Message}
	if f.Code == "LNT001" {
		out.Tags = []int{1} // unnecessary: editors fade it
	}
	for _, r := range f.Related {
		uri, at := d.uri, d.span(r.Offset, r.EndOffset)
		if r.File != d.path {
			uri, at = s.uriOf(r.File), span{position{r.Line - 1, max(r.Column-1, 0)}, position{r.Line - 1, max(r.Column-1, 0)}}
		}
		out.Related = append(out.Related, related{location{uri, at}, r.Message})
	}
	return out
}
