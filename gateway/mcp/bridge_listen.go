package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
)

// listen carries a stream of changes, which has no time of its own: it ends with
// the server's answer, when the client cancels it, or with the client's last
// line. It is tried once, since the client must know that it missed something.
func (b *bridge) listen(ctx context.Context, line []byte, e envelope, send func([]byte)) []byte {
	ctx, cancel := (&exchange{over: b.over}).until(ctx)
	defer cancel()
	var of mcp.SubscriptionFilter
	_ = json.Unmarshal(e.Params.Of, &of) // the server says what is wrong with it
	if err := b.keepOpen(e.ID, openStream{cancel, of.ToolsListChanged}); err != nil {
		return refusal(e.ID, err)
	}
	defer b.release(e.ID)
	reply, _, err := b.post(ctx, line, e, send)
	if err == nil || ctx.Err() != nil {
		return reply
	}
	return refusal(e.ID, err)
}

// openStream is a stream of changes that is open.
type openStream struct {
	cancel context.CancelFunc
	tools  bool // it has notices of the list of tools
}

// keepOpen remembers how to end the stream that a request opens.
func (b *bridge) keepOpen(id json.RawMessage, s openStream) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listens[string(id)].cancel != nil {
		return errors.New("a stream of that id is open")
	}
	if len(b.listens) >= maxListening {
		return errors.New("too many streams of changes are open; cancel one")
	}
	if b.listens == nil {
		b.listens = map[string]openStream{}
	}
	b.listens[string(id)] = s
	return nil
}

func (b *bridge) release(id json.RawMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.listens, string(id))
}

// hangUp ends the stream of changes that a request of this id opened, and
// reports whether there was one.
func (b *bridge) hangUp(id json.RawMessage) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	cancel := b.listens[string(id)].cancel
	if cancel != nil {
		cancel()
	}
	return cancel != nil
}
