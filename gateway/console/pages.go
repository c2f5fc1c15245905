package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
)

// page is one page behind a session, or one act of its forms.
type page struct {
	method, path string // below the session, as http.ServeMux wants it
	at           string // the entry of the navigation that it belongs to
	handle       func(*visit) (answer, error)

	// twin is the endpoint of the API that does the same, by its method and path. What a page
	// of people at a gateway needs, and how often it may be asked for, is what its twin says.
	twin string
	// once is of an act whose handler runs it by Console.once.
	once bool

	// fresh asks for a code that confirms this very act: what a session must not be
	// enough for, such as exporting a key.
	fresh bool

	// slow takes as long as the store is large: it has no time limit but the browser's.
	slow bool
}

// get and post are rows of the table.
func get(path, at string, h func(*visit) (answer, error)) page {
	return page{method: http.MethodGet, path: path, at: at, handle: h}
}

func post(path, at string, h func(*visit) (answer, error)) page {
	return page{method: http.MethodPost, path: path, at: at, handle: h}
}

// as names the twin of a page.
func (p page) as(twin string) page {
	p.twin = twin
	return p
}

// repeated is a page whose form may be sent twice.
func (p page) repeated() page {
	p.once = true
	return p
}

// pages is the table of everything behind a session of the owner. Each concept has its own
// rows. What a gateway shows to people who sign in is another table, see Guests.
func (c *Console) pages() []page {
	return slices.Concat(
		[]page{
			get("/{$}", "/", c.home),
			get("/live", "", c.follow),
			get("/live/alive", "", func(*visit) (answer, error) { return answer{value: map[string]bool{"alive": true}}, nil }),
		},
		reading{c}.rows(), meeting{c}.rows(), working{c}.rows(), signing{c}.rows(), machine{c}.rows())
}

// section is a part of the navigation.
type section struct {
	Name  string
	Pages []link
}

type link struct{ Name, Path string }

// sections is the navigation.
var sections = []section{
	{"", []link{{"Home", "/"}, {"Knowledge", "/knowledge"}, {"Contribute", "/contribute"}}},
	{"Work", []link{{"Agents", "/agents"}, {"Guilds", "/guilds"}, {"Bounties", "/bounties"}, {"Notifications", "/notifications"}, {"Credits", "/credits"}}},
	{"Node", []link{{"Peers", "/peers"}, {"Sets", "/sets"}, {"Storage", "/storage"}, {"Activity", "/activity"}, {"Log", "/log"}}},
	{"Yours", []link{{"Keys", "/keys"}, {"Moderation", "/moderation"}, {"Settings", "/settings"}, {"Backups", "/backups"}, {"Sessions", "/sessions"}}},
}

// answer is what a page answers with: a view, a value for a script, or a way elsewhere.
type answer struct {
	name, title string
	data        any
	status      int    // 0: 200
	value       any    // JSON instead of a view
	next, done  string // a page of this session to go to, and what to say there
	away        string // a path outside of the session to go to
	sent        bool   // the page has answered by itself
}

// draw is an answer by a template.
func draw(name, title string, data any) answer { return answer{name: name, title: title, data: data} }

// to sends the browser to a page of the session, which says that something was done.
func to(path, done string) answer { return answer{next: path, done: done} }

// with is an answer with another status.
func (a answer) with(status int) answer {
	a.status = status
	return a
}

// page is the handler of one row.
func (c *Console) page(p page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, _ := r.Context().Value(visitMark{}).(*visit)
		v.Request, v.row = r, &p
		if r.Method == http.MethodPost {
			if err := c.readForm(v); err != nil {
				c.refuse(v, err)
				return
			}
		}
		if v.gate != nil {
			if err := c.pass(v); err != nil {
				c.refuse(v, err)
				return
			}
		}
		if p.slow {
			_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // that of the listener is for pages
		}
		if p.path != "/live" && !p.slow {
			ctx, cancel := context.WithTimeout(r.Context(), pageTime)
			defer cancel()
			v.Request = r.WithContext(ctx)
		}
		if p.fresh && !c.sessions.TakeFresh(v.session.ID) {
			redirect(w, v.base+"/confirm?"+url.Values{"next": {p.at}}.Encode())
			return
		}
		a, err := p.handle(v)
		switch {
		case err != nil:
			c.refuse(v, err)
		case a.sent:
		case a.away != "":
			redirect(w, a.away)
		case a.next != "":
			q := ""
			if a.done != "" {
				q = "?" + url.Values{"done": {a.done}}.Encode()
			}
			redirect(w, v.base+a.next+q)
		case a.value != nil:
			raw, err := endpoint.JSON(a.value)
			if err != nil {
				c.refuse(v, err)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(raw) // the browser may be gone
		default:
			if a.status == 0 {
				a.status = http.StatusOK
			}
			c.show(v, a.status, a.name, a.title, a.data)
		}
	})
}

func redirect(w http.ResponseWriter, path string) {
	w.Header().Set("Location", path)
	w.WriteHeader(http.StatusSeeOther)
}

// refuse answers with the page of a refusal, or with its object for a script.
func (c *Console) refuse(v *visit, err error) {
	if errors.Is(err, context.Canceled) && v.Context().Err() != nil {
		return // nobody waits any more
	}
	status := knowledge.Explain(err).Code.HTTP()
	if status < http.StatusBadRequest {
		status = http.StatusInternalServerError
	}
	if reason.Of(err) == reason.Internal {
		c.Log.Error("console page failed", "request", v.w.Header().Get("X-Request-Id"), "path", Visible(v.URL.Path), "error", err)
	}
	c.fail(v, status, err)
}
