package welcome

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// ContractReply is what the gate takes, for a writer that wants to know before.
type ContractReply struct {
	Success        bool              `json:"success"`
	Entry          EntryContract     `json:"public_entry_contract"`
	KnowledgeTypes map[string]string `json:"knowledge_types"`
	Fields         []ContractField   `json:"fields" doc:"of a contribution"`
}

// ContractField is one field of a contribution with its bounds.
type ContractField struct {
	Name     string   `json:"name"`
	Required bool     `json:"required"`
	Help     string   `json:"help"`
	Min      int      `json:"min,omitempty" doc:"least characters, or least value"`
	Max      int      `json:"max,omitempty" doc:"most characters, or greatest value"`
	Items    int      `json:"items,omitempty" doc:"most items"`
	OneOf    []string `json:"one_of,omitempty"`
}

// Contract returns the rules of the gate and the bounds of every field, made of the
// form that reads contributions.
func (s *Service) Contract(ctx context.Context, c call.Caller) (*ContractReply, error) {
	o, err := s.Overview(ctx, c)
	if err != nil {
		return nil, err
	}
	reply := &ContractReply{Success: true, Entry: o.EntryContract, KnowledgeTypes: o.KnowledgeTypes}
	for _, f := range knowledge.ContributeForm.Form {
		reply.Fields = append(reply.Fields, ContractField{f.Name, f.Required, f.Help, f.Min, f.Max, f.Items, f.Enum})
	}
	return reply, nil
}

// DomainFeed lists the newest entries of one domain, as many as a page takes.
func (s *Service) DomainFeed(ctx context.Context, c call.Caller, domain string) (*knowledge.FeedReply, error) {
	r, err := knowledge.FeedForm.ReadJSON(call.JSONOf(map[string]any{"domain": []string{domain}, "limit": call.DefaultPage}))
	if err != nil {
		return nil, err
	}
	return s.knowledge.Feed(ctx, c, r)
}

// DomainPage lists the domains of the commons by name, n at most, from a cursor
// of the page before or from the start.
func (s *Service) DomainPage(ctx context.Context, n int, cursor string) (*knowledge.DomainsReply, error) {
	fields := map[string]any{"sort": "name", "limit": n}
	if cursor != "" {
		fields["cursor"] = cursor
	}
	r, err := knowledge.DomainsForm.ReadJSON(call.JSONOf(fields))
	if err != nil {
		return nil, err
	}
	return s.knowledge.Domains(ctx, r)
}

// Suggestions are up to n values that may stand where a client has begun to
// write one, and how many there are in all.
type Suggestions struct {
	Values []string // that fit best
	Total  int      // of all that fit
}

// SuggestDomains completes the name of a domain, the fullest first.
func (s *Service) SuggestDomains(ctx context.Context, begun string, n int) Suggestions {
	begun = gate.Slug(begun)
	var out Suggestions
	for _, d := range s.mesh.Domains(ctx) {
		if strings.HasPrefix(d.Name, begun) {
			out.add(d.Name, n)
		}
	}
	return out
}

// SuggestEntries completes the id of an entry, among the newest alone. Ids are
// public.
func (s *Service) SuggestEntries(ctx context.Context, begun string, n int) (Suggestions, error) {
	var out Suggestions
	page, err := s.mesh.Entries(ctx, view.EntryQuery{Sort: "recent", Limit: suggestFrom, OnlyPublicFields: true})
	if err != nil {
		return out, fmt.Errorf("list entries: %w", err)
	}
	for _, e := range page.Entries {
		if id := e.ID.Text(change.PrefixEntry); strings.HasPrefix(id, begun) {
			out.add(id, n)
		}
	}
	return out, nil
}

// SuggestAgents completes the id of an agent: ids that begin so, and the ids of
// agents whose name matches. Names are what people chose and are not suggested.
func (s *Service) SuggestAgents(ctx context.Context, begun string, n int) (Suggestions, error) {
	var out Suggestions
	q := view.AgentQuery{Sort: "reputation", Limit: suggestFrom}
	prefix := ""
	if strings.HasPrefix(begun, change.PrefixAgent) || strings.HasPrefix(change.PrefixAgent, begun) {
		prefix = begun
	} else {
		q.Text = call.Clip(begun, call.MaxFilter)
	}
	page, err := s.mesh.Agents(ctx, q)
	if err != nil {
		return out, fmt.Errorf("list agents: %w", err)
	}
	for _, a := range page.Agents {
		if id := a.ID.String(); strings.HasPrefix(id, prefix) {
			out.add(id, n)
		}
	}
	return out, nil
}

// SuggestGuilds completes the id of a public guild, by its beginning or by a part
// of the guild's name.
func (s *Service) SuggestGuilds(ctx context.Context, begun string, n int) Suggestions {
	var out Suggestions
	byID := strings.HasPrefix(begun, change.PrefixGuild) || strings.HasPrefix(change.PrefixGuild, begun)
	for _, g := range s.mesh.Guilds(ctx) {
		id := g.ID.Text(change.PrefixGuild)
		if byID && strings.HasPrefix(id, begun) || !byID && strings.Contains(strings.ToLower(g.Name), strings.ToLower(begun)) {
			out.add(id, n)
		}
	}
	return out
}

// SuggestTypes completes a type of knowledge.
func SuggestTypes(begun string) Suggestions {
	out := Suggestions{Values: slices.DeleteFunc(slices.Clone(call.KnowledgeTypes), func(t string) bool { return !strings.HasPrefix(t, begun) })}
	out.Total = len(out.Values)
	return out
}

func (s *Suggestions) add(value string, most int) {
	s.Total++
	if len(s.Values) < most {
		s.Values = append(s.Values, value)
	}
}

// ProtectedResource is the metadata of an OAuth resource server (RFC 9728 §2).
type ProtectedResource struct {
	Resource               string   `json:"resource" doc:"the audience of its tokens"`
	AuthorizationServers   []string `json:"authorization_servers"`
	ScopesSupported        []string `json:"scopes_supported"`
	BearerMethodsSupported []string `json:"bearer_methods_supported"`
	ResourceName           string   `json:"resource_name"`
}
