package raster

// Limits of one picture. A scene beyond one is refused with a code, never drawn
// in part.
const (
	MinSide      = 16            // pixels
	MaxSide      = 4096          // pixels
	MaxPixels    = 8_300_000     // width times height, a little over 3840 by 2160
	MaxTriangles = 500_000       // of all objects and labels, before clipping
	MaxObjects   = 20_000        // as many nodes as a scene may have
	MaxLights    = 32            // ambient ones included
	MaxLabels    = 1_000         //
	MaxShadows   = 4             // lights with a depth map; further ones throw none, with a warning
	MaxShadowMap = 2048          // texels a side of a depth map
	MaxTexels    = 8 << 20       // of all textures together; they get a third more for their smaller copies
	MaxTexture   = 4096          // texels a side of a texture
	MaxCoord     = 1e7           // metres from the origin, after the transform
	MaxMemory    = 128 << 20     // bytes that Render may take beside the scene it is given
	MaxWork      = 1_500_000_000 // units of work, see below
)

// What the work of a picture is counted in: 5 to 7 ns each on two slow cores, so
// that the whole budget takes some ten seconds. Counting work and not time makes
// the verdict the same everywhere.
const (
	workTriangle = 40 // moving, clipping, setting up
	workPixel    = 2  // asking whether a triangle covers a pixel
	workShade    = 20 // lighting a pixel, and
	workTexture  = 32 // for its texture, and
	workLight    = 16 // for every light, and
	workShadow   = 24 // for every one with a depth map
)

const (
	bandPixels = 1 << 17 // pixels drawn at a time
	stepWork   = 1 << 16 // work after which Step is called at the latest, less than a millisecond
)
