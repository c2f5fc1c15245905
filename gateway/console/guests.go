package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console/session"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
)

// Paths of people at a gateway.
const (
	GuestRoot  = "/me"          // what is theirs
	SignInPath = "/auth/signin" // where they sign in
)

// Guests serves the pages of people who sign in to a gateway: knowledge, work and account,
// as whom their credential makes them. Nothing about the node is among its rows, and it
// knows no node. It is safe for concurrent use.
type Guests struct {
	*Console
	book *session.Guests[pass]
}

// guest is a session at a gateway.
type guest = session.Guest[pass]

// pass is what somebody came in by.
type pass struct {
	caller call.Caller
	// token presents a capability, which is judged anew at each request; nil for an API key,
	// of which the record is read again and the key itself not kept.
	token http.Header
	Way   string // of signing in
	name  string // of who it is, for people
}

// The ways of signing in.
const (
	byKey        = "key"
	byCapability = "capability"
	bySignature  = "signature"
	challenge    = "challenge" // the first half of it
)

// ofGuests is the face of the pages at a gateway.
var ofGuests = face{root: GuestRoot, title: "Yours", name: "your pages", about: "Served by one node of", out: "Sign in first", sections: []section{
	{"", []link{{"Home", "/"}, {"Knowledge", "/knowledge"}, {"Contribute", "/contribute"}}},
	{"Work", []link{{"Agents", "/agents"}, {"Guilds", "/guilds"}, {"Bounties", "/bounties"}, {"Notifications", "/notifications"}}},
	{"Account", []link{{"Credits", "/credits"}, {"API keys", "/api-keys"}, {"Sessions", "/sessions"}}},
}}

// ownTwin stands for an endpoint where a page is about its own session: everybody with one
// may, as often as they read.
const ownTwin = "session"

// NewGuests returns the pages of people at a gateway. Of cfg it takes Service, Log and Now.
func NewGuests(cfg Config) (*Guests, error) {
	if cfg.Service == nil {
		return nil, errors.New("pages of people need use cases")
	}
	c, err := begin(Config{Service: cfg.Service, Log: cfg.Log, Now: cfg.Now}, ofGuests)
	if err != nil {
		return nil, err
	}
	c.twins[ownTwin] = &endpoint.Route{Method: http.MethodGet, Path: GuestRoot, Bucket: limit.Read}
	g := &Guests{c, session.NewGuests[pass](c.Now)}
	table := g.pages()
	for _, p := range table {
		if c.twins[p.twin] == nil {
			return nil, fmt.Errorf("page %s %s: no endpoint %q says what it needs", p.method, p.path, p.twin)
		}
	}
	c.serves(table)
	return g, nil
}

// pages is the table of everything that people at a gateway have. It is another one than
// that of the owner (Console.pages), and shares the rows of some concepts with it.
func (g *Guests) pages() []page {
	return slices.Concat(g.rows(), reading{g.Console}.rows(), meeting{g.Console}.rows(), working{g.Console}.rows())
}

// Below reports whether a path is of these pages.
func (g *Guests) Below(path string) bool {
	return path == SignInPath || path == GuestRoot || strings.HasPrefix(path, GuestRoot+"/")
}

// Serve answers a request for which Below is true.
func (g *Guests) Serve(w http.ResponseWriter, r *http.Request, gate Gate) {
	v := guarded(w, r)
	v.gate = gate
	w.Header().Set("Referrer-Policy", "same-origin") // no address of these pages has a secret
	rest, below := strings.CutPrefix(r.URL.Path, GuestRoot+"/")
	switch {
	case r.URL.Path == SignInPath:
		g.signIn(v)
	case !below:
		redirect(w, GuestRoot+"/")
	case strings.HasPrefix(rest, "assets/"):
		g.asset(v, strings.TrimPrefix(rest, "assets/"))
	default:
		g.serve(v, rest)
	}
}

// serve finds the session of a request and its page.
func (g *Guests) serve(v *visit, rest string) {
	s, ok := g.book.Find(g.cookies(v.Request), false)
	if !ok {
		if _, err := v.gate.Pass(v.w.Header(), v.Request, g.twins[ownTwin], v.gate.Stranger(v.Request)); err != nil {
			g.refuse(v, err)
			return
		}
		if (v.Method == http.MethodGet || v.Method == http.MethodHead) && !strings.HasPrefix(v.Header.Get("Accept"), "application/json") {
			redirect(v.w, signInFor(v.Request))
			return
		}
		g.fail(v, http.StatusUnauthorized, reason.Refuse(reason.AuthRequired, "nobody is signed in with this browser, or the session has ended"))
		return
	}
	if err := comesFrom(v.Request, g.origins(v.Request)); err != nil {
		g.fail(v, http.StatusForbidden, err)
		return
	}
	if err := g.renew(v, &s); err != nil {
		g.refuse(v, err)
		return
	}
	v.guest, v.caller, v.base, v.until = s, s.By.caller, GuestRoot, s.Until
	g.lead(v, rest)
}

// renew judges what a session came in by again, and ends the session when that is good for
// nothing any more.
func (g *Guests) renew(v *visit, s *guest) error {
	ctx := v.Context()
	who, err := s.By.caller, error(nil)
	if s.By.token != nil {
		who, err = g.present(v, s.By.token)
	} else {
		who, err = g.Service.Streams.Renewed(ctx, who)
	}
	if err == nil {
		who.Addr, who.RequestID = v.gate.Stranger(v.Request).Addr, v.w.Header().Get("X-Request-Id")
		_, err = g.Service.Access.Authorize(ctx, who, auth.Right{})
	}
	if err != nil && knowledge.Explain(err).Code.HTTP() == http.StatusUnauthorized {
		g.book.End(s.Holder, func(id string) bool { return id == s.ID })
		g.dropCookies(v)
	}
	s.By.caller = who
	return err
}

// present is who headers make somebody, at the address that a request comes from.
func (g *Guests) present(v *visit, credential http.Header) (call.Caller, error) {
	r := v.Clone(v.Context())
	for _, name := range []string{"Authorization", "X-Api-Key", "X-Mcp-Api-Key", "Ucans", "Ucan", "X-Ucan-Proofs"} {
		r.Header.Del(name)
	}
	for name, values := range credential {
		r.Header[name] = values
	}
	r.URL = &url.URL{Path: r.URL.Path} // whatever stands in the query is not part of it
	who, err := v.gate.Identify(http.Header{}, r)
	if err != nil {
		return who, err
	}
	if who.Kind == auth.Anonymous {
		return who, who.RequireKey()
	}
	return who, who.StillValid(g.Now())
}

// Who is the name of who is signed in with the browser of a request, for a page that is
// everybody's; ok is false for nobody.
func (g *Guests) Who(w http.ResponseWriter, r *http.Request, gate Gate) (name string, ok bool) {
	s, ok := g.book.Find(g.cookies(r), true)
	if !ok || g.renew(&visit{Request: r, w: w, gate: gate}, &s) != nil {
		return "", false
	}
	return s.By.name, true
}

// leave ends what sessions that have ended came in by, where it was made for them.
func (g *Guests) leave(ctx context.Context, ended []guest) error {
	var faults []error
	for _, s := range ended {
		if s.By.Way != bySignature {
			continue
		}
		if _, err := g.Service.Accounts.Logins().Leave(ctx, s.By.caller); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// holderOf is whose a session is.
func holderOf(c call.Caller) string { return cmp.Or(c.AgentID, c.Presenter()) }
