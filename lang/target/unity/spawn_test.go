package unity_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// staged runs the stage of a scene among objects that stand for the engine's: what
// is there at each show, without those of the scene's own camera and light.
func staged(t testing.TB, r *target.Result, args ...string) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "stage.exe")
	compiler := []string{"-langversion:6", "-nowarn:649", "-warnaserror", "-out:" + program, "../../../scripts/validators/unity.cs", "../../../scripts/validators/unity_objects.cs", "testdata/staged.cs"}
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, ".cs") {
			path := filepath.Join(dir, filepath.Base(f.Path))
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			compiler = append(compiler, path)
		}
	}
	if said, err := exec.CommandContext(t.Context(), "mcs", compiler...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %.1500s", err, said)
	}
	cmd := exec.CommandContext(t.Context(), "mono", append([]string{program}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.1500s", err, said)
	}
	got := map[string][]string{}
	for _, part := range strings.Split(string(said), "SHOW ")[1:] {
		lines := strings.Split(strings.TrimSpace(part), "\n")
		got[lines[0]] = lines[1:]
	}
	return got
}

const coins = `composition "Coins" {
  template "Coin" @clickable {
    geometry: "sphere" radius: 0.2 color: "#ffcc00" physics: { type: "kinematic" } collider: "sphere"
    state { hits: 0 }
    on "click" { state.hits += 1; this.color = "#ff0000"; if (state.hits > 1) { destroy(this) } }
    object "tag" { text: "c" position: [0, 1, 0] }
    point_light "shine" { position: [0, 2, 0] }
  }
  object "bed" { geometry: "box" @clickable
    on "click" { spawn Coin at [1, 0, 0] { }; spawn Coin at [3, 0, 0] { color: "#00ff00" } }
  }
}`

// TestWhatIsSpawnedIsItsTemplate: a template of which the scene has no instance is
// not on the stage; each copy has all its nodes, hears its own clicks, is coloured
// for itself, and is gone with everything of it when it ends.
func TestWhatIsSpawnedIsItsTemplate(t *testing.T) {
	r := compile(t, coins)
	bed := r.Scene.Nodes[slices.IndexFunc(r.Scene.Nodes, func(n scene.Node) bool { return n.Name == "bed" })].ID
	got := staged(t, r, "show=start", "click="+bed, "step=1", "show=made", "click=s4", "step=1", "show=hit", "click=s4", "step=1", "show=gone",
		"click=s1", "step=1", "click=s1", "step=1", "show=over")
	static := bed + " bed in - at 0,0,0 seen "
	start := got["start"]
	if len(start) != 2 || !strings.HasPrefix(start[0], static) {
		t.Fatalf("at the start there is %q", start)
	}
	coin := func(first, x, color string) []string {
		n := map[string][]string{"s1": {"s1", "s2", "s3"}, "s4": {"s4", "s5", "s6"}}[first]
		return []string{
			n[0] + " Coin in - at " + x + ",0,0 seen " + color + " SphereCollider kinematic Coin " + n[0],
			n[1] + " tag in " + n[0] + " at " + x + ",1,0 seen #c8c8c8 letters Actor " + n[1],
			n[2] + " shine in " + n[0] + " at " + x + ",2,0 seen light Actor " + n[2],
		}
	}
	for _, c := range []struct {
		title string
		want  []string
	}{
		{"made", append(coin("s1", "1", "#ffcc00"), coin("s4", "3", "#00ff00")...)},
		{"hit", append(coin("s1", "1", "#ffcc00"), coin("s4", "3", "#ff0000")...)},
		{"gone", coin("s1", "1", "#ffcc00")},
		{"over", nil},
	} {
		lines := got[c.title]
		if len(lines) < 2 || !slices.Equal(lines[1:len(lines)-1], c.want) {
			t.Errorf("%s: %q, not %q", c.title, lines, c.want)
		}
	}
	if last := got["over"]; len(last) != 2 || last[1] != start[1] {
		t.Errorf("%q remain of %q", last, start)
	}
}
