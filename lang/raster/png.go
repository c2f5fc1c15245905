package raster

import (
	"bytes"
	"image"
	"image/png"
)

// EncodePNG writes a picture as PNG, 24 bits a pixel when it is opaque. The bytes
// depend on the picture and on the release of Go only.
func EncodePNG(img *image.NRGBA) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := e.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
