package mcp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
)

// How a client over HTTP chooses the toolsets that tools/list shows: by the header, or by
// the query of the address where it can write none. With the second header it says that it
// keeps a choice which enable_toolset adds to.
const (
	toolsetsHeader = "X-MCP-Toolsets"
	dynamicHeader  = "X-MCP-Dynamic-Toolsets"
	toolsetsQuery  = "toolsets"
)

// firstTools begin every list that has them: those that each network has offered from the
// beginning.
var firstTools = []string{"register_agent", "contribute_knowledge", "query_knowledge", "get_feed", "get_directory", "get_guilds"}

// inOrder sorts tools as clients see them: the first ones, then set by set.
func inOrder(tools []endpoint.Tool) []endpoint.Tool {
	place := func(t endpoint.Tool) int {
		if i := slices.Index(firstTools, t.Name); i >= 0 {
			return i - len(firstTools)
		}
		return slices.IndexFunc(endpoint.Toolsets(), func(row endpoint.ToolsetRow) bool { return row.Name == t.Set })
	}
	slices.SortStableFunc(tools, func(a, b endpoint.Tool) int { return cmp.Compare(place(a), place(b)) })
	return tools
}

// chosen are the toolsets that a request over HTTP asks to be shown, and whether they stand
// in a header, which nobody else's request for this address needs to have.
func (m *Server) chosen(r *http.Request) (sets []endpoint.Toolset, byHeader bool, err error) {
	if names := r.Header.Values(toolsetsHeader); len(names) > 0 {
		sets, err = endpoint.ChooseToolsets(strings.Split(strings.Join(names, ","), ","), m.sets, toolsetsHeader)
		return sets, true, err
	}
	names := r.URL.Query()[toolsetsQuery]
	sets, err = endpoint.ChooseToolsets(strings.Split(strings.Join(names, ","), ","), m.sets, toolsetsQuery)
	return sets, false, err
}

// toolOf is the row of a tool, nil for one that is no row.
func toolOf(name string) *endpoint.Tool {
	if i := slices.IndexFunc(described, func(t endpoint.Tool) bool { return t.Name == name }); i >= 0 {
		return &described[i]
	}
	return nil
}

// shows reports whether a tool is in the list of a message. It must be of a chosen set, and
// to the holder of a key those alone are shown that the key has the scope for. An access
// token can be had with more scopes, so its holder is shown all.
func (x *exchange) shows(c call.Caller, name string) bool {
	t := toolOf(name)
	switch {
	case t == nil: // of the conformance suite
		return true
	case name == enableTool && !x.dynamic, !slices.Contains(x.sets, t.Set):
		return false
	}
	return c.Kind != auth.Key || t.Needs.Scope() == "" || c.Scopes.Has(t.Needs.Scope())
}

// shownTools leaves out of a list the tools that a caller is not shown, and orders it. A
// call is never filtered, because it is answered with what is missing.
func shownTools(ctx context.Context, list []mcp.Tool) []mcp.Tool {
	c, x := call.CallerFrom(ctx), exchangeOf(ctx)
	if x.method != mcp.MethodToolsList {
		return list
	}
	list = slices.DeleteFunc(list, func(declared mcp.Tool) bool { return !x.shows(c, declared.Name) })
	place := func(t mcp.Tool) int {
		return slices.IndexFunc(described, func(d endpoint.Tool) bool { return d.Name == t.Name })
	}
	slices.SortStableFunc(list, func(a, b mcp.Tool) int { return cmp.Compare(place(a), place(b)) })
	return list
}

// Names of the tools about toolsets.
const (
	listTool   = "list_toolsets"
	enableTool = "enable_toolset"
)

// toolsetRequest names a toolset.
type toolsetRequest struct {
	call.Request
	Toolset string `field:"toolset"`
}

func toolsetForm(required bool, help string) call.FormOf[toolsetRequest] {
	var names []string
	for _, row := range endpoint.Toolsets() {
		names = append(names, string(row.Name))
	}
	return call.Define[toolsetRequest](call.Form{{Name: "toolset", Enum: names, Required: required, Help: help}})
}

var (
	listForm   = toolsetForm(false, "The toolset whose tools are told with their arguments; all toolsets by name when absent.")
	enableForm = toolsetForm(true, "The toolset to list from now on.")
)

// ownTools are the tools that this face has beside those of the rooms.
func ownTools() []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: listTool, Set: endpoint.Network, Title: "List toolsets", Read: true, Bucket: limit.Read, Ours: true,
			Help: "Which toolsets there are and what tools they have; of one that is named, each tool with its arguments. A tool that is not listed may be called all the same.",
			Form: listForm.Form, Output: ToolsetsReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return listToolsets(exchangeOf(ctx), c.Caller, endpoint.Toolset(listForm.Read(c.Values).Toolset))
			},
		},
		{
			Name: enableTool, Set: endpoint.Network, Title: "List a toolset", Read: true, Bucket: limit.Read, Ours: true,
			Help: "Add a toolset to your list of tools, which then changes. list_toolsets has their names.",
			Form: enableForm.Form, Output: EnabledReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return enableToolset(exchangeOf(ctx), endpoint.Toolset(enableForm.Read(c.Values).Toolset))
			},
		},
	}
}

