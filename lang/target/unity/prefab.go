package unity

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/direct"
)

// prefab is Scene.prefab in the making: the objects of the scene with their
// components, which the editor shows and the stage takes as they are.
type prefab struct {
	w     *writer
	b     strings.Builder
	taken map[int64]bool
	ids   []string
	roots []int64 // objects of ids
}

// object is an object of the prefab: what it is made of is written when that is known.
type object struct {
	name       string
	id, place  int64
	components []int64
	below      []int64
	above      int64
	visible    bool
	at         string
}

// file is the number of something in a file: it follows from what it is.
func (p *prefab) file(what string) int64 {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", what, n))
		id := int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
		if id > 1<<40 && !p.taken[id] {
			p.taken[id] = true
			return id
		}
	}
}

func (p *prefab) open(what, name, at string, above int64) *object {
	return &object{name: name, id: p.file(what + " object"), place: p.file(what + " transform"), above: above, at: at, visible: true}
}

// close writes an object with its transform.
func (p *prefab) close(o *object) {
	fmt.Fprintf(&p.b, "--- !u!1 &%d\nGameObject:\n%s  serializedVersion: 6\n  m_Component:\n  - component: {fileID: %d}\n", o.id, common, o.place)
	for _, c := range o.components {
		fmt.Fprintf(&p.b, "  - component: {fileID: %d}\n", c)
	}
	fmt.Fprintf(&p.b, "  m_Layer: 0\n  m_Name: %s\n  m_TagString: Untagged\n  m_Icon: {fileID: 0}\n  m_NavMeshLayer: 0\n  m_StaticEditorFlags: 0\n  m_IsActive: 1\n", plainText(o.name))
	below := " []\n"
	if len(o.below) > 0 {
		below = "\n"
		for _, c := range o.below {
			below += fmt.Sprintf("  - {fileID: %d}\n", c)
		}
	}
	fmt.Fprintf(&p.b, "--- !u!4 &%d\nTransform:\n%s  m_GameObject: {fileID: %d}\n%s  m_ConstrainProportionsScale: 0\n  m_Children:%s  m_Father: {fileID: %d}\n  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}\n",
		o.place, common, o.id, o.at, below, o.above)
}

// part writes a component of an object.
func (p *prefab) part(o *object, class int, kind, lines string) int64 {
	id := p.file(fmt.Sprintf("%d %s", o.id, kind))
	o.components = append(o.components, id)
	fmt.Fprintf(&p.b, "--- !u!%d &%d\n%s:\n%s  m_GameObject: {fileID: %d}\n%s", class, id, kind, common, o.id, lines)
	return id
}

// child writes an object that belongs to another, with one thing that it is made of.
func (p *prefab) child(o *object, name, at string, parts func(*object)) {
	c := p.open(fmt.Sprint(o.id, " ", name), name, at, o.place)
	parts(c)
	o.below = append(o.below, c.place)
	p.close(c)
}

// placed is where something stands: turn, place and scale.
func placed(t scene.Vec, r scene.Quat, s [3]float64) string {
	f := artefact.Float
	return fmt.Sprintf("  m_LocalRotation: {x: %s, y: %s, z: %s, w: %s}\n  m_LocalPosition: %s\n  m_LocalScale: %s\n", f(-r[0]), f(-r[1]), f(r[2]), f(r[3]), xyz(t[0], t[1], -t[2]), xyz(s[0], s[1], s[2]))
}

var still = placed(scene.Vec{}, scene.Quat{0, 0, 0, 1}, [3]float64{1, 1, 1})

