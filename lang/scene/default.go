package scene

import "encoding/json"

// Vec is a place, a direction or a size.
type Vec [3]float64

// Quat is a rotation x, y, z, w. The identity is left out of JSON.
type Quat [4]float64

// Identity does not turn.
var Identity = Quat{0, 0, 0, 1}

// IsZero says whether the rotation is the default.
func (q Quat) IsZero() bool { return q == Identity }

// UnitVec is three factors whose default is 1.
type UnitVec [3]float64

// IsZero says whether all factors are the default.
func (v UnitVec) IsZero() bool { return v == UnitVec{1, 1, 1} }

// Shown is whether a node is seen; the default is yes.
type Shown bool

// IsZero says whether the value is the default.
func (s Shown) IsZero() bool { return bool(s) }

// One is a number whose default is 1.
type One float64

// IsZero says whether the number is the default.
func (n One) IsZero() bool { return n == 1 }

// Half is a number whose default is 0.5.
type Half float64

// IsZero says whether the number is the default.
func (n Half) IsZero() bool { return n == 0.5 }

// Glass is an index of refraction, whose default is 1.5.
type Glass float64

// IsZero says whether the number is the default.
func (n Glass) IsZero() bool { return n == 1.5 }

// What a JSON document leaves out has its default, so every type that has one
// other than Go's zero starts from it.

// UnmarshalJSON implements json.Unmarshaler.
func (e *Environment) UnmarshalJSON(data []byte) error {
	type plain Environment
	p := plain{Exposure: 1}
	err := json.Unmarshal(data, &p)
	*e = Environment(p)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (g *Geometry) UnmarshalJSON(data []byte) error {
	type plain Geometry
	p := plain{Stretch: UnitVec{1, 1, 1}}
	err := json.Unmarshal(data, &p)
	*g = Geometry(p)
	return err
}

// NewMaterial is a half-rough material of one colour.
func NewMaterial(color string) Material {
	return Material{BaseColor: color, Roughness: 0.5, EmissiveIntensity: 1, IOR: 1.5}
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Material) UnmarshalJSON(data []byte) error {
	type plain Material
	p := plain(NewMaterial(White))
	err := json.Unmarshal(data, &p)
	*m = Material(p)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Node) UnmarshalJSON(data []byte) error {
	type plain Node
	p := plain{Parent: -1, R: Identity, S: UnitVec{1, 1, 1}, Visible: true}
	err := json.Unmarshal(data, &p)
	*n = Node(p)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *Light) UnmarshalJSON(data []byte) error {
	type plain Light
	p := plain{Intensity: 1}
	err := json.Unmarshal(data, &p)
	*l = Light(p)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *Audio) UnmarshalJSON(data []byte) error {
	type plain Audio
	p := plain{Volume: 1}
	err := json.Unmarshal(data, &p)
	*a = Audio(p)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *Body) UnmarshalJSON(data []byte) error {
	type plain Body
	p := plain{Mass: 1, Friction: 0.5, Gravity: 1}
	err := json.Unmarshal(data, &p)
	*b = Body(p)
	return err
}
