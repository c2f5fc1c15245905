package call

import (
	"bytes"
	"slices"

	"github.com/meshd/meshd/gateway/encode"
)

// SortedJSON puts values in the order of their JSON.
func SortedJSON(values []any) {
	slices.SortFunc(values, func(a, b any) int { return bytes.Compare(JSONOf(a), JSONOf(b)) })
}

// JSONOf encodes what this package made of texts and numbers, with the keys of
// objects sorted.
func JSONOf(v any) []byte {
	raw, err := encode.JSON(v)
	if err != nil {
		return []byte("null") // cannot happen: no such value is without JSON
	}
	return raw
}
