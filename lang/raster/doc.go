// Package raster draws a scene in software: a PNG of what a camera sees, and an
// SVG plan of what stands where. It needs no browser and no graphics card, reads
// no file and no clock, and starts no goroutine.
//
// # Promise
//
// Render gives the same pixels for the same scene and options on every machine
// and in every run: the order of work is fixed, edges are tested in integers,
// every floating-point product is rounded before it is added, and angles, the
// exponential and the transfer curve of sRGB are our own or tables. EncodePNG
// adds the compression of the standard library, so its bytes are equal for one
// release of Go. Plan gives the same bytes everywhere.
//
// # How a picture is made
//
// Triangles are moved to the camera, cut off at its near and far planes and at a
// guard band around the picture, and set up on a grid of 1/256 pixel. The picture
// is made in bands so that memory stays small. In a band, opaque triangles first
// leave their number and depth at each of four samples a pixel; then each pixel
// is lit once for every triangle it shows; then transparent triangles are laid
// over from back to front; last the samples are averaged as light, not as
// colours, and encoded. Lights may throw shadows by a depth map.
//
// # Light
//
// Intensities are relative: a directional or ambient light of intensity 1 makes a
// white matt surface that faces it white. A point or spot light of intensity 1
// does so at one metre. Surfaces have a matt part and a gloss (Trowbridge and
// Reitz with the visibility term of Smith, Fresnel by Schlick). Ambient light
// also glosses, as if the surroundings were of its colour.
//
// Start with Scene, Frame for a camera, and Render.
package raster
