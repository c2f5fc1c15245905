package raster

import (
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
)

// Scene is what is drawn. Render and Plan read it and never change it.
type Scene struct {
	Camera  Camera
	Lights  []Light
	Objects []Object
	Labels  []Label
	Sky     Sky
}

// Camera looks from Position to Target, with Up roughly above (0,0,0 is Y up).
type Camera struct {
	Position, Target, Up vec.Vec
	FOV                  float64 // vertical angle of view in radians, 1° to 170°; 0 is 60°
	Ortho                float64 // height of the view in metres; above 0 there is no perspective and FOV is not read
	Near, Far            float64 // metres; 0 is 0.05 and 1000
}

// Color is an sRGB colour with straight alpha.
type Color struct{ R, G, B, A uint8 }

// RGB is an opaque colour.
func RGB(r, g, b uint8) Color { return Color{r, g, b, 255} }

// LightKind says how a light shines.
type LightKind uint8

// The kinds of lights.
const (
	Ambient     LightKind = iota // from everywhere
	Directional                  // from far away
	Point                        // from a place into all directions
	Spot                         // from a place into a cone
	Hemisphere                   // Color from above, Ground from below
)

// Light is a source of light.
type Light struct {
	Kind      LightKind
	Color     Color   // its alpha is not read
	Ground    Color   // of a hemisphere
	Intensity float64 // relative; 0 to 1000
	Position  vec.Vec // of a point or spot light
	Direction vec.Vec // into which a directional or spot light shines; zero is down
	Range     float64 // metres a point or spot light reaches; 0 has no end
	Angle     float64 // of a spot, from its axis to its edge in radians; 0 is 30°
	Penumbra  float64 // share of a spot's angle that fades out, 0 to 1
	Shadow    bool    // of a directional or spot light
}

// Alpha says what a material's opacity does.
type Alpha uint8

// The ways to use opacity. Auto blends when the base colour or a texel is not
// opaque; Mask leaves out what is less than half opaque.
const (
	Auto Alpha = iota
	Opaque
	Blend
	Mask
)

// Material is how a surface looks. The zero Material is black, matt and
// invisible; start from Paint.
type Material struct {
	Base              Color
	Metallic          float64 // 0 to 1
	Roughness         float64 // 0 to 1
	Emissive          Color   // its alpha is not read
	EmissiveIntensity float64 // 0 to 1000
	Alpha             Alpha
	DoubleSided       bool
	Unlit             bool     // shows Base as it is
	Adds              bool     // what blends adds its light to what is behind it
	Texture           *Texture // multiplies Base; repeats outside 0 to 1
}

// Paint is a half-rough material of one colour.
func Paint(c Color) Material { return Material{Base: c, Roughness: 0.5} }

// Texture is a picture of sRGB texels with straight alpha, rows from the top,
// four bytes each. A UV of 0,0 is the lower left corner.
type Texture struct {
	Width, Height int
	Pix           []byte
}

// Object is a mesh at a place.
type Object struct {
	Name      string // for errors and the plan
	Mesh      *shape.Mesh
	Material  Material
	Transform vec.Mat // affine; the zero matrix is the identity
	NoShadow  bool    // throws none
}

// Label is a text that turns towards the camera. It is drawn unlit and is hidden
// by what stands in front of it.
type Label struct {
	Text     string
	Position vec.Vec // of its middle
	Height   float64 // of a capital letter in metres
	Color    Color
	Plate    Color // a rectangle behind the text; alpha 0 leaves it out
}

// Tone says how light is brought into the range of the screen.
type Tone uint8

// The tone curves. Clamp cuts what is brighter than white; Filmic is the fit of
// Narkowicz 2015 to the ACES reference. Both are of the whole picture. Neutral is of
// lit surfaces, and so is exposure then: sky, fog and what is unlit keep their
// colours. It keeps the colours of all that is darker than 0.8 of white, and lets
// what is brighter come near to white; see neutral.
const (
	Clamp Tone = iota
	Filmic
	Neutral
)

// Sky is what is behind everything, and what is in the air.
type Sky struct {
	Top, Bottom Color   // straight above and below, mixed between; alpha is not read
	Fog         Color   //
	FogDensity  float64 // per metre; light left at distance d is e^-(density·d)²
	Exposure    float64 // multiplies all light; 0 is 1
	Tone        Tone
}
