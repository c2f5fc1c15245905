package memory

import (
	"fmt"
	"strconv"
	"strings"
)

// A place in a list is a number of six digits to the base 36 and, where two
// neighbours leave none between them, a fraction behind it. Places sort as texts,
// and appending does not make them longer.
const (
	placeBase   = 36
	placeDigits = 6
	maxPlace    = 64
	placeStep   = placeBase
	placeMiddle = 18 * 36 * 36 * 36 * 36 * 36
	placeLast   = 36*36*36*36*36*36 - 1
)

// between is a place after a and before b; "" is the end of the list on that side.
// Before the place of zeros there is none, and the new one stands beside it.
// When a and b are one place, which two wrote at once, it is the place behind it.
func between(a, b string) string {
	if a == b && a != "" {
		return fraction(a, "")
	}
	whole := func(s string) int64 { // what is no number was not written here
		n, _ := strconv.ParseInt(s[:min(len(s), placeDigits)], placeBase, 64)
		return max(0, n)
	}
	switch {
	case a == "" && b == "":
		return number(placeMiddle)
	case b == "":
		if n := whole(a) + placeStep; n <= placeLast {
			return number(n)
		}
		return fraction(a, "")
	case a == "":
		return number(max(whole(b)-placeStep, whole(b)/2))
	}
	if na, nb := whole(a), whole(b); nb-na > 1 {
		return number((na + nb) / 2)
	}
	return fraction(a, b)
}

func number(n int64) string {
	return fmt.Sprintf("%0*s", placeDigits, strconv.FormatInt(n, placeBase))
}

const placeAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

// fraction is the shortest text in the middle between a and b, where a shorter
// text stands for one with zeros behind it and b "" for the end.
func fraction(a, b string) string {
	digit := func(s string, i, none int) int {
		if i >= len(s) {
			return none
		}
		return strings.IndexByte(placeAlphabet, s[i])
	}
	var out strings.Builder
	bounded := b != ""
	for i := 0; i < maxPlace; i++ {
		low, high := digit(a, i, 0), placeBase
		if bounded {
			high = digit(b, i, 0)
		}
		if mid := (low + high) / 2; mid > low {
			out.WriteByte(placeAlphabet[mid])
			return out.String()
		}
		out.WriteByte(placeAlphabet[max(low, 0)])
		bounded = bounded && low == high
	}
	return out.String() // too long for a key: there is no room
}
