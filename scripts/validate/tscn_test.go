package main

import (
	"strings"
	"testing"
)

const sound = `[gd_scene load_steps=3 format=3 uid="uid://abc"]

; a remark

[ext_resource type="Script" path="scene.gd" id="1_script"]

[sub_resource type="BoxMesh" id="BoxMesh_2"]
size = Vector3(1, 1, 1)

[node name="Root" type="Node3D"]
script = ExtResource("1_script")

[node name="a" type="Node3D" parent="."]
metadata/id = "n[1\"("

[node name="b" type="MeshInstance3D" parent="a"]
mesh = SubResource("BoxMesh_2")

[node name="c" type="PinJoint3D" parent="."]
node_a = NodePath("../a/b")
`

// TestReadSceneRefuses: each change makes a file that the engine does not read as
// it was meant.
func TestReadSceneRefuses(t *testing.T) {
	if err := readScene(sound, 4); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"format=3", "format=2"}, {` uid="uid://abc"`, ""}, {"load_steps=3", "load_steps=4"}, {`id="BoxMesh_2"`, `id="1_script`}, {`id="BoxMesh_2"`, "id=2"},
		{`parent="a"`, `parent="z"`}, {`name="b"`, `name="b/c"`}, {`name="c"`, `name="a"`}, {`SubResource("BoxMesh_2")`, `SubResource("BoxMesh_3")`},
		{`../a/b`, `../a/z`}, {"size = Vector3(1, 1, 1)", "size Vector3(1, 1, 1)"}, {"size = Vector3(1, 1, 1)", "size = Vector3(1, 1, 1"},
		{"script =", "[node]\nscript ="}, {"mesh = ", "mesh = 1\nmesh = "}, {`type="Node3D" parent="."]`, `type="Node3D"]`}, {`[node name="Root" type="Node3D"]`, ""},
	} {
		broken := strings.Replace(sound, c[0], c[1], 1)
		if broken == sound || readScene(broken, 4) == nil {
			t.Errorf("%s for %s is taken", c[1], c[0])
		}
	}
	if readScene(sound, 3) == nil {
		t.Error("a scene of version 4 is one of version 3")
	}
}
