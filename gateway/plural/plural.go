// Package plural says numbers of things as people do.
package plural

import (
	"fmt"
	"strings"
)

// Count is a number of things: 1 entry, 2 entries, 0 addresses. thing is its
// singular and takes a regular plural.
func Count[N ~int | ~int64 | ~uint64](n N, thing string) string {
	if n != 1 {
		thing = Of(thing)
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Of is the regular plural of a noun.
func Of(one string) string {
	if stem, ok := strings.CutSuffix(one, "y"); ok && !strings.HasSuffix(stem, "e") && !strings.HasSuffix(stem, "a") {
		return stem + "ies"
	}
	for _, end := range []string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(one, end) {
			return one + "es"
		}
	}
	return one + "s"
}
