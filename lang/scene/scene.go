// Package scene is the semantic model of a source: what compilers, the renderer
// and the viewer read instead of the syntax tree. Templates are expanded, groups
// composed, units normalised, and every node has an id that follows from its
// path alone.
//
// The model is right-handed with Y up and -Z forward, in metres, seconds,
// kilograms and radians; rotations are unit quaternions with w ≥ 0; colours are
// sRGB as #rrggbbaa. Its JSON form is scene/1 (Encode, Read): there is no second
// type.
//
// Build makes a Scene of parsed files. It is a pure function: the same files
// and options give the same scene, to the bit. What the model has no place for
// is kept as data in Domain and Extras, never dropped.
package scene

import (
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/lang/trait"
)

// Version is the form of the JSON document. A reader refuses every other.
const Version = "scene/1"

// Value is a piece of data of a source, its keys in the order of the source.
type Value = trait.Value

// Scene is a compiled source. Nodes are flat, parents before their children and
// otherwise in the order of the source.
type Scene struct {
	V            string          `json:"v"`
	Name         string          `json:"name,omitempty"`
	SourceSHA256 string          `json:"source_sha256,omitempty"`
	Compiler     string          `json:"compiler,omitempty"`
	Files        []string        `json:"files,omitempty"`
	Metadata     Value           `json:"metadata,omitzero"`
	Environment  Environment     `json:"environment"`
	Post         []Effect        `json:"post,omitempty"`
	Assets       []Asset         `json:"assets,omitempty"`
	Geometries   []Geometry      `json:"geometries,omitempty"`
	Materials    []Material      `json:"materials,omitempty"`
	Nodes        []Node          `json:"nodes,omitempty"`
	Animations   []Animation     `json:"animations,omitempty"`
	Timelines    []Timeline      `json:"timelines,omitempty"`
	UI           []Widget        `json:"ui,omitempty"`
	Program      json.RawMessage `json:"program,omitempty"`
	Pipelines    []Domain        `json:"pipelines,omitempty"`
	Agents       []Domain        `json:"agents,omitempty"`
	Domain       []Domain        `json:"domain,omitempty"`
	Losses       []Loss          `json:"losses,omitempty"`

	// Behaviour is what program/1 is compiled from. It points into the syntax
	// trees and has no JSON form.
	Behaviour *Behaviour `json:"-"`
}

// Environment is what surrounds all nodes.
type Environment struct {
	Sky         Sky      `json:"sky,omitzero"`
	Ambient     *Ambient `json:"ambient,omitempty"` // nil: DefaultAmbient
	Fog         *Fog     `json:"fog,omitempty"`
	Gravity     *Vec     `json:"gravity,omitempty"` // nil: DefaultGravity
	Exposure    One      `json:"exposure,omitzero"`
	ToneMapping string   `json:"tone_mapping,omitempty"` // linear, aces; empty is neutral
	Shadows     bool     `json:"shadows,omitempty"`
}

// What an Environment without the setting has.
var (
	DefaultAmbient = Ambient{Color: White, Intensity: 0.3}
	DefaultGravity = Vec{0, -9.81, 0}
)

// Sky is the background: none, color, gradient (top first), preset or asset.
type Sky struct {
	Kind   string   `json:"kind,omitempty"`
	Colors []string `json:"colors,omitempty"`
	Preset string   `json:"preset,omitempty"`
	Asset  *int     `json:"asset,omitempty"`
}

// Ambient is light from everywhere.
type Ambient struct {
	Color     string  `json:"color"`
	Intensity float64 `json:"intensity"`
}

// Fog lets e^-(density·d)² of the light through at distance d.
type Fog struct {
	Color   string  `json:"color"`
	Density float64 `json:"density"`
}

// Effect is an effect on the whole picture.
type Effect struct {
	Kind   string `json:"kind"`
	Params Value  `json:"params,omitzero"`
}

// Asset is a file that the source names. Data is set in self-contained
// artefacts only.
type Asset struct {
	Path      string `json:"path"`
	MediaType string `json:"media_type,omitempty"`
	Bytes     int    `json:"bytes,omitempty"`
	SHA256    string `json:"sha256,omitempty"`
	Data      []byte `json:"data,omitempty"`
}