// prefab writes Scene.prefab, and Scene.unity with an instance of it.
func (w *writer) prefab() []artefact.File {
	p := &prefab{w: w, taken: map[int64]bool{}}
	root := p.open("root", cmp.Or(w.s.Name, "Scene"), still, 0)
	objects := make([]*object, w.things())
	for i := range objects {
		n := &w.s.Nodes[i]
		above := root
		if n.Parent >= 0 {
			above = objects[n.Parent]
		}
		objects[i] = p.open(n.ID, cmp.Or(n.Name, n.Kind), placed(n.T, n.R, [3]float64(n.S)), above.place)
		above.below = append(above.below, objects[i].place)
		p.ids, p.roots = append(p.ids, n.ID), append(p.roots, objects[i].id)
		p.node(i, objects[i])
	}
	others := map[string]*object{}
	for _, c := range w.scripts.list {
		if _, ok := w.index[c.script.Owner]; !ok {
			o := p.open(c.script.Owner, c.class, still, root.place)
			root.below = append(root.below, o.place)
			p.ids, p.roots = append(p.ids, c.script.Owner), append(p.roots, o.id)
			others[c.script.Owner] = o
		}
	}
	for _, c := range w.scripts.list {
		o := others[c.script.Owner]
		if i, ok := w.index[c.script.Owner]; ok {
			o = objects[i]
		}
		p.script(o, c)
	}
	for _, o := range objects {
		p.close(o)
	}
	for _, c := range w.scripts.list {
		if o := others[c.script.Owner]; o != nil {
			p.close(o)
		}
	}
	lines := fmt.Sprintf("  m_Enabled: 1\n  m_EditorHideFlags: 0\n  m_Script: {fileID: 11500000, guid: %s, type: 3}\n  m_Name: \n  m_EditorClassIdentifier: \n  autostart: 1\n", w.guid("Scene.cs"))
	lines += "  ids:" + listed(p.ids, plainText) + "  objects:" + listed(p.roots, func(id int64) string { return fmt.Sprintf("{fileID: %d}", id) })
	p.part(root, 114, "MonoBehaviour", lines)
	p.close(root)
	head := yamlHead // without a comment: the engine's reader knows none
	unity := yamlHead + "--- !u!104 &2\nRenderSettings:\n  m_ObjectHideFlags: 0\n  serializedVersion: 9\n  m_Fog: 0\n  m_AmbientMode: 1\n  m_AmbientIntensity: 1\n" +
		"--- !u!1001 &100100000\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications:\n" +
		fmt.Sprintf("    - target: {fileID: %d, guid: %s, type: 3}\n      propertyPath: m_Name\n      value: %s\n      objectReference: {fileID: 0}\n", root.id, w.guid("Scene.prefab"), plainText(cmp.Or(w.s.Name, "Scene"))) +
		fmt.Sprintf("    m_RemovedComponents: []\n  m_SourcePrefab: {fileID: 100100000, guid: %s, type: 3}\n", w.guid("Scene.prefab"))
	return []artefact.File{
		{Path: "Scene.prefab", MediaType: yamlType, Data: []byte(head + p.b.String())},
		{Path: "Scene.unity", MediaType: yamlType, Data: []byte(unity)},
	}
}

func listed[T any](list []T, text func(T) string) string {
	if len(list) == 0 {
		return " []\n"
	}
	out := "\n"
	for _, x := range list {
		out += "  - " + text(x) + "\n"
	}
	return out
}

// script puts the component on an object that does what its node does.
func (p *prefab) script(o *object, c *component) {
	lines := fmt.Sprintf("  m_Enabled: 1\n  m_EditorHideFlags: 0\n  m_Script: {fileID: 11500000, guid: %s, type: 3}\n  m_Name: \n  m_EditorClassIdentifier: \n", p.w.guid(c.class+".cs"))
	for _, v := range c.script.State {
		text := constant(v.Init)
		switch v.Type {
		case direct.Num:
			text = strings.TrimSuffix(text, "d")
		case direct.Text:
			text = plainText(v.Init.(string))
		case direct.Bool:
			text = map[bool]string{true: "1", false: "0"}[v.Init == true]
		}
		lines += fmt.Sprintf("  %s: %s\n", field(p.w.scripts.vars[v.Slot]), text)
	}
	p.part(o, 114, "MonoBehaviour", lines)
}

// builtIn are the engine's own meshes by their numbers.
var builtIn = map[string]int{"Cube": 10202, "Cylinder": 10206, "Sphere": 10207, "Plane": 10209}

