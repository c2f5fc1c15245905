package target

import (
	_ "embed" // the proofs
	"slices"

	"github.com/meshd/meshd/lang/target/aframe"
	"github.com/meshd/meshd/lang/target/ar"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/babylon"
	"github.com/meshd/meshd/lang/target/data"
	"github.com/meshd/meshd/lang/target/gltf"
	"github.com/meshd/meshd/lang/target/godot"
	"github.com/meshd/meshd/lang/target/html"
	"github.com/meshd/meshd/lang/target/native2d"
	"github.com/meshd/meshd/lang/target/obj"
	"github.com/meshd/meshd/lang/target/openxr"
	"github.com/meshd/meshd/lang/target/pipeline"
	"github.com/meshd/meshd/lang/target/playcanvas"
	"github.com/meshd/meshd/lang/target/r3f"
	"github.com/meshd/meshd/lang/target/robot"
	"github.com/meshd/meshd/lang/target/service"
	"github.com/meshd/meshd/lang/target/threejs"
	"github.com/meshd/meshd/lang/target/twin"
	"github.com/meshd/meshd/lang/target/usd"
	"github.com/meshd/meshd/lang/target/wasm"
	"github.com/meshd/meshd/lang/target/webgpu"
	"github.com/meshd/meshd/lang/target/x3d"
)

//go:embed verified.json
var proofs []byte

// web are the platforms of the pages that browsers show.
var web = []string{"web", "desktop", "windows", "macos", "linux", "webxr"}

// table is the registry. The letters are the rows of the feature matrix, in the
// order Nod Geo Ext Mat Lit Env Pst Cam Ani Phy Jnt Aud Par UI Evt Scr FSM Agt
// Net XR Pip.
func table() []*Target {
	return slices.Concat(firstTargets(), gameTargets(), unrealTargets(), appleTargets(), androidTargets(), flowTargets(), phoneTargets())
}