// Geometry is a solid or a model file. Box and plane use Size; the round ones
// Radius, Tube and Height and, where a source gives three unlike sizes, Stretch.
type Geometry struct {
	Kind     string  `json:"kind"`
	Size     *Vec    `json:"size,omitempty"`
	Radius   float64 `json:"radius,omitempty"`
	Tube     float64 `json:"tube,omitempty"` // of a torus; of a ring the width of its band
	Height   float64 `json:"height,omitempty"`
	Segments []int   `json:"segments,omitempty"` // around, and along or around the tube
	Stretch  UnitVec `json:"stretch,omitzero"`
	Asset    *int    `json:"asset,omitempty"`
}

// Material is how a surface looks.
type Material struct {
	BaseColor         string  `json:"base_color"`
	Metallic          float64 `json:"metallic,omitempty"`
	Roughness         Half    `json:"roughness,omitzero"`
	Emissive          string  `json:"emissive,omitempty"` // empty: none
	EmissiveIntensity One     `json:"emissive_intensity,omitzero"`
	Alpha             string  `json:"alpha,omitempty"` // opaque, blend, mask; empty is opaque
	DoubleSided       bool    `json:"double_sided,omitempty"`
	Transmission      float64 `json:"transmission,omitempty"`
	IOR               Glass   `json:"ior,omitzero"`
	Unlit             bool    `json:"unlit,omitempty"`
	Maps              Maps    `json:"maps,omitzero"`
}

// Maps are textures by the index of their asset.
type Maps struct {
	BaseColor *int `json:"base_color,omitempty"`
	Normal    *int `json:"normal,omitempty"`
	ORM       *int `json:"orm,omitempty"`
	Emissive  *int `json:"emissive,omitempty"`
}

// Node is a thing of the scene.
type Node struct {
	ID       string     `json:"id"`
	Path     string     `json:"path"`
	Name     string     `json:"name,omitempty"`
	Kind     string     `json:"kind"`
	Template string     `json:"template,omitempty"`
	Parent   int        `json:"parent"` // -1: none
	T        Vec        `json:"t,omitzero"`
	R        Quat       `json:"r,omitzero"`
	S        UnitVec    `json:"s,omitzero"`
	Visible  Shown      `json:"visible,omitzero"`
	Geometry *int       `json:"geometry,omitempty"`
	Material *int       `json:"material,omitempty"`
	Light    *Light     `json:"light,omitempty"`
	Camera   *Camera    `json:"camera,omitempty"`
	Audio    *Audio     `json:"audio,omitempty"`
	Body     *Body      `json:"body,omitempty"`
	Collider *Collider  `json:"collider,omitempty"`
	Joint    *Joint     `json:"joint,omitempty"`
	Particle Value      `json:"particles,omitzero"`
	Text     *Text      `json:"text,omitempty"`
	Interact []string   `json:"interact,omitempty"` // click, hover, grab
	Traits   []TraitUse `json:"traits,omitempty"`
	Label    string     `json:"label,omitempty"`
	Alt      string     `json:"alt,omitempty"`
	Extras   Value      `json:"extras,omitzero"`
	// Prototype is the template that the node is a part of when it stands here for
	// spawn to copy. It is not in the scene itself.
	Prototype string `json:"prototype,omitempty"`
	Src       Src    `json:"src"`
}

// Src is where something stands in the sources: the index of its file, line and
// column, both 1-based.
type Src [3]int

// Light shines along -Z of its node. Intensity 1 is neutral.
type Light struct {
	Type      string  `json:"type"` // ambient, directional, point, spot, hemisphere, area
	Color     string  `json:"color,omitempty"`
	Ground    string  `json:"ground,omitempty"` // of a hemisphere
	Intensity One     `json:"intensity,omitzero"`
	Range     float64 `json:"range,omitempty"`
	Angle     float64 `json:"angle,omitempty"` // of a spot, from its axis to its edge
	Penumbra  float64 `json:"penumbra,omitempty"`
	Width     float64 `json:"width,omitempty"` // of an area
	Height    float64 `json:"height,omitempty"`
	Shadow    bool    `json:"shadow,omitempty"`
}

// Camera looks along -Z of its node. FOV is the vertical angle.
type Camera struct {
	FOV   float64 `json:"fov"`
	Near  float64 `json:"near"`
	Far   float64 `json:"far"`
	Ortho float64 `json:"ortho,omitempty"` // height of the view in metres; above 0 there is no perspective

	Resting bool `json:"resting,omitempty"` // is not looked through at first: it is not active, or another is
}

// Audio is a sound at a node.
type Audio struct {
	Asset    *int    `json:"asset,omitempty"`
	Volume   One     `json:"volume,omitzero"`
	Loop     bool    `json:"loop,omitempty"`
	Autoplay bool    `json:"autoplay,omitempty"`
	Min      float64 `json:"min,omitempty"`
	Max      float64 `json:"max,omitempty"`
}

