package realitykit

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// track writes a key-frame animation of the node that an expression names.
func (w *writer) track(a *scene.Animation, node string) {
	if len(a.Keys) == 0 {
		return
	}
	if w.count++; w.count > statements {
		w.flush()
		w.count = 1
	}
	var keys []string
	for _, k := range a.Keys {
		var parts []string
		for _, x := range k {
			parts = append(parts, double(x))
		}
		keys = append(keys, "["+strings.Join(parts, ", ")+"]")
	}
	w.line("s.track(")
	w.line("    %s, %s,", node, quoted(a.Property))
	w.line("    keys: [%s],", strings.Join(keys, ", "))
	w.line("    easing: %s, loop: %d, pingpong: %t, autoplay: %t)", quoted(a.Easing), a.Loop, a.PingPong, a.Autoplay)
}

// double is an authored number.
func double(x float64) string {
	out, err := json.Marshal(x)
	if err != nil || x == 0 {
		return "0"
	}
	return string(out)
}

// unheard are events that nothing of the application raises, by why.
var unheard = map[string]string{
	"hover_enter": lookedAt, "hover_exit": lookedAt, "gaze_enter": lookedAt, "gaze_exit": lookedAt, "point": lookedAt,
	"key_down": "keyboards are not heard", "key_up": "keyboards are not heard",
	"poke": touching, "pinch": touching, "proximity_enter": touching, "proximity_exit": touching,
}

const (
	lookedAt = "the system highlights what is looked at and tells no application: handlers of hovering and gazing do not run"
	touching = "taps, long presses and drags are raised; pokes, pinches and nearness are not"
)

// behaviour names what of the program the application leaves out.
func (w *writer) behaviour() {
	p := w.c.Program
	for _, h := range p.Handlers {
		if why, ok := unheard[h.Event]; ok {
			w.tally.Approximate(artefact.Events, w.named(h.Node), why)
		}
	}
	for _, s := range p.State {
		if s.Persist {
			w.tally.Approximate(artefact.Behaviour, w.named(s.Owner), "kept state lives as long as the application runs")
		}
	}
}

// documents are the program, the nodes as it sees them, and the controls, as
// literals of the language.
func (w *writer) documents() (program, nodes, controls string, err error) {
	program, nodes, controls = `""`, `""`, `""`
	if !w.c.Program.Empty() {
		raw, err := w.c.Program.Encode()
		if err != nil {
			return "", "", "", err
		}
		list := []any{}
		for _, n := range w.c.Nodes {
			list = append(list, []any{n.ID, n.Parent, n.Name, json.RawMessage(run.Show(n.Props))})
		}
		about, err := json.Marshal(list)
		if err != nil {
			return "", "", "", err
		}
		program, nodes = document(raw, 2), document(about, 1)
	}
	if len(w.s.UI) > 0 {
		raw, err := json.Marshal(w.s.UI)
		if err != nil {
			return "", "", "", err
		}
		controls = document(raw, 1)
	}
	return program, nodes, controls, nil
}

// anchored writes to what of the room a node is anchored.
func (w *writer) anchored(i int) {
	n := &w.s.Nodes[i]
	for _, t := range n.Traits {
		switch t.Name {
		case "anchor":
			w.anchor(n, t.Params)
		case "hand_tracked":
			w.hand(n, t.Params)
		case "hand_tracking":
			if w.vision {
				w.hands = true
			} else {
				w.tally.Approximate(artefact.XR, n, "phones follow no hands")
			}
		case "locomotion":
			w.tally.Approximate(artefact.XR, n, "people move by walking")
		}
	}
}

func (w *writer) anchor(n *scene.Node, params scene.Value) {
	text := func(key string) string {
		v, _ := artefact.Field(params, key)
		return v.Str
	}
	if v, ok := artefact.Field(params, "persist"); ok && v.Kind == trait.Bool && v.Bool {
		w.tally.Approximate(artefact.XR, n, "anchors are found anew each time")
	}
	target := ""
	switch text("type") {
	case "plane":
		w.planes = true
		target = ".plane(.any, classification: .any, minimumBounds: SIMD2<Float>(0.2, 0.2))"
	case "image":
		target = fmt.Sprintf(".image(group: \"AR Resources\", name: %s)", quoted(n.Name))
		w.tally.Approximate(artefact.XR, n, "a picture that anchors is one of the application's AR Resources, under the node's name")
	case "face":
		if w.vision {
			w.tally.Approximate(artefact.XR, n, "nothing is held at faces")
			return
		}
		w.tally.Approximate(artefact.XR, n, "the view follows the room, not faces; what is held at one stays where the scene has it")
		return
	case "geo":
		w.tally.Approximate(artefact.XR, n, "places on the map are not looked up; what is held there stays where the scene has it")
		return
	default: // the world: the whole scene is fixed in it
		return
	}
	w.line("s.anchor(%s, %s)", w.id(n), target)
}

// joints of hands by what sources call them.
var handParts = map[string]string{"palm": ".palm", "wrist": ".wrist", "index": ".indexFingerTip", "index_tip": ".indexFingerTip", "thumb": ".thumbTip", "thumb_tip": ".thumbTip"}

func (w *writer) hand(n *scene.Node, params scene.Value) {
	if !w.vision {
		w.tally.Approximate(artefact.XR, n, "phones follow no hands; the node stays where the scene has it")
		return
	}
	w.hands = true
	side, at := ".right", ".palm"
	if v, ok := artefact.Field(params, "hand"); ok && (v.Str == "left" || v.Str == "non_dominant") {
		side = ".left"
	}
	if v, ok := artefact.Field(params, "attach_to"); ok {
		found := ""
		if found, ok = handParts[v.Str]; ok {
			at = found
		} else {
			w.tally.Approximate(artefact.XR, n, "of a hand the palm, the wrist and the tips of thumb and forefinger hold things")
		}
	}
	w.line("s.anchor(%s, .hand(%s, location: %s))", w.id(n), side, at)
	if v, ok := artefact.Field(params, "offset"); ok && v.Kind == trait.List && len(v.List) >= 3 {
		w.line("s.nodes[%s]?.entity.position = %s", w.id(n), triple(scene.Vec{v.List[0].Num, v.List[1].Num, v.List[2].Num}))
	}
}
