package raster

import (
	"math"
	"strconv"

	"github.com/meshd/meshd/lang/raster/vec"
)

const degree = math.Pi / 180

// complete returns the camera with its defaults filled in, or why it cannot see.
func (c Camera) complete() (Camera, *Error) {
	if c.Up == (vec.Vec{}) {
		c.Up = vec.At(0, 1, 0)
	}
	if c.FOV == 0 {
		c.FOV = 60 * degree
	}
	if c.Near == 0 {
		c.Near = 0.05
	}
	if c.Far == 0 {
		c.Far = 1000
	}
	inside := func(v vec.Vec) bool {
		return v.Finite() && max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) <= MaxCoord
	}
	switch {
	case !inside(c.Position) || !inside(c.Target) || !c.Up.Finite():
		return c, refuse(BadCamera, "position, target and up should be numbers within %v m", float64(MaxCoord))
	case c.Position.Sub(c.Target).Len() < 1e-9:
		return c, refuse(BadCamera, "position and target are one place")
	case !within(c.Ortho, 0, MaxCoord) || c.Ortho > 0 && c.Ortho < 1e-3:
		return c, refuse(BadCamera, "the height of the view should be 0, or at least 0.001 m")
	case !within(c.FOV, 0.999*degree, 170.001*degree):
		return c, refuse(BadCamera, "the angle of view should be between 1° and 170°")
	case !within(c.Near, 1e-4, MaxCoord) || !within(c.Far, 1e-4, 10*MaxCoord) || c.Far <= c.Near:
		return c, refuse(BadCamera, "near should be at least 0.0001 m and less than far")
	}
	return c, nil
}

// within is false for what is no number.
func within(x, lo, hi float64) bool { return x >= lo && x <= hi }

func (s *Scene) validate(o *Options) *Error {
	if o.Width < MinSide || o.Width > MaxSide || o.Height < MinSide || o.Height > MaxSide {
		return refuse(BadSize, "%d by %d pixels; each side should have %d to %d", o.Width, o.Height, MinSide, MaxSide)
	}
	if o.Width*o.Height > MaxPixels {
		return refuse(BadSize, "%d by %d are %d pixels, allowed are %d", o.Width, o.Height, o.Width*o.Height, MaxPixels)
	}
	if o.Samples != 0 && o.Samples != 1 && o.Samples != 4 {
		return refuse(BadOption, "samples should be 1 or 4")
	}
	if o.ShadowMap != 0 && (o.ShadowMap < MinSide || o.ShadowMap > MaxShadowMap) {
		return refuse(BadOption, "a depth map should have %d to %d texels a side", MinSide, MaxShadowMap)
	}
	if len(s.Objects) > MaxObjects || len(s.Lights) > MaxLights || len(s.Labels) > MaxLabels {
		return refuse(TooManyObjects, "%d objects, %d lights and %d labels; allowed are %d, %d and %d",
			len(s.Objects), len(s.Lights), len(s.Labels), MaxObjects, MaxLights, MaxLabels)
	}
	if !within(s.Sky.FogDensity, 0, 1000) || !within(s.Sky.Exposure, 0, 1000) {
		return refuse(BadSky, "fog density and exposure should be between 0 and 1000")
	}
	for i := range s.Lights {
		if err := s.Lights[i].validate(i); err != nil {
			return err
		}
	}
	for i := range s.Labels {
		l := &s.Labels[i]
		if !l.Position.Finite() || l.Position.Len() > MaxCoord || !within(l.Height, 0, MaxCoord) {
			return refuse(BadMesh, "label %d: position and height should be numbers within %v m", i, float64(MaxCoord))
		}
	}
	return s.validateObjects()
}

func (s *Scene) validateObjects() *Error {
	triangles, texels := 0, 0
	seen := map[*Texture]bool{}
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.Mesh == nil {
			return refuse(BadMesh, "%s has no mesh", o.title(i))
		}
		if triangles += o.Mesh.Triangles(); triangles > MaxTriangles {
			return refuse(TooManyTriangles, "the scene has more than %d triangles", MaxTriangles)
		}
		if err := o.validate(i); err != nil {
			return err
		}
		t := o.Material.Texture
		if t == nil || seen[t] {
			continue
		}
		seen[t] = true
		if t.Width < 1 || t.Height < 1 || t.Width > MaxTexture || t.Height > MaxTexture || len(t.Pix) != 4*t.Width*t.Height {
			return refuse(BadTexture, "%s: a texture of %d by %d texels with %d bytes", o.title(i), t.Width, t.Height, len(t.Pix))
		}
		if texels += t.Width * t.Height; texels > MaxTexels {
			return refuse(TooManyTexels, "the textures have more than %d texels together", MaxTexels)
		}
	}
	return nil
}

