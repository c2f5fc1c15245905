package vrr_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

type plan struct {
	Feeds []struct {
		Address, By string
		Every       float64
	}
	Bindings []struct {
		Node, Name, Of, Topic, Key, Kind, Event string
		Feed                                    int
		At                                      [][]string
		Late                                    float64
	}
	Idle []struct{ Node, Name, Text string }
}

func compile(source string) (string, *target.Result, error) {
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "twin-web"})
	if err != nil {
		return "", nil, err
	}
	return string(r.Files[0].Data), r, nil
}

func page(t testing.TB, source string) (string, plan, *target.Result) {
	t.Helper()
	text, r, err := compile(source)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`<main data-live="([^"]*)">`).FindStringSubmatch(text)
	if m == nil {
		t.Fatal("the page has no plan")
	}
	var p plan
	if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &p); err != nil {
		t.Fatal(err)
	}
	return text, p, r
}

func policy(text string) string {
	return regexp.MustCompile(`connect-src ([^;]*);`).FindStringSubmatch(text)[1]
}

const farm = `composition "Farm" {
  source Park { type: "rest" endpoint: "http://plant.example/park.json?part=1" every: 2s }
  source Wind { type: "stream" url: "https://plant.example:8443/a,b;c" }
  state { rpm: 0  name: "x" }
  group "T" @digital_twin(physical_id: "t-1", poll_interval: 4s) @twin_sync(topic: "Park") {
    state { power: 1  on: true }
    object "N" @data_binding(source: "wss://plant.example/gate", field: "deep.rpm", refresh_ms: 250ms, transform: value * 2) { geometry: "box" }
  }
  object "P" @data_binding(source: "Wind", field: "position", topic: "place") { geometry: "box" }
  object "S" @iot_sensor(device_id: "s", type: "heat", topic: "http://plant.example/heat") { geometry: "box" }
}`

// TestBindingsBecomeAPlan: what a source says of its live data, with the state key
// or property of each value, and a policy that lists the endpoints alone.
func TestBindingsBecomeAPlan(t *testing.T) {
	text, p, r := page(t, farm)
	if got, want := policy(text), "http://plant.example/park.json wss://plant.example/gate https://plant.example:8443/a%2Cb%3Bc http://plant.example/heat"; got != want {
		t.Errorf("the policy allows %s, wanted %s", got, want)
	}
	var feeds []string
	for _, f := range p.Feeds {
		feeds = append(feeds, f.By)
	}
	if !slices.Equal(feeds, []string{"poll", "socket", "events", "poll"}) || p.Feeds[0].Every != 2 || p.Feeds[1].Every != 0.25 || p.Feeds[3].Every != 2 {
		t.Errorf("%+v", p.Feeds)
	}
	type want struct{ key, kind, of string }
	for i, w := range []want{{"power", "number", "t-1"}, {"on", "boolean", "t-1"}, {"rpm", "number", ""}, {"position", "vector", ""}, {"heat", "any", "s"}} {
		if b := p.Bindings[i]; b.Key != w.key || b.Kind != w.kind || b.Of != w.of {
			t.Errorf("binding %d is %+v, wanted %v", i, b, w)
		}
		if !strings.Contains(text, `"on live_data_`+string(rune('0'+i))+`"`) {
			t.Errorf("the program has no handler for binding %d", i)
		}
	}
	if b := p.Bindings[2]; b.Late != 1 || !slices.Equal(b.At[0], []string{"deep", "rpm"}) {
		t.Errorf("%+v", b)
	}
	if len(p.Idle) > 0 || slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Trait != "" || strings.Contains(l.Reason, "endpoint") }) {
		t.Errorf("%+v %+v", p.Idle, r.Losses)
	}
}

// TestAPageWithoutAnEndpointAsksNobody, and says of every reading why it stands.
func TestAPageWithoutAnEndpointAsksNobody(t *testing.T) {
	text, p, r := page(t, `composition "Still" {
  source Env { type: "rest" endpoint: "${env.API}" }
  source Base { type: "database" url: "http://plant.example/db" }
  object "A" @data_binding(source: "nobody", field: "x") { geometry: "box" }
  object "B" @data_binding(source: "Env", field: "x") { geometry: "box" }
  object "C" @data_binding(source: "Base", field: "x") { geometry: "box" }
  object "D" @iot_sensor(device_id: "d", topic: "farm/d") { geometry: "box" }
}`)
	if policy(text) != "'none'" || len(p.Feeds) != 0 || len(p.Bindings) != 0 {
		t.Errorf("%s %+v", policy(text), p)
	}
	for i, why := range []string{`no source is called "nobody"`, "environment", `type "database"`, `no source is called "farm/d"`} {
		if !strings.Contains(p.Idle[i].Text, why) {
			t.Errorf("%q does not say %q", p.Idle[i].Text, why)
		}
	}
	if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool {
		return l.Code == "TGT003" && l.Count == 4 && strings.Contains(l.Reason, "without an endpoint")
	}) {
		t.Errorf("%+v", r.Losses)
	}
	empty, p, _ := page(t, "")
	if !strings.Contains(empty, "This scene is empty.") || policy(empty) != "'none'" || len(p.Feeds)+len(p.Idle) > 0 {
		t.Error("an empty page")
	}
}

