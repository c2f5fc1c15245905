package trait

import (
	"math"
	"strconv"
	"strings"
)

// MaxWritten is the longest text that is read as coordinates or a colour, in bytes.
const MaxWritten = 256

// Coordinates reads "0 1 -2", "0, 1, -2" and "(0; 1; -2)" (M09): a list of two to four
// finite numbers. Texts longer than MaxWritten are none.
func Coordinates(s string) (Value, bool) {
	if len(s) > MaxWritten {
		return Value{}, false
	}
	parts := strings.FieldsFunc(strings.Trim(s, "()[] "), func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\t' })
	if len(parts) < 2 || len(parts) > 4 {
		return Value{}, false
	}
	out := make([]Value, len(parts))
	for i, p := range parts {
		n, err := strconv.ParseFloat(p, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
			return Value{}, false
		}
		if n == 0 {
			n = 0 // no negative zero
		}
		out[i] = Value{Kind: Number, Num: n}
	}
	return Value{Kind: List, List: out}, true
}
