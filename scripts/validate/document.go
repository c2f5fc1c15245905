package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// keep writes what was proven: for the program, and for readers. Targets that
// this run did not look at keep what they had.
func keep(rows []*row) error {
	proofs := map[string]target.Verified{}
	for _, t := range target.All() {
		proofs[t.ID] = t.Verified
	}
	for _, r := range rows {
		if r.verified.Level != "none" {
			proofs[r.target.ID] = r.verified
		}
	}
	raw, err := artefact.JSON(proofs)
	if err != nil {
		return err
	}
	if err := os.WriteFile("lang/target/verified.json", raw, 0o644); err != nil {
		return err
	}
	return os.WriteFile("docs/targets.md", []byte(document(proofs)), 0o644)
}

func document(proofs map[string]target.Verified) string {
	var b strings.Builder
	b.WriteString(`# Compile targets

Written by ` + "`go run ./scripts/validate --write`" + ` from the registry and from what the tools said; do not edit.

What a source can be compiled to, with the tool that read the results of all examples without complaint. Level *engine*: a
real engine or runtime loaded it; *validator*: a checker of the format accepted it; *syntax*: only a grammar, our own reader or signatures of our own did.

| target | also called | files | media type | level | tool |
|---|---|---|---|---|---|
`)
	for _, t := range target.All() {
		p := proofs[t.ID]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", t.ID, strings.Join(t.Aliases, ", "), strings.Join(t.Files, ", "), t.MediaType, p.Level,
			strings.TrimSpace(p.Tool+" "+p.Version))
	}
	b.WriteString(`
## What each target carries

F: in full. P: approximated, the compile says how (TGT003). X: left out or kept as data, the compile says so (TGT002). –: outside of the target's purpose.

| target |`)
	for _, f := range artefact.Features {
		fmt.Fprintf(&b, " %s |", f)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(artefact.Features)) + "\n")
	for _, t := range target.All() {
		fmt.Fprintf(&b, "| `%s` |", t.ID)
		for _, f := range artefact.Features {
			level := string(t.Features[f])
			if level == "-" {
				level = "–"
			}
			fmt.Fprintf(&b, " %s |", level)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Options\n\nEvery target takes `strict`, `quality` and `node`.\n\n| target | option | type | default | meaning |\n|---|---|---|---|---|\n")
	for _, t := range target.All() {
		for _, o := range t.Options() {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %v | %s |\n", t.ID, o.Name, o.Type, o.Default, o.Description)
		}
	}
	b.WriteString(conserved + engines)
	return b.String()
}

// conserved are the figures of the gate that changes each literal of a source.
const conserved = `
## What is lost on the way

` + "`go run ./scripts/conserve -targets none examples lang/conserve/testdata`" + ` changes each literal of a source and looks for what nobody would notice. *Changed*: the
scene, the program or what a target without a picture writes is another; *reported*: a finding speaks of the value; *silent*: nobody would know. The sources of
` + "`blind`" + ` are by people who had not seen the table of habits and borrow from other languages; more than half of what they write has no meaning here, and says so.

| sources | files | literals | changed | reported | by a rule | silent |
|---|---|---|---|---|---|---|
| examples | 83 | 6,084 | 96.8 % | 3.2 % | 3 | 0 |
| corpus | 105 | 2,743 | 93.0 % | 6.8 % | 5 | 0 |
| blind | 60 | 4,113 | 48.4 % | 51.5 % | 3 | 0 |

` + "`go test ./lang/conserve`" + ` fails where one is silent; with ` + "`-v`" + ` it lists what is reported by its key.
`

// engines says what the game engines get, and what of it was seen where.
const engines = `
## What is generated for Godot and Unity

Both get scenes in the engine's own files and scripts in its own language. One translator (` + "`lang/target/direct`" + `) reads every
function of the compiled program: what it does becomes statements with the author's names where that is known from the code, that is
assignments, conditions, switches, arithmetic, texts, properties, events, calls of other such functions, tweens and the operations of the
library. Where a value of an unknown kind may fail, the script asks whether it did (` + "`failed`, `Failed`" + `) and ends as the interpreter would.

| left to the interpreter that comes with the scene | |
|---|---|
| loops, ranges, spread lists and objects | closures and functions as values |
| await, wait, set_timeout | try and throw |
| spawn, and what is in a template that is spawned | first values of state that are worked out |
| functions that call one of these, or themselves | more than one thing that may fail at once behind a call |

Each function that is left stands with its reason and its place at the top of ` + "`scene.gd` or `Behaviours.cs`" + `, and as a TGT003 loss of the
compile. Events, machines, schedules, wires and timelines are rows of the program in both cases, so that scripts and interpreter share
one order of events, one state and one undo; a script's state is a variable that the inspector shows and a game may write.

| | Godot (3: run by the engine; 4: by the grammar) | Unity (preview: by a compiler against our signatures) |
|---|---|---|
| nodes | ` + "`scene.tscn`: meshes, materials, lights, cameras, bodies, shapes, areas, joints, particles, sounds" + ` | ` + "`Scene.prefab`: transforms, meshes, lights, cameras, colliders, bodies, sounds; `Scene.unity` with an instance" + ` |
| templates | ` + "`<template>.tscn`, instanced, with what an instance has otherwise" + ` | one component for each template |
| texts | a label (4), a mesh of strokes (3) | made when the scene begins |
| animations | an AnimationPlayer, whose keys the script steps | rows of ` + "`Data.cs`" + ` |
| solids | the engine's, else a mesh resource (3) or made when the scene begins (4) | the engine's, else ` + "`Shapes/*.asset`" + ` |
| materials | resources of the scene file | ` + "`Looks/*.mat`" + ` of the built-in pipeline; made when the scene begins under another |
| behaviour | one script a node or template, on ` + "`actor.gd`" + ` | one component a node or template, on Script; ` + "`Behaviours.cs`" + ` binds them |
| ids of files | – | ` + "`.meta`" + ` files whose ids follow from the scene's name and the path |
| made when the scene begins | pictures, model files, controls, headset | these, joints, particles, hulls, sky, fog and image effects |

What Unity gets is labelled syntax until the engine has opened it: the assets are read by a parser of YAML, and every id that they name is
looked for. VRChat, Unreal, visionOS, iOS and Android stay previews: their behaviour is the interpreter in their language.
`
