package console_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/console/session"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node/health"
)

// owned is what the console sees of a node in memory.
type owned struct {
	owner change.AgentID

	mu    sync.Mutex
	peers []health.PeerStatus
}

func (o *owned) Owner() (change.AgentID, bool) { return o.owner, true }

func (o *owned) Peers() []health.PeerStatus {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.peers
}

func (o *owned) Status() health.Status {
	return health.Status{PeerID: "12D3KooWme", Name: "mesh", Version: "1.2.3", Uptime: 90, Peers: len(o.Peers()), Listen: []string{"/ip4/127.0.0.1/tcp/4001"}}
}

// clock is the time of a world, moved by tests.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a gateway on a real port over a node in memory.
type world struct {
	*gateway.Gateway
	t     *testing.T
	mesh  *servicetest.Mesh
	owned *owned
	clock *clock
	log   *safeBuffer
}

// safeBuffer takes what several goroutines write.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func newWorld(t *testing.T, cfg gateway.Config) *world {
	t.Helper()
	w := &world{t: t, mesh: servicetest.New(t), clock: &clock{now: servicetest.Start}, log: &safeBuffer{}}
	w.owned = &owned{owner: w.mesh.AddAgent("owner").ID}
	cfg.Listen, cfg.Version, cfg.Limits, cfg.Now = "127.0.0.1:0", "1.2.3", limit.Config{Disabled: true}, w.clock.Now
	var err error
	w.Gateway, err = gateway.New(cfg, gateway.Deps{Node: w.mesh, State: servicetest.OpenState(t), CursorKey: bytes.Repeat([]byte{1}, 32), Owned: w.owned})
	must(t, err)
	must(t, w.Listen(t.Context()))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		must(t, <-done)
	})
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// base is the address of the world.
func (w *world) base() string { return "http://" + w.Addr().String() }

// code is a sign-in code as the control socket gives it.
func (w *world) code() string {
	code, _ := w.Console().Code(session.SignIn)
	return code
}

// browser keeps cookies as one does, and follows no redirect.
type browser struct {
	w    *world
	jar  *cookiejar.Jar
	http *http.Client
	home string // path of its session
}

func (w *world) browser() *browser {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	must(w.t, err)
	b := &browser{w: w, jar: jar, http: &http.Client{Jar: jar, Transport: &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	w.t.Cleanup(b.http.CloseIdleConnections)
	return b
}

// page is what came back.
type page struct {
	*http.Response
	text string
}

// do sends a request as a page of the console does.
func (b *browser) do(method, at string, form url.Values, header ...string) page {
	b.w.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	if strings.HasPrefix(at, "/") {
		at = b.w.base() + at
	}
	r, err := http.NewRequestWithContext(b.w.t.Context(), method, at, body)
	must(b.w.t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "null") // a page of the owner has no referrer
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Del(header[i])
		if header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := b.http.Do(r)
	must(b.w.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(b.w.t, err)
	return page{resp, string(raw)}
}

func (b *browser) get(at string, header ...string) page {
	b.w.t.Helper()
	return b.do(http.MethodGet, at, nil, header...)
}

// page of the session.
func (b *browser) page(at string) page { b.w.t.Helper(); return b.get(b.home + at) }

// post sends a form of a page of the session.
func (b *browser) post(at string, form url.Values) page {
	b.w.t.Helper()
	return b.do(http.MethodPost, b.home+at, form)
}

// open signs the browser in.
func (w *world) open() *browser {
	w.t.Helper()
	b := w.browser()
	p := b.do(http.MethodPost, console.Root+"/open", url.Values{"code": {w.code()}}).want(w.t, http.StatusSeeOther, "")
	b.home = strings.TrimSuffix(p.Header.Get("Location"), "/")
	if !regexp.MustCompile(`^/console/~[\w-]{43}$`).MatchString(b.home) {
		w.t.Fatal(b.home)
	}
	return b
}

// want checks the status and, of a refusal, the code that its page shows.
func (p page) want(t *testing.T, status int, code string) page {
	t.Helper()
	if p.StatusCode != status || code != "" && !strings.Contains(p.text, "<code>"+code+"</code>") {
		t.Fatalf("got %d, want %d %s: %s", p.StatusCode, status, code, p.text)
	}
	return p
}

// shows checks that a page has these texts.
func (p page) shows(t *testing.T, texts ...string) page {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.text, text) {
			t.Errorf("%s does not show %q: %s", p.Request.URL.Path, text, p.text)
		}
	}
	return p
}
