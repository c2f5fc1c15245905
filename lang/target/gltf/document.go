package gltf

import "encoding/json"

// document is a glTF 2.0 asset. Fields that are empty are left out.
type document struct {
	Asset          asset          `json:"asset"`
	ExtensionsUsed []string       `json:"extensionsUsed,omitempty"`
	Extensions     map[string]any `json:"extensions,omitempty"`
	Scene          int            `json:"scene"`
	Scenes         []root         `json:"scenes"`
	Nodes          []node         `json:"nodes,omitempty"`
	Cameras        []camera       `json:"cameras,omitempty"`
	Meshes         []mesh         `json:"meshes,omitempty"`
	Materials      []material     `json:"materials,omitempty"`
	Textures       []texture      `json:"textures,omitempty"`
	Images         []image        `json:"images,omitempty"`
	Samplers       []sampler      `json:"samplers,omitempty"`
	Animations     []animation    `json:"animations,omitempty"`
	Accessors      []accessor     `json:"accessors,omitempty"`
	BufferViews    []bufferView   `json:"bufferViews,omitempty"`
	Buffers        []buffer       `json:"buffers,omitempty"`
}

type asset struct {
	Version   string         `json:"version"`
	Generator string         `json:"generator"`
	Extras    map[string]any `json:"extras,omitempty"`
}

type root struct {
	Name   string         `json:"name,omitempty"`
	Nodes  []int          `json:"nodes,omitempty"`
	Extras map[string]any `json:"extras,omitempty"`
}

type node struct {
	Name        string         `json:"name,omitempty"`
	Children    []int          `json:"children,omitempty"`
	Translation *[3]float64    `json:"translation,omitempty"`
	Rotation    *[4]float64    `json:"rotation,omitempty"`
	Scale       *[3]float64    `json:"scale,omitempty"`
	Mesh        *int           `json:"mesh,omitempty"`
	Camera      *int           `json:"camera,omitempty"`
	Extensions  map[string]any `json:"extensions,omitempty"`
	Extras      map[string]any `json:"extras,omitempty"`
}

type camera struct {
	Type         string        `json:"type"`
	Perspective  *perspective  `json:"perspective,omitempty"`
	Orthographic *orthographic `json:"orthographic,omitempty"`
}

type perspective struct {
	YFOV  float64 `json:"yfov"`
	ZNear float64 `json:"znear"`
	ZFar  float64 `json:"zfar"`
}

type orthographic struct {
	XMag  float64 `json:"xmag"`
	YMag  float64 `json:"ymag"`
	ZNear float64 `json:"znear"`
	ZFar  float64 `json:"zfar"`
}

type mesh struct {
	Name       string      `json:"name,omitempty"`
	Primitives []primitive `json:"primitives"`
}

type primitive struct {
	Attributes map[string]int `json:"attributes"`
	Indices    int            `json:"indices"`
	Material   *int           `json:"material,omitempty"`
}

type material struct {
	PBR             pbr            `json:"pbrMetallicRoughness"`
	NormalTexture   *textureRef    `json:"normalTexture,omitempty"`
	EmissiveTexture *textureRef    `json:"emissiveTexture,omitempty"`
	EmissiveFactor  *[3]float64    `json:"emissiveFactor,omitempty"`
	AlphaMode       string         `json:"alphaMode,omitempty"`
	DoubleSided     bool           `json:"doubleSided,omitempty"`
	Extensions      map[string]any `json:"extensions,omitempty"`
}

type pbr struct {
	BaseColorFactor  *[4]float64 `json:"baseColorFactor,omitempty"`
	BaseColorTexture *textureRef `json:"baseColorTexture,omitempty"`
	MetallicFactor   float64     `json:"metallicFactor"`
	RoughnessFactor  float64     `json:"roughnessFactor"`
	ORMTexture       *textureRef `json:"metallicRoughnessTexture,omitempty"`
}

type textureRef struct {
	Index int `json:"index"`
}

type texture struct {
	Sampler int `json:"sampler"`
	Source  int `json:"source"`
}

type sampler struct {
	MagFilter int `json:"magFilter"`
	MinFilter int `json:"minFilter"`
}

type image struct {
	BufferView int    `json:"bufferView"`
	MimeType   string `json:"mimeType"`
	Name       string `json:"name,omitempty"`
}

type animation struct {
	Name     string         `json:"name,omitempty"`
	Channels []channel      `json:"channels"`
	Samplers []animator     `json:"samplers"`
	Extras   map[string]any `json:"extras,omitempty"`
}

type channel struct {
	Sampler int    `json:"sampler"`
	Target  target `json:"target"`
}

type target struct {
	Node int    `json:"node"`
	Path string `json:"path"`
}

type animator struct {
	Input         int    `json:"input"`
	Output        int    `json:"output"`
	Interpolation string `json:"interpolation,omitempty"`
}

type accessor struct {
	BufferView    int       `json:"bufferView"`
	ComponentType int       `json:"componentType"`
	Count         int       `json:"count"`
	Type          string    `json:"type"`
	Min           []float64 `json:"min,omitempty"`
	Max           []float64 `json:"max,omitempty"`
}

type bufferView struct {
	Buffer     int `json:"buffer"`
	ByteOffset int `json:"byteOffset"`
	ByteLength int `json:"byteLength"`
	Target     int `json:"target,omitempty"`
}

type buffer struct {
	URI        string `json:"uri,omitempty"`
	ByteLength int    `json:"byteLength"`
}

// The numbers of the specification.
const (
	typeUint16  = 5123
	typeUint32  = 5125
	typeFloat   = 5126
	arrayBuffer = 34962
	indexBuffer = 34963
)

func (d *document) encode() ([]byte, error) { return json.Marshal(d) }
