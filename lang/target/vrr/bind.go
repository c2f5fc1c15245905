package vrr

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// Traits are those that stand for no feature of the model and that this target
// carries: where one of them names no endpoint, a separate loss says so.
var Traits = []string{"twin_sync", "websocket", "live_metric", "twin_actuator", "mqtt_source", "mqtt_sink"}

// What one page requests at most.
const (
	MaxFeeds    = 16  // endpoints; a browser keeps few connections open at a time
	MaxBindings = 500 // values that are shown
)

// How often values come, in seconds.
const (
	quickest = 0.05
	slowest  = 3600
)

// feed is an endpoint that the page polls, and how.
type feed struct {
	Address string  `json:"address"`
	By      string  `json:"by"`    // poll, events, socket
	Every   float64 `json:"every"` // seconds
	allowed string
}

// binding is one value of a node that comes from a feed.
type binding struct {
	Node  string     `json:"node"`
	Name  string     `json:"name"`
	Feed  int        `json:"feed"`
	Of    string     `json:"of,omitempty"`    // the record of a thing in what a feed sends
	Topic string     `json:"topic,omitempty"` // only what is said of it counts
	At    [][]string `json:"at"`              // where the value stands, the first place that is there
	Key   string     `json:"key"`             // state key or property
	Kind  string     `json:"kind"`            // number, text, boolean, list, vector, color, any
	Event string     `json:"event"`
	Late  float64    `json:"late"` // seconds after which a value is stale

	node       int
	name       string
	src        scene.Src
	state      bool
	transform  string
	format     string
	base       string // colour below all thresholds
	thresholds []threshold
	divergence float64
	low, high  *float64
}

type threshold struct {
	from  float64
	color string
}

// reader gathers what a scene says of live data.
type reader struct {
	in       *artefact.Input
	s        *scene.Scene
	losses   *artefact.Tally
	sources  map[string]scene.Value // named sources
	owners   map[string]*scene.Owner
	feeds    []feed
	bindings []*binding
	idle     []idle
}

// idle is a reading that cannot be live, with the reason.
type idle struct {
	Node string `json:"node"`
	Name string `json:"name"`
	Text string `json:"text"`
}

var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

func read(in *artefact.Input) (*reader, error) {
	r := &reader{in: in, s: in.Scene, losses: artefact.NewTally(in), sources: map[string]scene.Value{}, owners: map[string]*scene.Owner{}}
	for _, d := range r.s.Domain {
		if _, twice := r.sources[d.Name]; d.Kind == "source" && d.Name != "" && !twice {
			r.sources[d.Name] = d.Data
		}
	}
	if b := r.s.Behaviour; b != nil {
		for i := range b.Owners {
			if o := &b.Owners[i]; o.Node != "" || o.Name == "" {
				r.owners[o.Node] = o
			}
		}
	}
	for i := range r.s.Nodes {
		if err := r.traits(i); err != nil {
			return nil, err
		}
	}
	if len(r.feeds) > MaxFeeds {
		return nil, artefact.Unfit(in.Target, fmt.Sprintf("at most %d endpoints in one page", MaxFeeds))
	}
	if len(r.bindings) > MaxBindings {
		return nil, artefact.Unfit(in.Target, fmt.Sprintf("at most %d live values in one page", MaxBindings))
	}
	return r, nil
}

