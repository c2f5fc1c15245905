package main

import (
	"image"
	"image/color"
	"strings"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/rogpeppe/go-internal/testscript"
)

// scan VARIABLE FILE reads the QR code that a command has drawn with blocks, as a camera
// does, which comes nearer when it sees none, and sets a variable to its text.
func scan(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: scan VARIABLE FILE")
	}
	found, err := readCode(ts.ReadFile(args[1]))
	if err != nil {
		ts.Fatalf("no camera reads the code: %v\n%s", err, ts.ReadFile(args[1]))
	}
	ts.Setenv(args[0], found)
}

// readCode looks for the corners of the code from nearer and nearer: the finder takes
// others for them in some codes at some sizes.
func readCode(text string) (found string, err error) {
	for _, module := range []int{4, 3, 2, 1, 6, 8} {
		picture, fault := gozxing.NewBinaryBitmapFromImage(photograph(text, module))
		if fault != nil {
			return "", fault
		}
		r, fault := qrcode.NewQRCodeReader().Decode(picture, nil)
		if err = fault; err == nil {
			return r.GetText(), nil
		}
	}
	return "", err
}

// photograph is what a terminal shows of lines of blocks: light ones on a dark ground,
// two modules above one another in each character, each module so many points wide and
// high. Other lines are left out.
func photograph(text string, module int) image.Image {
	var rows [][]rune
	wide := 0
	for line := range strings.Lines(text) {
		line := []rune(strings.TrimSuffix(line, "\n"))
		if len(line) == 0 || strings.Trim(string(line), "█▀▄ ") != "" {
			continue
		}
		rows, wide = append(rows, line), max(wide, len(line))
	}
	high := len(rows) * 2
	if high > 0 && strings.Trim(string(rows[len(rows)-1]), "▀") == "" { // half a line, as a code has an odd number of rows
		high--
	}
	out := image.NewGray(image.Rect(0, 0, wide*module, high*module))
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
