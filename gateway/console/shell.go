package console

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/site"
)

// parse reads the templates: each page over the shared layout and parts.
func (c *Console) parse() error {
	base, err := site.Parts()
	if err == nil {
		base, err = base.New("layout.html").Funcs(template.FuncMap{"ago": c.ago, "span": span, "in": in, "code": meaning, "same": same, "sentence": sentence,
			"bytes": bytesText, "clip": clip, "whole": func(n uint64) int { return int(min(n, math.MaxInt)) }, "fifth": func(i int) bool { return i%5 == 0 }}).
			ParseFS(files, "html/layout.html", "html/shared.html")
	}
	if err != nil {
		return fmt.Errorf("parse layout: %w", err)
	}
	names, err := files.ReadDir("html")
	if err != nil {
		return fmt.Errorf("list pages: %w", err)
	}
	c.views = map[string]*template.Template{}
	for _, f := range names {
		if f.Name() == "layout.html" || f.Name() == "shared.html" {
			continue
		}
		t, err := base.Clone()
		if err == nil {
			t, err = t.ParseFS(files, "html/"+f.Name())
		}
		if err != nil {
			return fmt.Errorf("parse page %s: %w", f.Name(), err)
		}
		c.views[strings.TrimSuffix(f.Name(), ".html")] = t.Lookup("layout.html")
	}
	if c.sheets[0], err = site.Sheet(); err != nil {
		return err
	}
	sum := sha256.New()
	for _, name := range []string{"console.css", "console.js"} {
		raw, err := files.ReadFile("assets/" + name)
		if err != nil {
			return fmt.Errorf("read assets: %w", err)
		}
		sum.Write(raw)
	}
	c.sheets[1] = base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:6])
	return nil
}

// frame is what every page has around its own part.
type frame struct {
	Title    string
	Face     string // title of every page, after its own
	Name     string // under the mark
	About    string // what this is, without a session
	Root     string // path that everything begins with
	Network  string
	Version  string
	Base     string // of the links of this session, "" outside of one
	Live     bool   // the page is kept up to date
	Who      string // who signed in at a gateway, whose sessions its are, and which this is
	Holder   string
	Mine     string
	At       string // entry of the navigation
	Sections []section
	Nonce    string
	Sheet    string // tag of the shared style
	Tag      string // of the console's own style and script
	Done     string // what was just done, in words
	Peers    int
	Unread   int
	Until    time.Time // end of the session
	Data     any
}

// show renders a page.
func (c *Console) show(v *visit, status int, name, title string, data any) {
	version := c.Service.Status.Version()
	f := frame{Title: title, Face: c.title, Name: c.name, About: c.about, Root: c.root, Network: version.Network, Version: version.Version, Base: v.base, Nonce: v.nonce, Sheet: c.sheets[0], Tag: c.sheets[1], Data: data}
	if v.base == "" && v.gate != nil {
		f.Name = ""
	}
	if v.base != "" {
		f.Sections, f.Until, f.Who = c.sections, v.until, v.guest.By.name
		f.Holder, f.Mine = v.guest.Holder, v.guest.ID
		if f.Live = c.live != nil; f.Live {
			f.Peers = c.connected()
		}
		f.Unread = c.unread(v)
		f.Done = doneTexts[v.URL.Query().Get("done")]
		if v.row != nil {
			f.At = v.row.at
		}
	}
	var b bytes.Buffer
	if err := c.views[name].Execute(&b, f); err != nil {
		c.Log.Error("render console page failed", "page", name, "error", err)
		http.Error(v.w, "this page could not be made; the node's log has the cause", http.StatusInternalServerError)
		return
	}
	c.send(v, status, "text/html; charset=utf-8", b.Bytes())
}

// send writes a whole answer; of a HEAD request the body stays here.
func (c *Console) send(v *visit, status int, kind string, raw []byte) {
	v.w.Header().Set("Content-Type", kind)
	v.w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	v.w.WriteHeader(status)
	if v.Method != http.MethodHead {
		_, _ = v.w.Write(raw) // the browser may be gone
	}
}