// traits reads the bindings of a node.
func (r *reader) traits(i int) error {
	n := &r.s.Nodes[i]
	use := func(name string) (scene.Value, bool) {
		at := slices.IndexFunc(n.Traits, func(t scene.TraitUse) bool { return t.Name == name })
		if at < 0 {
			return scene.Value{}, false
		}
		return n.Traits[at].Params, true
	}
	metric, shown := use("live_metric")
	for _, t := range n.Traits {
		if n.Prototype != "" {
			if slices.Contains([]string{"data_binding", "iot_sensor", "sensor", "digital_twin"}, t.Name) {
				r.losses.Drop(artefact.Behaviour, n, "live values are bound to what is there from the start, not to what is spawned")
			}
			continue
		}
		p, b := t.Params, &binding{node: i}
		var place string // a source, or an address
		var push bool
		every := 0.0
		switch t.Name {
		case "data_binding":
			place, every = text(p, "source"), milli(p, "refresh_ms")
			push = pushed(text(p, "protocol"))
			b.Topic, b.format = text(p, "topic"), text(p, "format")
			if b.format == "" && shown {
				b.format = cmp.Or(text(metric, "format"), "{value}")
			}
			r.expression(b, n, p)
			r.thresholds(b, n, p)
			if field := text(p, "field"); field != "" {
				b.At = [][]string{strings.Split(field, ".")}
			}
			if err := r.add(b, place, every, push); err != nil {
				return err
			}
		case "iot_sensor", "sensor":
			what := text(p, "type")
			place = text(p, "topic")
			b.Of = text(p, "device_id")
			push = pushed(text(p, "protocol"))
			if every = milli(p, "poll_interval_ms"); t.Name == "sensor" {
				if rate := amount(p, "sample_rate"); rate > 0 {
					every = 1 / rate
				}
			}
			b.At = [][]string{{cmp.Or(what, "reading")}, {"value"}, {"reading"}}
			b.Key = cmp.Or(what, "reading")
			if v, ok := scene.Get(p, "alert_threshold"); ok && v.Kind == trait.Map {
				b.low, b.high = edge(v, "min", "low", "below"), edge(v, "max", "high", "above")
			}
			if v, _ := scene.Get(p, "interpolate"); v.Bool {
				r.losses.Approximate(artefact.Behaviour, n, "readings are shown as they come, without steps between them")
			}
			if err := r.add(b, place, every, push); err != nil {
				return err
			}
		case "digital_twin":
			if err := r.twin(i, p, use); err != nil {
				return err
			}
		case "actuator", "twin_actuator":
			r.losses.Approximate(artefact.Behaviour, n, "the page reads what it is told and commands nothing")
		case "mqtt_source", "mqtt_sink":
			r.losses.Approximate(artefact.Behaviour, n, "a page does not speak to brokers; a gateway that serves the topic over HTTP or a web socket can be named")
		}
	}
	return nil
}

// twin binds the properties of a twin: those that it names, else its own state.
func (r *reader) twin(i int, p scene.Value, use func(string) (scene.Value, bool)) error {
	n := &r.s.Nodes[i]
	var place string
	every := milli(p, "poll_interval")
	if sync, ok := use("twin_sync"); ok {
		place = text(sync, "topic")
		if v := amount(sync, "interval"); v >= 20 { // a bare duration, as in timelines
			every = v / 1000
		} else if v > 0 {
			every = v
		}
	}
	if socket, ok := use("websocket"); ok && place == "" {
		place = text(socket, "url")
	}
	var keys []string
	if list, ok := scene.Get(p, "sync_properties"); ok {
		for _, k := range list.List {
			keys = append(keys, k.Str)
		}
	} else if o := r.owners[n.ID]; o != nil {
		for _, s := range o.State {
			keys = append(keys, s.Key)
		}
	}
	if len(keys) == 0 {
		r.still(n, "it names no property to follow")
	}
	for _, k := range keys {
		b := &binding{node: i, Of: text(p, "physical_id"), At: [][]string{strings.Split(k, ".")}, divergence: amount(p, "divergence_alert_threshold")}
		if err := r.add(b, place, every, text(p, "update_mode") == "push"); err != nil {
			return err
		}
	}
	return nil
}

// still says that a reading does not move.
func (r *reader) still(n *scene.Node, why string) {
	name := cmp.Or(n.Label, n.Name, n.Path)
	r.idle = append(r.idle, idle{n.ID, artefact.Readable(name), artefact.Readable(why)})
	r.losses.Approximate(artefact.Behaviour, n, "a reading without an endpoint stands still")
}

