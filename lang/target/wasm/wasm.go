// Package wasm writes a scene as a WebAssembly module that imports nothing: it
// contains scene/1 and the transforms of all nodes, and advances the animations
// that play by themselves. A host draws; the module never does.
package wasm

import (
	_ "embed" // the host
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// transformSize is the bytes of a node's place, turn and size: ten float32.
const transformSize = 40

//go:embed host.js
var host string

// Module makes scene.wasm and host.js.
func Module(in *artefact.Input) (*artefact.Output, error) {
	if len(in.Scene.Nodes) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one node")
	}
	raw, err := in.Scene.Encode()
	if err != nil {
		return nil, fmt.Errorf("write the scene: %w", err)
	}
	m, tally := &module{s: in.Scene, json: raw}, artefact.NewTally(in)
	m.gather(tally)
	out := &artefact.Output{Losses: tally.All(), Files: []artefact.File{
		{Path: "scene.wasm", MediaType: "application/wasm", Data: m.bytes()},
		{Path: "host.js", MediaType: "text/javascript", Data: []byte(strings.Replace(host, "{{header}}", in.Header(), 1))},
	}}
	out.Places = in.Places(func(i int) string { return fmt.Sprintf("transforms()[%d]", i) })
	return out, nil
}

// module is the memory of a module before it is written.
type module struct {
	s      *scene.Scene
	json   []byte
	tracks []track
}

// track is an animation of one property of one node.
type track struct {
	dest     int // of the first component, in float32 from the start of the transforms
	width    int
	keys     [][]float64
	easing   int
	rounds   int // -1: for ever
	pingpong bool
}

var easings = map[string]int{"": 0, "linear": 0, "ease-in": 1, "ease-out": 2, "ease-in-out": 3, "step": 4}

// gather makes tracks of the animations that places, turns and sizes have.
func (m *module) gather(tally *artefact.Tally) {
	index := make(map[string]int, len(m.s.Nodes))
	for i := range m.s.Nodes {
		index[m.s.Nodes[i].ID] = i
	}
	for i := range m.s.Animations {
		a := &m.s.Animations[i]
		k, ok := index[a.Node]
		if !ok || len(a.Keys) == 0 {
			continue
		}
		n := &m.s.Nodes[k]
		offset, width, ok := part(a.Property)
		if !ok {
			tally.Drop(artefact.Animations, n, "only places, turns and sizes move")
			continue
		}
		if !a.Autoplay {
			tally.Drop(artefact.Animations, n, "nothing starts an animation that does not start by itself")
			continue
		}
		if a.Property == "r" {
			tally.Approximate(artefact.Animations, n, "turns are blended in a straight line and brought back to length 1")
		}
		t := track{dest: k*10 + offset, width: width, keys: a.Keys, easing: easings[a.Easing], rounds: a.Loop + 1, pingpong: a.PingPong}
		if a.Loop < 0 {
			t.rounds = -1
		}
		m.tracks = append(m.tracks, t)
	}
}

// part is where a property lies in a transform.
func part(property string) (offset, width int, ok bool) {
	switch property {
	case "t":
		return 0, 3, true
	case "r":
		return 3, 4, true
	case "s":
		return 7, 3, true
	case "t.x", "t.y", "t.z":
		return int(property[2] - 'x'), 1, true
	case "s.x", "s.y", "s.z":
		return 7 + int(property[2]-'x'), 1, true
	}
	return 0, 0, false
}

// trackSize is the bytes of a track in memory: the address it writes to, the
// number of components, the address of its first key and of the end of its
// keys, its easing, rounds, whether it goes to and fro, and its duration.
const trackSize = 32

// layout is where things lie in memory.
type layout struct{ transforms, rest, tracks, tracksEnd, scene, end int }

// memory fills the memory of a module: the transforms, the same again for init,
// tracks, keys, and the scene.
func (m *module) memory() ([]byte, layout) {
	var at layout
	all := len(m.s.Nodes) * transformSize
	at.transforms = 16 // no pointer is 0
	at.rest = at.transforms + all
	at.tracks = at.rest + all
	at.tracksEnd = at.tracks + len(m.tracks)*trackSize
	rest := make([]byte, 0, all)
	number := func(b []byte, v float64) []byte {
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	for i := range m.s.Nodes {
		n := &m.s.Nodes[i]
		for _, v := range n.T {
			rest = number(rest, v)
		}
		for _, v := range n.R {
			rest = number(rest, v)
		}
		for _, v := range n.S {
			rest = number(rest, v)
		}
	}
	b := append(append(make([]byte, at.transforms), rest...), rest...)
	var keys []byte
	words := func(list ...int) {
		for _, n := range list {
			b = binary.LittleEndian.AppendUint32(b, uint32(int32(n)))
		}
	}
	for _, t := range m.tracks {
		words(at.transforms+t.dest*4, t.width, at.tracksEnd+len(keys))
		for _, k := range t.keys {
			for _, v := range k {
				keys = number(keys, v)
			}
		}
		pingpong := 0
		if t.pingpong {
			pingpong = 1
		}
		words(at.tracksEnd+len(keys), t.easing, t.rounds, pingpong)
		b = number(b, t.keys[len(t.keys)-1][0])
	}
	b = append(b, keys...)
	at.scene = len(b)
	b = append(b, m.json...)
	at.end = len(b)
	return b, at
}

// bytes is the module.
func (m *module) bytes() []byte {
	memory, at := m.memory()
	out := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	out = section(out, sectionType, []byte{
		4,
		0x60, 0, 1, i32, // numbers and pointers
		0x60, 0, 0, // init
		0x60, 1, f32, 0, // step
		0x60, 1, f64, 0, // apply
	})
	functions := []struct {
		name string
		kind byte
		body []byte
	}{
		{"node_count", 0, constant(len(m.s.Nodes))},
		{"transforms", 0, constant(at.transforms)},
		{"scene", 0, constant(at.scene)},
		{"scene_len", 0, constant(len(m.json))},
		{"init", 1, start(at)},
		{"step", 2, step()},
		{"", 3, apply(at)},
	}
	kinds, exports, bodies := u(nil, uint32(len(functions))), u(nil, uint32(len(functions))), u(nil, uint32(len(functions)))
	exports = append(sized(exports, []byte("memory")), 2, 0)
	for i, f := range functions {
		kinds = append(kinds, f.kind)
		if f.name != "" {
			exports = u(append(sized(exports, []byte(f.name)), 0), uint32(i))
		}
		bodies = sized(bodies, f.body)
	}
	pages := uint32((len(memory) + pageSize - 1) / pageSize)
	out = section(out, sectionFunction, kinds)
	out = section(out, sectionMemory, u(u([]byte{1, 1}, pages), pages)) // it never grows, so views of it stay
	clock := new(code).float(0).op(endOfCode)
	out = section(out, sectionGlobal, append([]byte{1, f64, 1}, clock.b...))
	out = section(out, sectionExport, exports)
	out = section(out, sectionCode, bodies)
	data := new(code).int(0).op(endOfCode)
	return section(out, sectionData, sized(append([]byte{1, 0}, data.b...), memory))
}