// firstTargets are those of the first two waves.
func firstTargets() []*Target {
	return []*Target{
		{
			ID: "html", Aliases: []string{"web", "standalone"}, Category: "web", Wave: 1, MediaType: "text/html", Files: []string{"index.html"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Deployable: true, platforms: web, Features: artefact.Row("FFFFF FPFFP XFFFF FFPXP -"),
			options: []option{{"lang", "string", nil, "en", "Language of the page, as in its lang attribute."}},
			how: map[artefact.Feature]string{
				artefact.Effects: webEffects,
				artefact.Physics: webPhysics,
				artefact.Agents:  "machines, trees and handlers run, a model's answer is a stub",
				artefact.XR:      "controllers and hands point, select and grab, anchors are kept as data; not tried on a headset",
			},
			spawns: true, emit: html.Page,
		},
		{
			ID: "threejs", Aliases: []string{"three", "three-js"}, Category: "web", Wave: 1, MediaType: "text/javascript",
			Files: []string{"scene.js", "runtime.js", "package.json"}, Axes: "y-up-rh", Unit: "m", platforms: web,
			Features: artefact.Row("FFFFF FPFFP XFFPF FFPXX -"), spawns: true, emit: threejs.Module,
			how: map[artefact.Feature]string{
				artefact.Effects: webEffects,
				artefact.Physics: webPhysics,
				artefact.UI:      hostUI,
				artefact.Agents:  "machines, trees and handlers run, a model's answer is a stub",
			},
		},
		{
			ID: "gltf", Aliases: []string{"gltf2"}, Category: "exchange", Wave: 1, MediaType: "model/gltf+json", Files: []string{"scene.gltf", "scene.bin"},
			Axes: "y-up-rh", Unit: "m", Features: artefact.Row("FFPFF X-FFX XXXXX XXXXX -"), emit: gltf.Text,
			options: []option{{"embed", "boolean", nil, false, "Put the buffer into the JSON file."}},
		},
		{
			ID: "glb", Category: "exchange", Wave: 1, MediaType: "model/gltf-binary", Files: []string{"scene.glb"}, Axes: "y-up-rh", Unit: "m",
			SelfContained: true, Features: artefact.Row("FFPFF X-FFX XXXXX XXXXX -"), emit: gltf.Binary,
		},
		{
			ID: "usd", Aliases: []string{"usda"}, Category: "exchange", Wave: 1, MediaType: "model/vnd.usda", Files: []string{"scene.usda"}, Axes: "y-up-rh",
			Unit: "m", SelfContained: true, Features: usdRow, how: usdHow, emit: usd.Text,
		},
		{
			ID: "usdz", Category: "exchange", Wave: 1, MediaType: "model/vnd.usdz+zip", Files: []string{"scene.usdz"}, Axes: "y-up-rh", Unit: "m",
			SelfContained: true, Features: usdRow, how: usdHow, emit: usd.Package,
		},
		{
			ID: "obj", Aliases: []string{"wavefront"}, Category: "exchange", Wave: 1, MediaType: "model/obj", Files: []string{"scene.obj", "scene.mtl"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Features: meshRow, emit: obj.Text,
		},
		{
			ID: "stl", Category: "exchange", Wave: 1, MediaType: "model/stl", Files: []string{"scene.stl"}, Axes: "z-up-rh", Unit: "mm",
			SelfContained: true, Features: artefact.Row("PFXX- ----- ----- ----- -"), emit: obj.Binary,
		},
		{
			ID: "urdf", Aliases: []string{"robot"}, Category: "robotics", Wave: 1, MediaType: "application/xml", Files: []string{"robot.urdf"},
			Axes: "z-up-rh", Unit: "m", Features: artefact.Row("FPFP- ----P F---- ----- -"), emit: robot.URDF,
			how: map[artefact.Feature]string{
				artefact.Materials: "surfaces keep their colour only",
				artefact.Physics:   "masses and colliders are kept; what has no joint is held in its place",
			},
		},
		{
			ID: "sdf", Aliases: []string{"gazebo"}, Category: "robotics", Wave: 1, MediaType: "application/xml", Files: []string{"world.sdf"},
			Axes: "z-up-rh", Unit: "m", Features: artefact.Row("FPFPP P-PXF FXX-- XXX-- -"), emit: robot.SDF,
			how: map[artefact.Feature]string{
				artefact.Materials:   "surfaces keep their colours only",
				artefact.Environment: "ambient light, gravity and one colour of the sky",
				artefact.Cameras:     "cameras become sensors of 640 by 480 pixels",
			},
		},
		{
			ID: "a2a-agent-card", Aliases: []string{"agent-card", "a2a"}, Category: "agent", Wave: 1, MediaType: "application/json",
			Files: []string{"agent-card.json"}, Features: agentRow, emit: data.AgentCard, how: agentHow,
			options: []option{
				{"url", "string", nil, "http://127.0.0.1:8420/a2a", "Address of the agent."}, {"agent", "string", nil, "", "Name of the agent; without it the first."},
			},
		},
		{
			ID: "mcp-config", Aliases: []string{"mcp"}, Category: "agent", Wave: 1, MediaType: "application/json", Files: []string{"mcp.json"},
			Features: agentRow, emit: data.MCPConfig, how: agentHow,
		},
		{
			ID: "openapi", Category: "service", Wave: 1, MediaType: "application/json", Files: []string{"openapi.json"},
			Features: artefact.Row("----- ----- ----P PXP-- P"), emit: service.OpenAPI,
			how: map[artefact.Feature]string{
				artefact.Events: "events are not part of the document", artefact.Behaviour: "endpoints, their types and results are described, what they do is not",
				artefact.Agents: "agents are not part of the document", artefact.Pipelines: "pipelines are not part of the document",
			},
		},
		{
			ID: "state", Aliases: []string{"state-json"}, Category: "data", Wave: 1, MediaType: "application/json", Files: []string{"state.json"},
			SelfContained: true, Features: whole, emit: data.State,
		},
		{
			ID: "json-ast", Aliases: []string{"ast-json", "ast", "json"}, Category: "data", Wave: 1, MediaType: "application/json",
			Files: []string{"ast.json"}, SelfContained: true, Features: whole, tree: true, emit: data.Tree,
		},
		{
			ID: "scene-json", Aliases: []string{"scene", "model"}, Category: "data", Wave: 1, MediaType: "application/json", Files: []string{"scene.json"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Features: whole, spawns: true, emit: data.Scene,
		},
		{
			ID: "source", Aliases: []string{"format"}, Category: "data", Wave: 1, MediaType: "text/plain", Files: []string{"main.holo"},
			SelfContained: true, Features: whole, tree: true, emit: data.Source,
		},
		{
			ID: "pipeline-node", Category: "pipeline", Wave: 1, MediaType: "text/javascript", Files: []string{"pipeline.mjs"}, SelfContained: true,
			Features: artefact.Row("----- ----- ----- X---- F"), emit: pipeline.Node,
		},
		{
			ID: "webgpu", Aliases: []string{"wgsl"}, Category: "web", Wave: 2, MediaType: "text/javascript",
			Files: []string{"app.ts", "*.ts", "*.wgsl", "runtime.js", "package.json", "tsconfig.json"}, Axes: "y-up-rh", Unit: "m", platforms: web,
			Features: artefact.Row("FFXPP PXFPP X-F-X PX--- -"), spawns: true, emit: webgpu.Application,
			how: map[artefact.Feature]string{
				artefact.Materials:   "base colour, metal, roughness, glow, opacity and their maps; glass is seen through without bending light",
				artefact.Lights:      "up to four directional lights and spots throw shadows, points throw none; areas are wide spots; 62 lights shine",
				artefact.Environment: "colours of the sky, light from everywhere, fog, exposure and the tone curve; pictures of the sky are left out",
				artefact.Animations:  "key frames of nodes, looks and lights play, and timelines; those of model files do not",
				artefact.Physics:     webPhysics,
				artefact.Behaviour:   "state, handlers and timers run; events come from the host by emit, sounds are silent",
			},
		},
		{
			ID: "babylon", Aliases: []string{"babylonjs"}, Category: "web", Wave: 2, MediaType: "text/javascript",
			Files: []string{"scene.js", "runtime.js", "package.json"}, Axes: "y-up-rh", Unit: "m", platforms: web,
			Features: artefact.Row("FFFFF FPFFP XFFPF FFXXP -"), spawns: true, emit: babylon.Module,
			how: map[artefact.Feature]string{
				artefact.Effects: webEffects,
				artefact.Physics: webPhysics,
				artefact.UI:      hostUI,
				artefact.XR:      hostXR,
			},
		},
		{
			ID: "playcanvas", Category: "web", Wave: 2, MediaType: "text/javascript", Files: []string{"scene.js", "runtime.js", "package.json"},
			Axes: "y-up-rh", Unit: "m", platforms: web, Features: artefact.Row("FFFFF PXFFP XFPPF FFXXP -"), spawns: true, emit: playcanvas.Module,
			how: map[artefact.Feature]string{
				artefact.Environment: "colours of the sky, fog, light from everywhere and exposure; pictures of the sky are not shown",
				artefact.Physics:     webPhysics,
				artefact.Particles:   "points are squares that face the eye and take no light",
				artefact.UI:          hostUI,
				artefact.XR:          hostXR,
			},
		},
		{
			ID: "r3f", Aliases: []string{"react-three-fiber", "react"}, Category: "web", Wave: 2, MediaType: "text/tsx",
			Files: []string{"Scene.tsx", "runtime.js", "runtime.d.ts"}, Axes: "y-up-rh", Unit: "m", platforms: web,
			Features: artefact.Row("FFFFF FPFFP XFFFF FFPXP -"), spawns: true, emit: r3f.Component,
			how: map[artefact.Feature]string{
				artefact.Effects: webEffects,
				artefact.Physics: webPhysics,
				artefact.Agents:  "machines, trees and handlers run, a model's answer is a stub",
				artefact.XR:      "controllers and hands point, select and grab in the host's session, anchors are kept as data; not tried on a headset",
			},
		},
		{
			ID: "aframe", Aliases: []string{"a-frame"}, Category: "web", Wave: 2, MediaType: "text/html", Files: []string{"index.html"},
			Axes: "y-up-rh", Unit: "m", platforms: web, Features: artefact.Row("FFFFF PXFFP XFXPF FFXXP -"), spawns: true, emit: aframe.Page,
			options: []option{
				{"lang", "string", nil, "en", "Language of the page, as in its lang attribute."},
				{"library", "string", nil, aframe.Library, "Address of A-Frame 1.8.0 for the page."},
			},
			how: map[artefact.Feature]string{
				artefact.Environment: "colours of the sky, fog and exposure; the curve of tones is the library's own",
				artefact.Physics:     webPhysics,
				artefact.UI:          "controls stand on the page, they are not there in immersive mode",
				artefact.XR:          "controllers and hands point, select and grab, anchors are kept as data; not tried on a headset",
			},
		},
		{
			ID: "wasm", Category: "web", Wave: 2, MediaType: "application/wasm", Files: []string{"scene.wasm", "host.js"}, Axes: "y-up-rh", Unit: "m",
			Features: artefact.Row("FFXPP X-XP- ----- XXX-- -"), emit: wasm.Module,
			how: map[artefact.Feature]string{
				artefact.Materials: "surfaces are in the scene that the module holds; nothing draws them",
				artefact.Lights:    "lights are in the scene that the module holds; nothing shines",
			},
		},
		{
			ID: "x3d", Category: "exchange", Wave: 2, MediaType: "model/x3d+xml", Files: []string{"scene.x3d"}, Axes: "y-up-rh", Unit: "m",
			Features: artefact.Row("FFPFF P-FPX XPXXP XXX-- -"), emit: x3d.Text,
			how: map[artefact.Feature]string{
				artefact.Models:      "model files are named, the browser reads those it can",
				artefact.Environment: "colours of the sky and fog; light from everywhere is left out",
				artefact.Audio:       "sounds are named with where they are heard; none starts by itself",
				artefact.Events:      "things that can be picked say what they are, their handlers do not run",
			},
		},
		{
			ID: "ar", Aliases: []string{"webxr", "webar"}, Category: "device", Wave: 2, MediaType: "text/html", Files: []string{"index.html"},
			Axes: "y-up-rh", Unit: "m", SelfContained: true, Deployable: true, platforms: append([]string{"ar"}, web...),
			Features: artefact.Row("FFFFF PX-FP XPPPF FFXXF -"),
			options:  []option{{"lang", "string", nil, "en", "Language of the page, as in its lang attribute."}},
			how: map[artefact.Feature]string{
				artefact.Environment: "the room is the background; sky and fog are seen without AR only",
				artefact.Physics:     webPhysics,
				artefact.Audio:       "sounds are heard from where things stand; the room does not change them",
				artefact.Particles:   "particles are drawn before what stands in the room",
				artefact.UI:          "controls lie over the picture where the device shows pages in AR, else they are used without it",
			},
			spawns: true, emit: ar.Page,
		},
		{
			ID: "native-2d", Aliases: []string{"html-2d", "ui"}, Category: "device", Wave: 2, MediaType: "text/html", Files: []string{"index.html"},
			Axes: "y-down", Unit: "px", SelfContained: true, Deployable: true, platforms: web, Features: artefact.Row("P-PP- P--P- -P-FF FFX-- -"),
			options: []option{{"lang", "string", nil, "en", "Language of the page, as in its lang attribute."}},
			how: map[artefact.Feature]string{
				artefact.Nodes:       "things stand flat, as seen from the front; depth says only what is before what",
				artefact.Models:      "a frame with the name of the model stands in its place",
				artefact.Materials:   "colour, glow, transparency and one picture; metal and roughness do not show",
				artefact.Environment: "the colours of the sky are the background",
				artefact.Animations:  "what moves in depth or turns out of the page is seen as it looks from the front",
				artefact.Audio:       "sounds are heard from one place before the page",
			},
			spawns: true, emit: native2d.Page,
		},
		{
			ID: "godot", Aliases: []string{"gdscript", "tscn"}, Category: "engine", Wave: 2, MediaType: "text/plain", Files: []string{"scene.tscn", "scene.gd", "actor.gd", "*.tscn", "*.gd"},
			Axes: "y-up-rh", Unit: "m", platforms: []string{"desktop", "windows", "macos", "linux", "web", "android", "ios"},
			Features: artefact.Row("FFFFF FPFFF FFFPF FFPPP -"), spawns: true, emit: godot.Scene,
			options: []option{{"version", "string", []string{"4", "3"}, "4", "Version of the engine."}},
			how: map[artefact.Feature]string{
				artefact.Effects: "bloom, grading, occlusion and reflections by the engine's own effects",
				artefact.UI:      "controls stand in one column, in the engine's own look",
				artefact.Agents:  "machines, trees and handlers run, a model's answer is a stub unless the game gives one",
				artefact.Network: "state goes to other players once the game opens a network, except that of spawned things; who may write what is the game's",
				artefact.XR:      "two controllers point, select and grab, anchors are kept as data; not tried on a headset",
			},
		},
		{
			ID: "openxr", Category: "device", Wave: 2, MediaType: "text/x-c++", Files: []string{"main.cpp", "CMakeLists.txt"}, Axes: "y-up-rh", Unit: "m",
			platforms: []string{"linux", "desktop", "openxr", "vr"}, Features: artefact.Row("FFXPP P--PX XXXXP XXXXP -"), emit: openxr.Application,
			how: map[artefact.Feature]string{
				artefact.Materials:   "colours, glow, roughness and transparency; metal looks like paint",
				artefact.Lights:      "lights shine without shadows",
				artefact.Environment: "one colour of the sky, light from everywhere, fog",
				artefact.Animations:  "key-frame animations of nodes play, timelines do not",
				artefact.Events:      "pointing, selecting and grabbing call functions that are yours to fill in",
				artefact.XR:          "a session with two controllers, select and grab; hands and anchors do nothing",
			},
		},
		{
			ID: "mjcf", Aliases: []string{"mujoco"}, Category: "robotics", Wave: 2, MediaType: "application/xml", Files: []string{"model.xml"},
			Axes: "z-up-rh", Unit: "m", Features: artefact.Row("FPPP- ----P P---- ----- -"), emit: robot.MJCF,
			how: map[artefact.Feature]string{
				artefact.Materials: "surfaces keep their colour, metal and roughness, not their textures",
				artefact.Physics:   "masses, friction and colliders are kept; what rebounds does so as the engine has it, kinematic bodies are held in place",
			},
		},
		{
			ID: "dtdl", Aliases: []string{"digital-twin"}, Category: "twin", Wave: 2, MediaType: "application/json", Files: []string{"interfaces.json"},
			SelfContained: true, Features: twinRow, how: twinHow, emit: twin.DTDL,
		},
		{
			ID: "wot", Aliases: []string{"thing-description"}, Category: "twin", Wave: 2, MediaType: "application/td+json", Files: []string{"thing.td.json"},
			SelfContained: true, Features: twinRow, how: twinHow, emit: twin.WoT,
			options: []option{
				{"base", "string", nil, "http://127.0.0.1:8080/", "Address below which the thing answers."},
				{"security", "string", []string{"nosec", "basic", "bearer"}, "nosec", "How the thing knows who asks."},
			},
		},
		{
			ID: "aas", Category: "twin", Wave: 2, MediaType: "application/json", Files: []string{"environment.json"},
			SelfContained: true, Features: twinRow, how: twinHow, emit: twin.AAS,
		},
		{
			ID: "node-service", Aliases: []string{"express", "node"}, Category: "service", Wave: 2, MediaType: "text/javascript",
			Files: []string{"server.mjs", "runtime.mjs", "package.json"}, Features: artefact.Row("----- ----- ----P FFP-- P"), spawns: true, emit: service.Node,
			how: map[artefact.Feature]string{
				artefact.Events: "routes raise no events of pointers; what actions raise is handled", artefact.Agents: "handlers, machines and trees run; a model is an operation that handlers.mjs offers",
				artefact.Pipelines: "a route runs the pipeline that it names; pipeline-node keeps schedules",
			},
		},
		{
			ID: "pipeline-python", Aliases: []string{"python"}, Category: "pipeline", Wave: 2, MediaType: "text/x-python", Files: []string{"pipeline.py"},
			SelfContained: true, Features: artefact.Row("----- ----- ----- X---- F"), emit: pipeline.Python,
		},
	}
}

// What the web targets that share a viewer make of features.
const (
	webEffects = "bloom, vignette, colour fringes, grain and grading are drawn, effects that need depth or movement are not"
	hostUI     = "controls stand where the host's page gives them a place"
	hostXR     = "the host's page begins a session; two controllers or hands point, select and grab, anchors are kept as data; not tried on a headset"
	webPhysics = "boxes, spheres, capsules and planes move; other colliders are the box around them, what has a joint is held in its place"
)

// Rows that several targets share.
var (
	usdRow   = artefact.Row("FFPFF P-FPP XXXXX XXXXX -")
	meshRow  = artefact.Row("PFXP- ----- ----- ----- -")
	agentRow = artefact.Row("----- ----- ----- PPF-- P")
	twinRow  = artefact.Row("P---- ----- ----P PPP-- -")
	whole    = artefact.Row("FFFFF FFFFF FFFFF FFFFF F")

	usdHow = map[artefact.Feature]string{
		artefact.Environment: "ambient light and gravity; sky and fog are left out",
		artefact.Physics:     "bodies have their mass, colliders are the hull of their mesh",
	}
	twinHow = map[artefact.Feature]string{
		artefact.Nodes:  "things with state, actions, events or readings become twins; all others, and where things are, are left out",
		artefact.Events: "events are named, what they carry is not described", artefact.Behaviour: "state and the signatures of functions are described, what runs is not",
		artefact.Machines: "a machine is a property with the names of its states; trees are left out",
		artefact.Agents:   "an agent is a twin with its tools as actions",
	}
	agentHow = map[artefact.Feature]string{
		artefact.Behaviour: "functions are named, what they do is not written", artefact.Machines: "machines and trees are left out",
		artefact.Pipelines: "pipelines are left out but for the servers they name",
	}
)
