package gateway

import (
	"context"
	"fmt"
)

// publishEvents runs the stream of events. When ctx ends its readers are sent away,
// so that their connections do not delay the drain; stop then ends the writing,
// after what running requests caused.
func (g *Gateway) publishEvents(ctx context.Context) (stop func(), err error) {
	stream := g.service.Streams.Journal()
	if err := stream.Load(ctx); err != nil {
		if ctx.Err() != nil {
			return func() {}, nil // asked to end before it began
		}
		return nil, fmt.Errorf("load the stream of events: %w", err)
	}
	stopDrain := context.AfterFunc(ctx, func() {
		stream.Drain()
		g.mcp.Drain()
		g.rest.Drain()
	})
	publishing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := stream.Serve(publishing); err != nil {
			g.cfg.Log.Error("events are done no more", "error", err)
		}
	}()
	return func() {
		stopDrain()
		stream.Drain()
		g.mcp.Drain()
		g.rest.Drain()
		cancel()
		<-done
	}, nil
}
