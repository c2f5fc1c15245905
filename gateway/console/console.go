// Package console is the owner's console: pages on loopback for whoever owns the
// node, with the full texts, the forms to write, and the state of the node. It is
// there in the local role alone.
//
// Start with New; the HTTP face mounts it below Root, after it has checked the name
// that the request came by. Who may see a page is decided in serve (session.go has
// the two secrets, admit.go the origin); a page is a row of the table in pages.go,
// which asks the same use cases as the API, as the owner. DESIGN.md says what is
// kept out, and how.
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
	sessions *session.Store
	mux      *http.ServeMux // of the pages behind a session
	views    map[string]*template.Template
	sheets   [2]string     // tags of the style sheets: the shared one, and the console's with its script
	live     chan struct{} // one item for each page that is kept up to date
}

// New returns the console of a node.
func New(cfg Config) (*Console, error) {
	if cfg.Service == nil || cfg.Node == nil {
		return nil, errors.New("a console needs use cases and a node")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c := &Console{Config: cfg, sessions: session.New(cfg.Now), mux: http.NewServeMux(), live: make(chan struct{}, maxLive)}
	if err := c.parse(); err != nil {
		return nil, err
	}
	for _, p := range c.pages() {
		c.mux.Handle(p.method+" "+p.path, c.page(p))
	}
	return c, nil
}

// Code makes a code that works once. Only the control socket may return it: who has
// it can open a session, or confirm an act in one.
func (c *Console) Code(p session.Purpose) (text string, until time.Time) { return c.sessions.Code(p) }

// OpenPath is where a browser takes a sign-in code, which follows it.
const OpenPath = Root + "/open?code="

// ServeHTTP answers everything below Root.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	nonce := newNonce()
	h.Set("Content-Security-Policy", policy(nonce))
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
	v := &visit{Request: r, w: w, nonce: nonce}
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

// visit is a request on its way to a page.
type visit struct {
	*http.Request
	w       http.ResponseWriter
	nonce   string
	session session.Session
	base    string // of the pages of this session, without a final slash; "" outside of one
	row     *page
	caller  call.Caller
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
	v.session, v.base = s, Root+"/~"+secret
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
