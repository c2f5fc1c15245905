package splat

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// harmonic is the first spherical harmonic: colours stand as (c - 0.5) / harmonic.
const harmonic = 0.28209479

// properties are those of a vertex, as programs that show trained scenes read them.
var properties = []string{
	"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3",
}

// ply is a binary PLY file, little end first.
func ply(in *artefact.Input, list []Splat) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "ply\nformat binary_little_endian 1.0\ncomment %s\n", in.Header())
	b.WriteString("comment Metres, Y up, right-handed. Read by a reader of our own and by assimp; no program that draws splats has shown it.\n")
	fmt.Fprintf(&b, "element vertex %d\n", len(list))
	for _, p := range properties {
		fmt.Fprintf(&b, "property float %s\n", p)
	}
	b.WriteString("end_header\n")
	out := b.Bytes()
	for i := range list {
		s := &list[i]
		q := s.Rotation
		for _, v := range [17]float32{
			s.At[0], s.At[1], s.At[2], s.Normal[0], s.Normal[1], s.Normal[2], coefficient(s.Color[0]), coefficient(s.Color[1]), coefficient(s.Color[2]),
			logarithm(float64(s.Opacity) / (1 - float64(s.Opacity))), logarithm(float64(s.Scale[0])), logarithm(float64(s.Scale[1])), logarithm(float64(s.Scale[2])),
			q[3], q[0], q[1], q[2],
		} {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
	}
	return out
}

func coefficient(c float32) float32 { return float32((float64(c)-0.5)/harmonic) + 0 }

// logarithm is rounded: the last digits of the library's differ between machines.
func logarithm(x float64) float32 { return float32(math.Round(math.Log(x)*1e4)/1e4) + 0 }

// column is an attribute of the point cloud.
type column struct {
	name  string
	kind  string
	width int
	value func(s *Splat) []float32
}

const extension = "KHR_gaussian_splatting"

// columns are the attributes of the extension, and the colour of points for
// programs that do not know it.
var columns = []column{
	{"POSITION", "VEC3", 3, func(s *Splat) []float32 { return s.At[:] }},
	{"COLOR_0", "VEC4", 4, func(s *Splat) []float32 {
		light := func(c float32) float32 { return float32(scene.Linear(uint8(math.Round(float64(c) * 255)))) }
		return []float32{light(s.Color[0]), light(s.Color[1]), light(s.Color[2]), s.Opacity}
	}},
	{extension + ":ROTATION", "VEC4", 4, func(s *Splat) []float32 { return s.Rotation[:] }},
	{extension + ":SCALE", "VEC3", 3, func(s *Splat) []float32 { return s.Scale[:] }},
	{extension + ":OPACITY", "SCALAR", 1, func(s *Splat) []float32 { return []float32{s.Opacity} }},
	{extension + ":SH_DEGREE_0_COEF_0", "VEC3", 3, func(s *Splat) []float32 {
		return []float32{coefficient(s.Color[0]), coefficient(s.Color[1]), coefficient(s.Color[2])}
	}},
}

// gltfFiles are scene.gltf and scene.bin with the splats as points.
func gltfFiles(in *artefact.Input, list []Splat) ([]artefact.File, error) {
	type view struct {
		Buffer     int `json:"buffer"`
		ByteOffset int `json:"byteOffset"`
		ByteLength int `json:"byteLength"`
	}
	type accessor struct {
		BufferView    int       `json:"bufferView"`
		ComponentType int       `json:"componentType"`
		Count         int       `json:"count"`
		Type          string    `json:"type"`
		Min           []float32 `json:"min,omitempty"`
		Max           []float32 `json:"max,omitempty"`
	}
	var bin []byte
	var views []view
	var accessors []accessor
	attributes := map[string]int{}
	for i, c := range columns {
		begin := len(bin)
		a := accessor{BufferView: i, ComponentType: 5126, Count: len(list), Type: c.kind}
		for k := range list {
			v := c.value(&list[k])
			for j, x := range v {
				bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(x))
				if c.name == "POSITION" {
					if k == 0 {
						a.Min, a.Max = append(a.Min, x), append(a.Max, x)
					}
					a.Min[j], a.Max[j] = min(a.Min[j], x), max(a.Max[j], x)
				}
			}
		}
		views = append(views, view{0, begin, len(bin) - begin})
		accessors = append(accessors, a)
		attributes[c.name] = i
	}
	object := func(v any) map[string]any { return map[string]any{extension: v} }
	doc, err := json.Marshal(struct {
		Asset          any        `json:"asset"`
		ExtensionsUsed []string   `json:"extensionsUsed"`
		Scene          int        `json:"scene"`
		Scenes         []any      `json:"scenes"`
		Nodes          []any      `json:"nodes"`
		Meshes         []any      `json:"meshes"`
		Accessors      []accessor `json:"accessors"`
		BufferViews    []view     `json:"bufferViews"`
		Buffers        []any      `json:"buffers"`
	}{
		map[string]string{"version": "2.0", "generator": in.Header()}, []string{extension}, 0,
		[]any{map[string]any{"nodes": []int{0}}}, []any{map[string]any{"mesh": 0}},
		[]any{map[string]any{"primitives": []any{map[string]any{
			"mode": 0, "attributes": attributes, "extensions": object(map[string]string{"kernel": "ellipse", "colorSpace": "srgb_rec709_display"}),
		}}}},
		accessors, views, []any{map[string]any{"byteLength": len(bin), "uri": "scene.bin"}},
	})
	if err != nil {
		return nil, fmt.Errorf("encode glTF: %w", err)
	}
	return []artefact.File{{Path: "scene.gltf", MediaType: "model/gltf+json", Data: append(doc, '\n')}, {Path: "scene.bin", MediaType: "application/octet-stream", Data: bin}}, nil
}
