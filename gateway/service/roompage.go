package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/target"
)

// SceneCompiled is the page that a scene compiles to.
type SceneCompiled struct {
	Target string `json:"target" enum:"html"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	URL    string `json:"url" doc:"answers with the page to Accept: text/html"`
}

// RoomPage is a scene as a page of its own.
type RoomPage struct {
	HTML   []byte
	SHA256 string
	found  []diag.Diagnostic
}

// roomPages keeps the pages that scenes were compiled to, and the refusals of
// those that do not compile, by the source, the oldest giving way to what is
// new. What a source compiles to never changes, so nothing goes stale.
type roomPages struct {
	mu    sync.Mutex
	kept  map[[32]byte]keptRoom
	order [][32]byte // oldest first
	bytes int
}

type keptRoom struct {
	page *RoomPage
	err  error
}

func newRoomPages() *roomPages { return &roomPages{kept: map[[32]byte]keptRoom{}} }

func (p *roomPages) find(key [32]byte) (keptRoom, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, ok := p.kept[key]
	return k, ok
}

func (p *roomPages) keep(key [32]byte, k keptRoom) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, there := p.kept[key]; there {
		return
	}
	p.kept[key] = k
	p.order = append(p.order, key)
	p.bytes += k.size()
	for p.bytes > maxRoomPageBytes || len(p.order) > maxRoomPages {
		oldest := p.order[0]
		p.order = p.order[1:]
		p.bytes -= p.kept[oldest].size()
		delete(p.kept, oldest)
	}
}

func (k keptRoom) size() int {
	if k.page == nil {
		return 0
	}
	return len(k.page.HTML)
}

// lasting are the refusals that a source meets every time.
var lasting = []reason.Code{reason.SourceInvalid, reason.ArtifactTooLarge, reason.CompileTimeout}

// roomPage compiles a scene's source, or finds it compiled.
func (s *Service) roomPage(ctx context.Context, format ast.Format, source string) (*RoomPage, error) {
	key := sha256.Sum256([]byte(format.String() + "\x00" + source))
	if k, ok := s.roomPages.find(key); ok {
		return k.page, k.err
	}
	var r *target.Result
	err := s.workshop.Do(ctx, compileTime, reason.CompileTimeout, func(step func() error) (err error) {
		src := target.Load(nil, "scene."+format.String(), []byte(source), format)
		r, err = target.Compile(src, target.Request{Target: "html", Limits: serverLimits, MaxSize: maxRoomPage, Step: step})
		return err
	})
	if err != nil {
		err = compileRefusal(err)
		if slices.Contains(lasting, reason.Of(err)) {
			s.roomPages.keep(key, keptRoom{err: err})
		}
		return nil, err
	}
	if len(r.Files) != 1 {
		return nil, errors.New("a room compiles to one page")
	}
	page := &RoomPage{HTML: r.Files[0].Data, SHA256: hex.EncodeToString(hashOf(r.Files[0].Data)), found: r.Diagnostics}
	s.roomPages.keep(key, keptRoom{page: page})
	return page, nil
}

func hashOf(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

// SceneRoom is the compiled room of an agent, for those that its scene is for.
func (s *Service) SceneRoom(ctx context.Context, c call.Caller, id string) (*RoomPage, *SceneReply, error) {
	reply, err := s.Scene(ctx, c, id)
	if err != nil {
		return nil, nil, err
	}
	format, _ := ast.ParseFormat(reply.Scene.Format)
	page, err := s.roomPage(ctx, format, reply.Scene.Source)
	return page, reply, err
}

// compiledScene tells of the page of a scene, nil when it does not compile or
// not now, and what is worth a warning about the source.
func (s *Service) compiledScene(ctx context.Context, agent string, format ast.Format, source string) (*SceneCompiled, []diag.Diagnostic) {
	warnings := []diag.Diagnostic{}
	page, err := s.roomPage(ctx, format, source)
	if err != nil {
		return nil, warnings
	}
	for _, d := range page.found {
		if d.Severity != diag.Error && len(warnings) < maxDiagnostics {
			warnings = append(warnings, d)
		}
	}
	return &SceneCompiled{"html", page.SHA256, len(page.HTML), s.BaseURL() + "/api/mesh/agent/" + agent + "/scene"}, warnings
}
