package raster

// Limits of one picture. A scene beyond one is refused with a code, never drawn
// in part.
const (
	MinSide      = 16        // pixels
	MaxSide      = 4096      // pixels
	MaxPixels    = 8_300_000 // width times height, a little over 3840 by 2160
	MaxTriangles = 500_000   // of all objects and labels, before clipping
	MaxObjects   = 20_000    // as many nodes as a scene may have
	MaxLights    = 32        // ambient ones included
	MaxLabels    = 1_000     //
	MaxShadows   = 4         // lights with a depth map; further ones throw none, with a warning
	MaxShadowMap = 2048      // texels a side of a depth map
	MaxTexels    = 8 << 20   // of all textures together; they get a third more for their smaller copies
	MaxTexture   = 4096      // texels a side of a texture
	MaxCoord     = 1e7       // metres from the origin, after the transform
	MaxMemory    = 128 << 20 // bytes that Render may take beside the scene it is given
	MaxWork      = 1_000_000_000
)

// What the work of a picture is counted in: about 10 ns each on a slow machine,
// so that the whole budget takes some ten seconds. Counting work and not time
// makes the verdict the same everywhere.
const (
	workTriangle = 20 // moving, clipping, setting up
	workPixel    = 1  // asking whether a triangle covers a pixel
	workShade    = 12 // lighting a pixel, and
	workLight    = 6  // for every light, and
	workShadow   = 8  // for every one with a depth map
)

const (
	bandPixels = 1 << 17 // pixels drawn at a time
	stepWork   = 1 << 16 // work after which Step is called at the latest
)
