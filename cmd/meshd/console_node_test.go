package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/node/config"
)

// owner is a browser that is signed in to the console of a node.
type owner struct {
	t          *testing.T
	http       *http.Client
	base       string // of the pages
	home       string // folder of the node
	command    func(args ...string) string
	lastStatus int
}

// openConsole signs a browser in by the code that meshd open prints.
func openConsole(t *testing.T) *owner {
	t.Helper()
	site, program := serveNode(t)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	o := &owner{t: t, home: filepath.Join(filepath.Dir(program), "home"),
		http: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	o.command = func(args ...string) string {
		t.Helper()
		out, err := exec.Command(program, append([]string{"--home", o.home}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	link, err := url.Parse(o.command("open", "--print"))
	if err != nil {
		t.Fatal(err)
	}
	o.base = site
	_, header := o.do("POST", "/console/open", url.Values{"code": {link.Query().Get("code")}})
	o.base = site + strings.TrimSuffix(header.Get("Location"), "/")
	return o
}

func (o *owner) do(method, at string, form url.Values) (string, http.Header) {
	o.t.Helper()
	r, err := http.NewRequestWithContext(o.t.Context(), method, o.base+at, strings.NewReader(form.Encode()))
	if err != nil {
		o.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	resp, err := o.http.Do(r)
	if err != nil {
		o.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	o.lastStatus = resp.StatusCode
	return string(raw), resp.Header
}

// get returns a page that must be there.
func (o *owner) get(at string) string {
	o.t.Helper()
	text, _ := o.do("GET", at, nil)
	if o.lastStatus != http.StatusOK {
		o.t.Fatalf("%s: %d %s", at, o.lastStatus, text)
	}
	return text
}

// post sends a form whose answer must have a status, and returns its text and, of a
// redirect, where to.
func (o *owner) post(status int, at string, form url.Values) (text, to string) {
	o.t.Helper()
	text, header := o.do("POST", at, form)
	if o.lastStatus != status {
		o.t.Fatalf("%s: %d, want %d: %s", at, o.lastStatus, status, text)
	}
	return text, header.Get("Location")
}

// confirm gives the session a fresh code.
func (o *owner) confirm() {
	o.t.Helper()
	o.post(303, "/confirm", url.Values{"code": {o.command("open", "--confirm")}, "next": {"/keys"}})
}

// hidden is the value of a hidden field of a page.
func hidden(t *testing.T, page, name string) string {
	t.Helper()
	m := regexp.MustCompile(`<input type="hidden" name="` + name + `" value="([^"]*)">`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no field %s: %s", name, page)
	}
	return m[1]
}

func TestConsoleShowsTheNode(t *testing.T) {
	t.Parallel()
	o := openConsole(t)
	o.command("contribute", "--type", "gotcha", "--domain", "sqlite", "A request that ends early may leave a statement open: close what you got.")
	for at, want := range map[string]string{
		"/peers": "Nobody is connected", "/sets": "open/0", "/storage": "Read everything again", "/activity": "1 gotcha", "/log": "msg=ready",
		"/keys": "did:key:", "/moderation": "Nothing waits for you", "/settings": "p2p.sync_interval", "/backups": "Make a backup",
	} {
		if page := o.get(at); !strings.Contains(page, want) {
			t.Errorf("%s does not show %q: %s", at, want, page)
		}
	}
	if page, _ := o.post(200, "/storage/verify", url.Values{}); !strings.Contains(page, "sound.") {
		t.Errorf("verify: %s", page)
	}
	if _, to := o.post(303, "/peers/compare", url.Values{}); !strings.HasSuffix(to, "/peers?done=alone") {
		t.Errorf("compare leads to %s", to)
	}
}

func TestConsoleChangesSettings(t *testing.T) {
	t.Parallel()
	o := openConsole(t)
	file := filepath.Join(o.home, "meshd.yaml")
	change := func(status int, key, value string) string {
		t.Helper()
		page, _ := o.post(status, "/settings/review", url.Values{"key": {key}, "value": {value}})
		return page
	}
	page := change(200, "node.name", "kitchen & hall")
	form := url.Values{"key": {"node.name"}, "value": {"kitchen & hall"}, "of": {hidden(t, page, "of")}}
	// Somebody else changes the file meanwhile: nothing is written.
	mine, err := config.Sample(map[string]string{"log.level": "debug"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(mine, "# mine\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, _ := o.post(412, "/settings/save", form); !strings.Contains(text, "changed meanwhile") {
		t.Errorf("conflict: %s", text)
	}
	form.Set("of", hidden(t, change(200, "node.name", "kitchen & hall"), "of"))
	o.post(303, "/settings/save", form)
	after, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(after), `name: "kitchen & hall"`) || !strings.HasSuffix(string(after), "# mine\n") {
		t.Errorf("file: %s, %v", after, err)
	}
	if page := o.get("/settings?q=node.name"); !strings.Contains(page, "kitchen &amp; hall") || !strings.Contains(page, "file, line ") {
		t.Errorf("settings: %s", page)
	}
	// A secret in the file is not shown beside a change.
	with := strings.Replace(string(after), `#postgres: ""`, `postgres: "postgres://u:hunter2@h/db"`, 1)
	if err := os.WriteFile(file, []byte(with), 0o600); err != nil {
		t.Fatal(err)
	}
	if page := change(200, "state.secret_file", "shared.secret"); strings.Contains(page, "hunter2") || !strings.Contains(page, "postgres: (redacted)") {
		t.Errorf("difference: %s", page)
	}
	if err := os.WriteFile(file, after, 0o600); err != nil {
		t.Fatal(err)
	}
	// What cannot be is refused before it is written, and says why.
	if page := change(422, "p2p.sync_interval", "soon"); !strings.Contains(page, "p2p.sync_interval") {
		t.Errorf("fault: %s", page)
	}
	change(422, "gateway.tls", "files") // without a certificate
	change(404, "no.such", "1")
	change(403, "gateway.listen", "127.0.0.1:1") // set by the environment
	o.post(400, "/settings/save", url.Values{"key": {"p2p.sync_interval"}, "value": {"soon"}, "of": {hidden(t, change(200, "node.name", "hall"), "of")}})
	if raw, _ := os.ReadFile(file); string(raw) != string(after) {
		t.Errorf("a refused change was written: %s", raw)
	}
}

func TestConsoleGuardsKeys(t *testing.T) {
	t.Parallel()
	o := openConsole(t)
	for at, form := range map[string]url.Values{"/keys/export": {"name": {"owner"}}, "/keys/rotate": {}, "/backups/make": {}} {
		if _, to := o.post(303, at, form); !strings.Contains(to, "/confirm?") {
			t.Errorf("%s without a fresh code leads to %q", at, to)
		}
	}
	o.confirm()
	text, _ := o.post(200, "/keys/export", url.Values{"name": {"owner"}})
	var key struct{ Name, Secret string }
	if err := json.Unmarshal([]byte(text), &key); err != nil || key.Name != "owner" || len(key.Secret) != 64 {
		t.Fatalf("exported %q, %v", text, err)
	}
	o.post(303, "/keys/export", url.Values{"name": {"owner"}}) // the code was good for one
	o.confirm()
	o.post(404, "/keys/export", url.Values{"name": {"../node"}})

	o.confirm()
	saved, _ := o.post(200, "/backups/make", url.Values{})
	file := filepath.Join(t.TempDir(), "home.backup")
	if err := os.WriteFile(file, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	o.command("backup", "--check", file)

	was := o.command("id", "show", "--json")
	o.confirm()
	if _, to := o.post(303, "/keys/rotate", url.Values{}); !strings.HasSuffix(to, "done=rotated") {
		t.Errorf("rotation leads to %s", to)
	}
	if o.command("id", "show", "--json") == was {
		t.Error("the key is as before")
	}
	id := regexp.MustCompile(`name="id" value="(key_[\w-]+)"`).FindStringSubmatch(o.get("/keys"))
	if id == nil {
		t.Fatal("no API key is listed")
	}
	o.post(303, "/keys/revoke", url.Values{"id": {id[1]}})
	if page := o.get("/keys"); !strings.Contains(page, "revoked just now") {
		t.Errorf("keys: %s", page)
	}
}