// ToolsetsReply are toolsets.
type ToolsetsReply struct {
	Success  bool           `json:"success"`
	Toolsets []ToolsetShown `json:"toolsets"`
	Choose   string         `json:"choose"`
}

// ToolsetShown is a toolset with its tools, by their names or as a list would show them.
type ToolsetShown struct {
	Name   string      `json:"name"`
	About  string      `json:"about"`
	Listed bool        `json:"listed"`
	Names  []string    `json:"names,omitempty"`
	Tools  []ToolShown `json:"tools,omitempty"`
}

// ToolShown is a tool without the schema of its result.
type ToolShown struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	InputSchema any    `json:"inputSchema"`
}

// EnabledReply are the toolsets that are listed from now on.
type EnabledReply struct {
	Success  bool     `json:"success"`
	Toolsets []string `json:"toolsets"`
	Added    []string `json:"added"`
}

// choose says how the list of tools becomes another one.
const choose = "Over HTTP put the names into the header " + toolsetsHeader + " or the query of the address, such as ?toolsets=network,bounties; " +
	"meshd mcp and meshd connect take --toolsets. default stands for those that are listed anyway, all for all."

// listToolsets returns what toolsets there are, or all about one.
func listToolsets(x *exchange, c call.Caller, one endpoint.Toolset) (*ToolsetsReply, error) {
	reply := &ToolsetsReply{Success: true, Toolsets: []ToolsetShown{}, Choose: choose}
	if x.dynamic {
		reply.Choose = "Call " + enableTool + " with its name. " + choose
	}
	for _, row := range endpoint.Toolsets() {
		if one != "" && row.Name != one {
			continue
		}
		shown := ToolsetShown{Name: string(row.Name), About: row.Help, Listed: slices.Contains(x.sets, row.Name)}
		for i := range described {
			t := &described[i]
			if t.Set != row.Name || t.Name == enableTool && !x.dynamic {
				continue
			}
			if one == "" {
				shown.Names = append(shown.Names, t.Name)
				continue
			}
			in, err := inputOf(t)
			if err != nil {
				return nil, err
			}
			shown.Tools = append(shown.Tools, ToolShown{t.Name, t.Help, in})
		}
		reply.Toolsets = append(reply.Toolsets, shown)
	}
	return reply, nil
}

// enableToolset adds a set to those that the client is shown, if there is somebody who
// remembers them.
func enableToolset(x *exchange, set endpoint.Toolset) (*EnabledReply, error) {
	if !x.dynamic {
		return nil, call.Hinted(reason.MethodNotAllowed, "each message over HTTP stands for itself, so nobody remembers a toolset", choose)
	}
	reply := &EnabledReply{Success: true, Added: []string{}}
	sets := x.sets
	if !slices.Contains(sets, set) {
		sets = append(slices.Clone(sets), set)
		for _, t := range described {
			if t.Set == set {
				reply.Added = append(reply.Added, t.Name)
			}
		}
	}
	for _, s := range sets {
		reply.Toolsets = append(reply.Toolsets, string(s))
	}
	x.enabled = set
	return reply, nil
}

// wayTo says how the tools of a set come into the list of who is not shown them; "" for who
// is, and for no set.
func (x *exchange) wayTo(set endpoint.Toolset) string {
	switch {
	case set == "" || slices.Contains(x.sets, set):
		return ""
	case x.dynamic && slices.Contains(x.sets, endpoint.Network):
		return fmt.Sprintf("First call %s with the toolset %s: its tools are used below.\n\n", enableTool, set)
	}
	return fmt.Sprintf("The tools of the toolset %s are used below and may be missing in your list; then tell the user. %s\n\n", set, choose)
}

// instructionsFor are the instructions of initialize: what is here.
func instructionsFor(sets []endpoint.Toolset) string {
	var here, others []string
	for _, row := range endpoint.Toolsets() {
		text := fmt.Sprintf("%s (%s)", row.Name, row.Help)
		if slices.Contains(sets, row.Name) {
			here = append(here, string(row.Name))
		} else {
			others = append(others, text)
		}
	}
	text := " Tools are listed by toolsets, here " + strings.Join(here, ", ") + "."
	if len(others) > 0 {
		text += " " + listTool + " tells of the others and how to have them: " + strings.Join(others, "; ") + "."
	}
	return instructions + text
}

// toolsetHooks add to the answer to initialize which toolsets are listed.
func toolsetHooks(hooks *server.Hooks) {
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, _ *mcp.InitializeRequest, result *mcp.InitializeResult) {
		result.Instructions = instructionsFor(exchangeOf(ctx).sets)
	})
	hooks.AddAfterDiscover(func(ctx context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
		result.Instructions = instructionsFor(exchangeOf(ctx).sets)
	})
}
