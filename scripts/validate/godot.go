package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	runner "github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// loseParent hangs a node of a scene file on one that is not there.
func loseParent(b []byte) []byte {
	return bytes.Replace(b, []byte(`parent="."`), []byte(`parent="Nowhere"`), 1)
}

// fourth reads what was written for version 4 of the engine, of which there is no
// package: scene files by a reader of our own, scripts by the grammar.
func fourth(ctx context.Context, dir string, files []string) ([]verdict, error) {
	broken := filepath.Join(dir, "broken.gd")
	if err := os.WriteFile(broken, []byte("extends Node3D\n\nfunc a(:\n\tvar = 1\n"), 0o644); err != nil {
		return nil, err
	}
	scripts := []string{broken}
	for _, f := range files {
		if filepath.Base(f) == "scene.tscn" { // with those of nodes
			own, err := filepath.Glob(filepath.Join(filepath.Dir(f), "*.gd"))
			if err != nil {
				return nil, err
			}
			scripts = append(scripts, own...)
		}
	}
	said, err := node("grammar.mjs", "gdscript")(ctx, dir, scripts)
	if err != nil {
		return nil, err
	}
	if len(said) != len(scripts) || said[0].OK {
		return nil, errors.New("the grammar takes a broken script")
	}
	wrong := map[string]string{}
	for _, v := range said[1:] {
		if v.Message != "" {
			wrong[filepath.Dir(v.File)] = filepath.Base(v.File) + ": " + v.Message
		}
	}
	var out []verdict
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		v := verdict{File: f, Message: wrong[filepath.Dir(f)]}
		if err := readScene(string(raw), 4); err != nil {
			v.Message = err.Error()
		}
		if filepath.Base(f) == "scene.tscn" { // and the scenes of templates
			own, err := filepath.Glob(filepath.Join(filepath.Dir(f), "*.tscn"))
			if err != nil {
				return nil, err
			}
			for _, o := range own {
				raw, err := os.ReadFile(o)
				if err != nil {
					return nil, err
				}
				if err := readScene(string(raw), 4); err != nil && filepath.Base(o) != "broken.tscn" {
					v.Message = filepath.Base(o) + ": " + err.Error()
				}
			}
		}
		v.OK = v.Message == ""
		out = append(out, v)
	}
	return out, nil
}

// godotJob is a scene that the engine loads and runs.
type godotJob struct {
	Folder string       `json:"folder"`
	Steps  int          `json:"steps"`
	Events []godotEvent `json:"events"`

	file  string
	made  *target.Result
	trace []runner.Entry
}

type godotEvent struct {
	Step    int    `json:"step"`
	Node    string `json:"node"`
	Name    string `json:"name"`
	Payload any    `json:"payload"`
}

const godotSteps = 40

// third has version 3 of the engine load and run what is written for it: the
// nodes are where the model has them, and the program gives the trace that the
// runner gives.
func third(ctx context.Context, dir string, files []string) ([]verdict, error) {
	engine, err := exec.LookPath("godot3-server")
	if err != nil {
		return nil, err
	}
	home := filepath.Join(dir, "godot3")
	var jobs []*godotJob
	for i, f := range files {
		j, err := thirdJob(f, filepath.Join(home, fmt.Sprint("scene_", i)))
		if err != nil {
			return nil, err
		}
		j.Folder = fmt.Sprint("scene_", i)
		jobs = append(jobs, j)
	}
	list, err := json.Marshal(jobs)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(filepath.Join(workspace, "godot.gd"))
	if err != nil {
		return nil, err
	}
	for name, raw := range map[string][]byte{"jobs.json": list, "godot.gd": program, "project.godot": []byte("config_version=4\n\n[application]\n\nconfig/name=\"validate\"\n")} {
		if err := os.WriteFile(filepath.Join(home, name), raw, 0o644); err != nil {
			return nil, err
		}
	}
	c := exec.CommandContext(ctx, engine, "--path", home, "--fixed-fps", "60", "-s", "godot.gd")
	c.Env = append(os.Environ(), "HOME="+home)
	said, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, said[max(0, len(said)-300):])
	}
	parts := strings.Split(string(said), "JOB ")[1:]
	if len(parts) != len(jobs) {
		return nil, fmt.Errorf("%d of %d scenes were opened", len(parts), len(jobs))
	}
	var out []verdict
	for i, j := range jobs {
		v := verdict{File: j.file, Message: j.judge(parts[i])}
		v.OK = v.Message == ""
		out = append(out, v)
	}
	return out, nil
}