// add finishes a binding and gives it its feed.
func (r *reader) add(b *binding, place string, every float64, push bool) error {
	n := &r.s.Nodes[b.node]
	b.Node, b.name, b.src = n.ID, n.Path, n.Src
	b.Name = artefact.Readable(cmp.Or(n.Label, n.Name, n.Path))
	if len(b.At) == 0 {
		r.still(n, "it names no field")
		return nil
	}
	if b.Key == "" {
		b.Key = b.At[0][len(b.At[0])-1]
	}
	for _, path := range b.At {
		if len(path) > 16 || slices.Contains(path, "") {
			r.still(n, fmt.Sprintf("the field %q cannot be followed", clip(strings.Join(path, "."))))
			return nil
		}
	}
	if !word.MatchString(b.Key) {
		r.still(n, fmt.Sprintf("%q is no name of a state key or a property", clip(b.Key)))
		return nil
	}
	r.target(b, n)
	if b.transform != "" && b.Kind != "number" {
		b.Kind = "any" // what comes is of another kind than what is made of it
	}
	address, by, why := place, "", ""
	if !named(place) {
		if address, by, every, why = r.named(place, every); why != "" {
			r.still(n, why)
			return nil
		}
	}
	address, allowed, err := endpoint(r.in.Target, n.Path, address)
	if err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(address, "ws"):
		by = "socket"
	case by == "" && push:
		by = "events"
	case by == "":
		by = "poll"
	}
	if every <= 0 {
		every = 1
	}
	every = min(max(every, quickest), slowest)
	at := slices.IndexFunc(r.feeds, func(f feed) bool { return f.Address == address && f.By == by })
	if at < 0 {
		at = len(r.feeds)
		r.feeds = append(r.feeds, feed{address, by, every, allowed})
	}
	r.feeds[at].Every = min(r.feeds[at].Every, every)
	b.Feed, b.Late = at, max(1, 3*every)
	b.Event = event(len(r.bindings))
	r.bindings = append(r.bindings, b)
	return nil
}

// named is the endpoint of a source that is declared under a name; why says why
// it has none.
func (r *reader) named(name string, every float64) (address, by string, often float64, why string) {
	if name == "" {
		return "", "", 0, "it names no source"
	}
	d, ok := r.sources[name]
	if !ok {
		return "", "", 0, fmt.Sprintf("no source is called %q", clip(name))
	}
	address = cmp.Or(text(d, "endpoint"), text(d, "url"), text(d, "address"))
	kind := text(d, "type")
	switch kind {
	case "", "rest", "http", "websocket":
	case "stream", "sse":
		by = "events"
	default:
		return "", "", 0, fmt.Sprintf("a page cannot ask a source of type %q", clip(kind))
	}
	if protocol := text(d, "protocol"); pushed(protocol) {
		by = "events"
	} else if protocol == "http" || protocol == "rest" {
		by = "poll"
	}
	switch {
	case address == "":
		return "", "", 0, fmt.Sprintf("the source %q has no address", clip(name))
	case strings.Contains(address, "${"):
		return "", "", 0, fmt.Sprintf("the address of the source %q comes from an environment, which a page does not have", clip(name))
	case !named(address):
		return "", "", 0, fmt.Sprintf("the source %q has no address that a page can ask", clip(name))
	}
	if v := cmp.Or(amount(d, "every"), amount(d, "refresh")); v > 0 {
		every = v
	}
	return address, by, every, ""
}