// Body is how a node moves by itself.
type Body struct {
	Type        string  `json:"type"` // dynamic, kinematic, static
	Mass        One     `json:"mass,omitzero"`
	Friction    Half    `json:"friction,omitzero"`
	Restitution float64 `json:"restitution,omitempty"`
	Gravity     One     `json:"gravity,omitzero"` // factor; 0 has no weight
}

// Collider is what a node bumps with. Size is the box around the shape, before
// the node's scale.
type Collider struct {
	Shape   string `json:"shape"` // box, sphere, capsule, cylinder, plane, mesh
	Size    Vec    `json:"size"`
	Center  Vec    `json:"center,omitzero"`
	Trigger bool   `json:"trigger,omitempty"`
}

// Joint attaches a node to another, the empty one being the world.
type Joint struct {
	Type string  `json:"type"` // fixed, revolute, continuous, prismatic, ball
	To   string  `json:"to,omitempty"`
	Axis Vec     `json:"axis"`
	Min  float64 `json:"min,omitempty"`
	Max  float64 `json:"max,omitempty"`
}

// Text is lettering at a node.
type Text struct {
	Value string  `json:"value"`
	Size  float64 `json:"size"`            // height of a capital letter
	Align string  `json:"align,omitempty"` // left, center, right; empty is center
}

// TraitUse is a trait of a node with its parameters after defaults.
type TraitUse struct {
	Name   string `json:"name"`
	Params Value  `json:"params,omitzero"`
	Known  bool   `json:"known,omitempty"`
}

// Animation changes a property of a node over time. A key is a time followed by
// the components of the value.
type Animation struct {
	Node     string      `json:"node"`
	Property string      `json:"property"`
	Keys     [][]float64 `json:"keys"`
	Easing   string      `json:"easing,omitempty"` // empty is linear
	Loop     int         `json:"loop,omitempty"`   // -1: for ever
	Autoplay bool        `json:"autoplay,omitempty"`
	PingPong bool        `json:"pingpong,omitempty"`
}

// Timeline runs steps at times.
type Timeline struct {
	ID       string `json:"id"`
	Loop     bool   `json:"loop,omitempty"`
	Autoplay bool   `json:"autoplay,omitempty"`
	Steps    []Step `json:"steps,omitempty"`
	Src      Src    `json:"src"`

	Owner string `json:"-"` // id of the node it stands in; empty for the scene
}

// Step is what happens at a time of a timeline.
type Step struct {
	At     float64 `json:"at"`
	Action Value   `json:"action"`

	Code Code `json:"-"` // what package run compiles
}

// Widget is a control of the flat interface.
type Widget struct {
	Kind     string   `json:"kind"` // panel, section, text, button, slider, checkbox, dropdown, input, progress, image
	ID       string   `json:"id,omitempty"`
	Label    string   `json:"label,omitempty"`
	Bind     string   `json:"bind,omitempty"` // state key of the scene that the value is, or a property of the scene bound to an expression
	Value    Value    `json:"value,omitzero"`
	Params   Value    `json:"params,omitzero"`
	Children []Widget `json:"children,omitempty"`
	Src      Src      `json:"src"`
}

// Domain is a block that the model keeps as data.
type Domain struct {
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"`
	Owner string `json:"owner,omitempty"` // id of the node it stands in
	Data  Value  `json:"data,omitzero"`
	Src   Src    `json:"src"`

	// Unit is the name of the owner in Behaviour that has what the block contains to
	// run; empty for none. Part says so of a block in it.
	Unit string `json:"-"`
}

// Part is the unit of the i-th block of a kind in a block with a unit.
func Part(unit, kind string, i int) string { return fmt.Sprintf("%s/%s[%d]", unit, kind, i) }

// Loss is what a target cannot carry, once for a target and a feature or trait.
type Loss struct {
	Code    string     `json:"code"` // TGT002 left out, TGT003 approximated
	Target  string     `json:"target"`
	Feature string     `json:"feature"`
	Trait   string     `json:"trait,omitempty"`
	Reason  string     `json:"reason"`
	Count   int        `json:"count"`
	Nodes   []LossNode `json:"nodes,omitempty"` // the first MaxLossNodes
}

// LossNode is where a loss happens.
type LossNode struct {
	ID   string `json:"id,omitempty"`
	Path string `json:"path,omitempty"`
	File string `json:"file"`
	Line int    `json:"line"`
}
