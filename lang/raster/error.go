package raster

import "fmt"

// Code says why a scene was refused. Codes are stable.
type Code string

// The codes.
const (
	BadSize          Code = "bad_size"           // width or height out of range, or too many pixels
	BadOption        Code = "bad_option"         // samples or shadow size
	BadCamera        Code = "bad_camera"         // no place, no angle, planes out of order
	BadLight         Code = "bad_light"          //
	BadMesh          Code = "bad_mesh"           // indices out of range, coordinates that are no numbers or too far away
	BadMaterial      Code = "bad_material"       //
	BadTexture       Code = "bad_texture"        // pixels do not match its size
	BadSky           Code = "bad_sky"            // fog or exposure
	TooManyTriangles Code = "too_many_triangles" //
	TooManyObjects   Code = "too_many_objects"   // objects, lights or labels
	TooManyTexels    Code = "too_many_texels"    //
	TooMuchMemory    Code = "too_much_memory"    // estimated before anything is allocated
	TooMuchWork      Code = "too_much_work"      // counted, not measured
)

// Error is a refusal. Text names the object and what is wrong.
type Error struct {
	Code Code
	Text string
}

// Error is the code and the text.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Text }

func refuse(c Code, format string, args ...any) *Error {
	return &Error{c, fmt.Sprintf(format, args...)}
}

// Warning is something the picture lacks or shows differently.
type Warning struct {
	Code string // shadow_left_out, text_unknown
	Text string
}