// target says where a value goes: to the state key of the node or of what it
// stands in, else to the property of the node.
func (r *reader) target(b *binding, n *scene.Node) {
	fold := trait.FoldKey(b.Key)
	for at := n; ; at = &r.s.Nodes[at.Parent] {
		if slot, ok := r.slot(at.ID, fold); ok {
			b.Key, b.state, b.Kind = slot.Key, true, kindOf(slot.Init)
			return
		}
		if at.Parent < 0 {
			break
		}
	}
	if slot, ok := r.slot("", fold); ok {
		b.Key, b.state, b.Kind = slot.Key, true, kindOf(slot.Init)
		return
	}
	b.Key = fold
	switch fold {
	case "position", "rotation", "scale":
		b.Kind = "vector"
	case "color", "emissive":
		b.Kind = "color"
	case "opacity", "metallic", "roughness", "emissive_intensity", "intensity", "volume":
		b.Kind = "number"
	case "visible":
		b.Kind = "boolean"
	case "text":
		b.Kind = "text"
	default:
		b.Kind = "any"
	}
	if b.divergence > 0 || b.low != nil || b.high != nil || len(b.thresholds) > 0 {
		b.Kind = cmp.Or(map[string]string{"any": "number"}[b.Kind], b.Kind)
	}
}

func (r *reader) slot(owner, fold string) (scene.Slot, bool) {
	o := r.owners[owner]
	if o == nil {
		return scene.Slot{}, false
	}
	at := slices.IndexFunc(o.State, func(s scene.Slot) bool { return trait.FoldKey(s.Key) == fold })
	if at < 0 {
		return scene.Slot{}, false
	}
	return o.State[at], true
}

func kindOf(v scene.Value) string {
	switch v.Kind {
	case trait.Number:
		return "number"
	case trait.Text, trait.Word, trait.Color:
		return "text"
	case trait.Bool:
		return "boolean"
	case trait.List:
		return "list"
	}
	return "any"
}

// expression takes the transform of a binding: source text, compiled with the
// program.
func (r *reader) expression(b *binding, n *scene.Node, p scene.Value) {
	v, ok := scene.Get(p, "transform")
	if !ok {
		return
	}
	if e, ok := scene.Get(v, "expr"); ok && e.Str != "" && !strings.ContainsAny(e.Str, "\n\r;{}") {
		b.transform = e.Str
		return
	}
	r.losses.Approximate(artefact.Behaviour, n, "a transform that is no expression of value on one line is left out")
}

// thresholds takes the colours that values give.
func (r *reader) thresholds(b *binding, n *scene.Node, p scene.Value) {
	list, _ := scene.Get(p, "thresholds")
	for _, t := range list.List {
		from, c := edge(t, "value", "above", "min", "at", "from"), text(t, "color")
		if from == nil || c == "" || math.IsNaN(*from) {
			r.losses.Approximate(artefact.Behaviour, n, "thresholds without a value and a color are left out")
			continue
		}
		b.thresholds = append(b.thresholds, threshold{*from, c[:min(len(c), 7)]})
	}
	slices.SortStableFunc(b.thresholds, func(x, y threshold) int { return cmp.Compare(y.from, x.from) })
	if n.Material != nil {
		base := r.s.Materials[*n.Material].BaseColor
		b.base = base[:min(7, len(base))]
	}
}

// text is a setting that is a text.
func text(v scene.Value, key string) string {
	f, _ := scene.Get(v, key)
	if f.Kind == trait.Text || f.Kind == trait.Word {
		return f.Str
	}
	return ""
}

// amount is a setting that is a number, 0 without it.
func amount(v scene.Value, key string) float64 {
	f, _ := scene.Get(v, key)
	if f.Kind != trait.Number || math.IsNaN(f.Num) || math.IsInf(f.Num, 0) {
		return 0
	}
	return f.Num
}

// milli is a setting in milliseconds, in seconds.
func milli(v scene.Value, key string) float64 { return amount(v, key) / 1000 }

// edge is the first of some settings that is a number.
func edge(v scene.Value, keys ...string) *float64 {
	for _, k := range keys {
		if f, ok := scene.Get(v, k); ok && f.Kind == trait.Number {
			return &f.Num
		}
	}
	return nil
}

// pushed says whether a protocol pushes, over HTTP.
func pushed(protocol string) bool {
	switch strings.ToLower(protocol) {
	case "sse", "events", "eventsource", "event-stream", "stream", "push":
		return true
	}
	return false
}