// thirdJob compiles the example of a file for version 3 into a folder, and says
// what the runner does with it.
func thirdJob(file, folder string) (*godotJob, error) {
	j, err := rehearsed(file, filepath.Base(filepath.Dir(file)), target.Request{Target: "godot", Options: map[string]any{"version": "3"}})
	if err != nil {
		return nil, err
	}
	for _, f := range j.made.Files {
		path := filepath.Join(folder, filepath.FromSlash(f.Path))
		data := f.Data
		if filepath.Base(file) == "broken.tscn" && f.Path == "scene.tscn" {
			data = loseParent(data)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// rehearsed compiles the example that a folder of artefacts is named by, and says
// what the runner does with it when every event comes that something waits for.
func rehearsed(file, name string, request target.Request) (*godotJob, error) {
	example := filepath.Join(sources, name)
	if _, err := os.Stat(example); err != nil {
		project, main, _ := strings.Cut(name, "_")
		example = filepath.Join(sources, project, main)
	}
	raw, err := os.ReadFile(example)
	if err != nil {
		return nil, err
	}
	format, _ := ast.FormatOf(example)
	root, err := os.OpenRoot(filepath.Dir(example))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	source := target.Load(root.FS(), filepath.Base(example), raw, format)
	r, err := target.Compile(source, request)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", example, err)
	}
	j := &godotJob{Steps: godotSteps, Events: []godotEvent{}, file: file, made: r}
	c, err := runner.Compile(r.Scene, append([]*ast.File{source.Main}, source.More...), false)
	if err != nil {
		return nil, err
	}
	if c.Program.Empty() {
		return j, nil
	}
	spawned, err := spawnedBy(c)
	if err != nil {
		return nil, err
	}
	j.raise(c.Program, spawned)
	m, err := runner.New(c.Program, runner.Options{Nodes: c.Nodes})
	if err != nil {
		return nil, err
	}
	m.Start()
	for i := range godotSteps {
		for _, e := range j.Events {
			if e.Step == i {
				m.Inject(runner.Event{Node: e.Node, Name: e.Name, Payload: "x"})
			}
		}
		m.Step()
	}
	j.trace, _ = m.Trace()
	return j, nil
}

// spawnedBy are the ids that the start of a program gives to what it spawns, by
// the node of the prototype: those of the second instance, where there is one.
func spawnedBy(c *runner.Compiled) (map[string]string, error) {
	m, err := runner.New(c.Program, runner.Options{Nodes: c.Nodes})
	if err != nil {
		return nil, err
	}
	m.Start()
	m.Step()
	made, names := map[string][]string{}, map[string]string{}
	for _, n := range c.Nodes {
		names[n.ID] = n.Name
	}
	trace, _ := m.Trace()
	for _, e := range trace {
		if e.Kind == "spawn" {
			made[e.Name] = append(made[e.Name], e.Node)
		}
	}
	out := map[string]string{}
	for _, t := range c.Program.Templates {
		for i, id := range t.Nodes {
			name := names[id]
			if i == 0 {
				name = t.Name
			}
			if ids := made[name]; len(ids) > 0 {
				out[id] = ids[min(1, len(ids)-1)]
			}
		}
	}
	return out, nil
}

// raise fills in every event that something waits for: once, and at what is
// spawned, in place of its prototype, often enough to end what a few clicks end.
func (j *godotJob) raise(p *runner.Program, spawned map[string]string) {
	add := func(node, name string) {
		times := 1
		if own, ok := spawned[node]; ok {
			node, times = own, 3
		}
		if name == "update" || slices.ContainsFunc(j.Events, func(e godotEvent) bool { return e.Node == node && e.Name == name }) {
			return
		}
		for range times {
			j.Events = append(j.Events, godotEvent{Step: 2 + 2*len(j.Events)%(godotSteps-4), Node: node, Name: name, Payload: "x"})
		}
	}
	for _, h := range p.Handlers {
		add(h.Node, h.Event)
	}
	for _, m := range p.Machines {
		for _, s := range m.States {
			for _, t := range s.On {
				add(m.Node, t.Event)
			}
		}
	}
}

// judge compares what the engine said of a scene with the model and the runner.
func (j *godotJob) judge(said string) string {
	if i := strings.Index(said, "SCRIPT ERROR"); i >= 0 {
		return said[i:min(len(said), i+300)]
	}
	var answer struct{ Fault string }
	var seen struct {
		Count  int
		Places map[string][3]float64
	}
	answers := 0
	var trace [][]any
	for line := range strings.Lines(said) {
		var err error
		switch {
		case strings.HasPrefix(line, "ANSWER "):
			answers++
			err = json.Unmarshal([]byte(line[7:]), &answer)
		case strings.HasPrefix(line, "PLACES "):
			err = json.Unmarshal([]byte(line[7:]), &seen)
		case strings.HasPrefix(line, "TRACE "):
			var e []any
			err = json.Unmarshal([]byte(line[6:]), &e)
			trace = append(trace, e)
		}
		if err != nil {
			return fmt.Sprintf("%v: %.200s", err, line)
		}
	}
	if answers != 1 || answer.Fault != "" {
		return strings.TrimSpace(answer.Fault + " " + said[:min(len(said), 300)])
	}
	if message := placed(j.made.Scene, seen.Count, seen.Places); message != "" {
		return message
	}
	return traced(trace, j.trace)
}

// placed says which node is not where the model has it.
func placed(s *scene.Scene, count int, places map[string][3]float64) string {
	nodes := 0
	for i := range s.Nodes {
		if s.Nodes[i].Prototype == "" {
			nodes++
		}
	}
	if len(places) != nodes || count < nodes+1 {
		return fmt.Sprintf("%d of %d nodes are there, %d in all", len(places), nodes, count)
	}
	world := artefact.World(s)
	for i := range s.Nodes {
		if s.Nodes[i].Prototype != "" {
			continue
		}
		at, ok := places[s.Nodes[i].ID]
		for k := range 3 {
			if d := math.Abs(at[k] - world[i][12+k]); !ok || d > 1e-4*math.Max(1, math.Abs(at[k])) {
				return fmt.Sprintf("%s is at %v, not at %v", s.Nodes[i].Path, at, world[i][12:15])
			}
		}
	}
	return ""
}

// traced says where the trace of the engine is not that of the runner.
func traced(got [][]any, want []runner.Entry) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) {
			return fmt.Sprintf("%d entries of a trace of %d", len(got), len(want))
		}
		raw, err := json.Marshal(want[i])
		if err != nil {
			return err.Error()
		}
		var w map[string]any
		if err := json.Unmarshal(raw, &w); err != nil {
			return err.Error()
		}
		g := map[string]any{"at": got[i][0]}
		for k, key := range []string{"kind", "node", "name", "value", "function", "line", "column"} {
			v := got[i][1+k]
			if key == "value" {
				var data any
				if text, ok := v.(string); ok && json.Unmarshal([]byte(text), &data) == nil {
					v = data
				}
			}
			if v != "" && v != 0.0 || key == "value" {
				g[key] = v
			}
		}
		if !near(w, g) {
			return fmt.Sprintf("entry %d of the trace is %v, not %v", i, g, w)
		}
	}
	return ""
}

// near compares data; numbers count to eleven digits.
func near(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && math.Abs(x-y) <= 1e-11*max(1e-3, math.Abs(x), math.Abs(y))
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, near)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, there := y[k]; !there || !near(v, w) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
