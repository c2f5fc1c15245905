package unreal_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mint is a scene that has no coin until somebody asks for two.
const mint = `composition "Mint" {
  template "Coin"(tint: color = "#ff0000") @collidable @physics {
    geometry: "sphere"
    radius: 0.2
    color: tint
    physics: { type: "dynamic" }
    collider: "sphere"
    state { hp: 2 }
    object "Face" @clickable {
      geometry: "box"
      position: [0, 1, 0]
      color: "#0000ff"
      on "click" { hurt() }
    }
    particles "Glint" { rate: 10 }
    function hurt() {
      state.hp -= 1
      Face.color = "#00ff00"
      log(this.id, "has", state.hp)
      if (state.hp == 0) { destroy(this) }
    }
    on unmount { log(this.id, "ends") }
  }
  object "Press" @clickable {
    geometry: "box"
    on "click" {
      const a = spawn Coin at [1, 2, 3] { }
      const b = spawn Coin at [4, 5, 6] { tint: "#ffff00" }
      log(a.id, b.id, Coin.instances.length)
    }
  }
}`

// player builds a scene and its stage with a stand-in for the engine. What lies
// around all nodes and the flat controls are left out.
func player(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	read := func(path string) string {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	actor := files["MeshdScene.cpp"]
	for _, part := range []string{"air", "controls"} {
		text := read("stage/" + part + ".cpp")
		if !strings.Contains(actor, text) {
			t.Fatalf("the actor is without %s", part)
		}
		actor = strings.Replace(actor, text, "", 1)
	}
	put := func(path, text string) {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const headers = "../../../scripts/validators/unreal/"
	for _, name := range []string{"core.h", "engine.h"} {
		put("engine/"+name, read(headers+name))
	}
	for name := range strings.Lines(read(headers+"headers.txt") + "MeshdScene.generated.h\n") {
		put("engine/"+strings.TrimSpace(name), "#pragma once\n#include \"engine.h\"\n")
	}
	for _, name := range []string{"Scene.h", "Scene.cpp", "MeshdScene.h", "Program.h", "Program.cpp"} {
		put(name, files[name])
	}
	put("play.cpp", actor+read("testdata/engine.cpp")+read("testdata/play.cpp"))
	program := filepath.Join(dir, "play")
	// What the stand-in has not is not called here, and would end the program.
	c := exec.CommandContext(t.Context(), "g++", "-std=c++20", "-DWITH_EDITOR=0", "-I"+dir, "-isystem", filepath.Join(dir, "engine"), "-no-pie",
		"-Wl,--unresolved-symbols=ignore-all", "play.cpp", "Scene.cpp", "Program.cpp", "-o", program)
	c.Dir = dir
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("g++ (scripts/need tests): %v: %.3000s", err, said)
	}
	return program
}

// TestSpawnedThingsAreTheirOwn: a template without an instance is not in the scene;
// what is spawned of it is there, gets its own clicks alone, and is away with all its
// components when it is destroyed.
func TestSpawnedThingsAreTheirOwn(t *testing.T) {
	files, r := compile(t, mint)
	program := player(t, files)
	press := ""
	for _, p := range r.Places {
		if p.Place == "Things[0]" {
			press = p.ID
		}
	}
	if len(r.Places) != 1 {
		t.Errorf("places %v", r.Places)
	}
	c := exec.CommandContext(t.Context(), program, "show", "click", press, "wait", "show", "click", "s2", "wait", "show", "click", "s2", "wait", "wait", "show", "click", "s2",
		"click", press, "wait", "click", "s8", "wait", "show")
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(string(said), press, "press")) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "thing Daylight ") && !strings.HasPrefix(line, "thing Overview ") {
			lines = append(lines, line)
		}
	}
	const alone = "thing press below - at 0 0 0 seen 147 147 147"
	second := []string{"thing s3 below - at -600 400 500 seen 255 255 0 falls sparks", "thing s4 below s3 at -600 400 600 seen 0 0 255"}
	want := slices.Concat(
		[]string{"components 8", alone, "click press", `log press "s1 s3 2"`}, // a coin is a node and its face
		[]string{"components 22", alone, "thing s1 below - at -300 100 200 seen 255 0 0 falls sparks", "thing s2 below s1 at -300 100 300 seen 0 0 255"}, second,
		[]string{"click s2", `log s1 "s1 has 1"`},
		[]string{"components 22", alone, "thing s1 below - at -300 100 200 seen 255 0 0 falls sparks", "thing s2 below s1 at -300 100 300 seen 0 255 0"}, second,
		[]string{"click s2", `log s1 "s1 has 0"`, `log s1 "s1 ends"`},
		[]string{"components 15", alone, "free", "free"}, second,
		[]string{"click s2: nothing there", "click press", `log press "s5 s7 3"`, "click s8", `log s7 "s7 has 1"`},
		[]string{"components 29", alone, "thing s5 below - at -300 100 200 seen 255 0 0 falls sparks", "thing s6 below s5 at -300 100 300 seen 0 0 255"}, second,
		[]string{"thing s7 below - at -600 400 500 seen 255 255 0 falls sparks", "thing s8 below s7 at -600 400 600 seen 0 255 0"},
	)
	if !slices.Equal(lines, want) {
		t.Errorf("%s\n\nnot\n\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// TestAnimationsOfCopiesCountFromTheirPlace: what floats and goes round does so around
// where a program put it, each copy around its own place; ordinary instances, and what
// nobody put anywhere, do it where the keys say.
func TestAnimationsOfCopiesCountFromTheirPlace(t *testing.T) {
	files, r := compile(t, `composition "Sea" {
  object "Press" @clickable {
    geometry: "box"
    on "click" {
      spawn Buoy at [50, 10, -20] { }
      spawn Buoy at [-40, 30, 60] { }
      spawn Moon at [5, 6, 7] { }
      spawn Buoy
    }
  }
  object "Still" using "Buoy" { position: [7, 4, 7] }
  template "Buoy" @clickable @floating(amplitude: 1, speed: 0.5) {
    geometry: "sphere"
    position: [1, 2, 3]
    on "click" { this.position = [0, 0, 0] }
  }
  template "Moon" @orbital(radius: 2, period: 4s) {
    geometry: "sphere"
    position: [0, 1, 0]
    object "Flag" @floating(amplitude: 1, speed: 0.5) { geometry: "box" position: [0, 5, 0] }
  }
}`)
	program := player(t, files)
	press, still := "", ""
	for _, p := range r.Places {
		switch p.Place {
		case "Things[0]":
			press = p.ID
		case "Things[1]":
			still = p.ID
		}
	}
	swing := slices.Repeat([]string{"wait"}, 10)
	words := slices.Concat([]string{"click", press}, swing, []string{"show", "click", "s1", "click", still}, swing, swing, []string{"show"})
	c := exec.CommandContext(t.Context(), program, words...)
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var lines []string
	for line := range strings.Lines(strings.NewReplacer(press, "press", still, "still").Replace(string(said))) {
		if _, rest, ok := strings.Cut(strings.TrimSpace(line), "thing "); ok && !strings.HasPrefix(rest, "Daylight ") && !strings.HasPrefix(rest, "Overview ") {
			rest, _, _ = strings.Cut(rest, " seen")
			lines = append(lines, rest)
		}
	}
	want := []string{
		"press below - at 0 0 0", "still below - at -700 700 500", "s1 below - at 2000 5000 1100", "s2 below - at -6000 -4000 3100", // a metre up
		"s3 below - at -900 500 600", "s4 below s3 at -900 500 1200", "s5 below - at -300 100 300",
		"press below - at 0 0 0", "still below - at 0 0 500", "s1 below - at 0 0 100", "s2 below - at -6000 -4000 3100",
		"s3 below - at -500 500 600", "s4 below s3 at -500 500 1200", "s5 below - at -300 100 300",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%s\n\nnot\n\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}
