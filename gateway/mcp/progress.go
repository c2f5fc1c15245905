package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// progress informs the client of a call that takes long that it is still being
// worked on: every m.pace, with a number that grows by one, when the client gave
// a token. The returned function ends it and returns when the last notice is on
// its way; the result must not be returned before.
//
// How much is left is not known for any tool, so no total is sent.
func (m *Server) progress(ctx context.Context) (end func()) {
	x := exchangeOf(ctx)
	if !x.wantsProgress() {
		return func() {}
	}
	ticking, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		tick := time.NewTicker(m.pace)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-ticking.Done():
				return
			case <-tick.C:
			}
			if x.notifyProgress(ctx, n, 0, "still working") != nil {
				return
			}
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}

// notifyProgress sends one notice of progress; a total of 0 is not sent.
func (x *exchange) notifyProgress(ctx context.Context, done, total int, text string) error {
	params := map[string]any{"progressToken": x.token, "progress": done}
	if total > 0 {
		params["total"] = total
	}
	if text != "" {
		params["message"] = text
	}
	return x.notify(ctx, string(mcp.MethodNotificationProgress), params)
}
