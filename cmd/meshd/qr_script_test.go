package main

import (
	"image"
	"image/color"
	"strings"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/rogpeppe/go-internal/testscript"
)

// module is how many points of a picture a module of a QR code is wide and high.
const module = 4

// scan VARIABLE FILE reads the QR code that a command has drawn with blocks, as a camera
// does, and sets a variable to its text.
func scan(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: scan VARIABLE FILE")
	}
	picture, err := gozxing.NewBinaryBitmapFromImage(photograph(ts.ReadFile(args[1])))
	ts.Check(err)
	found, err := qrcode.NewQRCodeReader().Decode(picture, nil)
	if err != nil {
		ts.Fatalf("no camera reads the code: %v\n%s", err, ts.ReadFile(args[1]))
	}
	ts.Setenv(args[0], found.GetText())
}

// photograph is what a terminal shows of lines of blocks: light ones on a dark ground,
// two modules above one another in each character. Other lines are left out.
func photograph(text string) image.Image {
	var rows [][]rune
	wide := 0
	for line := range strings.Lines(text) {
		line := []rune(strings.TrimSuffix(line, "\n"))
		if len(line) == 0 || strings.Trim(string(line), "█▀▄ ") != "" {
			continue
		}
		rows, wide = append(rows, line), max(wide, len(line))
	}
	out := image.NewGray(image.Rect(0, 0, wide*module, len(rows)*2*module))
	light := func(x, y int) {
		for i := range module * module {
			out.SetGray(x*module+i%module, y*module+i/module, color.Gray{Y: 0xff})
		}
	}
	for y, row := range rows {
		for x, c := range row {
			if c == '█' || c == '▀' {
				light(x, 2*y)
			}
			if c == '█' || c == '▄' {
				light(x, 2*y+1)
			}
		}
	}
	return out
}
