package meet

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// draw is a QR code in half blocks, two rows of modules a line: light ones are drawn, as
// terminals are dark. A text of capitals and digits alone takes the least room.
func draw(text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	light := func(x, y int) bool { return !code.Black(x, y) } // outside of it all is light
	var b strings.Builder
	for y := -border; y < code.Size+border; y += 2 {
		for x := -border; x < code.Size+border; x++ {
			switch upper, lower := light(x, y), light(x, y+1) && y+1 < code.Size+border; {
			case upper && lower:
				b.WriteRune('█')
			case upper:
				b.WriteRune('▀')
			case lower:
				b.WriteRune('▄')
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
