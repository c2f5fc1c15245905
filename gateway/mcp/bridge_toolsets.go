package mcp

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/meshd/meshd/gateway/endpoint"
)

// setToolsets asks the server for the toolsets that the client is shown, and says that the
// bridge remembers them.
func (b *bridge) setToolsets(h http.Header) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.toolsets) > 0 {
		h.Set(toolsetsHeader, headerText(strings.Join(b.toolsets, ",")))
	}
	h.Set(dynamicHeader, "true")
}

// noteToolset remembers a toolset once the server has enabled it, and notifies the client
// that its list of tools has changed.
func (b *bridge) noteToolset(reply []byte, args json.RawMessage, send func(notice []byte)) {
	var asked struct {
		Toolset string `json:"toolset"`
	}
	var r struct {
		Result struct {
			IsError bool          `json:"isError"`
			Reply   *EnabledReply `json:"structuredContent"`
		} `json:"result"`
	}
	if json.Unmarshal(args, &asked) != nil || json.Unmarshal(reply, &r) != nil || r.Result.IsError || r.Result.Reply == nil || len(r.Result.Reply.Added) == 0 {
		return
	}
	b.mu.Lock()
	if slices.Contains(b.toolsets, asked.Toolset) {
		b.mu.Unlock()
		return
	}
	if len(b.toolsets) == 0 {
		b.toolsets = []string{string(endpoint.DefaultToolsets)}
	}
	b.toolsets = append(slices.Clone(b.toolsets), asked.Toolset)
	var streams []json.RawMessage
	for id, s := range b.listens {
		if s.tools {
			streams = append(streams, json.RawMessage(id))
		}
	}
	b.mu.Unlock()
	if b.version.Load() != nil {
		send(listChanged(nil))
	}
	for _, id := range streams {
		send(listChanged(id))
	}
}
