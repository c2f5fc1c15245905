package scene

import (
	"slices"
	"sync"
	"time"
)

// Made is a file that was made of a source.
type Made struct {
	Data      []byte
	MediaType string
	Foreign   bool // somebody else than who asks for it wrote it
}

// shelf keeps what was made for a while, by name, the oldest giving way to what is
// new. What is made again lasts as if it were new.
type shelf struct {
	most  int // files
	room  int // bytes of all
	lasts time.Duration

	mu    sync.Mutex
	kept  map[string]keptFile
	order []string // oldest first
	bytes int
}

type keptFile struct {
	Made
	at time.Time
}

func newShelf(most, room int, lasts time.Duration) *shelf {
	return &shelf{most: most, room: room, lasts: lasts, kept: map[string]keptFile{}}
}

func (p *shelf) keep(name string, file Made, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, there := p.kept[name]; there {
		file.Foreign = file.Foreign || old.Foreign
		p.take(slices.Index(p.order, name))
	}
	p.kept[name] = keptFile{file, now}
	p.order = append(p.order, name)
	p.bytes += len(file.Data)
	for len(p.order) > 0 && (p.bytes > p.room || len(p.order) > p.most || now.Sub(p.kept[p.order[0]].at) > p.lasts) {
		p.take(0)
	}
}

// take removes the file at a place of the order. The caller holds mu.
func (p *shelf) take(at int) {
	name := p.order[at]
	p.order = slices.Delete(p.order, at, at+1)
	p.bytes -= len(p.kept[name].Data)
	delete(p.kept, name)
}

func (p *shelf) find(name string, now time.Time) (Made, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, there := p.kept[name]
	if !there || now.Sub(k.at) > p.lasts {
		return Made{}, false
	}
	return k.Made, true
}
