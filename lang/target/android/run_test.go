package android_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/android"
)

// compiled builds Kotlin of ours with Debian's compiler; it gives the folder of
// the classes.
func compiled(t testing.TB, files map[string]string) string {
	t.Helper()
	path, err := exec.LookPath("kotlinc")
	if err != nil {
		t.Fatal("kotlinc is missing: scripts/need tests")
	}
	dir := t.TempDir()
	args := []string{"-nowarn", "-language-version", "1.3", "-d", filepath.Join(dir, "classes.jar"), "-include-runtime"}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	c := exec.CommandContext(t.Context(), path, args...)
	// The compiler runs for seconds only: what it would gain by better code of its
	// own it loses by making it.
	c.Env = append(os.Environ(), "JAVA_OPTS=-Xmx1g -XX:TieredStopAtLevel=1")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return filepath.Join(dir, "classes.jar")
}

func java(t testing.TB, jar, class string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "java", append([]string{"-Xss4m", "-cp", jar, class}, args...)...)
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return string(said)
}

const walked = `composition "Walk" {
  state { taps: 0 met: 0 }
  object "Switch" @clickable {
    geometry: "box"
    position: [0, 0, -5]
    on "gaze_enter" { log "seen" }
    on "click" {
      state.taps += 1
      this.position = [2, 0, -5]
      this.color = "#00ff00"
      this.emissive_intensity = 2
      play_sound("bell.wav")
      open_gate(3)
    }
  }
  object "Cup" @grabbable {
    geometry: "sphere"
    position: [-2, 0, 0]
    on "grab" { log "taken" }
    on "throw" { log "thrown" }
    on "drop" { log "dropped" }
  }
  object "Ball" @physics @collidable {
    geometry: "sphere"
    radius: 0.1
    position: [4, 1, -5]
    on "collision_enter" { state.met += 1 }
  }
  object "Floor" @static @collidable { geometry: "box" size: [4, 0.2, 4] position: [5, -0.1, -5] }
  object "Sign" { text: "before" position: [0, 3, -5] on "start" { this.text = "a b" } }
  group "Frame" {
    scale: [2, 1, 1]
    object "Door" { geometry: "box" position: [0, 10, 0] animation: { property: "position.x" from: 0 to: 3 duration: 1s loop: false } }
  }
  template "Coin"(worth: number = 1) @physics @collidable {
    geometry: "sphere"
    radius: 0.5
    physics: { type: "kinematic" }
    state { hits: 0 }
    on "click" {
      state.hits += 1
      log(this.id, state.hits, worth)
      if (state.hits > 2) { destroy(this) }
    }
    on "collision_enter" { log("met", this.id) }
    on "unmount" { log("spent", this.id) }
    object "Rim" @clickable {
      geometry: "box"
      position: [3, 0, 0]
      color: "#ff0000"
      animation: { property: "position.y" from: 0 to: 2 duration: 1s loop: false }
      on "animation_end" { log("rim up", this.id) }
      on "click" { this.color = "#0000ff" }
    }
  }
  object "Purse" @clickable {
    geometry: "box"
    position: [0, -20, 0]
    on "click" { spawn Coin at [0, 20, 20] { worth: 7 }; spawn Coin at [0, 0, 20] { } }
  }
  template "Buoy" @floating(amplitude: 1, speed: 0.5) { geometry: "box" position: [1, 2, 3] on "drift" { this.position = [0, -50, 0] } }
  template "Moon" @orbital(radius: 2, period: 4s) { geometry: "box" position: [0, 1, 0] }
  object "Still" using "Buoy" { position: [7, 60, 7] on "drift" { this.position = [0, 70, 0] } }
  object "Pier" @clickable {
    geometry: "box"
    position: [0, 20, -20]
    on "click" {
      spawn Buoy at [50, 10, -20] { }
      spawn Buoy at [-40, 30, 60] { }
      spawn Moon at [5, 6, 7] { }
      spawn Buoy
    }
  }
  object "Mirror" @clickable {
    geometry: "box"
    position: [0, -20, 20]
    on "click" { let f = spawn Frame at [0, 40, 0] { }; destroy(f) }
  }
}
`

