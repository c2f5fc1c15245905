// Package console has the pages that are used and not only read. There are two sets of them:
// the owner's console, in the local role, with the full texts, the forms to write, and
// the state of the node; and in the gateway role the pages of whoever signs in by a
// credential, with knowledge, work and account and nothing of the node.
//
// Start with New or NewGuests; the HTTP face mounts the one below Root, after it has
// checked the name that the request came by, and the other below GuestRoot. Who may see a
// page of the owner is decided in serve (session.go has the two secrets, admit.go the
// origin), who may see one of a gateway in Guests.serve and by the Gate; a page is a row
// of the table in pages.go, which asks the same use cases as the API. DESIGN.md says what
// is kept out, and how.
package console

import (
	"context"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console/session"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
)

//go:embed html assets
var files embed.FS

// Root is the path that everything of the console begins with.
const Root = "/console"

// Config are the collaborators of a Console.
type Config struct {
	Service *service.Service
	Node    Node
	Log     *slog.Logger     // nil: nothing is logged
	Now     func() time.Time // nil: time.Now
	// Keeper and Process are what the pages about the node itself need; nil: those are
	// not there.
	Keeper  Keeper
	Process Process
}

// Console serves the pages. It is safe for concurrent use.
type Console struct {
	Config
	face
	sessions *session.Store // of the owner
	mux      *http.ServeMux // of the pages behind a session
	views    map[string]*template.Template
	sheets   [2]string     // tags of the style sheets: the shared one, and the console's with its script
	live     chan struct{} // one item for each page that is kept up to date
	twins    map[string]*endpoint.Route
}

// face is in what the owner's console and the pages of people at a gateway differ.
type face struct {
	root     string // path that it is mounted at
	title    string // of every page, after its own
	name     string // under the mark
	about    string // what this is, below a page without a session
	out      string // title of a page for who has no session
	sections []section
}

// ofOwner is the face of the owner's console.
var ofOwner = face{root: Root, title: "Console", name: "your console", about: "The owner's console of one node of",
	out: "Open the console from a terminal", sections: sections}

// New returns the console of a node.
func New(cfg Config) (*Console, error) {
	if cfg.Service == nil || cfg.Node == nil {
		return nil, errors.New("a console needs use cases and a node")
	}
	c, err := begin(cfg, ofOwner)
	if err != nil {
		return nil, err
	}
	c.sessions, c.live = session.New(c.Now), make(chan struct{}, maxLive)
	c.serves(c.pages())
	return c, nil
}

// begin is what both faces stand on.
func begin(cfg Config, f face) (*Console, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c := &Console{Config: cfg, face: f, mux: http.NewServeMux(), twins: map[string]*endpoint.Route{}}
	for _, r := range cfg.Service.Routes() {
		c.twins[r.Method+" "+r.Path] = &r
	}
	return c, c.parse()
}

func (c *Console) serves(table []page) {
	for _, p := range table {
		c.mux.Handle(p.method+" "+p.path, c.page(p))
	}
}

// Code makes a code that works once. Only the control socket may return it: who has
// it can open a session, or confirm an act in one.
func (c *Console) Code(p session.Purpose) (text string, until time.Time) { return c.sessions.Code(p) }

// OpenPath is where a browser takes a sign-in code, which follows it.
const OpenPath = Root + "/open?code="

// ServeHTTP answers everything below Root.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := guarded(w, r)
	w.Header().Set("Referrer-Policy", "no-referrer") // a part of the address is a secret
	path := strings.TrimPrefix(r.URL.Path, Root)
	switch {
	case path == "" || path == "/":
		c.fail(v, http.StatusUnauthorized, errSignIn())
	case path == "/open":
		c.open(v)
	case strings.HasPrefix(path, "/assets/"):
		c.asset(v, strings.TrimPrefix(path, "/assets/"))
	case strings.HasPrefix(path, "/~"):
		c.serve(v, path[len("/~"):])
	default:
		c.fail(v, http.StatusNotFound, reason.Refuse(reason.NotFound, "no such page"))
	}
}

// guarded is a request whose answer nobody keeps, frames or opens.
func guarded(w http.ResponseWriter, r *http.Request) *visit {
	h := w.Header()
	nonce := newNonce()
	h.Set("Content-Security-Policy", policy(nonce))
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
	return &visit{Request: r, w: w, nonce: nonce}
}

// visit is a request on its way to a page.
type visit struct {
	*http.Request
	w       http.ResponseWriter
	nonce   string
	session session.Session // of the owner
	base    string          // of the pages of this session, without a final slash; "" outside of one
	until   time.Time       // end of the session
	row     *page
	caller  call.Caller

	// Of a page at a gateway alone.
	gate  Gate
	guest guest
	spend bool // the act uses up the token that it rests on
}

// serve finds the session of a request and its page. Who has one secret and not the
// other learns nothing about it.
func (c *Console) serve(v *visit, below string) {
	secret, rest, ok := strings.Cut(below, "/")
	var cookies []string
	for _, k := range v.CookiesNamed(cookieName) {
		cookies = append(cookies, k.Value)
	}
	s, known := c.sessions.Find(secret, cookies, ok && strings.HasPrefix(rest, "live"))
	if !known {
		c.fail(v, http.StatusUnauthorized, errSignIn())
		return
	}
	v.session, v.base, v.until = s, Root+"/~"+secret, s.Until
	if !ok { // without its slash the cookie would not come back
		http.Redirect(v.w, v.Request, v.base+"/", http.StatusSeeOther)
		return
	}
	if err := ours(v.Request); err != nil {
		c.fail(v, http.StatusForbidden, err)
		return
	}
	v.caller = c.owner()
	v.caller.RequestID = v.w.Header().Get("X-Request-Id")
	c.lead(v, rest)
}

// lead leads a request to its page, of which rest is the path below the session.
func (c *Console) lead(v *visit, rest string) {
	inner := v.Clone(context.WithValue(call.WithCaller(v.Context(), v.caller), visitMark{}, v))
	inner.URL.Path, inner.URL.RawPath = "/"+rest, ""
	if _, pattern := c.mux.Handler(inner); pattern == "" {
		c.fail(v, http.StatusNotFound, reason.Refuse(reason.NotFound, "no such page"))
		return
	}
	c.mux.ServeHTTP(v.w, inner)
}

type visitMark struct{}

// owner is the caller that every page asks as.
func (c *Console) owner() call.Caller {
	p := auth.Principal{Kind: auth.Owner, Scopes: state.Scopes{state.ScopeAll}}
	if id, ok := c.Node.Owner(); ok {
		p.AgentID = id.String()
	}
	return call.Caller{Principal: p}
}

// errSignIn is for whoever has no session, or only half of one.
func errSignIn() error {
	r := reason.Refuse(reason.AuthRequired, "There is no session of yours here. It has ended, or the node was started anew, or another browser has it.")
	r.Hint = "Run meshd open in a terminal of this machine."
	return r
}
