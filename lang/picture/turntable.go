package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color/palette"
	"image/draw"
	"image/gif"

	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/scene"
)

// A turntable's frames.
const (
	frameMillis = 100
	MaxFrames   = 36

	MaxTurnPixels = 96_000_000 // of all frames, a byte each: 36 of 1920 by 1080 and more
)

// Turntable is a GIF that goes once around the scene in so many milliseconds,
// with the colours of the Plan 9 palette, dithered by error diffusion.
func Turntable(s *scene.Scene, o Options, millis int) ([]byte, []raster.Warning, error) {
	if o.Width < 1 || o.Height < 1 {
		return nil, nil, &raster.Error{Code: raster.BadSize, Text: "width and height are above 0"}
	}
	frames := min(max(millis/frameMillis, 2), MaxFrames)
	if pixels := float64(o.Width) * float64(o.Height) * float64(frames); pixels > MaxTurnPixels {
		return nil, nil, &raster.Error{Code: raster.TooMuchMemory, Text: fmt.Sprintf("%d frames of %d by %d pixels, allowed are %d pixels in all", frames, o.Width, o.Height, MaxTurnPixels)}
	}
	samples := 4
	if o.Quality != Production {
		samples = 1
	}
	var warnings []raster.Warning
	out := &gif.GIF{}
	for i := range frames {
		angle := float64(6.283185307179586*float64(i)) / float64(frames)
		drawable, said, err := of(s, o.From, float64(o.Width)/float64(o.Height), &angle, o.Step)
		if err != nil {
			return nil, nil, err
		}
		img, more, err := raster.Render(drawable, raster.Options{Width: o.Width, Height: o.Height, Samples: samples, ShadowMap: 512, Step: o.Step})
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			warnings = append(said, more...)
		}
		p := image.NewPaletted(img.Bounds(), palette.Plan9)
		draw.FloydSteinberg.Draw(p, p.Bounds(), img, image.Point{})
		out.Image = append(out.Image, p)
		out.Delay = append(out.Delay, max(millis/frames/10, 2))
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, out); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), warnings, nil
}
