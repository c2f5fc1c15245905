package raster

import (
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/srgb"
)

// linear is the light of an sRGB byte, by the one table of package srgb: no power
// function has a say in a picture.
var linear = &srgb.Linear

// encodeSteps is how finely encode looks light up. The steepest part of the
// curve, next to black, goes through 20 of them a byte.
const encodeSteps = 1 << 16

// encodeTable is the byte nearest to each step of light.
var encodeTable = func() *[encodeSteps + 1]uint8 {
	t := new([encodeSteps + 1]uint8)
	b := 0
	for i := range t {
		light := float64(i) / encodeSteps
		for b < 255 && light > (linear[b]+linear[b+1])/2 {
			b++
		}
		t[i] = uint8(b)
	}
	return t
}()

// encode is the sRGB byte of an amount of light; what is out of range is cut.
func encode(light float64) uint8 {
	if !(light > 0) {
		return 0
	}
	if light >= 1 {
		return 255
	}
	return encodeTable[int(float64(light*encodeSteps)+0.5)]
}

// Shade is the opaque colour that sends an amount of light, cut where it is out of
// range.
func Shade(light vec.Vec) Color { return RGB(encode(light.X), encode(light.Y), encode(light.Z)) }
