// Package webgpu writes a scene as a TypeScript application that draws it with
// WebGPU and no library: app.ts with the scene and its meshes, the modules and
// shaders that draw it, and runtime.js, which runs it. The solids come from the
// one tessellator, the shading is that of package raster. What stands in the folder
// app is written into artefacts as it stands; runtime.js is joined of what
// lang/target/html/viewer was built to.
package webgpu

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
)

//go:embed app
var app embed.FS

//go:embed adapter.js
var adapter string

// sources are the files that are the same for every scene.
func sources() []artefact.File {
	entries, err := app.ReadDir("app")
	if err != nil {
		panic("webgpu: " + err.Error()) // they are in the binary
	}
	var out []artefact.File
	for _, e := range entries {
		raw, err := app.ReadFile("app/" + e.Name())
		if err != nil {
			panic("webgpu: " + err.Error())
		}
		kind := script
		if strings.HasSuffix(e.Name(), ".wgsl") {
			kind = "text/wgsl"
		}
		out = append(out, artefact.File{Path: e.Name(), MediaType: kind, Data: raw})
	}
	out = append(out, artefact.File{Path: "runtime.js", MediaType: script, Data: bundle.Module(bundle.Core, adapter)})
	slices.SortFunc(out, func(a, b artefact.File) int { return strings.Compare(a.Path, b.Path) })
	return append(out,
		artefact.File{Path: "package.json", MediaType: "application/json"},
		artefact.File{Path: "tsconfig.json", MediaType: "application/json", Data: []byte(tsconfig)},
	)
}

// script is how the registry calls app.ts: TypeScript has no MIME type.
const script = "text/javascript"

const tsconfig = `{
  "compilerOptions": {
    "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler", "strict": true, "noImplicitReturns": true, "noUnusedLocals": true,
    "noUnusedParameters": true, "noFallthroughCasesInSwitch": true, "skipLibCheck": true, "lib": ["ES2023", "DOM", "DOM.Iterable"],
    "types": ["@webgpu/types"]
  },
  "files": ["app.ts"]
}
`

// Application makes app.ts and what it needs.
func Application(in *artefact.Input) (*artefact.Output, error) {
	s, err := artefact.Running(in)
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{}
	s.Assets = pictures(s, out)
	s.UI, s.Timelines = nil, nil // the program runs the timelines
	doc, err := s.Encode()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, head, in.Header(), quoted(doc))
	meshes(&b, in, s)
	b.WriteString(tail)
	out.Files = append([]artefact.File{{Path: "app.ts", MediaType: script, Data: b.Bytes()}}, sources()...)
	i := slices.IndexFunc(out.Files, func(f artefact.File) bool { return f.Path == "package.json" })
	if out.Files[i].Data, err = manifest(in); err != nil {
		return nil, err
	}
	out.Losses = artefact.PageLosses(in)
	for i := range s.Nodes {
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: fmt.Sprintf("scene.nodes[%d]", i)})
	}
	return out, nil
}

const head = `// %s
// Build it with: npm install && npm run build
// Serve the folder over HTTPS or from this machine and give createScene a canvas.
import { show, type Options, type Running } from "./show.js";
import type { Mesh, Scene } from "./scene.js";

export type { Options, Running };

// scene is the document scene/1 with its program.
export const scene: Scene = JSON.parse('%s');

// meshes are the solids of the geometries of the scene, in their order.
`

const tail = `
// createScene draws the scene on a canvas and returns { camera, device, update(seconds),
// emit(node, event, payload), dispose() }. It throws where the browser has no WebGPU.
export function createScene(canvas: HTMLCanvasElement, options?: Options): Promise<Running> {
  return show(scene, meshes, canvas, options);
}
`

// quoted is a JSON document as the inside of a JavaScript text in single quotes.
func quoted(doc []byte) []byte {
	return bytes.ReplaceAll(artefact.ASCII(doc, "'"), []byte(`\`), []byte(`\\`))
}

// pictures are the assets of a scene without the bytes that nothing draws; those
// of materials that did not come along are noted.
func pictures(s *scene.Scene, out *artefact.Output) []scene.Asset {
	list := slices.Clone(s.Assets)
	used := make([]bool, len(list))
	for i := range s.Materials {
		m := &s.Materials[i].Maps
		for _, k := range []*int{m.BaseColor, m.Normal, m.ORM, m.Emissive} {
			if k != nil && *k >= 0 && *k < len(list) {
				used[*k] = true
			}
		}
	}
	for i := range list {
		if used[i] && len(list[i].Data) == 0 {
			out.Notes = append(out.Notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{list[i].Path}})
		}
		if !used[i] {
			list[i].Data = nil
		}
	}
	return list
}

// manifest is package.json: what builds the application.
func manifest(in *artefact.Input) ([]byte, error) {
	return artefact.JSON(struct {
		Name            string            `json:"name"`
		Version         string            `json:"version"`
		Private         bool              `json:"private"`
		Type            string            `json:"type"`
		Main            string            `json:"main"`
		Description     string            `json:"description"`
		Scripts         map[string]string `json:"scripts"`
		DevDependencies map[string]string `json:"devDependencies"`
	}{
		"scene", "1.0.0", true, "module", "app.js", strings.TrimSpace(cmp.Or(in.Scene.Name, "Scene") + ". " + in.Header()),
		map[string]string{"build": "tsc"}, map[string]string{"@webgpu/types": WebGPU, "typescript": TypeScript},
	})
}

// The versions of the packages that artefacts were checked with.
const (
	WebGPU     = "0.1.74"
	TypeScript = "5.9.3"
)
