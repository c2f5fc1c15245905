// Package vec is the arithmetic of meshes and pictures: vectors, matrices,
// quaternions and the few functions of angles they need.
//
// Every result is the same on every machine. Go may fuse a product with the
// addition behind it where the processor can, so each product here is rounded
// by a conversion first, and sine, cosine and the exponential are our own: the
// standard library's are written in assembly on some machines. Code that builds
// on this package keeps to the same rule; a test in package raster enforces it.
//
// The space is right-handed: X right, Y up, -Z forward. Angles are radians.
package vec

import "math"

// Vec is a point or a direction. It is a struct and no array because the compiler
// keeps a small struct in registers.
type Vec struct{ X, Y, Z float64 }

// At is the vector of three components.
func At(x, y, z float64) Vec { return Vec{x, y, z} }

// Min is the smaller of each component.
func (v Vec) Min(w Vec) Vec { return Vec{min(v.X, w.X), min(v.Y, w.Y), min(v.Z, w.Z)} }

// Max is the larger of each component.
func (v Vec) Max(w Vec) Vec { return Vec{max(v.X, w.X), max(v.Y, w.Y), max(v.Z, w.Z)} }

// Add is v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub is v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Scale is v times s.
func (v Vec) Scale(s float64) Vec {
	return Vec{float64(v.X * s), float64(v.Y * s), float64(v.Z * s)}
}

// Mul multiplies component by component.
func (v Vec) Mul(w Vec) Vec {
	return Vec{float64(v.X * w.X), float64(v.Y * w.Y), float64(v.Z * w.Z)}
}

// Dot is the scalar product.
func (v Vec) Dot(w Vec) float64 {
	return float64(v.X*w.X) + float64(v.Y*w.Y) + float64(v.Z*w.Z)
}

// Cross is the vector product.
func (v Vec) Cross(w Vec) Vec {
	return Vec{
		float64(v.Y*w.Z) - float64(v.Z*w.Y),
		float64(v.Z*w.X) - float64(v.X*w.Z),
		float64(v.X*w.Y) - float64(v.Y*w.X),
	}
}

// Len is the length.
func (v Vec) Len() float64 { return math.Sqrt(v.Dot(v)) }

// Unit is the direction of v with length 1; the zero vector stays zero.
func (v Vec) Unit() Vec {
	if n := v.Len(); n > 0 {
		return Vec{v.X / n, v.Y / n, v.Z / n}
	}
	return Vec{}
}

// Lerp goes from v to w as t goes from 0 to 1.
func (v Vec) Lerp(w Vec, t float64) Vec { return v.Add(w.Sub(v).Scale(t)) }

