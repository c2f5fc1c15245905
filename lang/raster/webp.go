package raster

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"math/bits"
)

// MaxWebP is the most pixels of a side that the format has room for.
const MaxWebP = 1 << 14

// EncodeWebP writes a picture as lossless WebP (VP8L, RFC 9649): every pixel
// comes back as it is. Green is taken from red and blue, each pixel is coded by
// its difference from a neighbour, and what repeats the pixel to the left or
// above is coded by its length. The bytes depend on the picture only.
func EncodeWebP(img *image.NRGBA) ([]byte, error) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if w < 1 || h < 1 || w > MaxWebP || h > MaxWebP {
		return nil, errors.New("the sides of a WebP picture are 1 to 16384 pixels")
	}
	pixels := make([]uint32, w*h)
	alpha := false
	for y := range h {
		row := img.Pix[y*img.Stride:]
		for x := range w {
			p := row[4*x:]
			alpha = alpha || p[3] != 0xFF
			pixels[y*w+x] = uint32(p[3])<<24 | uint32(p[0]-p[1])<<16 | uint32(p[1])<<8 | uint32(p[2]-p[1])
		}
	}
	b := &bitWriter{}
	b.put(0x2F, 8)
	b.put(uint32(w-1), 14)
	b.put(uint32(h-1), 14)
	if alpha {
		b.put(1, 1)
	} else {
		b.put(0, 1)
	}
	b.put(0, 3)         // version
	b.put(1|2<<1, 3)    // a transform: green out of red and blue
	b.put(1|0<<1, 3)    // and the predictor,
	b.put(9-2, 3)       // for squares of 512 pixels,
	b.put(0, 1)         // which have no colour cache
	b.simple(predictor) // and all the same mode
	for range 4 {
		b.simple(0)
	}
	b.put(0, 1) // no more transforms
	b.put(0, 1) // no colour cache
	b.put(0, 1) // one set of codes for the whole picture
	b.pixels(residues(pixels, w), w)
	data := b.bytes()

	var out bytes.Buffer
	padded := len(data) + len(data)&1
	out.WriteString("RIFF")
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(4+8+padded)))
	out.WriteString("WEBPVP8L")
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
	out.Write(data)
	if len(data)&1 == 1 {
		out.WriteByte(0)
	}
	return out.Bytes(), nil
}

// predictor is the mode that takes the left pixel or the one above, whichever is
// nearer to what both make likely.
const predictor = 11

// residues are the pixels less what the predictor says, by channel.
func residues(pixels []uint32, w int) []uint32 {
	out := make([]uint32, len(pixels))
	for i, p := range pixels {
		var like uint32
		switch {
		case i == 0:
			like = 0xFF000000
		case i < w:
			like = pixels[i-1]
		case i%w == 0:
			like = pixels[i-w]
		default:
			like = likely(pixels[i-1], pixels[i-w], pixels[i-w-1])
		}
		out[i] = less(p, like)
	}
	return out
}

// less subtracts channel by channel.
func less(a, b uint32) uint32 {
	odd := 0x00FF00FF + (a & 0xFF00FF00) - (b & 0xFF00FF00)
	even := 0xFF00FF00 + (a & 0x00FF00FF) - (b & 0x00FF00FF)
	return odd&0xFF00FF00 | even&0x00FF00FF
}

func likely(left, top, corner uint32) uint32 {
	toLeft, toTop := 0, 0
	for shift := 0; shift < 32; shift += 8 {
		l, t, c := int(left>>shift&0xFF), int(top>>shift&0xFF), int(corner>>shift&0xFF)
		toLeft += max(t-c, c-t)
		toTop += max(l-c, c-l)
	}
	if toLeft < toTop {
		return left
	}
	return top
}

// The alphabets of the five codes: green with lengths, red, blue, alpha, distance.
const (
	greens    = 256 + 24
	distances = 40
	maxRun    = 4096
)

// piece is a pixel, or a run that repeats what is to the left or above.
type piece struct {
	pixel uint32
	run   int
	above bool
}

// split finds the runs of a picture.
func split(pixels []uint32, w int) []piece {
	var out []piece
	for i := 0; i < len(pixels); {
		left, above := 0, 0
		for most := min(maxRun, len(pixels)-i); i > 0 && left < most && pixels[i+left] == pixels[i+left-1]; {
			left++
		}
		for most := min(maxRun, len(pixels)-i); i >= w && above < most && pixels[i+above] == pixels[i+above-w]; {
			above++
		}
		if n := max(left, above); n >= 3 {
			out = append(out, piece{run: n, above: above > left})
			i += n
			continue
		}
		out = append(out, piece{pixel: pixels[i]})
		i++
	}
	return out
}

// prefix is how the format codes a length: a symbol and extra bits.
func prefix(n int) (symbol int, extra uint32, size int) {
	if n--; n < 4 {
		return n, 0, 0
	}
	high := bits.Len(uint(n)) - 1
	size = high - 1
	return 2*high + n>>size&1, uint32(n & (1<<size - 1)), size
}

// near is the distance as the format numbers its nearest places: above is 1,
// left is 2.
func (p *piece) near() int {
	if p.above {
		return 0
	}
	return 1
}

// pixels writes the five codes and then the picture in them.
func (b *bitWriter) pixels(pixels []uint32, w int) {
	pieces := split(pixels, w)
	counts := [5][]int{make([]int, greens), make([]int, 256), make([]int, 256), make([]int, 256), make([]int, distances)}
	for _, p := range pieces {
		if p.run > 0 {
			symbol, _, _ := prefix(p.run)
			counts[0][256+symbol]++
			counts[4][p.near()]++
			continue
		}
		counts[0][p.pixel>>8&0xFF]++
		counts[1][p.pixel>>16&0xFF]++
		counts[2][p.pixel&0xFF]++
		counts[3][p.pixel>>24]++
	}
	var codes [5]prefixCode
	for i := range codes {
		codes[i] = b.code(counts[i])
	}
	for _, p := range pieces {
		if p.run > 0 {
			symbol, extra, size := prefix(p.run)
			b.symbol(&codes[0], 256+symbol)
			b.put(extra, size)
			b.symbol(&codes[4], p.near())
			continue
		}
		b.symbol(&codes[0], int(p.pixel>>8&0xFF))
		b.symbol(&codes[1], int(p.pixel>>16&0xFF))
		b.symbol(&codes[2], int(p.pixel&0xFF))
		b.symbol(&codes[3], int(p.pixel>>24))
	}
}
