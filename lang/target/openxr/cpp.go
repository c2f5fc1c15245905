package openxr

import (
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

func numbers(list []float64) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = artefact.CFloat(x)
	}
	return strings.Join(out, ",")
}

func floats(list ...float32) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = artefact.CFloat(float64(x))
	}
	return strings.Join(out, ",")
}
