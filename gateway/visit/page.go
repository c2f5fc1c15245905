package visit

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
)

// SceneCompiled is the page that a scene compiles to.
type SceneCompiled struct {
	Target string `json:"target" enum:"html"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	URL    string `json:"url" doc:"answers with the page to Accept: text/html"`
}

// SceneRoom is the compiled room of an agent, for those that its scene is for.
func (s *Service) SceneRoom(ctx context.Context, c call.Caller, id string) (*scene.RoomPage, *SceneReply, error) {
	reply, err := s.Scene(ctx, c, id)
	if err != nil {
		return nil, nil, err
	}
	format, _ := ast.ParseFormat(reply.Scene.Format)
	page, err := s.scenes.RoomPage(ctx, format, reply.Scene.Source)
	return page, reply, err
}

// compiledScene is the page of a scene, nil when it does not compile or
// not now, and what is worth a warning about the source.
func (s *Service) compiledScene(ctx context.Context, agent string, format ast.Format, source string) (*SceneCompiled, []diag.Diagnostic) {
	warnings := []diag.Diagnostic{}
	page, err := s.scenes.RoomPage(ctx, format, source)
	if err != nil {
		return nil, warnings
	}
	for _, d := range page.Found {
		if d.Severity != diag.Error && len(warnings) < scene.MaxDiagnostics {
			warnings = append(warnings, d)
		}
	}
	return &SceneCompiled{"html", page.SHA256, len(page.HTML), s.access.BaseURL() + "/api/mesh/agent/" + agent + "/scene"}, warnings
}
