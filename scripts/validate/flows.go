package main

import "bytes"

// flowChecks prove kubernetes, github-actions, nir, multi-layer and 3dgs.
var flowChecks = []check{
	{
		targets: []string{"kubernetes"}, tool: "own schema through ajv", level: "validator", version: npm("ajv"), judge: node("jobs.mjs", "kubernetes"),
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("concurrencyPolicy"), []byte("concurencyPolicy"), 1)
		},
	},
	{
		targets: []string{"github-actions"}, tool: "own schema through ajv", level: "validator", version: npm("ajv"), judge: node("jobs.mjs", "github"),
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("cancel-in-progress"), []byte("cancel-in-progres"), 1)
		},
	},
	{
		targets: []string{"nir"}, tool: "ajv", level: "validator", version: npm("ajv"), judge: node("graph.mjs"),
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"from": "function:`), []byte(`"from": "function:x`), 1)
		},
	},
	{
		targets: []string{"3dgs"}, tool: "own reader, and assimp counts", level: "syntax", version: debian("assimp-utils"), judge: splats, slow: true,
		spoil: func(b []byte) []byte { // as many splats, the last turned off its surface
			copy(b[len(b)-16:], b[len(b)-splatSize:len(b)-splatSize+16])
			return b
		},
	},
	{
		targets: []string{"multi-layer"}, tool: "the tools of its layers", level: "validator", version: own, judge: archives, slow: true,
		spoil: func(b []byte) []byte { // as long as before, and no longer what its checksum says
			return bytes.Replace(b, []byte(`"layers/1"`), []byte(`"layers/9"`), 1)
		},
	},
}