// Finite says whether no component is infinite or no number.
func (v Vec) Finite() bool {
	for _, x := range [3]float64{v.X, v.Y, v.Z} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// Quat is a rotation: x, y, z, w.
type Quat [4]float64

// AxisAngle turns by an angle around an axis, counter-clockwise when the axis
// points to the viewer.
func AxisAngle(axis Vec, angle float64) Quat {
	s, c := SinCos(float64(angle * 0.5))
	a := axis.Unit().Scale(s)
	return Quat{a.X, a.Y, a.Z, c}
}

// Mat is a 4 by 4 matrix in column order: Mat[4*column+row]. Points are columns.
type Mat [16]float64

// Identity changes nothing.
func Identity() Mat { return Mat{0: 1, 5: 1, 10: 1, 15: 1} }

// TRS scales, turns and then moves. A quaternion that is not of length 1 is
// normalised; the zero one does not turn.
func TRS(t Vec, r Quat, s Vec) Mat {
	n := math.Sqrt(float64(r[0]*r[0]) + float64(r[1]*r[1]) + float64(r[2]*r[2]) + float64(r[3]*r[3]))
	if n == 0 {
		r, n = Quat{3: 1}, 1
	}
	x, y, z, w := r[0]/n, r[1]/n, r[2]/n, r[3]/n
	xx, yy, zz := float64(x*x), float64(y*y), float64(z*z)
	xy, xz, yz := float64(x*y), float64(x*z), float64(y*z)
	wx, wy, wz := float64(w*x), float64(w*y), float64(w*z)
	double := func(a float64) float64 { return a + a }
	cx := Vec{1 - double(yy+zz), double(xy + wz), double(xz - wy)}.Scale(s.X)
	cy := Vec{double(xy - wz), 1 - double(xx+zz), double(yz + wx)}.Scale(s.Y)
	cz := Vec{double(xz + wy), double(yz - wx), 1 - double(xx+yy)}.Scale(s.Z)
	return Mat{
		cx.X, cx.Y, cx.Z, 0,
		cy.X, cy.Y, cy.Z, 0,
		cz.X, cz.Y, cz.Z, 0,
		t.X, t.Y, t.Z, 1,
	}
}

// Move is a matrix that only moves.
func Move(t Vec) Mat { return TRS(t, Quat{3: 1}, Vec{1, 1, 1}) }

// Mul is m·n: n happens first.
func (m Mat) Mul(n Mat) Mat {
	var out Mat
	for c := range 4 {
		for r := range 4 {
			out[4*c+r] = float64(m[r]*n[4*c]) + float64(m[4+r]*n[4*c+1]) + float64(m[8+r]*n[4*c+2]) + float64(m[12+r]*n[4*c+3])
		}
	}
	return out
}

// Point moves a point through an affine matrix; its last row is not read.
func (m *Mat) Point(p Vec) Vec {
	return Vec{
		float64(m[0]*p.X) + float64(m[4]*p.Y) + float64(m[8]*p.Z) + m[12],
		float64(m[1]*p.X) + float64(m[5]*p.Y) + float64(m[9]*p.Z) + m[13],
		float64(m[2]*p.X) + float64(m[6]*p.Y) + float64(m[10]*p.Z) + m[14],
	}
}

// Dir turns and scales a direction.
func (m *Mat) Dir(d Vec) Vec {
	return Vec{
		float64(m[0]*d.X) + float64(m[4]*d.Y) + float64(m[8]*d.Z),
		float64(m[1]*d.X) + float64(m[5]*d.Y) + float64(m[9]*d.Z),
		float64(m[2]*d.X) + float64(m[6]*d.Y) + float64(m[10]*d.Z),
	}
}

func (m *Mat) column(i int) Vec { return Vec{m[4*i], m[4*i+1], m[4*i+2]} }

// Det is the determinant of the turning and scaling part; it is negative for a
// matrix that mirrors.
func (m *Mat) Det() float64 { return m.column(0).Dot(m.column(1).Cross(m.column(2))) }

// Normals is the matrix that surface normals go through: the cofactors of the
// upper left part, which is its inverse transposed but for the length. A
// mirroring matrix keeps normals pointing outwards.
func (m *Mat) Normals() Mat {
	a, b, c := m.column(0), m.column(1), m.column(2)
	x, y, z := b.Cross(c), c.Cross(a), a.Cross(b)
	if m.Det() < 0 {
		x, y, z = x.Scale(-1), y.Scale(-1), z.Scale(-1)
	}
	return Mat{x.X, x.Y, x.Z, 0, y.X, y.Y, y.Z, 0, z.X, z.Y, z.Z, 0, 15: 1}
}

// Basis returns three unit vectors at right angles: right, up and back, for
// somebody who looks along forward with up roughly above.
func Basis(forward, up Vec) (right, above, back Vec) {
	back = forward.Unit().Scale(-1)
	if back == (Vec{}) {
		back = Vec{0, 0, 1}
	}
	right = up.Cross(back)
	if right.Dot(right) < 1e-12 { // looking straight up or down
		right = Vec{0, 0, -1}.Cross(back)
		if right.Dot(right) < 1e-12 {
			right = Vec{1, 0, 0}
		}
	}
	right = right.Unit()
	return right, back.Cross(right), back
}