// TestKotlinRuns compiles the interpreter and the stage, and runs them: the stored
// programs of package run give the traces that every interpreter gives, and a
// scene does what its reader expects when it is looked at, touched and carried.
func TestKotlinRuns(t *testing.T) {
	t.Parallel()
	made, err := target.Compile(target.Load(nil, "main.holo", []byte(walked), ast.Holo), target.Request{Target: "android", Version: "0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range made.Files {
		if slices.Contains([]string{"Program.kt", "Stage.kt", "SceneData.kt"}, f.Path) {
			files[f.Path] = string(f.Data)
		}
	}
	if !strings.HasSuffix(files["Program.kt"], android.Interpreter()) {
		t.Error("the interpreter of an artefact is another")
	}
	for _, name := range []string{"Trials.kt", "Walk.kt", "Coins.kt", "Buoys.kt"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(raw)
	}
	jar := compiled(t, files)
	traces(t, jar)
	walk(t, java(t, jar, "meshd.stage.WalkKt"))
	coins(t, java(t, jar, "meshd.stage.CoinsKt"))
	buoys(t, java(t, jar, "meshd.stage.BuoysKt"))
}

// buoys wants the animations of copies to count from where a program put them, and
// those of what it put nowhere and of ordinary instances as their keys say.
func buoys(t *testing.T, said string) {
	t.Helper()
	const want = "still 7.0 61.0 7.0\ns1 50.0 11.0 -20.0\ns2 -40.0 31.0 60.0\ns3 5.0 6.0 9.0\ns4 1.0 3.0 3.0\n" + // a metre up, a quarter around
		"still 0.0 61.0 0.0\ns1 0.0 -49.0 0.0\ns2 -40.0 31.0 60.0\ns3 5.0 6.0 5.0\ns4 1.0 3.0 3.0\n"
	if said != want {
		t.Errorf("%s\nnot\n%s", said, want)
	}
}

// coins wants of copies of a template that each get events, move and end alone.
func coins(t *testing.T, said string) {
	t.Helper()
	at := 0
	for _, want := range []string{
		"NOTHING\n", "SPAWN s1 Coin below .\n", "SPAWN s2 Rim below s1.\n", "SPAWN s3 Coin below .\n", "SPAWN s4 Rim below s3.\n",
		"SEEN s1 s3 s2\n", "SAY s1 1 7\n", "SAY s3 1 1\n", "SAY s1 2 7\n", "LOOK s2 color 0.0 0.0 1.0 1.0\n", "SAY rim up s2\n", "SAY rim up s4\n", "AT s2 3.0 2.0 0.0\n",
		"SAY s1 3 7\n", "SAY spent s1\n", "REMOVE s2\nREMOVE s1\n", "SEEN - s3 -\n", "SPAWN s5 Frame below .\n", " Door below s5.\nREMOVE s5/", "\nREMOVE s5\n",
	} {
		i := strings.Index(said[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind the %d bytes of\n%s", want, at, said)
		}
		at += i + len(want)
	}
	for _, bad := range []string{"SHOW Coin", "SAY met", "SAY RUN", "LOOK s4", "SAY spent s3"} {
		if strings.Contains(said, bad) {
			t.Errorf("%q in\n%s", bad, said)
		}
	}
}

func walk(t *testing.T, said string) {
	t.Helper()
	for _, want := range []string{
		"SAY seen", "STATE taps 1\n", "LOOK Switch color 0.0 1.0 0.0 1.0", "LOOK Switch emissive_intensity 2.0", "AT Switch 2.0 0.0 -5.0", "CALL open_gate", "PLAY ",
		"SAY RUN005", "SAY taken", "AT Cup -2.0 1.125 0.0", "SAY thrown", "AT Ball 4.0 0.1 -5.0", "STATE met 1\n", "WRITE Sign 2 true", "AT Door 3.0 10.0 0.0", "TAPS 1\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

func traces(t *testing.T, jar string) {
	t.Helper()
	names, err := filepath.Glob("../../run/testdata/traces/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no traces", err)
	}
	dir := t.TempDir()
	want := map[string][]tracetest.Entry{}
	var cases []string
	for _, path := range names {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var k map[string]json.RawMessage
		var trace []tracetest.Entry
		if err := json.Unmarshal(raw, &k); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(k["trace"], &trace); err != nil {
			t.Fatal(err)
		}
		delete(k, "trace")
		text, err := json.Marshal(string(k["program"]))
		if err != nil {
			t.Fatal(err)
		}
		k["program"] = text
		doc, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		cases = append(cases, filepath.Join(dir, name))
		want[name] = trace
		if err := os.WriteFile(cases[len(cases)-1], doc, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said := java(t, jar, "meshd.program.TrialsKt", cases...)
	for _, chunk := range strings.Split(said, "CASE ")[1:] {
		name, rest, _ := strings.Cut(chunk, "\n")
		if i := strings.Index(rest, "BROKEN"); i >= 0 {
			t.Errorf("%s: %s", name, rest[i:min(len(rest), i+400)])
		}
		if d := tracetest.Differ(tracetest.Printed(t, rest), want[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d cases did not run: %s", len(want), said[:min(len(said), 2000)])
	}
}
