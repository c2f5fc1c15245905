// Package nir writes what happens in a source as a graph: states, events,
// functions and stages, and what reads, writes, raises, calls and feeds what. The
// graph is read off the compiled behaviour and the pipelines; the scene that it
// belongs to is in the same document.
package nir

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// Version is the form of a graph.
const Version = "nir/1"

// document is graph.json.
type document struct {
	V         string          `json:"v"`
	Generated string          `json:"generated"`
	Nodes     []*node         `json:"nodes"`
	Edges     []edge          `json:"edges"`
	Scene     json.RawMessage `json:"scene"`
}

// node is a state, an event, a function or a stage. Its id is made of its type,
// its owner and its name.
type node struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Kind  string `json:"kind"`
	Owner string `json:"owner,omitempty"` // scene, a node of the scene, a module or a pipeline
	Name  string `json:"name"`

	Index    *int     `json:"index,omitempty"`    // of a slot, computed value or function in the program
	Persist  bool     `json:"persist,omitempty"`  // of a slot
	Initial  bool     `json:"initial,omitempty"`  // of a state of a machine: it begins in it
	Parent   string   `json:"parent,omitempty"`   // of a state of a machine: the state around it
	After    *float64 `json:"after,omitempty"`    // seconds; of a schedule
	Every    *float64 `json:"every,omitempty"`    // seconds; of a schedule
	Forever  bool     `json:"forever,omitempty"`  // of a schedule
	Loop     bool     `json:"loop,omitempty"`     // of a timeline
	Autoplay bool     `json:"autoplay,omitempty"` // of a timeline
	Rate     float64  `json:"rate,omitempty"`     // ticks a second; of a tree
	Connects string   `json:"connects,omitempty"` // of a stage: the type of its connector
}

// edge leads from one node to another. Via says by what, Node where, Event on
// which event, At after how many seconds.
type edge struct {
	From  string   `json:"from"`
	To    string   `json:"to"`
	Type  string   `json:"type"`
	Via   string   `json:"via,omitempty"`
	Node  string   `json:"node,omitempty"`
	Event string   `json:"event,omitempty"`
	At    *float64 `json:"at,omitempty"`
}

// Graph makes graph.json.
func Graph(in *artefact.Input) (*artefact.Output, error) {
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	g := &graph{program: c.Program, byID: map[string]*node{}, again: map[string]int{}, common: map[[4]string]*node{}, kept: map[[2]string]*node{}, edges: map[edgeKey]bool{}, nodes: []*node{}, list: []edge{}}
	g.behaviour()
	for i := range in.Scene.Pipelines {
		g.pipeline(&in.Scene.Pipelines[i])
	}
	s := *in.Scene
	if !c.Program.Empty() {
		if s.Program, err = c.Program.Encode(); err != nil {
			return nil, err
		}
	}
	doc, err := s.Encode()
	if err != nil {
		return nil, err
	}
	raw, err := artefact.JSON(document{Version, in.Header(), g.nodes, g.list, doc})
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{{Path: "graph.json", MediaType: "application/json", Data: raw}}}
	for i := range s.Nodes {
		in.Pause()
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: "/scene/nodes/" + strconv.Itoa(i)})
	}
	tally := artefact.NewTally(in)
	for range c.Left {
		tally.Drop(artefact.Behaviour, nil, "what has no form in a program is not in the graph")
	}
	out.Losses = tally.All()
	return out, nil
}

// graph is a document in the making.
type graph struct {
	program *run.Program
	nodes   []*node
	byID    map[string]*node
	again   map[string]int      // how often an id was asked for
	common  map[[4]string]*node // by type, kind, owner and name
	kept    map[[2]string]*node // slots and computed values by owner and key
	list    []edge
	edges   map[edgeKey]bool

	slots     []*node
	computed  []*node
	functions []*node
}

// edgeKey is what an edge says; two that say the same are one.
type edgeKey struct {
	from, to, kind, via, node, event string
	at                               float64
}

// id is the id of a node; the second of one name has ~2 behind it.
func (g *graph) id(kind, owner, name string) string {
	id := kind + ":" + name
	if owner != "" {
		id = kind + ":" + owner + "/" + name
	}
	out := id
	for g.again[id]++; g.byID[out] != nil; g.again[id]++ {
		out = fmt.Sprintf("%s~%d", id, g.again[id])
	}
	return out
}

// add takes a node in and gives it its id.
func (g *graph) add(n node) *node {
	n.ID = g.id(n.Type, n.Owner, n.Name)
	g.nodes = append(g.nodes, &n)
	g.byID[n.ID] = &n
	return &n
}

// shared is the node of a type, kind, owner and name; there is one of them.
func (g *graph) shared(n node) *node {
	key := [4]string{n.Type, n.Kind, n.Owner, n.Name}
	if g.common[key] == nil {
		g.common[key] = g.add(n)
	}
	return g.common[key]
}

func (g *graph) connect(e edge) {
	at := -1.0
	if e.At != nil {
		at = *e.At
	}
	k := edgeKey{e.From, e.To, e.Type, e.Via, e.Node, e.Event, at}
	if g.edges[k] {
		return
	}
	g.edges[k] = true
	g.list = append(g.list, e)
}

// event is the node of an event. One whose name only a run knows has none.
func (g *graph) event(name string) *node {
	kind := "event"
	if name == "" {
		kind = "any"
	}
	return g.shared(node{Type: "event", Kind: kind, Name: name})
}

// nameOf is a pipeline or a stage as ids call it.
func nameOf(v scene.Value, key string) string {
	f, _ := scene.Get(v, key)
	return f.Str
}
