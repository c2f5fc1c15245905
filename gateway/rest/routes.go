package rest

import (
	"net/http"
	"slices"

	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
)

// route is one endpoint as this face serves it: a row of a room, or one of its own.
type route struct {
	endpoint.Route
	page    bool                                     // for people: not part of the API's description
	endless bool                                     // what it forwards to bounds its time itself
	raw     func(http.ResponseWriter, *http.Request) // instead of Handle
	stream  bool                                     // a raw row that goes on until the client ends it; takes tickets
}

// pattern is the path as the multiplexer wants it.
func (rt *route) pattern() string {
	if rt.Path == "/" {
		return "/{$}"
	}
	return rt.Path
}

// routes is the table of every endpoint: those of the rooms, and those that only
// HTTP has.
func (h *Handler) routes() []route {
	var table []route
	for _, r := range h.service.Routes() {
		table = append(table, route{Route: r})
	}
	return slices.Concat(table, h.eventRoutes(), h.resourceRoutes(), []route{
		{Route: endpoint.Route{Method: "GET", Path: "/openapi.json", Summary: "This document", Bucket: limit.Read, Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return h.openapi.answer(r.Request, "application/json"), nil
			}}},
		{Route: endpoint.Route{Method: "POST", Path: mcpPath, Summary: "One message of the Model Context Protocol"}, raw: h.serveMCP, endless: true},
	})
}

// Document is the description of the API that a node without streams of MCP
// serves at /openapi.json.
func Document() ([]byte, error) {
	h := &Handler{service: new(service.Service)} // its rows are described and never run
	return document(h.routes())
}
