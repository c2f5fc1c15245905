package scene

import (
	"sync"
	"time"
)

// Picture is an encoded picture.
type Picture struct {
	Data      []byte
	MediaType string
}

// pictures keeps what was drawn for a while, by name, the oldest giving way to
// what is new.
type pictures struct {
	mu    sync.Mutex
	kept  map[string]keptPicture
	order []string // oldest first
	bytes int
}

type keptPicture struct {
	Picture
	at time.Time
}

func newPictures() *pictures { return &pictures{kept: map[string]keptPicture{}} }

func (p *pictures) keep(name string, pic Picture, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, there := p.kept[name]; there {
		return
	}
	p.kept[name] = keptPicture{pic, now}
	p.order = append(p.order, name)
	p.bytes += len(pic.Data)
	for len(p.order) > 0 && (p.bytes > maxPictureBytes || len(p.order) > maxPictures || now.Sub(p.kept[p.order[0]].at) > pictureLife) {
		oldest := p.order[0]
		p.order = p.order[1:]
		p.bytes -= len(p.kept[oldest].Data)
		delete(p.kept, oldest)
	}
}

func (p *pictures) find(name string, now time.Time) (Picture, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, there := p.kept[name]
	if !there || now.Sub(k.at) > pictureLife {
		return Picture{}, false
	}
	return k.Picture, true
}
