package godot_test

import (
	"math"
	"strings"
	"testing"
)

const assets = `composition "Assets" {
  template "Post" { geometry: "torus" color: "#808080" state { lit: false } on "tap" { state.lit = !state.lit  this.color = state.lit ? "#ff0000" : "#00ff00" }
    object "cap" { geometry: "sphere" radius: 0.2 position: [0, 1, 0] } }
  object "west" using "Post" { position: [-2, 0, 0] }
  object "east" using "Post" { position: [2, 0, 0] color: "#0000ff" state { lit: true } }
  object "sign" { text: "Harbour" position: [0, 2, 0] }
  object "bell" { geometry: "sphere" audio: { src: "ding.tres" volume: 0.5 } position: [0, 1, -2] }
  object "float" { geometry: "box" animation: { property: "position" from: [0, 0, 0] to: [0, 2, 0] duration: 1 } }
}`

// TestSceneFilesAreTheEnginesOwn: what the editor shows is in the scene files, and
// the engine opens them.
func TestSceneFilesAreTheEnginesOwn(t *testing.T) {
	for version, words := range map[string][]string{
		"3": {`[node name="west" parent="." instance=ExtResource( `, `[editable path="east"]`, "lit = true", `[node name="cap" parent="west"]`, `type="ArrayMesh"`, `[node name="Letters" type="MeshInstance" parent="sign"]`, `type="AudioStreamPlayer3D" parent="bell"`, `[node name="Animations" type="AnimationPlayer" parent="."]`, `NodePath("float:translation")`},
		"4": {`[node name="west" parent="." instance=ExtResource("`, `[editable path="east"]`, "lit = true", `[node name="Letters" type="Label3D" parent="sign"]`, `text = "Harbour"`, `type="AudioStreamPlayer3D" parent="bell"`, `libraries = {`, `NodePath("float:position")`},
	} {
		r := compile(t, assets, version)
		files := map[string]string{}
		for _, f := range r.Files {
			files[f.Path] = string(f.Data)
		}
		for _, w := range words {
			if !strings.Contains(files["scene.tscn"], w) {
				t.Errorf("version %s: no %s in\n%s", version, w, files["scene.tscn"])
			}
		}
		if !strings.Contains(files["post.tscn"], `[node name="Post" type="`) || strings.Contains(files["post.tscn"], "main.holo:") {
			t.Errorf("version %s: the scene of the template is %s", version, files["post.tscn"])
		}
		if !strings.Contains(files["post.gd"], `put("color", "#ff0000" if lit else "#00ff00")`) {
			t.Errorf("version %s: the script of the template is %s", version, files["post.gd"])
		}
	}
	r := compile(t, assets, "3")
	a, _ := performed(t, assets, 31, map[string]any{"node": idOf(r, "west"), "name": "tap", "payload": nil}, map[string]any{"node": idOf(r, "east"), "name": "tap", "payload": nil})
	if west, east := a.Colors[idOf(r, "west")], a.Colors[idOf(r, "east")]; west != "ff0000" || east != "00ff00" {
		t.Errorf("after a tap each: %s and %s", west, east)
	}
	if y := a.Places[idOf(r, "float")][1]; math.Abs(y-1) > 0.2 {
		t.Errorf("the float is at %v after half a second", y)
	}
	if cap := a.Places[idOf(r, "cap")]; math.Abs(cap[1]-1) > 1e-4 {
		t.Errorf("a cap is at %v", cap)
	}
}
