package console

import (
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/identity/ucan"
)

// rows are the pages that people at a gateway have for themselves.
func (g *Guests) rows() []page {
	return []page{
		get("/{$}", "/", g.home).as("GET /api/mesh/feed"),
		get("/api-keys", "/api-keys", g.keys).as("GET /api/mesh/keys"),
		post("/api-keys/revoke", "/api-keys", g.revokeKey).as("DELETE /api/mesh/keys/{id}"),
		get("/sessions", "/sessions", g.sessionsPage).as(ownTwin),
		post("/sessions/end", "/sessions", g.endSessions).as(ownTwin),
	}
}

// guestView is the first page: who you are here, what is new, what waits for you.
type guestView struct {
	Name    string
	Way     string
	Me      *people.AgentRecord // nil for a capability about no agent that is known here
	Credits *credit.CreditsReply
	Entries []knowledge.Entry
	Masked  bool // full texts are not shown
	Notices []notice.Notice
	Rights  []right
}

// right is one thing that who signed in may do.
type right struct{ Can, On string }

func (g *Guests) home(v *visit) (answer, error) {
	ctx := v.Context()
	h := guestView{Name: v.guest.By.name, Way: v.guest.By.Way, Masked: v.caller.Masked() && len(v.caller.Domains) == 0, Rights: rightsOf(v.guest.By.caller.Principal)}
	if id := v.guest.By.caller.Acts(); id != "" {
		me, err := g.Service.People.Agent(ctx, v.caller, id)
		if err != nil {
			return answer{}, err
		}
		h.Me = &me.Agent
	}
	if who, ok := g.beside(v, "GET /api/credits"); ok {
		account, err := g.Service.Credits.Credits(ctx, who)
		if err != nil {
			return answer{}, err
		}
		h.Credits = account
	}
	if who, ok := g.beside(v, noticesTwin); ok {
		list, err := g.newNotices(ctx, who)
		if err != nil {
			return answer{}, err
		}
		h.Notices = list
	}
	feed, err := g.newEntries(ctx, v.caller)
	h.Entries = feed
	return draw("account", "", h), err
}

// rightsOf is what a credential lets its holder do, for people to see.
func rightsOf(p auth.Principal) (out []right) {
	for _, s := range p.Scopes {
		out = append(out, right{Can: string(s)})
	}
	for _, a := range p.Authorities() {
		can := a.Ability
		if can == ucan.All {
			can = "everything"
		}
		if r := (right{can, a.Resource}); !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// apiKeysView is the page of the keys that who signed in has at this gateway.
type apiKeysView struct {
	Keys []account.KeyRecord
	Mine string // the one that this session came in by
}

func (g *Guests) keys(v *visit) (answer, error) {
	reply, err := g.Service.Accounts.Keys(v.Context(), v.caller)
	if err != nil {
		return answer{}, err
	}
	return draw("apikeys", "API keys", apiKeysView{reply.Keys, v.guest.By.caller.KeyID}), nil
}

func (g *Guests) revokeKey(v *visit) (answer, error) {
	if _, err := g.Service.Accounts.RevokeKey(v.Context(), v.caller, v.PostForm.Get("id")); err != nil {
		return answer{}, err
	}
	return to("/api-keys", "revoked"), nil
}

// browsersView is the page of one's own sessions.
type browsersView struct {
	Sessions []guest
	Mine     string
}

func (g *Guests) sessionsPage(v *visit) (answer, error) {
	return draw("browsers", "Sessions", browsersView{g.book.Of(v.guest.Holder), v.guest.ID}), nil
}

// endSessions ends one of one's own sessions, or all but this one.
func (g *Guests) endSessions(v *visit) (answer, error) {
	id, others := v.PostForm.Get("id"), v.PostForm.Has("others")
	ended := g.book.End(v.guest.Holder, func(s string) bool { return others && s != v.guest.ID || !others && s == id })
	if err := g.leave(v.Context(), ended); err != nil {
		return answer{}, err
	}
	switch {
	case len(ended) == 0 && !others:
		return answer{}, reason.Refuse(reason.NotFound, "this session has ended already")
	case !others && id == v.guest.ID:
		g.dropCookies(v)
		return answer{away: SignInPath + "?out="}, nil
	}
	return to("/sessions", "ended"), nil
}
