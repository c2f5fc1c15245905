package scene

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/target"
)

// RoomPage is a scene as a page of its own.
type RoomPage struct {
	HTML   []byte
	SHA256 string
	Found  []diag.Diagnostic // about the source
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

// RoomPage compiles a scene's source, or finds it compiled.
func (s *Service) RoomPage(ctx context.Context, format ast.Format, source string) (*RoomPage, error) {
	key := sha256.Sum256([]byte(format.String() + "\x00" + source))
	if k, ok := s.pages.find(key); ok {
		return k.page, k.err
	}
	var r *target.Result
	err := s.work.Do(ctx, compileTime, reason.CompileTimeout, func(step func() error) (err error) {
		src := target.Load(nil, "scene."+format.String(), []byte(source), format)
		r, err = target.Compile(src, target.Request{Target: "html", Limits: serverLimits, MaxSize: maxRoomPage, Step: step})
		return err
	})
	if err != nil {
		err = compileRefusal(err)
		if slices.Contains(lasting, reason.Of(err)) {
			s.pages.keep(key, keptRoom{err: err})
		}
		return nil, err
	}
	if len(r.Files) != 1 {
		return nil, errors.New("a room compiles to one page")
	}
	sum := sha256.Sum256(r.Files[0].Data)
	page := &RoomPage{HTML: r.Files[0].Data, SHA256: hex.EncodeToString(sum[:]), Found: r.Diagnostics}
	s.pages.keep(key, keptRoom{page: page})
	return page, nil
}