// node writes what a node is made of.
func (p *prefab) node(i int, o *object) {
	w := p.w
	n := &w.s.Nodes[i]
	if n.Geometry != nil && n.Material != nil {
		p.solid(n, o)
	}
	if l := n.Light; l != nil {
		p.light(l, o)
	}
	if n.Camera != nil {
		p.child(o, "Camera", still, func(c *object) {
			k := n.Camera
			ortho, size := 0, 5.0
			if k.Ortho > 0 {
				ortho, size = 1, k.Ortho/2
			}
			p.part(c, 20, "Camera", fmt.Sprintf("  m_Enabled: 1\n  serializedVersion: 2\n  near clip plane: %s\n  far clip plane: %s\n  field of view: %s\n  orthographic: %d\n  orthographic size: %s\n  m_Depth: -1\n",
				artefact.Float(max(k.Near, 0.001)), artefact.Float(k.Far), artefact.Float(degrees(k.FOV)), ortho, artefact.Float(size)))
		})
	}
	if a := n.Audio; a != nil {
		p.child(o, "Sound", still, func(c *object) {
			p.part(c, 82, "AudioSource", fmt.Sprintf("  m_Enabled: 1\n  serializedVersion: 4\n  m_audioClip: {fileID: 0}\n  m_PlayOnAwake: 0\n  m_Volume: %s\n  Loop: %d\n  MinDistance: %s\n  MaxDistance: %s\n",
				artefact.Float(float64(a.Volume)), one(a.Loop), artefact.Float(cmp.Or(a.Min, 1)), artefact.Float(cmp.Or(a.Max, 30))))
		})
	}
	p.body(i, n, o)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (p *prefab) solid(n *scene.Node, o *object) {
	w := p.w
	g, m := &w.s.Geometries[*n.Geometry], &w.s.Materials[*n.Material]
	mesh, at := "", still
	if kind, size := solid(g); kind != "" && m.Maps == (scene.Maps{}) && !m.DoubleSided {
		mesh = fmt.Sprintf("{fileID: %d, guid: 0000000000000000e000000000000000, type: 0}", builtIn[kind])
		at = placed(scene.Vec{}, scene.Quat{0, 0, 0, 1}, [3]float64(size))
	} else if k, ok := w.meshes[*n.Geometry]; ok && g.Kind != "model" && !m.DoubleSided {
		mesh = fmt.Sprintf("{fileID: 4300000, guid: %s, type: 2}", w.guid(shapeFile(k)))
	}
	if mesh == "" { // the stage makes it
		return
	}
	p.child(o, "Mesh", at, func(c *object) {
		p.part(c, 33, "MeshFilter", "  m_Mesh: "+mesh+"\n")
		p.part(c, 23, "MeshRenderer", fmt.Sprintf("  m_Enabled: %d\n  m_CastShadows: 1\n  m_ReceiveShadows: 1\n  m_Materials:\n  - {fileID: 2100000, guid: %s, type: 2}\n", one(bool(n.Visible)), w.guid(lookFile(*n.Material))))
	})
}

func (p *prefab) light(l *scene.Light, o *object) {
	kind, angle, inner := 2, 30.0, 21.8
	switch l.Type {
	case "ambient", "hemisphere":
		return // of the scene as a whole
	case "directional":
		kind = 1
	case "spot", "area":
		wide, soft := cmp.Or(l.Angle, 0.5), l.Penumbra
		if l.Type == "area" {
			wide, soft = 1.4, 0.6
		}
		kind, angle = 0, min(179, 2*degrees(wide))
		inner = angle * max(0, 1-soft)
	}
	p.child(o, "Light", still, func(c *object) {
		p.part(c, 108, "Light", fmt.Sprintf("  m_Enabled: 1\n  serializedVersion: 10\n  m_Type: %d\n  m_Color: %s\n  m_Intensity: %s\n  m_Range: %s\n  m_SpotAngle: %s\n  m_InnerSpotAngle: %s\n  m_Shadows:\n    m_Type: %d\n",
			kind, rgba(cmp.Or(l.Color, scene.White)), artefact.Float(float64(l.Intensity)), artefact.Float(cmp.Or(max(l.Range, 0), 50)), artefact.Float(angle), artefact.Float(inner), 2*one(l.Shadow)))
	})
}

// body writes the collider and the body of a node.
func (p *prefab) body(i int, n *scene.Node, o *object) {
	w := p.w
	if c := n.Collider; c != nil {
		size := c.Size
		for k := range 3 {
			size[k] = max(size[k], -size[k], 0.001)
		}
		center := xyz(c.Center[0], c.Center[1], -c.Center[2])
		lines := fmt.Sprintf("  m_Material: {fileID: 0}\n  m_IsTrigger: %d\n  m_Enabled: 1\n", one(w.kind[i] == trigger))
		switch c.Shape {
		case "sphere":
			p.part(o, 135, "SphereCollider", lines+fmt.Sprintf("  serializedVersion: 2\n  m_Radius: %s\n  m_Center: %s\n", artefact.Float(max(size[0], size[1], size[2])/2), center))
		case "capsule":
			radius := max(size[0], size[2]) / 2
			p.part(o, 136, "CapsuleCollider", lines+fmt.Sprintf("  m_Radius: %s\n  m_Height: %s\n  m_Direction: 1\n  m_Center: %s\n", artefact.Float(radius), artefact.Float(max(size[1], 2*radius)), center))
		case "plane":
			p.part(o, 65, "BoxCollider", lines+fmt.Sprintf("  serializedVersion: 2\n  m_Size: %s\n  m_Center: %s\n", xyz(size[0], 1, size[2]), xyz(c.Center[0], c.Center[1]-0.5, -c.Center[2])))
		case "cylinder", "mesh": // the stage makes their hulls
		default:
			p.part(o, 65, "BoxCollider", lines+fmt.Sprintf("  serializedVersion: 2\n  m_Size: %s\n  m_Center: %s\n", xyz(size[0], size[1], size[2]), center))
		}
	}
	if kind := w.kind[i]; kind != plainNode && kind != static {
		mass, drag := 1.0, 0.0
		if n.Body != nil {
			mass = float64(n.Body.Mass)
		}
		if n.Joint != nil && !loose(n) {
			drag = 5
		}
		p.part(o, 54, "Rigidbody", fmt.Sprintf("  serializedVersion: 2\n  m_Mass: %s\n  m_Drag: %s\n  m_AngularDrag: %s\n  m_UseGravity: 0\n  m_IsKinematic: %d\n", artefact.Float(max(mass, 0.001)), artefact.Float(drag), artefact.Float(max(drag, 0.05)), one(kind != dynamic)))
	}
}
