package rest_test

import (
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// lounge is a gateway in the public role on a real port, where ada, bo and eve live, and rue
// does not.
type lounge struct {
	*visit
	srv *httptest.Server
}

func newLounge(t *testing.T) *lounge {
	t.Helper()
	l := &lounge{visit: newVisit(t)}
	who, err := auth.New(l.world.state).AcceptTokens(auth.TokenConfig{Service: l.gateway.Key(), Network: l.network, Trust: l.node, Replays: l.world.state})
	must(t, err)
	m, err := mcp.New(l.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	guests, err := console.NewGuests(console.Config{Service: l.service, Now: l.clock.Now})
	must(t, err)
	l.handler, err = rest.New(l.service, who, m, rest.Config{Public: true, Guests: guests})
	must(t, err)
	l.srv = httptest.NewServer(l.handler)
	t.Cleanup(l.srv.Close)
	return l
}

// browser keeps cookies as one does, and follows no redirect.
type browser struct {
	l    *lounge
	http *http.Client
}

func (l *lounge) browser() *browser {
	l.t.Helper()
	jar, err := cookiejar.New(nil)
	must(l.t, err)
	b := &browser{l, &http.Client{Jar: jar, Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	l.t.Cleanup(b.http.CloseIdleConnections)
	return b
}

// page is what came back.
type page struct {
	*http.Response
	t    *testing.T
	text string
}

func (b *browser) do(method, path string, form url.Values, header ...string) page {
	t := b.l.t.(*testing.T)
	t.Helper()
	b.l.settle()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(t.Context(), method, b.l.srv.URL+path, body)
	must(t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.l.srv.URL)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Del(header[i])
		if header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := b.http.Do(r)
	must(t, err)
	raw, err := io.ReadAll(resp.Body)
	must(t, errors.Join(err, resp.Body.Close()))
	return page{resp, t, string(raw)}
}

func (b *browser) get(path string, header ...string) page {
	b.l.t.Helper()
	return b.do(http.MethodGet, path, nil, header...)
}

func (b *browser) post(path string, form url.Values, header ...string) page {
	b.l.t.Helper()
	return b.do(http.MethodPost, path, form, header...)
}

// want checks the status and, of a refusal, the code that its page shows.
func (p page) want(status int, code string) page {
	p.t.Helper()
	if p.StatusCode != status || code != "" && !strings.Contains(p.text, "<code>"+code+"</code>") {
		_, main, _ := strings.Cut(p.text, "<main")
		p.t.Fatalf("%s %s: got %d, want %d %s: %s", p.Request.Method, p.Request.URL.Path, p.StatusCode, status, code, main)
	}
	return p
}

// leads checks that a page sends the browser on.
func (p page) leads(to string) page {
	p.t.Helper()
	if p.want(http.StatusSeeOther, ""); p.Header.Get("Location") != to {
		p.t.Fatalf("%s leads to %s, want %s", p.Request.URL.Path, p.Header.Get("Location"), to)
	}
	return p
}

func (p page) shows(texts ...string) page {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.text, text) {
			p.t.Errorf("%s does not show %q: %s", p.Request.URL.Path, text, p.text)
		}
	}
	return p
}

// signIn sends a form of the page to sign in.
func (b *browser) signIn(way string, more ...string) page {
	b.l.t.Helper()
	form := url.Values{"way": {way}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return b.post(console.SignInPath, form)
}

// in is a browser that is signed in with the key of an agent.
func (l *lounge) in(who string) *browser {
	l.t.Helper()
	b := l.browser()
	b.signIn("key", "key", l.keys[who]).leads("/me/")
	return b
}

func TestSignInByKey(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	b := l.browser()
	b.get("/me/knowledge?q=pool").leads("/auth/signin?next=" + url.QueryEscape("/me/knowledge?q=pool"))
	b.get("/auth/signin?next=%2Fme%2Fknowledge").want(200, "").shows("API key", "capability", "wallet", `name="next" value="/me/knowledge"`, l.gateway.Key().String())
	b.get("/me/knowledge", "Accept", "application/json").want(401, "").shows("auth_required")
	b.signIn("key", "key", "  "+l.keys["ada"]+"\n", "next", "/me/knowledge").leads("/me/knowledge")
	p := b.get("/me/").want(200, "").shows("ada", "mesh:write", "credits to spend", "Sign out")
	for _, secret := range []string{l.keys["ada"], "mesh_sk_"} {
		if strings.Contains(p.text, secret) {
			t.Error("the page shows the key")
		}
	}
	// It writes, once for a form that is sent twice, and everybody but her sees a placeholder.
	entry := url.Values{"type": {"gotcha"}, "content": {lesson}, "domain": {"go"}, "once": {"k1"}, "confidence": {"0.9"}}
	at, _, _ := strings.Cut(b.post("/me/contribute", entry).want(303, "").Header.Get("Location"), "?")
	if again, _, _ := strings.Cut(b.post("/me/contribute", entry).want(303, "").Header.Get("Location"), "?"); again != at {
		t.Errorf("the form sent twice wrote %s and %s", at, again)
	}
	b.get(at).want(200, "").shows(lesson, "This is yours")
	if p := l.browser().get(strings.Replace(at, "/me/knowledge/", "/entries/", 1)).want(200, ""); strings.Contains(p.text, "leaked body") {
		t.Error("a stranger reads the text")
	}
	b.post("/me/contribute/check", url.Values{"type": {"gotcha"}, "content": {"Too short."}}).want(200, "").shows("would not take this")
	b.post("/me/contribute/check", url.Values{"type": {"gotcha"}, "content": {"Too short."}}, "Accept", "application/json").want(200, "").shows(`"ok":false`)
	// Others vote and comment, as who they are.
	bo := l.in("bo")
	bo.post(at+"/vote", url.Values{"value": {"1"}}).want(303, "")
	bo.post(at+"/comments", url.Values{"content": {"It is so on <b>Tuesdays</b> too."}, "once": {"c"}}).want(303, "")
	b.get(at).want(200, "").shows("It is so on &lt;b&gt;Tuesdays", ">bo<")
	b.get("/me/notifications").want(200, "").shows("bo")
	b.post(at+"/vote", url.Values{"value": {"1"}}).want(403, "self_vote")
	b.post("/me/agents/"+l.ids["bo"]+"/follow", url.Values{"on": {"1"}}).want(303, "")
	for _, path := range []string{"agents", "agents/" + l.ids["bo"], "guilds", "bounties", "credits", "api-keys", "sessions", "contribute", "knowledge?domain=go"} {
		b.get("/me/"+path).want(200, "")
	}
}

// TestWhatDoesNotSignIn: each refusal says what is wrong, shows nothing of what was pasted,
// and gives no cookie.
func TestWhatDoesNotSignIn(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	late := l.newKey("ada", fields{"expires_at": l.clock.Now().Add(time.Hour).Format(time.RFC3339), "scopes": []string{"mesh:read"}})
	gone := l.newKey("bo", fields{"scopes": []string{"mesh:read"}})
	l.by(gone, "DELETE", "/api/mesh/key", nil, 403, "scope_missing") // it cannot end itself
	l.endKey("bo", gone)
	l.pass(2 * time.Hour)
	other, past := keys.FromSeed([32]byte{9}), l.clock.Now().Unix()-1
	for name, c := range map[string]struct {
		form   []string
		status int
		code   string
	}{
		"nothing":             {[]string{"key"}, 401, "invalid_token"},
		"no way":              {[]string{"password", "key", "x"}, 400, "invalid_param"},
		"wrong key":           {[]string{"key", "key", "mesh_sk_" + strings.Repeat("A", 43)}, 401, "invalid_token"},
		"expired key":         {[]string{"key", "key", late}, 401, "token_expired"},
		"revoked key":         {[]string{"key", "key", gone}, 401, "key_revoked"},
		"capability as key":   {[]string{"key", "key", l.ownToken(ucan.EntryPut)}, 401, "invalid_token"},
		"key as capability":   {[]string{"capability", "capability", l.keys["ada"]}, 401, "invalid_token"},
		"no capability":       {[]string{"capability", "capability", " \n "}, 400, "missing_field"},
		"broken capability":   {[]string{"capability", "capability", "eyJhbGciOiJFZERTQSJ9.eyJ9.AAAA"}, 401, "invalid_token"},
		"expired capability":  {[]string{"capability", "capability", l.built(v0.Draft{Expires: &past}, l.rue.key)}, 401, "token_expired"},
		"for another gateway": {[]string{"capability", "capability", l.built(v0.Draft{Audience: other.Key().String()}, l.rue.key)}, 403, "wrong_audience"},
		"of nobody":           {[]string{"capability", "capability", l.built(v0.Draft{}, other)}, 403, "capability_denied"},
		"unknown nonce":       {[]string{"signature", "nonce", "00000000-0000-4000-8000-000000000009", "signature", "0x00"}, 401, ""},
		"no address":          {[]string{"challenge", "subject", "0xnonsense"}, 400, "invalid_wallet"},
		"nobody's key":        {[]string{"challenge", "subject", other.Key().String()}, 404, "agent_not_found"},
		"wallet of nobody":    {[]string{"challenge", "subject", walletOf(t, 77).Address().String()}, 400, "missing_field"},
		"who does not speak":  {[]string{"challenge", "subject", other.Key().String(), "agent", l.rue.id.String()}, 403, "capability_missing"},
	} {
		b := l.browser()
		p := b.signIn(c.form[0], c.form[1:]...)
		if c.code == "" {
			c.status = p.StatusCode
		}
		p.want(c.status, c.code).shows("Not signed in")
		if c.status < 400 || len(p.Cookies()) != 0 || len(c.form) > 2 && len(c.form[2]) > 40 && strings.Contains(p.text, html.EscapeString(c.form[2])) && c.form[0] != "challenge" {
			t.Errorf("%s: %d, %d cookies, or it shows what was pasted", name, p.StatusCode, len(p.Cookies()))
		}
		b.get("/me/").want(303, "")
	}
}

// TestSignInByCapability: the session reads and writes what the token names, in both
// versions, and the token acts once.
func TestSignInByCapability(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	l.in("ada").post("/me/contribute", url.Values{"type": {"gotcha"}, "content": {lesson}, "domain": {"go"}}).want(303, "")
	cid := l.want(l.lend(l.keys["bo"], fields{"can": []string{ucan.EntryPut, ucan.VoteCast}}), 201, "").json["cid"].(string)
	end := l.clock.Now().Unix() + 600
	token, err := v0.Build(v0.Draft{Audience: l.gateway.Key().String(), Expires: &end, Nonce: "one", Proofs: []string{cid},
		Caps: []v0.Cap{{With: l.space("bo"), Can: ucan.EntryPut, Caveats: []map[string]any{{}}}}}, l.holder, nil)
	must(t, err)
	b := l.browser()
	b.signIn("capability", "capability", token).leads("/me/")
	b.get("/me/").want(200, "").shows("bo", ucan.EntryPut, "does not read full texts")
	if p := b.get("/me/knowledge").want(200, ""); strings.Contains(p.text, "leaked body") {
		t.Error("a token to write reads")
	}
	b.get("/me/credits").want(403, "capability_denied")
	b.get("/me/notifications").want(403, "capability_denied")
	entry := func(once, text string) url.Values {
		return url.Values{"type": {"gotcha"}, "content": {text}, "domain": {"go"}, "once": {once}}
	}
	text := "A lease that is renewed by a timer of the process ends while the process is suspended, so look at the clock after each wait."
	b.post("/me/contribute/check", entry("", text)).want(200, "").shows("takes this") // which uses nothing up
	first := b.post("/me/contribute", entry("a", text)).want(303, "").Header.Get("Location")
	if again := b.post("/me/contribute", entry("a", text)).want(303, "").Header.Get("Location"); again != first {
		t.Errorf("the same form again: %s, then %s", first, again)
	}
	b.post("/me/contribute", entry("b", "Another text that says something else about a lock which nobody releases when its holder ends.")).want(401, "token_replayed")
	b.get(strings.Split(first, "?")[0]).want(200, "")
	b.post(strings.Split(first, "?")[0]+"/vote", url.Values{"value": {"1"}}).want(403, "capability_denied")
	// With the proof beside it, by another line; and once it is revoked, the session is over.
	b.get("/me/sessions").want(200, "").shows("by capability")
	l.by(l.keys["bo"], "POST", "/api/mesh/capabilities/"+cid+"/revoke", fields{}, 200, "")
	b.get("/me/").want(401, "key_revoked").shows("/auth/signin?next=%2Fme%2F")
	b.get("/me/").leads("/auth/signin?next=%2Fme%2F")

	// What it rests on comes below it, one a line, where this gateway has not seen it.
	lent := v0.Draft{Audience: l.holder.Key().String()}
	root := l.built(lent, l.rue.key)
	act0 := l.built(v0.Draft{Proofs: []string{ucan.CID(root)}}, l.holder)
	b.signIn("capability", "capability", act0).want(403, "proof_missing").shows("Paste the capabilities that it rests on")
	b.signIn("capability", "capability", act0+"\n"+root, "next", "/me/credits").leads("/me/credits")
	b.get("/me/credits").want(200, "").shows("to spend")
	b.get("/me/credits", "Authorization", "Bearer "+l.keys["ada"]).want(200, "") // what else is sent is not looked at

	// UCAN 1.x: rue's own key gives rue what it names.
	until := l.clock.Now().Add(10 * time.Minute).Unix()
	act := v1.Act{Audience: l.gateway.Key(), Subject: l.rue.key.Key(), Command: "/credit/read", Expires: &until,
		Args: map[string]any{"resource": l.rue.id.Space().Resource(l.network) + "/credits"}}
	invocation, err := v1.Invoke(l.rue.key, act, strings.NewReader(strings.Repeat("n", 64)))
	must(t, err)
	packed, err := v1.PackBearer(invocation.Sealed)
	must(t, err)
	one := l.browser()
	one.signIn("capability", "capability", packed).leads("/me/")
	one.get("/me/credits").want(200, "").shows("to spend")
	one.post("/me/contribute", entry("c", text)).want(403, "capability_denied")
	l.pass(11 * time.Minute)
	one.get("/me/credits").leads("/auth/signin?next=%2Fme%2Fcredits")
}

var hidden = regexp.MustCompile(`name="nonce" value="([^"]+)"`)

// asked begins signing in by a signature and returns what is to be signed.
func (b *browser) asked(subject string, more ...string) (nonce, text string) {
	b.l.t.Helper()
	p := b.signIn("challenge", append([]string{"subject", subject, "next", "/me/credits"}, more...)...).want(200, "")
	found := hidden.FindStringSubmatch(p.text)
	_, rest, ok := strings.Cut(p.text, `id="text"><code>`)
	text, _, _ = strings.Cut(rest, "</code>")
	if len(found) != 2 || !ok {
		b.l.t.Fatal(p.text)
	}
	return found[1], html.UnescapeString(text)
}

// TestSignInBySignature: an agent of another node by its wallet and by its key, and agents
// that live here by what they were registered with.
func TestSignInBySignature(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	address := l.wallet.Address().String()
	b := l.browser()
	b.signIn("challenge", "subject", address).want(400, "missing_field").shows("id of the agent", address)
	nonce, text := b.asked(address, "agent", l.rue.id.String())
	if !strings.Contains(text, "gateway: "+base) || !strings.Contains(text, l.rue.id.String()) {
		t.Fatal(text)
	}
	sig := l.wallet.SignText(text)
	b.signIn("signature", "nonce", nonce, "signature", hexed(sig), "next", "/me/credits").leads("/me/credits")
	b.get("/me/credits").want(200, "")
	b.get("/me/sessions").want(200, "").shows("by signature")
	b.post("/me/contribute", url.Values{"type": {"gotcha"}, "content": {lesson}}).want(403, "scope_missing") // it writes at home
	b.signIn("signature", "nonce", nonce, "signature", hexed(sig)).shows("Not signed in")

	other := l.browser()
	nonce, text = other.asked(address, "agent", l.rue.id.String())
	wrong := walletOf(t, 62).SignText(text)
	other.signIn("signature", "nonce", nonce, "signature", hexed(wrong)).want(401, "signature_invalid").shows("Begin anew")
	nonce, text = other.asked(l.rue.key.Key().String())
	other.signIn("signature", "nonce", nonce, "signature", signedBy(l.rue.key, text)).leads("/me/")

	// The login ends with the session.
	live := func() (n int) {
		all, err := l.world.state.KeysOf(t.Context(), l.rue.id.String())
		must(t, err)
		for _, k := range all {
			if k.Login != "" && k.RevokedAt.IsZero() {
				n++
			}
		}
		return n
	}
	if live() != 2 {
		t.Fatalf("%d logins", live())
	}
	other.post("/me/sessions/end", url.Values{"others": {"1"}}).want(303, "")
	if b.get("/me/").leads("/auth/signin?next=%2Fme%2F"); live() != 1 {
		t.Errorf("%d logins after the other session has ended", live())
	}

	// Who was registered here with a key pair signs in by that, and writes.
	carol := keys.FromSeed([32]byte{1, 2, 3})
	r := l.by("", "POST", "/api/mesh/register/challenge", fields{"did": carol.Key().String()}, 200, "")
	registered := l.by("", "POST", "/api/mesh/register", fields{"name": "carol", "did": carol.Key().String(), "nonce": r.json["nonce"],
		"signature": signedBy(carol, r.json["challenge"].(fields)["text"].(string))}, 201, "")
	here := l.browser()
	nonce, text = here.asked(carol.Key().String())
	here.signIn("signature", "nonce", nonce, "signature", signedBy(carol, text)).leads("/me/")
	here.get("/me/").want(200, "").shows("carol", "mesh:write")
	here.post("/me/contribute", url.Values{"type": {"gotcha"}, "content": {lesson}}).want(303, "")
	here.get("/me/api-keys").want(200, "").shows("this session")
	here.post("/me/api-keys/revoke", url.Values{"id": {"key_x"}}).want(403, "scope_missing") // it makes and ends no keys
	// A program does not log in that way: it has its API key.
	l.by("", "POST", "/api/mesh/login/challenge", fields{"did": carol.Key().String(), "agent_id": registered.json["agent"].(fields)["id"]}, 403, "forbidden")
	nonce, text = l.browser().asked(carol.Key().String())
	l.by("", "POST", "/api/mesh/login", fields{"nonce": nonce, "signature": signedBy(carol, text)}, 403, "forbidden")
}

// TestKeysEndSessions: a session is judged by its credential at each request.
func TestKeysEndSessions(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	key := l.newKey("ada", fields{"scopes": []string{"mesh:read"}, "expires_at": l.clock.Now().Add(time.Hour).Format(time.RFC3339)})
	b := l.browser()
	b.signIn("key", "key", key).leads("/me/")
	b.get("/me/guilds").want(200, "")
	b.post("/me/contribute", url.Values{"type": {"gotcha"}, "content": {lesson}}).want(403, "scope_missing")
	b.post("/me/guilds/gld_x/join", url.Values{}).want(403, "scope_missing")
	second := l.browser()
	second.signIn("key", "key", key).leads("/me/")
	main := l.in("ada")
	main.get("/me/sessions").want(200, "").shows("This browser", "Another browser")
	id := l.keyID("ada", key)
	main.post("/me/api-keys/revoke", url.Values{"id": {id}}).want(303, "")
	b.get("/", "Accept", "text/html").want(200, "").shows(">Sign in<") // the header judges too
	b.get("/me/").leads("/auth/signin?next=%2Fme%2F")
	second.get("/me/credits").want(401, "key_revoked").shows("Sign in")
	second.get("/me/credits").leads("/auth/signin?next=%2Fme%2Fcredits")
	main.get("/me/").want(200, "")

	// Its end is that of the session, whatever is done in it.
	short := l.newKey("bo", fields{"scopes": []string{"mesh:read"}, "expires_at": l.clock.Now().Add(time.Hour).Format(time.RFC3339)})
	c := l.browser()
	c.signIn("key", "key", short).leads("/me/")
	l.pass(59 * time.Minute)
	c.get("/me/").want(200, "")
	l.pass(2 * time.Minute)
	c.get("/me/").leads("/auth/signin?next=%2Fme%2F")
	// And it ends without a request for four hours.
	main.get("/me/").want(200, "")
	l.pass(4 * time.Hour)
	main.get("/me/").leads("/auth/signin?next=%2Fme%2F")
}

// TestSessionsAreOnesOwn: two browsers of one agent know of one another, and of nobody else.
func TestSessionsAreOnesOwn(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	a, b, bo := l.in("ada"), l.in("ada"), l.in("bo")
	ids := regexp.MustCompile(`name="id" value="([0-9a-f]{12})"><button class="quiet" aria-label="(End|Sign out of)`)
	listed := func(b *browser) map[string]string {
		out := map[string]string{}
		for _, m := range ids.FindAllStringSubmatch(b.get("/me/sessions").want(200, "").text, -1) {
			out[m[2]] = m[1]
		}
		return out
	}
	mine, theirs := listed(a), listed(bo)
	if len(mine) != 2 || len(theirs) != 1 {
		t.Fatal(mine, theirs)
	}
	bo.post("/me/sessions/end", url.Values{"id": {mine["End"]}}).want(404, "not_found")
	b.get("/me/").want(200, "")
	a.post("/me/sessions/end", url.Values{"id": {mine["End"]}}).want(303, "")
	b.get("/me/").leads("/auth/signin?next=%2Fme%2F")
	p := a.post("/me/sessions/end", url.Values{"id": {mine["Sign out of"]}}).leads("/auth/signin?out=")
	if c := p.Cookies(); len(c) != 1 || c[0].MaxAge >= 0 {
		t.Errorf("signing out leaves %v", c)
	}
	a.get("/auth/signin?out=").want(200, "").shows("You are signed out.")
	a.get("/me/").leads("/auth/signin?next=%2Fme%2F")
	// Signing in anew ends what the browser had, so that nobody's old cookie comes along.
	old := bo.cookie()
	bo.signIn("key", "key", l.keys["ada"]).leads("/me/")
	if bo.cookie() == old {
		t.Error("the cookie stayed")
	}
	l.browser().get("/me/", "Cookie", old).leads("/auth/signin?next=%2Fme%2F")
	l.browser().get("/me/", "Cookie", "mesh_login=planted; "+bo.cookie()).want(200, "") // shuts nobody out
}

// cookie is the one of a session, as a request has it.
func (b *browser) cookie() string {
	b.l.t.Helper()
	u, err := url.Parse(b.l.srv.URL)
	must(b.l.t, err)
	if c := b.http.Jar.Cookies(u); len(c) == 1 {
		return c[0].Name + "=" + c[0].Value
	}
	return ""
}

// TestFormsOfOthersAreRefused: neither a form of another site nor one of another page of the
// same domain signs anybody in or writes.
func TestFormsOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	b := l.in("ada")
	for name, header := range map[string][]string{
		"another site":           {"Origin", "https://evil.example"},
		"another port":           {"Origin", "http://127.0.0.1:1"},
		"another scheme":         {"Origin", strings.Replace(l.srv.URL, "http:", "https:", 1)},
		"no origin":              {"Origin", ""},
		"an origin of nobody":    {"Origin", "null"},
		"a sandboxed frame":      {"Origin", "null", "Sec-Fetch-Site", "cross-site"},
		"a sibling":              {"Sec-Fetch-Site", "same-site"},
		"a lie about the origin": {"Sec-Fetch-Site", "cross-site"},
	} {
		if p := b.post("/me/guilds/gld_x/join", url.Values{}, header...); p.StatusCode != 403 || !strings.Contains(p.text, "<code>forbidden</code>") {
			t.Errorf("%s: %d", name, p.StatusCode)
		}
		fresh := l.browser()
		if p := fresh.post(console.SignInPath, url.Values{"way": {"key"}, "key": {l.keys["bo"]}}, header...); p.StatusCode != 403 || len(p.Cookies()) > 0 {
			t.Errorf("%s signs in: %d", name, p.StatusCode)
		}
	}
	// Behind a proxy the address in the settings is ours too.
	b.post("/me/sessions/end", url.Values{"id": {"none"}}, "Origin", base).want(404, "not_found")
	b.get("/me/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors").want(403, "forbidden")
	b.get("/me/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate").want(200, "")
	p := b.get("/me/").want(200, "")
	if p.Header.Get("Access-Control-Allow-Origin") != "" || p.Header.Get("Cache-Control") != "no-store" || p.Header.Get("Referrer-Policy") != "same-origin" ||
		!strings.Contains(p.Header.Get("Content-Security-Policy"), "script-src 'nonce-") || p.Header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("headers %v", p.Header)
	}
	// A cookie is good for these pages alone: the API takes none.
	var said struct{ Code string }
	must(t, json.Unmarshal([]byte(b.get("/api/mesh/profile").want(401, "").text), &said))
	if said.Code != "auth_required" {
		t.Errorf("the API says %q to a cookie", said.Code)
	}
}

// TestNextStaysHere: signing in leads to pages of this gateway alone.
func TestNextStaysHere(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	for next, want := range map[string]string{
		"/me/knowledge?q=a%20b": "/me/knowledge?q=a%20b", "/feed": "/feed", "/": "/",
		"": "/me/", "//evil.example": "/me/", "/\\evil.example": "/me/", "https://evil.example/me/": "/me/", "javascript:alert(1)": "/me/",
		"\\\\evil.example": "/me/", "/\t/evil.example": "/me/", "/\n/evil.example": "/me/", "me/": "/me/", "/%zz": "/me/", " /feed": "/me/", "/é": "/me/",
		"/" + strings.Repeat("a", 4000): "/me/",
	} {
		b := l.browser()
		b.signIn("key", "key", l.keys["ada"], "next", next).leads(want)
		b.get("/auth/signin?"+url.Values{"next": {next}}.Encode()).want(200, "").shows(`name="next" value="` + html.EscapeString(want) + `"`)
	}
	l.browser().get("/auth/signin?next="+url.QueryEscape(`"><script>alert(1)</script>`)).want(200, "").shows(`name="next" value="/me/`)
}

// TestAttemptsAreMeasured: guesses from one address are slowed down as challenges are.
func TestAttemptsAreMeasured(t *testing.T) {
	t.Parallel()
	w := newPublic(t)
	guests, err := console.NewGuests(console.Config{Service: w.service, Now: w.clock.Now})
	must(t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	w.handler, err = rest.New(w.service, auth.New(w.state), m, rest.Config{Public: true, Guests: guests})
	must(t, err)
	_, key := w.register("ada", 1)
	try := func(key string) (int, http.Header) {
		r := httptest.NewRequest("POST", base+console.SignInPath, strings.NewReader(url.Values{"way": {"key"}, "key": {key}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", base)
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(rec, r)
		return rec.Code, rec.Header()
	}
	for i := range 100 {
		code, header := try("mesh_sk_guess")
		if code == 429 {
			if i > 20 || header.Get("Retry-After") == "" {
				t.Errorf("attempt %d: %v", i, header)
			}
			if code, _ := try(key); code != 429 {
				t.Errorf("the right key passes: %d", code)
			}
			w.clock.Add(time.Minute)
			if code, _ := try(key); code != 303 {
				t.Errorf("a minute later: %d", code)
			}
			return
		}
	}
	t.Error("a hundred guesses passed")
}

// TestHeaderOfPublicPages: everybody is shown where to sign in, who is signed in their own
// name, and no cache keeps that for others.
func TestHeaderOfPublicPages(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	anonymous, b := l.browser(), l.in("ada")
	for _, path := range []string{"/", "/feed", "/join", "/docs", "/nothing-here"} {
		p := anonymous.get(path, "Accept", "text/html").shows(`href="/auth/signin">Sign in<`)
		if strings.Contains(p.text, "/me/") {
			t.Errorf("%s names somebody", path)
		}
		p = b.get(path, "Accept", "text/html").shows(`href="/me/"><bdi>ada</bdi>`)
		if strings.Contains(p.text, "Sign in<") || p.StatusCode == 200 && (!strings.Contains(p.Header.Get("Cache-Control"), "no-store") || !strings.Contains(p.Header.Get("Vary"), "Cookie")) {
			t.Errorf("%s: %v", path, p.Header)
		}
	}
	if p := anonymous.get("/feed", "Accept", "text/html"); p.Header.Get("Cache-Control") != "public, max-age=30" || p.Header.Get("Vary") != "Cookie" {
		t.Errorf("%v", p.Header)
	}
	// The local role has no such thing.
	w := newWorld(t)
	if r := w.do(apiCall{method: "GET", path: "/feed"}); strings.Contains(string(r.raw), "Sign in") || r.Header.Get("Vary") != "" {
		t.Error("the local role shows where to sign in")
	}
	w.want(w.get("/auth/signin"), 404, "not_found")
	w.want(w.get("/me"), 404, "not_found")
}

// TestCookieBehindHTTPS: where browsers come by HTTPS the cookie is one that no other host can
// plant.
func TestCookieBehindHTTPS(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	srv := httptest.NewTLSServer(l.handler)
	t.Cleanup(srv.Close)
	l.srv = srv
	b := l.browser()
	b.http.Transport = srv.Client().Transport
	p := b.signIn("key", "key", l.keys["ada"]).leads("/me/")
	c := p.Cookies()[0]
	if c.Name != "__Host-mesh_login" || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("%+v", c)
	}
	b.get("/me/").want(200, "")
	// The name that a neighbour could plant is not looked at.
	other := l.browser()
	other.http.Transport = srv.Client().Transport
	other.get("/me/", "Cookie", "mesh_login="+c.Value).leads("/auth/signin?next=%2Fme%2F")
}

// newKey is another API key of an agent.
func (l *lounge) newKey(who string, more fields) string {
	l.t.Helper()
	more["label"] = "another"
	return l.by(l.keys[who], "POST", "/api/mesh/keys", more, 201, "").json["api_key"].(string)
}

// keyID is the id of a key.
func (l *lounge) keyID(who, key string) string {
	l.t.Helper()
	for _, k := range l.by(l.keys[who], "GET", "/api/mesh/keys", nil, 200, "").json["keys"].([]any) {
		if k := k.(fields); strings.HasPrefix(strings.TrimPrefix(key, "mesh_sk_"), k["prefix"].(string)) {
			return k["id"].(string)
		}
	}
	l.t.Fatal("no such key")
	return ""
}

func (l *lounge) endKey(who, key string) {
	l.t.Helper()
	l.by(l.keys[who], "DELETE", "/api/mesh/keys/"+l.keyID(who, key), nil, 200, "")
}

// space is the space of an agent as tokens name it.
func (l *lounge) space(who string) string {
	l.t.Helper()
	id, err := change.ParseAgentID(l.ids[who])
	must(l.t, err)
	return id.Space().Resource(l.network)
}

// built is a 0.10 token about rue's space, for this gateway and a minute if it says nothing else.
func (l *lounge) built(d v0.Draft, by *keys.Private) string {
	l.t.Helper()
	l.tokens++
	if d.Audience == "" {
		d.Audience = l.gateway.Key().String()
	}
	if d.Expires == nil {
		end := l.clock.Now().Unix() + 600
		d.Expires = &end
	}
	d.Nonce = "guest" + strings.Repeat("x", l.tokens)
	d.Caps = []v0.Cap{{With: l.rue.id.Space().Resource(l.network), Can: ucan.CreditRead, Caveats: []map[string]any{{}}}}
	raw, err := v0.Build(d, by, nil)
	must(l.t, err)
	return raw
}

func (l *lounge) ownToken(string) string { l.t.Helper(); return l.built(v0.Draft{}, l.rue.key) }
