// Package description reads a scene described as JSON, the one shape that forms
// take in the place of source text (language.md §7.2), and writes it out as
// .holo text. From there it goes the way of every source, so a description can
// do nothing that a source cannot.
//
// Start: Read, then Scene.Holo.
package description

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Error is what is wrong with a description, and where.
type Error struct {
	Path    string // such as nodes[3].parent_id
	Message string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

func wrong(path, format string, args ...any) *Error {
	return &Error{path, fmt.Sprintf(format, args...)}
}

// Scene is a description that Read accepted.
type Scene struct {
	name        string
	environment map[string]any
	nodes       []node
	roots       []int
}

// Nodes says how many nodes the scene has.
func (s *Scene) Nodes() int { return len(s.nodes) }

type node struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Type      string          `json:"type"`
	Primitive string          `json:"primitive"`
	Position  []float64       `json:"position"`
	Rotation  []float64       `json:"rotation"`
	Scale     json.RawMessage `json:"scale"`
	Color     string          `json:"color"`
	Material  json.RawMessage `json:"material"`
	Light     json.RawMessage `json:"light"`
	Traits    []usage         `json:"traits"`
	Parent    *string         `json:"parent_id"`
	ParentToo *string         `json:"parentId"`
	Src       string          `json:"src"`

	scale    []float64
	material any // nil, a word or a map
	light    map[string]any
	children []int
	depth    int
}

type usage struct {
	Name   string          `json:"name"`
	Params json.RawMessage `json:"params"`

	params map[string]any
}

// kinds are the types of nodes with the block that each is written as.
var kinds = map[string]string{
	"mesh": "object", "light": "light", "camera": "camera", "group": "group", "audio": "audio", "text": "text", "splat": "object",
}

// Read takes a description of at most maxNodes nodes; a smaller bound than
// MaxNodes is for callers that take less. What it refuses is an *Error.
func Read(data []byte, maxNodes int) (*Scene, error) {
	if len(data) > MaxBytes {
		return nil, wrong("", "the description has %d bytes, at most %d are read", len(data), MaxBytes)
	}
	var in struct {
		V        int    `json:"v"`
		Angle    string `json:"angle"`
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Environment json.RawMessage   `json:"environment"`
		Nodes       []json.RawMessage `json:"nodes"`
		Objects     []json.RawMessage `json:"objects"`
	}
	if err := strict(data, &in); err != nil {
		return nil, wrong("", "%s", err)
	}
	if in.V != 1 {
		return nil, wrong("v", "must be 1")
	}
	if in.Angle != "" && in.Angle != "rad" && in.Angle != "deg" {
		return nil, wrong("angle", "must be rad or deg")
	}
	if in.Nodes != nil && in.Objects != nil {
		return nil, wrong("objects", "is another name of nodes; give one of them")
	}
	raw := append(in.Nodes, in.Objects...)
	if most := min(maxNodes, MaxNodes); len(raw) > most {
		return nil, wrong("nodes", "has %d nodes, at most %d are allowed", len(raw), most)
	}
	s := &Scene{name: in.Metadata.Name, nodes: make([]node, len(raw))}
	if err := name("metadata.name", s.name); err != nil {
		return nil, err
	}
	var err error
	if s.environment, err = fields("environment", in.Environment); err != nil {
		return nil, err
	}
	for i := range raw {
		n := &s.nodes[i]
		path := fmt.Sprintf("nodes[%d]", i)
		if err := strict(raw[i], n); err != nil {
			return nil, wrong(path, "%s", err)
		}
		if err := n.read(path, in.Angle == "rad"); err != nil {
			return nil, err
		}
	}
	return s, s.join()
}

// read judges a node by itself.
func (n *node) read(path string, radians bool) error {
	if n.Name == "" {
		return wrong(path+".name", "is missing")
	}
	if kinds[n.Type] == "" {
		return wrong(path+".type", "must be mesh, light, camera, group, audio, text or splat")
	}
	if n.Parent != nil && n.ParentToo != nil {
		return wrong(path+".parentId", "is another name of parent_id; give one of them")
	}
	if n.Parent == nil {
		n.Parent = n.ParentToo
	}
	for _, f := range []struct{ key, text string }{{"id", n.ID}, {"name", n.Name}, {"primitive", n.Primitive}, {"color", n.Color}, {"src", n.Src}} {
		if err := name(path+"."+f.key, f.text); err != nil {
			return err
		}
	}
	if n.Position != nil && len(n.Position) != 3 {
		return wrong(path+".position", "must be three numbers")
	}
	if n.Rotation != nil && len(n.Rotation) != 3 && len(n.Rotation) != 4 {
		return wrong(path+".rotation", "must be three angles or a quaternion of four numbers")
	}
	var err error
	if n.scale, err = factors(path+".scale", n.Scale); err != nil {
		return err
	}
	if n.material, err = material(path+".material", n.Material); err != nil {
		return err
	}
	if n.light, err = fields(path+".light", n.Light); err != nil {
		return err
	}
	if n.light != nil && n.Type != "light" {
		return wrong(path+".light", "belongs to a node of type light")
	}
	if radians {
		if len(n.Rotation) == 3 {
			for i := range n.Rotation {
				n.Rotation[i] = degrees(n.Rotation[i])
			}
		}
		if a, ok := n.light["angle"].(float64); ok {
			n.light["angle"] = degrees(a)
		}
	}
	if len(n.Traits) > maxTraits {
		return wrong(path+".traits", "has %d traits, at most %d are allowed", len(n.Traits), maxTraits)
	}
	for i := range n.Traits {
		t := &n.Traits[i]
		at := fmt.Sprintf("%s.traits[%d]", path, i)
		if !isWord(t.Name) || slices.Contains(directives, t.Name) {
			return wrong(at+".name", "is no name of a trait")
		}
		if t.params, err = fields(at+".params", t.Params); err != nil {
			return err
		}
	}
	return nil
}