func (l *Light) validate(i int) *Error {
	switch {
	case l.Kind > Hemisphere:
		return refuse(BadLight, "light %d is of no known kind", i)
	case !within(l.Intensity, 0, 1000):
		return refuse(BadLight, "light %d: intensity should be between 0 and 1000", i)
	case !l.Position.Finite() || l.Position.Len() > MaxCoord || !l.Direction.Finite() || l.Direction.Len() > MaxCoord:
		return refuse(BadLight, "light %d: position and direction should be numbers within %v", i, float64(MaxCoord))
	case !within(l.Range, 0, MaxCoord):
		return refuse(BadLight, "light %d: range should be between 0 and %v m", i, float64(MaxCoord))
	case !within(l.Angle, 0, 90.001*degree):
		return refuse(BadLight, "light %d: angle should be at most 90°", i)
	case !within(l.Penumbra, 0, 1):
		return refuse(BadLight, "light %d: penumbra should be between 0 and 1", i)
	}
	return nil
}

func (o *Object) title(i int) string {
	if o.Name != "" {
		name := []rune(o.Name)
		return "object '" + string(name[:min(len(name), 40)]) + "'"
	}
	return "object " + strconv.Itoa(i)
}

// matrix is the transform, the zero one being the identity.
func (o *Object) matrix() vec.Mat {
	if o.Transform == (vec.Mat{}) {
		return vec.Identity()
	}
	return o.Transform
}

func (o *Object) validate(i int) *Error {
	m := o.Mesh
	switch {
	case len(m.Indices)%3 != 0:
		return refuse(BadMesh, "%s has %d indices, which make no triangles", o.title(i), len(m.Indices))
	case len(m.Positions) > 3*MaxTriangles:
		return refuse(BadMesh, "%s has %d vertices, allowed are %d", o.title(i), len(m.Positions), 3*MaxTriangles)
	case len(m.Normals) != 0 && len(m.Normals) != len(m.Positions):
		return refuse(BadMesh, "%s has %d normals for %d vertices", o.title(i), len(m.Normals), len(m.Positions))
	case len(m.UVs) != 0 && len(m.UVs) != len(m.Positions):
		return refuse(BadMesh, "%s has %d texture coordinates for %d vertices", o.title(i), len(m.UVs), len(m.Positions))
	}
	for _, k := range m.Indices {
		if int64(k) >= int64(len(m.Positions)) {
			return refuse(BadMesh, "%s: index %d of %d vertices", o.title(i), k, len(m.Positions))
		}
	}
	mat := o.matrix()
	for _, x := range mat {
		if !within(x, -MaxCoord, MaxCoord) {
			return refuse(BadMesh, "%s: its transform holds what is no number, or one over %v", o.title(i), float64(MaxCoord))
		}
	}
	for _, p := range m.Positions {
		w := mat.Point(wide(p))
		if !within(w.X, -MaxCoord, MaxCoord) || !within(w.Y, -MaxCoord, MaxCoord) || !within(w.Z, -MaxCoord, MaxCoord) {
			return refuse(BadMesh, "%s: a vertex at %v, %v, %v", o.title(i), w.X, w.Y, w.Z)
		}
	}
	for _, n := range m.Normals {
		if !within(float64(n[0]), -MaxCoord, MaxCoord) || !within(float64(n[1]), -MaxCoord, MaxCoord) || !within(float64(n[2]), -MaxCoord, MaxCoord) {
			return refuse(BadMesh, "%s: a normal is no direction", o.title(i))
		}
	}
	for _, t := range m.UVs {
		if !within(float64(t[0]), -MaxCoord, MaxCoord) || !within(float64(t[1]), -MaxCoord, MaxCoord) {
			return refuse(BadMesh, "%s: a texture coordinate is no number, or over %v", o.title(i), float64(MaxCoord))
		}
	}
	a := &o.Material
	if !within(a.Metallic, 0, 1) || !within(a.Roughness, 0, 1) || !within(a.EmissiveIntensity, 0, 1000) || a.Alpha > Mask {
		return refuse(BadMaterial, "%s: metallic and roughness should be between 0 and 1, the intensity of its own light between 0 and 1000", o.title(i))
	}
	return nil
}

func wide(v [3]float32) vec.Vec { return vec.At(float64(v[0]), float64(v[1]), float64(v[2])) }