// TestAddressesNameOneResourceAndNoSecret: all others are refused, with words.
func TestAddressesNameOneResourceAndNoSecret(t *testing.T) {
	for address, why := range map[string]string{
		"http://plant.example":                     "names one resource",
		"http://plant.example/all/":                "names one resource",
		"http://me:word@plant.example/x":           "no name or password",
		"https://plant.example/x?api_key=1":        "no secret",
		"https://plant.example/x?ACCESS_TOKEN=1":   "no secret",
		"ftp://plant.example/x":                    "http, https, ws or wss",
		"javascript://plant.example/x":             "http, https, ws or wss",
		"http://*.example/x":                       "one host",
		"http://plant.example/x; script-src *":     "is an address",
		"http://plant.example/x' 'unsafe-inline":   "is an address",
		"http:///x":                                "is an address",
		"wss://plant.example/x?session=abcdefghij": "no secret",
	} {
		_, _, err := compile(`object "A" @data_binding(source: "` + address + `", field: "x") { geometry: "box" }`)
		var bad *target.SourceError
		if !errors.As(err, &bad) || !slices.ContainsFunc(bad.All, func(d diag.Diagnostic) bool { return d.Code == "TGT005" && strings.Contains(d.Message, why) }) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, _, err := compile(`object "A" @data_binding(source: "https://plant.example/monkeys?key_word=1&turnkey=2", field: "x") { geometry: "box" }`); err == nil {
		t.Error("key_word is taken for no secret")
	}
	if _, _, err := compile(`object "A" @data_binding(source: "https://plant.example/monkeys?turnkeys=2", field: "x") { geometry: "box" }`); err != nil {
		t.Error(err)
	}
	many := strings.Builder{}
	for i := range 17 {
		many.WriteString(`object "A` + string(rune('a'+i)) + `" @data_binding(source: "https://plant.example/` + string(rune('a'+i)) + `", field: "x") { geometry: "box" } `)
	}
	if _, _, err := compile(many.String()); err == nil || !strings.Contains(err.Error(), "16 endpoints") {
		t.Errorf("17 endpoints: %v", err)
	}
}

// TestHostileTextsStayTexts: names, formats, fields and colours break neither the
// page nor the program.
func TestHostileTextsStayTexts(t *testing.T) {
	const name = `ball </script><script>alert(1)</script> \" onload=x \u{202e}`
	text, p, r := page(t, `composition "H" {
  text "`+name+`" @data_binding(source: "https://plant.example/x", field: "text", format: "\"); alert(1); (\" {value} </script>${x} {:2}", thresholds: [{ value: -3, color: "red\"; x" }]) { text: "x" }
  object "B" @data_binding(source: "https://plant.example/x", field: "a.__proto__") { geometry: "box" }
  object "C" @data_binding(source: "https://plant.example/x", field: "a b") { geometry: "box" }
  object "D" @data_binding(source: "https://plant.example/x", field: "a..b") { geometry: "box" }
}`)
	if strings.Count(text, "<script") != 2 || strings.Contains(text, "onload=x \"") || strings.Contains(p.Bindings[0].Name, "\u202e") {
		t.Error("a name leaves its place")
	}
	if len(p.Idle) != 2 || len(r.Files) != 1 {
		t.Errorf("%+v", p.Idle)
	}
}

// TestThePageIsSmall checks it against the budget of pages.
func TestThePageIsSmall(t *testing.T) {
	text, _, _ := page(t, "")
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	t.Logf("%d bytes, %d compressed", len(text), zipped.Len())
	if len(text) > 750_000 || zipped.Len() > 200_000 {
		t.Errorf("an empty page has %d bytes, %d compressed", len(text), zipped.Len())
	}
	for _, want := range []string{"three 0.", "credentials:\"omit\"", "redirect:\"error\""} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}
