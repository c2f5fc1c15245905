package service_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

// served starts the service of a source in Node on a free port of this machine.
// more are files beside it.
func served(t *testing.T, name, source string, more map[string]string) string {
	t.Helper()
	format, _ := ast.FormatOf(name)
	r, err := target.Compile(target.Load(nil, name, []byte(source), format), target.Request{Target: "node-service"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range r.Files {
		more[f.Path] = string(f.Data)
	}
	for path, text := range more {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("node", "server.mjs")
	var said bytes.Buffer
	c.Dir, c.Stderr, c.Env = dir, &said, append(os.Environ(), "PORT=0")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatalf("node is missing: scripts/need tests: %v", err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if t.Failed() {
			t.Logf("the service said: %s", said.String())
		}
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	var listening struct{ Listening string }
	if err != nil || json.Unmarshal([]byte(line), &listening) != nil {
		_ = c.Wait()
		t.Fatalf("%q %v: %s", line, err, said.String())
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return listening.Listening
}

// ask sends a request; body "" is none.
func ask(t *testing.T, url, method, path, body string) (status int, answer string) {
	t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	q, err := http.NewRequestWithContext(t.Context(), method, url+path, in)
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	raw, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, strings.TrimSpace(string(raw))
}

type exchange struct {
	method, path, body string
	status             int
	answer             string
}

func talk(t *testing.T, url string, list []exchange) {
	t.Helper()
	for _, x := range list {
		status, answer := ask(t, url, x.method, x.path, x.body)
		if status != x.status || answer != x.answer {
			t.Errorf("%s %s %s: %d %s, not %d %s", x.method, x.path, x.body, status, answer, x.status, x.answer)
		}
	}
}

const shop = `
enum Zone { inner outer }
struct Ticket { id: string  zone: Zone  price: number }
composition "Shop" @http(base: "/v1", port: 3000) {
  state { hits: 0 seen: [] }
  action count() {
    state.hits += 1
    return state.hits
  }
  object "hits" { route: "GET /hits" handler: count }
  object "ping" { method: "POST" handle() { emit("pinged") } }
  on "pinged" { state.seen.push("ping") }
  object "seen" { path: "/seen" handle() => state.seen }
  object "buy" {
    route: "/tickets/{id}"
    method: "POST"
    on_request(req) {
      state.hits += 1
      if (req.body.n > 3) throw { status: 409, error: "sold_out", message: "none left" }
      if (req.body.n < 0) throw "less than none"
      if (req.body.n == 1) play_chime("x")
      if (req.body.n == 2) req.body.n.m.push(1)
      return { status: 201, body: { id: req.params.id, n: req.body.n, hits: state.hits } }
    }
  }
  object "echo" { path: "/echo" method: "PUT" handler: say }
  action say() { return shout("hi") }
  service "Tickets" {
    state { sold: [] }
    // Sells one.
    action sell(zone: Zone, price: number = 2, tags?: string[]): Ticket {
      state.sold.push(zone)
      wait 50ms
      return { id: "t" + state.sold.length, zone, price }
    }
    endpoint "list" {
      path: "/list"
      handle(zone?: Zone, limit: integer = 10) { return state.sold.filter(z => zone == null || z == zone).slice(0, limit) }
    }
    endpoint "sell" { path: "/sell" method: "POST" }
    endpoint "open" { path: "/open" }
  }
}`

// TestServiceRunsItsActions: a route runs the action of the source. The next request
// sees what it wrote; what fails leaves nothing behind.
func TestServiceRunsItsActions(t *testing.T) {
	t.Parallel()
	url := served(t, "main.hsplus", shop, map[string]string{"handlers.mjs": `export const operations = { shout: (s) => s.toUpperCase() };`})
	talk(t, url, []exchange{
		{"GET", "/v1/hits", "", 200, "1"},
		{"GET", "/v1/hits", "", 200, "2"},
		{"POST", "/v1/tickets/a%20b", `{"n":0}`, 201, `{"id":"a b","n":0,"hits":3}`},
		{"POST", "/v1/tickets/a", `{"n":1}`, 501, `{"error":"no_host_operation","message":"the service has no operation 'play_chime'","operation":"play_chime"}`},
		{"POST", "/v1/tickets/a", `{"n":9}`, 409, `{"error":"sold_out","message":"none left"}`},
		{"POST", "/v1/tickets/a", `{"n":-1}`, 422, `{"error":"refused","message":"less than none"}`},
		{"GET", "/v1/hits", "", 200, "4"},
		{"PUT", "/v1/echo", "", 200, `"HI"`},
		{"POST", "/v1/ping", "", 204, ""},
		{"GET", "/v1/seen", "", 200, `["ping"]`},
		{"POST", "/v1/sell", `{}`, 400, `{"error":"bad_input","message":"body: zone is missing"}`},
		{"POST", "/v1/sell", `{"zone":"far"}`, 400, `{"error":"bad_input","message":"body: zone is none of \"inner\", \"outer\""}`},
		{"POST", "/v1/sell", `{"zone":"inner","price":"2"}`, 400, `{"error":"bad_input","message":"body: price is no number"}`},
		{"POST", "/v1/sell", `{"zone":"inner","tags":["a",1]}`, 400, `{"error":"bad_input","message":"body: tags[1] is no string"}`},
		{"POST", "/v1/sell", `{"zone":`, 400, `{"error":"bad_input","message":"the body is no JSON"}`},
		{"GET", "/v1/list", "", 200, `[]`},
		{"POST", "/v1/sell", `{"zone":"inner"}`, 200, `{"id":"t1","zone":"inner","price":2}`},
		{"POST", "/v1/sell", `{"zone":"outer","price":3.5,"tags":[]}`, 200, `{"id":"t2","zone":"outer","price":3.5}`},
		{"GET", "/v1/list", "", 200, `["inner","outer"]`},
		{"GET", "/v1/list?zone=outer", "", 200, `["outer"]`},
		{"GET", "/v1/list?limit=1", "", 200, `["inner"]`},
		{"GET", "/v1/list?limit=x", "", 400, `{"error":"bad_input","message":"query: limit is no integer"}`},
		{"GET", "/v1/open", "", 501, `{"error":"not_implemented","message":"the source has no action for get-v1-open, and handlers.mjs no function"}`},
		{"GET", "/v1/none", "", 404, `{"error":"not_found","message":"no such route"}`},
		{"DELETE", "/v1/hits", "", 405, `{"error":"method_not_allowed","message":"DELETE is not answered here"}`},
		{"GET", "/health", "", 200, `{"status":"ok"}`},
	})
	status, answer := ask(t, url, "POST", "/v1/tickets/a", `{"n":2}`)
	if status != 500 || !strings.Contains(answer, `"error":"fault"`) || !strings.Contains(answer, `"code":"RUN004"`) {
		t.Errorf("a fault of the program: %d %s", status, answer)
	}
}

// TestTurnsThatWaitEndInTheirOrder: a request that waits keeps no other from its
// answer.
func TestTurnsThatWaitEndInTheirOrder(t *testing.T) {
	t.Parallel()
	url := served(t, "main.hsplus", `
object "slow" @http(path: "/slow") { state { n: 0 }
  handle() {
    state.n += 1
    wait 300ms
    return state.n
  } }
object "quick" @http(path: "/quick") { handle() { return slow.state.n } }`, map[string]string{})
	first := make(chan string)
	go func() {
		_, answer := ask(t, url, "GET", "/slow", "")
		first <- answer
	}()
	for { // until the slow one has begun
		if _, answer := ask(t, url, "GET", "/quick", ""); answer == "1" {
			break
		}
	}
	select {
	case <-first:
		t.Error("it did not wait")
	default:
	}
	if answer := <-first; answer != "1" {
		t.Errorf("the slow one answers %s", answer)
	}
}

// TestHandlersTakeThePlaceOfActions: a function of handlers.mjs is called in place of
// the action, and sees and sets the state of the program.
func TestHandlersTakeThePlaceOfActions(t *testing.T) {
	t.Parallel()
	url := served(t, "main.hs", `object "shelf" { state { books: 2 } }
object "more" @http(path: "/more") { handle() { shelf.state.books += 1
 return shelf.state.books } }
object "own" @http(path: "/own") {}`, map[string]string{"handlers.mjs": `
export default { "get-own": ({ state }) => { state.shelf.books += 10; return { ...state.shelf }; } };`})
	talk(t, url, []exchange{{"GET", "/more", "", 200, "3"}, {"GET", "/own", "", 200, `{"books":13}`}, {"GET", "/more", "", 200, "14"}})
}

// TestRouteRunsAPipeline: with the parameters that the pipeline has.
func TestRouteRunsAPipeline(t *testing.T) {
	t.Parallel()
	url := served(t, "main.hs", `
pipeline "Sort" {
  params { least: 2 }
  source S { type: "list" items: [{ n: 1 }, { n: 2 }, { n: 3 }] }
  filter F { where: n >= params.least }
  sink Out { type: "stdout" }
}
object "run" @http(path: "/sort", method: "POST") { pipeline: "Sort" }`, map[string]string{})
	for body, want := range map[string]string{`{}`: `"written":{"Out":2}`, `{"least":3,"other":1}`: `"written":{"Out":1}`} {
		if status, answer := ask(t, url, "POST", "/sort", body); status != 200 || !strings.Contains(answer, want) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
}

// TestServicesAsOthersWriteThem: functions and blocks that are called like the method
// they answer, a response with methods, respond, a base path and a port.
func TestServicesAsOthersWriteThem(t *testing.T) {
	t.Parallel()
	url := served(t, "main.hs", `
service "library" {
  port: 8081
  base_path: "/api"
  state { books: [{ id: 1, title: "Dune" }] loans: [] }
  get "/books" (req, res) { res.json(state.books) }
  get "/books/:id" (req, res) {
    const book = state.books.find(b => b.id == Number(req.params.id))
    if (!book) return res.status(404).json({ error: "no such book" })
    return res.set("X-Shelf", "B").json(book)
  }
  post "/loans" {
    body: { book: int, reader: string }
    handler(req, res) {
      state.loans.push(req.body.book)
      res.status(201).json({ ok: req.body.book })
    }
  }
  delete "/loans/:book" (req, res) {
    state.loans = state.loans.filter(l => l != Number(req.params.book))
    wait 20ms
    res.status(204).end()
  }
  route "GET /loans" { on_request(req) { respond(200, state.loans) } }
  route "GET /odd" { on_request(req) { req.n.m = 1  respond(200) } }
  route "GET /free" { handle(req, res) { res.stream(1) } }
}`, map[string]string{})
	talk(t, url, []exchange{
		{"GET", "/api/books", "", 200, `[{"id":1,"title":"Dune"}]`},
		{"GET", "/api/books/1", "", 200, `{"id":1,"title":"Dune"}`},
		{"GET", "/api/books/7", "", 404, `{"error":"no such book"}`},
		{"POST", "/api/loans", `{"book":1,"reader":"a"}`, 201, `{"ok":1}`},
		{"POST", "/api/loans", `{"book":"x","reader":"a"}`, 400, `{"error":"bad_input","message":"body: book is no integer"}`},
		{"GET", "/api/loans", "", 200, `[1]`},
		{"DELETE", "/api/loans/1", "", 204, ""},
		{"GET", "/api/loans", "", 200, `[]`},
		{"GET", "/api/free", "", 501, `{"error":"no_host_operation","message":"the service has no operation 'response.stream'","operation":"response.stream"}`},
	})
	if status, answer := ask(t, url, "GET", "/api/odd", ""); status != 500 || !strings.Contains(answer, "RUN004") {
		t.Errorf("%d %s", status, answer)
	}
}
