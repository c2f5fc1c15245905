package mcp

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/stream"
)

// listenHooks notify clients of the stateless revision of changes by
// subscriptions/listen. The library knows sessions to which everything is
// broadcast; here each stream has a caller with rights, so that the stream is
// served before the library gets to see the request, which then finds nothing
// left to subscribe to and answers. Clients of older revisions are promised
// nothing: the abilities stand in the answer to server/discover alone.
func (m *Server) listenHooks(hooks *server.Hooks) {
	hooks.AddAfterDiscover(func(_ context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
		if c := &result.Capabilities; c.Tools != nil && c.Resources != nil { // of this answer alone
			c.Tools.ListChanged, c.Resources.Subscribe = true, true
		}
	})
	hooks.AddBeforeSubscriptionsListen(func(ctx context.Context, id any, req *mcp.SubscriptionsListenRequest) {
		wanted := req.Params.Notifications
		req.Params.Notifications = mcp.SubscriptionFilter{}
		if id == nil {
			return // the library refuses it
		}
		if err := m.listen(ctx, wanted); err != nil {
			_ = m.refuse(ctx, err, "") // the exchange answers
		}
	})
}

// watched is a resource that a client subscribed to, by the name it wrote.
type watched struct {
	uri string
	*stream.Watch
}

// listen sends a client changes until it goes, its right ends or the gateway
// does. What the caller cannot subscribe to is left out of the acknowledgement: a resource
// that the caller is not shown is no different from one that is not there.
func (m *Server) listen(ctx context.Context, wanted mcp.SubscriptionFilter) (err error) {
	defer m.rescue(ctx, "", &err)
	x, c := exchangeOf(ctx), call.CallerFrom(ctx)
	if x.send == nil {
		return reason.Refuse(reason.InvalidParam, "this request cannot carry notifications")
	}
	uris := wanted.ResourceSubscriptions
	if len(uris) > maxWatched {
		return reason.Refuse(reason.LimitReached, "one stream watches at most %d resources", maxWatched).With(map[string]any{"limit": maxWatched})
	}
	var watches []watched
	for _, uri := range slices.Compact(slices.Sorted(slices.Values(uris))) {
		if refusal := m.service.Access.Allow(limit.Read, c).Refusal(); refusal != nil {
			return refusal
		}
		if w := m.watch(ctx, c, uri); w != nil {
			watches = append(watches, watched{uri, w})
		}
	}
	if !wanted.ToolsListChanged && len(watches) == 0 {
		return nil // the library acknowledges nothing and ends
	}
	if x.places != nil {
		select {
		case x.places <- struct{}{}:
			defer func() { <-x.places }()
		default:
			return reason.Refuse(reason.LimitReached, "one pipe carries at most %d streams of changes", maxListening).With(map[string]any{"limit": maxListening})
		}
	}
	l := &listening{server: m, x: x, caller: c, tools: wanted.ToolsListChanged, watches: watches}
	return l.run(ctx)
}

// watch finds the resource that a URI names, nil when there is none whose changes
// the caller may receive.
func (m *Server) watch(ctx context.Context, c call.Caller, uri string) *stream.Watch {
	for i := range resources {
		r := &resources[i]
		tail, ok := strings.CutPrefix(uri, r.prefix)
		if !ok || r.watch == nil {
			continue
		}
		id, err := url.PathUnescape(tail)
		if err != nil || id == "" || len(id) > maxVariable {
			return nil
		}
		w, err := r.watch(ctx, m.service, c, id)
		if err != nil {
			return nil
		}
		return w
	}
	return nil
}

// listening is one stream.
type listening struct {
	server  *Server
	x       *exchange
	caller  call.Caller
	tools   bool // changes of the list of tools are sent
	listed  []string
	watches []watched
}

func (l *listening) run(ctx context.Context) error {
	plain := make([]*stream.Watch, len(l.watches))
	for i := range l.watches {
		plain[i] = l.watches[i].Watch
	}
	heard, err := l.server.service.Streams.Watching(ctx, l.caller, plain)
	if err != nil {
		return err
	}
	defer heard.Close()
	l.listed = l.server.listedTools(l.caller)
	if err := l.acknowledge(ctx); err != nil {
		return nil // the client is gone
	}
	ctx, stop := l.x.until(ctx)
	defer stop()
	for {
		d, err := heard.Next(ctx)
		if err != nil {
			return nil // the client has received enough
		}
		if d.Check {
			if err := l.renew(ctx); err != nil {
				return err
			}
		}
		if l.report(ctx, d.Events) != nil || d.Ping && l.x.alive != nil && l.x.alive() != nil {
			return nil
		}
		switch d.End {
		case "":
		case reason.NotReady:
			return nil // an orderly end: the client comes back to another gateway
		default:
			return stream.Ended(d.End)
		}
	}
}

// acknowledge says first what will be sent.
func (l *listening) acknowledge(ctx context.Context) error {
	granted := mcp.SubscriptionFilter{ToolsListChanged: l.tools}
	for _, w := range l.watches {
		granted.ResourceSubscriptions = append(granted.ResourceSubscriptions, w.uri)
	}
	l.x.acknowledged = true
	return l.notify(ctx, mcp.MethodNotificationSubscriptionsAcknowledged, map[string]any{"notifications": granted})
}

// notify sends a notice with the name of this stream.
func (l *listening) notify(ctx context.Context, method string, params map[string]any) error {
	params["_meta"] = map[string]any{mcp.MetaKeySubscriptionID: l.x.id}
	return l.x.notify(ctx, method, params)
}

// report names each resource that changed, once however often it did.
func (l *listening) report(ctx context.Context, es []*journal.Event) error {
	if len(es) == 0 {
		return nil
	}
	for _, w := range l.watches {
		changed := func(e *journal.Event) bool { return w.Changed(ctx, l.caller, e) }
		if !slices.ContainsFunc(es, changed) {
			continue
		}
		if err := l.notify(ctx, mcp.MethodNotificationResourceUpdated, map[string]any{"uri": w.uri}); err != nil {
			return err
		}
	}
	return nil
}

// renew checks the caller's right again, and notifies it when its list of tools changes
// since.
func (l *listening) renew(ctx context.Context) error {
	now, err := l.server.service.Streams.Renewed(ctx, l.caller)
	if err != nil {
		return err
	}
	l.caller = now
	list := l.server.listedTools(now)
	if slices.Equal(list, l.listed) {
		return nil
	}
	l.listed = list
	if l.tools {
		_ = l.notify(ctx, mcp.MethodNotificationToolsListChanged, map[string]any{}) // a client that is gone is found by ctx
	}
	return nil
}

// listedTools are the names of the tools that a caller is shown.
func (m *Server) listedTools(c call.Caller) []string {
	var names []string
	for name := range m.audienceOf(c).rpc.ListTools() {
		if showsTool(c, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
