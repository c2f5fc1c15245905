// Package r3f writes a scene as a component for @react-three/fiber: Scene.tsx has
// the tree of groups, which the host's canvas shows, and runtime.js, with its
// types, runs what happens in it.
package r3f

import (
	"bytes"
	_ "embed" // the adapter
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
)

// Versions are the libraries that the component is made for; the host brings them.
const Versions = "react 19, three 0.187.0, @react-three/fiber 9.8.2, @react-three/drei 10.7.9"

// immersive is the library of components for headsets.
const immersive = "@react-three/xr 6.6.31"

//go:embed adapter.js
var adapter string

//go:embed runtime.d.ts
var types []byte

// Component makes Scene.tsx, runtime.js and runtime.d.ts.
func Component(in *artefact.Input) (*artefact.Output, error) {
	s, err := artefact.Running(in)
	if err != nil {
		return nil, err
	}
	here := artefact.Standing(s) // prototypes are made by the runtime
	body := &writer{in: in, s: here, stage: staging.Of(here)}
	var roots []int
	body.below, roots = artefact.Tree(here)
	body.lights()
	for _, i := range roots {
		body.node(i)
	}
	main, err := component(in, s, body)
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{
		{Path: "Scene.tsx", MediaType: "text/tsx", Data: main},
		{Path: "runtime.js", MediaType: "text/javascript", Data: bundle.Module(bundle.Host, adapter)},
		{Path: "runtime.d.ts", MediaType: "text/plain", Data: types},
	}}
	for i := range here.Nodes {
		out.Places = append(out.Places, artefact.Place{ID: here.Nodes[i].ID, Place: "group with userData.id " + here.Nodes[i].ID})
	}
	out.Notes = artefact.Outside(s)
	out.Losses = artefact.PageLosses(in)
	return out, nil
}

// component is the text of Scene.tsx around the tree.
func component(in *artefact.Input, s *scene.Scene, body *writer) ([]byte, error) {
	xr := len(artefact.Uses(in.Scene, in.Registry)[artefact.XR]) > 0
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("// %s", in.Header())
	made := Versions
	if xr {
		made += ", " + immersive
	}
	line("// Made for %s.", made)
	line(`import { memo, type ReactElement } from "react";`)
	if len(body.three) > 0 {
		line(`import { %s } from "three";`, strings.Join(slices.Sorted(slices.Values(body.three)), ", "))
	}
	fiber := []string{"useFrame"}
	if body.tall {
		fiber = append(fiber, "useThree")
	}
	line(`import { %s } from "@react-three/fiber";`, strings.Join(fiber, ", "))
	line(`import { %s } from "@react-three/drei";`, strings.Join(slices.Sorted(slices.Values(append(body.drei, "OrbitControls"))), ", "))
	if xr {
		line(`import { XR, type XRStore } from "@react-three/xr";`)
	}
	used := append(body.runtime, "SceneContext", "Surroundings", "useScene")
	if len(s.Post) > 0 {
		used = append(used, "PictureEffects")
	}
	line("import {\n  %s,\n  type Asset, type SceneData, type SceneProps, type Surface, type SurroundingsProps, type View,\n} from \"./runtime.js\";", strings.Join(slices.Sorted(slices.Values(used)), ", "))
	line("\nexport { useSceneState } from \"./runtime.js\";")
	line("export type { Line, SceneHandle, SceneProps, Value, View } from \"./runtime.js\";")
	if err := constants(&b, s, body.stage); err != nil {
		return nil, err
	}
	line("\nconst Nodes = memo(function Nodes({ view }: { view: View }): ReactElement {")
	if body.tall {
		line("  const height = useThree((state) => state.size.height);")
	}
	if !body.looks {
		line("  void view; // the scene has no camera of its own")
	}
	line("  return (\n    <>")
	b.Write(body.b.Bytes())
	line("    </>\n  );\n});")
	props, head := "SceneProps", "children, ref, still, view = \"scene\", ui, onEvent, onState, onSay, ...group"
	if xr {
		line("\n// Props are those of a scene, and the store of @react-three/xr where it is to be entered.")
		line("export interface Props extends SceneProps { xr?: XRStore }")
		props, head = "Props", "xr, "+head
	}
	line("\n// Scene shows %s in the host's Canvas and runs it.", comment(in.Scene.Name))
	line("export default function Scene({ %s }: %s): ReactElement {", head, props)
	line("  const run = useScene(data, { ref, still, view, ui, onEvent, onState, onSay });")
	line("  useFrame((_, delta) => run.advance(delta));")
	start, end := "  return (", "  );"
	if xr {
		start, end = "  const scene = (", "  );\n  return xr ? <XR store={xr}>{scene}</XR> : scene;"
	}
	line("%s", start)
	line("    <SceneContext value={run.context}>\n      <Surroundings {...surroundings} />")
	if len(s.Post) > 0 {
		line("      <PictureEffects list={effects} />")
	}
	line("      {view === \"orbit\" && <OrbitControls makeDefault />}")
	line("      <group {...group} ref={run.root} {...run.events}>\n        <Nodes view={view} />\n        {children}\n      </group>\n    </SceneContext>")
	line("%s\n}", end)
	return b.Bytes(), nil
}

// constants are what the tree and the runtime read: the files that came with the
// scene, its surroundings and its document.
func constants(b *bytes.Buffer, s *scene.Scene, stage *staging.Staging) error {
	put := func(name, kind string, v any) error {
		raw, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("encode %s: %w", name, err)
		}
		fmt.Fprintf(b, "\nconst %s: %s = %s;\n", name, kind, artefact.ASCII(raw, ""))
		return nil
	}
	assets, materials := s.Assets, s.Materials
	if assets == nil {
		assets = []scene.Asset{}
	}
	if materials == nil {
		materials = []scene.Material{}
	}
	e := &s.Environment
	if err := put("assets", "Asset[]", assets); err != nil {
		return err
	}
	if err := put("materials", "Surface[]", materials); err != nil {
		return err
	}
	around := map[string]any{}
	if len(e.Sky.Colors) > 0 {
		around["sky"] = e.Sky.Colors
	}
	if e.Fog != nil {
		around["fog"] = map[string]any{"color": colour(e.Fog.Color), "density": stage.FogDensity(s)}
	}
	if e.Exposure != 1 {
		around["exposure"] = e.Exposure
	}
	if e.ToneMapping != "" {
		around["toneMapping"] = e.ToneMapping
	}
	if err := put("surroundings", "SurroundingsProps", around); err != nil {
		return err
	}
	if len(s.Post) > 0 {
		if err := put("effects", `Parameters<typeof PictureEffects>[0]["list"]`, s.Post); err != nil {
			return err
		}
	}
	rest := *s
	rest.Assets, rest.Materials, rest.Post = nil, nil, nil
	doc, err := rest.Encode()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n// data is what runs in the scene: the places where its nodes begin, bodies, sounds, animations, controls and program.\n"+
		"const data: SceneData = { ...%s, assets, materials };\n", artefact.ASCII(doc, ""))
	return nil
}

// comment is a text as it may stand in a comment of one line.
func comment(name string) string {
	raw, err := json.Marshal(artefact.OneLine(name))
	if name == "" || err != nil {
		return "the scene"
	}
	return string(artefact.ASCII(raw, ""))
}
