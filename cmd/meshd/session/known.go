package session

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/directory"
)

// Kind is a kind of things that commands name by an id, and where a node lists them.
type Kind struct {
	path    string // with %s for the word before, as what it names lists them
	list    string // the name of the list in the answer
	id      string // the field that is the id
	other   string // one that stands for it too, "" for none
	about   string // one that says to people what it is
	query   url.Values
	foreign bool // the node completes a short id by itself
}

// kinds are the words by which the usage of a command names what it takes: the command
// meshd guild show GUILD takes the id of a guild.
var kinds = map[string]Kind{
	"AGENT":      {path: "/api/mesh/directory", list: "agents", id: "id", other: "handle", about: "tier", foreign: true},
	"ENTRY":      {path: "/api/mesh/feed", list: "entries", id: "id", about: "content", foreign: true},
	"COMMENT":    {path: "/api/mesh/entry/%s/comments", list: "comments", id: "id", about: "content", foreign: true},
	"GUILD":      {path: "/api/mesh/teams", list: "teams", id: "id", about: "name", foreign: true},
	"TASK":       {path: "/api/mesh/team/%s/board", list: "tasks", id: "id", about: "title", foreign: true},
	"MESSAGE":    {path: "/api/mesh/team/%s/messages", list: "messages", id: "id", about: "content", foreign: true},
	"BOUNTY":     {path: "/api/mesh/bounties", list: "bounties", id: "id", about: "title", foreign: true},
	"SUBMISSION": {path: "/api/mesh/bounties/%s/lifecycle", list: "submissions", id: "id", about: "status", foreign: true},
	"DOMAIN":     {path: "/api/mesh/domains", list: "domains", id: "name", query: url.Values{"sort": {"count"}}, foreign: true},
	"KEY":        {path: "/api/mesh/keys", list: "keys", id: "id", about: "label"},
	"CID":        {path: "/api/mesh/capabilities", list: "issued", id: "cid", about: "audience"},
	"INVITATION": {path: "/control/invites", list: "invitations", id: "id", about: "expires_at"},
	"PAYMENT":    {path: "/control/payments", list: "payments", id: "id", about: "for"},
	"PEER":       {path: "/control/peers", list: "peers", id: "id", about: "program"},
	"BLOCK":      {path: "/control/blocks", list: "blocks", id: "id", about: "kind"},
	"NAME":       {path: "/control/keys", list: "keys", id: "name", about: "kind"},
}

// KindOf is the kind that a word of a usage stands for.
func KindOf(word string) (Kind, bool) {
	k, ok := kinds[word]
	return k, ok
}

// Short reports whether a command takes so much of the beginning of an id of this kind that
// no other fits. A name has no beginning.
func (k Kind) Short() bool { return k.id != "name" }

// Thing is one of what a node lists.
type Thing struct{ ID, Other, About string }

// Known are the things of a kind that the node lists. before are the words before it on the
// command line.
func (d *Client) Known(ctx context.Context, k Kind, before []string) ([]Thing, error) {
	path := k.path
	if strings.Contains(path, "%s") {
		if len(before) == 0 {
			return nil, nil
		}
		path = fmt.Sprintf(path, url.PathEscape(before[0]))
	}
	q := url.Values{}
	if strings.HasPrefix(path, "/api/") && k.list != "issued" && k.list != "submissions" {
		q.Set("limit", "100")
	}
	for name, values := range k.query {
		q[name] = values
	}
	data, _, err := d.Do(ctx, http.MethodGet, path, q, nil, nil)
	if err != nil {
		return nil, err
	}
	var lists map[string]json.RawMessage
	var items []map[string]any
	if err := Decode(data, &lists); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(lists[k.list], &items); err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	var out []Thing
	for _, item := range items {
		text := func(field string) string { s, _ := item[field].(string); return s }
		if id := text(k.id); id != "" {
			out = append(out, Thing{id, text(k.other), text(k.about)})
		}
	}
	return out, nil
}

// Own are the agents that live on this node, which lists name without a tag or home.
func (d *Client) Own(ctx context.Context) (out []Thing, err error) {
	all, err := d.Known(ctx, kinds["AGENT"], nil)
	for _, one := range all {
		if !strings.ContainsAny(one.Other, "#@") {
			out = append(out, one)
		}
	}
	return out, err
}

// Whole is the id that a word names: itself, or the one of the kind that begins so. What
// begins several is refused with invalid_param, which names them; what begins none is left
// as it is, for the node to say so.
func (s *Session) Whole(ctx context.Context, d *Client, kind, word string) (string, error) {
	if k, ok := kinds[kind]; ok && !k.foreign && begins(word) {
		all, err := d.Known(ctx, k, nil)
		if err != nil {
			return word, nil // what is asked next says why
		}
		ids := make([]string, len(all))
		for i, one := range all {
			ids[i] = one.ID
		}
		return s.OneOf(word, ids)
	}
	return word, nil
}

// OneOf is Whole for ids that the command knows.
func (s *Session) OneOf(word string, ids []string) (string, error) {
	if slices.Contains(ids, word) || !begins(word) {
		return word, nil
	}
	found := map[string]bool{}
	for _, id := range ids {
		if strings.HasPrefix(id, word) {
			found[id] = true
		}
	}
	var fit []string
	for id := range found {
		fit = append(fit, id)
	}
	switch len(fit) {
	case 0:
		return word, nil
	case 1:
		return fit[0], nil
	}
	refusal := reason.Ambiguous(word, fit)
	raw, err := json.Marshal(map[string]any{"success": false, "error": refusal.Text, "code": refusal.Code, "details": refusal.Details})
	if err != nil {
		return "", fmt.Errorf("encode refusal: %w", err)
	}
	return "", s.Refused(&APIError{Status: http.StatusBadRequest, Text: refusal.Text, Code: string(refusal.Code), Details: refusal.Details, raw: raw})
}

// begins reports whether a word is long enough to stand for an id: its prefix, such as
// key_, does not count.
func begins(word string) bool {
	return len(word[strings.LastIndexByte(word, '_')+1:]) >= directory.MinBegun
}
