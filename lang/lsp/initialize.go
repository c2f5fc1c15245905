package lsp

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/module"
)

// initialize takes what the client is and has chosen, and declares what it may ask:
// what answers has, and nothing else.
func (s *Server) initialize(params json.RawMessage) (any, error) {
	if s.ready {
		return nil, &rpcError{Code: codeRequest, Message: "the server is initialized"}
	}
	var p struct {
		RootURI string `json:"rootUri"`
		Folders []struct {
			URI string `json:"uri"`
		} `json:"workspaceFolders"`
		Capabilities struct {
			General struct {
				PositionEncodings []string `json:"positionEncodings"`
			} `json:"general"`
			Workspace struct {
				InlayHint struct {
					RefreshSupport bool `json:"refreshSupport"`
				} `json:"inlayHint"`
			} `json:"workspace"`
		} `json:"capabilities"`
		Options json.RawMessage `json:"initializationOptions"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	s.ready = true
	s.refreshes = p.Capabilities.Workspace.InlayHint.RefreshSupport
	if len(p.Options) > 0 {
		s.configure(p.Options)
	}
	encoding := "utf-16"
	if slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8") {
		s.utf8, encoding = true, "utf-8"
	}
	uri := p.RootURI
	if len(p.Folders) > 0 {
		uri = p.Folders[0].URI
	}
	if folder, ok := filePath(uri); ok {
		s.root = strings.TrimSuffix(folder, "/") + "/"
		s.reopen()
	}
	return map[string]any{
		"capabilities": map[string]any{
			"positionEncoding":                encoding,
			"textDocumentSync":                map[string]any{"openClose": true, "change": 2, "save": true},
			"completionProvider":              map[string]any{"triggerCharacters": []string{"@", ".", "#", "\"", "$", ":"}},
			"signatureHelpProvider":           map[string]any{"triggerCharacters": []string{"(", ",", "{"}},
			"hoverProvider":                   true,
			"documentHighlightProvider":       true,
			"workspaceSymbolProvider":         true,
			"documentRangeFormattingProvider": true,
			"colorProvider":                   true,
			"inlayHintProvider":               true,
			"definitionProvider":              true,
			"referencesProvider":              true,
			"renameProvider":                  map[string]any{"prepareProvider": true},
			"documentFormattingProvider":      true,
			"codeActionProvider":              map[string]any{"codeActionKinds": []string{"quickfix", "source.fixAll"}},
			"documentSymbolProvider":          true,
			"foldingRangeProvider":            true,
			"semanticTokensProvider":          map[string]any{"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": []string{"declaration"}}, "full": true},
			"experimental":                    map[string]any{"studio": []string{"studio/edit", "studio/scene", "studio/source_of"}},
		},
		"serverInfo": map[string]string{"name": s.cfg.Name, "version": s.cfg.Version},
	}, nil
}

// reopen reads the root anew.
func (s *Server) reopen() {
	s.project, s.closed = nil, nil
	if s.root == "" || s.cfg.Open == nil {
		return
	}
	fsys, err := s.cfg.Open(strings.TrimSuffix(s.root, "/"))
	if err != nil {
		s.notify("window/logMessage", map[string]any{"type": 2, "message": "imports stay open: " + err.Error()})
		return
	}
	p, found, err := module.Open(fsys)
	if err != nil {
		s.notify("window/logMessage", map[string]any{"type": 2, "message": "imports stay open: " + err.Error()})
		return
	}
	for _, d := range found {
		s.notify("window/logMessage", map[string]any{"type": 2, "message": d.String()})
	}
	s.project = p.Over(s.texts)
	for _, d := range s.docs {
		d.forget()
	}
}

// filePath is the path of a file URI.
func filePath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	return u.Path, true
}

// uriOf is the URI of a path below the root.
func (s *Server) uriOf(name string) string {
	return (&url.URL{Scheme: "file", Path: s.root + name}).String()
}