// doneTexts are what a page says after an act, by the word in its address: nobody else's
// text can be shown by a link.
var doneTexts = map[string]string{
	"ended":       "The session has ended.",
	"signed-in":   "You are signed in.",
	"founded":     "The guild is founded, and you are its owner.",
	"tasked":      "The task is on the board.",
	"offered":     "The bounty is open, and its reward is reserved.",
	"accepted":    "Accepted. The reward can be paid now.",
	"paid":        "Paid. The reward is with whoever did the work.",
	"cancelled":   "Taken back. The reward is yours again.",
	"alone":       "Nobody is connected to compare with.",
	"compared":    "Compared with every connected peer; some still differ.",
	"equal":       "Compared: every connected peer knows what you know.",
	"rotated":     "Your agent has a new acting key.",
	"revoked":     "The API key is revoked.",
	"shown":       "It is shown again.",
	"purged":      "It is removed from this node for good.",
	"saved":       "Saved, and in force.",
	"saved-later": "Saved. Some of it takes effect when the node starts next.",
	"contributed": "Contributed. It is stored here and goes to whoever connects.",
	"voted":       "Your vote counts.",
	"unvoted":     "Your vote is taken back.",
	"commented":   "Your comment is there.",
	"uncommented": "The comment is gone.",
	"reported":    "Reported. Moderators of the network see it.",
	"retracted":   "The entry is withdrawn.",
	"joined":      "You are a member now.",
	"left":        "You have left the guild.",
	"read":        "Marked as read.",
	"followed":    "You follow this agent, and are notified of what it writes.",
	"unfollowed":  "You follow this agent no more.",
	"claimed":     "Claimed. It is yours to do.",
	"submitted":   "Handed in. Whoever pays looks at it now.",
	"released":    "Released. Others can take it.",
	"finished":    "Done. The team sees it.",
	"confirmed":   "Confirmed. The next act that asks for a code is allowed.",
}

// failView is the page of a refusal.
type failView struct {
	Status int
	Error  knowledge.ErrorBody
	Open   bool   // a session of the owner has to be opened first
	SignIn string // where somebody signs in at a gateway first
}

// fail answers with the page of a refusal.
func (c *Console) fail(v *visit, status int, err error) {
	body := knowledge.NewErrorBody(err, v.w.Header().Get("X-Request-Id"))
	if strings.HasPrefix(v.Header.Get("Accept"), "application/json") {
		raw, encodeErr := endpoint.JSON(body)
		if encodeErr == nil {
			c.send(v, status, "application/json", raw)
			return
		}
	}
	title := "That did not work"
	switch {
	case status == http.StatusNotFound:
		title = "Nothing here"
	case status == http.StatusUnauthorized && v.base == "":
		title = c.out
	case status >= http.StatusInternalServerError:
		title = "Something went wrong"
	}
	view := failView{Status: status, Error: body, Open: v.base == "" && v.gate == nil}
	if v.base == "" && v.gate != nil {
		view.SignIn = signInFor(v.Request)
	}
	c.show(v, status, "failure", title, view)
}

// asset sends the style and the script of the console, which have no secrets.
func (c *Console) asset(v *visit, name string) {
	raw, err := files.ReadFile("assets/" + name)
	if err != nil || v.Method != http.MethodGet && v.Method != http.MethodHead {
		c.fail(v, http.StatusNotFound, reason.Refuse(reason.NotFound, "no such file"))
		return
	}
	kind := "text/css; charset=utf-8"
	if path.Ext(name) == ".js" {
		kind = "text/javascript; charset=utf-8"
	}
	v.w.Header().Set("Cache-Control", "private, max-age=3600") // the address changes with the content
	c.send(v, http.StatusOK, kind, raw)
}

// ago writes a time of a reply, or a time, as what has passed since.
func (c *Console) ago(at any) string {
	var t time.Time
	switch at := at.(type) {
	case time.Time:
		t = at
	case string:
		t, _ = time.Parse(time.RFC3339, at)
	case *string:
		if at != nil {
			t, _ = time.Parse(time.RFC3339, *at)
		}
	}
	if t.IsZero() {
		return ""
	}
	d := c.Now().Sub(t)
	if d < time.Minute {
		return "just now"
	}
	return span(d.Seconds()) + " ago"
}

// span writes seconds in the largest unit that fits.
func span(seconds float64) string {
	n, unit := int(seconds), "second"
	switch {
	case seconds >= 48*3600:
		n, unit = int(seconds/86400), "day"
	case seconds >= 3600:
		n, unit = int(seconds/3600), "hour"
	case seconds >= 60:
		n, unit = int(seconds/60), "minute"
	}
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// item is one thing of a list, with the base of links for a part that shows it.
type item struct {
	Base string
	It   any
}

func in(base string, it any) item { return item{base, it} }

// same reports whether a text that may be absent is that one.
func same(p *string, text string) bool { return p != nil && *p == text }