// directives are attributes that mean something other than a trait.
var directives = []string{"if", "for", "else", "while", "platform", "test", "state", "import", "export", "module", "extend", "version", "world_metadata"}

func degrees(radians float64) float64 {
	return math.Round(radians*180/math.Pi*1e9) / 1e9
}

// join puts the nodes into trees.
func (s *Scene) join() error {
	byID := map[string]int{}
	for i := range s.nodes {
		id := s.nodes[i].ID
		if id == "" {
			continue
		}
		if first, there := byID[id]; there {
			return wrong(fmt.Sprintf("nodes[%d].id", i), "is the id of nodes[%d] too", first)
		}
		byID[id] = i
	}
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.Parent == nil {
			s.roots = append(s.roots, i)
			continue
		}
		up, there := byID[*n.Parent]
		if !there {
			return wrong(fmt.Sprintf("nodes[%d].parent_id", i), "names no node")
		}
		s.nodes[up].children = append(s.nodes[up].children, i)
	}
	reached, level := 0, s.roots
	for depth := 1; len(level) > 0; depth++ {
		if depth > maxDepth {
			return wrong(fmt.Sprintf("nodes[%d].parent_id", level[0]), "lies deeper than %d nodes", maxDepth)
		}
		var next []int
		for _, i := range level {
			s.nodes[i].depth = depth
			next = append(next, s.nodes[i].children...)
		}
		reached, level = reached+len(level), next
	}
	if reached < len(s.nodes) {
		i := slices.IndexFunc(s.nodes, func(n node) bool { return n.depth == 0 })
		return wrong(fmt.Sprintf("nodes[%d].parent_id", i), "is part of a circle, or lies below one")
	}
	return nil
}

// factors reads a scale: one number or three.
func factors(path string, raw json.RawMessage) ([]float64, error) {
	if absent(raw) {
		return nil, nil
	}
	var one float64
	if json.Unmarshal(raw, &one) == nil {
		return []float64{one}, nil
	}
	var three []float64
	if json.Unmarshal(raw, &three) != nil || len(three) != 3 {
		return nil, wrong(path, "must be a number or three numbers")
	}
	return three, nil
}

// material reads a material: the word of a preset, or settings.
func material(path string, raw json.RawMessage) (any, error) {
	if absent(raw) {
		return nil, nil
	}
	var word string
	if json.Unmarshal(raw, &word) == nil {
		return word, name(path, word)
	}
	m, err := fields(path, raw)
	if m == nil {
		return nil, err
	}
	return m, err
}

// fields reads an object of settings, nil without one.
func fields(path string, raw json.RawMessage) (map[string]any, error) {
	if absent(raw) {
		return nil, nil
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, wrong(path, "must be an object")
	}
	left := maxValues
	return m, settings(path, m, maxNesting, &left)
}

// settings judges the keys and values of settings.
func settings(path string, v any, depth int, left *int) error {
	if *left--; *left < 0 {
		return wrong(path, "holds more than %d values", maxValues)
	}
	if depth < 0 {
		return wrong(path, "is nested deeper than %d", maxNesting)
	}
	switch v := v.(type) {
	case string:
		return name(path, v)
	case []any:
		for i, x := range v {
			if err := settings(fmt.Sprintf("%s[%d]", path, i), x, depth-1, left); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range sorted(v) {
			if !isWord(key) {
				return wrong(path, "the key %.40q is no word of letters, digits and _", key)
			}
			if err := settings(path+"."+key, v[key], depth-1, left); err != nil {
				return err
			}
		}
	}
	return nil
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// name judges a text, of which a scene has no long ones.
func name(path, s string) error {
	if len(s) > maxText {
		return wrong(path, "has %d bytes, at most %d are allowed", len(s), maxText)
	}
	if strings.ContainsRune(s, 0) {
		return wrong(path, "holds the character U+0000")
	}
	return nil
}

// isWord says whether a text can stand as a key or as the name of a trait.
func isWord(s string) bool {
	if s == "" || len(s) > maxWord || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return true
}

func strict(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("text behind the description")
	}
	return nil
}
