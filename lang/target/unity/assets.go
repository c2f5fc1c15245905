package unity

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

const yamlHead = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"

// guid is the id of a file of the package: it follows from the name of the scene and
// the path, so that it stays when the scene is written again.
func (w *writer) guid(file string) string {
	sum := sha256.Sum256([]byte("meshd scene " + w.s.Name + "\x00" + file))
	return hex.EncodeToString(sum[:16])
}

// metas are the files that give every file and folder of the package its id.
func (w *writer) metas(files []artefact.File) []artefact.File {
	var out []artefact.File
	seen := map[string]bool{}
	add := func(file, importer string) {
		if !seen[file] {
			seen[file] = true
			out = append(out, artefact.File{Path: file + ".meta", MediaType: yamlType, Data: []byte("fileFormatVersion: 2\nguid: " + w.guid(file) + "\n" + importer)})
		}
	}
	rest := "  externalObjects: {}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
	native := func(id int) string {
		return fmt.Sprintf("NativeFormatImporter:\n  externalObjects: {}\n  mainObjectFileID: %d\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n", id)
	}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			add(dir, "folderAsset: yes\nDefaultImporter:\n"+rest)
		}
		switch path.Ext(f.Path) {
		case ".cs":
			add(f.Path, "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n  executionOrder: 0\n  icon: {instanceID: 0}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n")
		case ".mat":
			add(f.Path, native(2100000))
		case ".asset":
			add(f.Path, native(4300000))
		case ".prefab":
			add(f.Path, "PrefabImporter:\n"+rest)
		case ".unity":
			add(f.Path, "DefaultImporter:\n"+rest)
		case ".asmdef":
			add(f.Path, "AssemblyDefinitionImporter:\n"+rest)
		case ".json":
			if f.Path == "package.json" {
				add(f.Path, "PackageManifestImporter:\n"+rest)
			}
		}
	}
	return out
}

const yamlType = "application/yaml"

// plainText is a text of YAML in double quotes; all that is not printable ASCII is
// escaped.
func plainText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= 0x20 && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func xyz(x, y, z float64) string {
	return fmt.Sprintf("{x: %s, y: %s, z: %s}", artefact.Float(x), artefact.Float(y), artefact.Float(z))
}

func rgba(c string) string {
	b := scene.RGBA(c)
	return fmt.Sprintf("{r: %s, g: %s, b: %s, a: %s}", artefact.Float(float64(b[0])/255), artefact.Float(float64(b[1])/255), artefact.Float(float64(b[2])/255), artefact.Float(float64(b[3])/255))
}

// common are the keys that all objects of files begin with.
const common = "  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n"

func lookFile(i int) string { return fmt.Sprintf("Looks/Look_%d.mat", i) }

// looksFiles are the materials, for the built-in pipeline.
func (w *writer) lookFiles() []artefact.File {
	var out []artefact.File
	for i := range w.s.Materials {
		m := &w.s.Materials[i]
		shader, keywords, tags, queue := 46, []string{}, "{}", -1 // Standard
		if m.Unlit {
			shader = 10755 // Unlit/Color
		}
		mode, src, dst, write := 0, 1, 0, 1
		switch {
		case m.Alpha == "mask":
			mode, queue, tags, keywords = 1, 2450, "\n    RenderType: TransparentCutout", append(keywords, "_ALPHATEST_ON")
		case m.Alpha == "blend" || m.Transmission > 0:
			mode, src, dst, write, queue, tags, keywords = 3, 1, 10, 0, 3000, "\n    RenderType: Transparent", append(keywords, "_ALPHAPREMULTIPLY_ON")
		}
		base, glow := m.BaseColor, scene.Black
		if m.Transmission > 0 && m.Alpha != "blend" && m.Alpha != "mask" {
			c := scene.RGBA(m.BaseColor)
			base = fmt.Sprintf("#%02x%02x%02x%02x", c[0], c[1], c[2], uint8(math.Round(255*(1-float64(0.9*m.Transmission)))))
		}
		if m.Emissive != "" && m.EmissiveIntensity > 0 {
			glow, keywords = m.Emissive, append(keywords, "_EMISSION")
		}
		names := "[]"
		if len(keywords) > 0 {
			names = "\n  - " + strings.Join(keywords, "\n  - ")
		}
		if tags == "{}" {
			tags = " {}"
		}
		e := scene.RGBA(glow)
		strength := float64(m.EmissiveIntensity)
		emission := fmt.Sprintf("{r: %s, g: %s, b: %s, a: 1}", artefact.Float(float64(e[0])/255*strength), artefact.Float(float64(e[1])/255*strength), artefact.Float(float64(e[2])/255*strength))
		text := yamlHead + "--- !u!21 &2100000\nMaterial:\n  serializedVersion: 8\n" + common + fmt.Sprintf("  m_Name: Look_%d\n  m_Shader: {fileID: %d, guid: 0000000000000000f000000000000000, type: 0}\n", i, shader) +
			"  m_ValidKeywords: " + names + "\n  m_InvalidKeywords: []\n  m_LightmapFlags: 4\n  m_EnableInstancingVariants: 0\n" +
			fmt.Sprintf("  m_DoubleSidedGI: 0\n  m_CustomRenderQueue: %d\n  stringTagMap:%s\n  disabledShaderPasses: []\n", queue, tags) +
			"  m_SavedProperties:\n    serializedVersion: 3\n    m_TexEnvs: []\n    m_Ints: []\n    m_Floats:\n" +
			fmt.Sprintf("    - _Cutoff: 0.5\n    - _DstBlend: %d\n    - _Glossiness: %s\n    - _Metallic: %s\n    - _Mode: %d\n    - _SrcBlend: %d\n    - _ZWrite: %d\n", dst, artefact.Float(1-float64(m.Roughness)), artefact.Float(m.Metallic), mode, src, write) +
			"    m_Colors:\n    - _Color: " + rgba(base) + "\n    - _EmissionColor: " + emission + "\n  m_BuildTextureStacks: []\n"
		text = strings.Replace(text, "m_ValidKeywords: \n", "m_ValidKeywords:\n", 1)
		out = append(out, artefact.File{Path: lookFile(i), MediaType: yamlType, Data: []byte(text)})
	}
	return out
}

func shapeFile(k int) string { return fmt.Sprintf("Shapes/Shape_%d.asset", k) }

// shapeAsset is a mesh of the scene's own as an asset.
func shapeAsset(k int, m *shape.Mesh) artefact.File {
	n := len(m.Positions)
	var data, order []byte
	var lo, hi [3]float64
	put := func(x float32) { data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x)) }
	for i := range n {
		p, up := m.Positions[i], m.Normals[i]
		p[2], up[2] = -p[2], -up[2] // the axes of the engine
		for a := range 3 {
			if x := float64(p[a]); i == 0 {
				lo[a], hi[a] = x, x
			} else {
				lo[a], hi[a] = min(lo[a], x), max(hi[a], x)
			}
			put(p[a])
		}
		for a := range 3 {
			put(up[a])
		}
		var uv [2]float32
		if i < len(m.UVs) {
			uv = m.UVs[i]
		}
		put(uv[0])
		put(uv[1])
	}
	format := 0
	if n > 65535 {
		format = 1
	}
	for i := range m.Indices {
		at := m.Indices[i-i%3+(3-i%3)%3]
		if format == 1 {
			order = binary.LittleEndian.AppendUint32(order, uint32(at))
		} else {
			order = binary.LittleEndian.AppendUint16(order, uint16(at))
		}
	}
	center, extent := xyz((lo[0]+hi[0])/2, (lo[1]+hi[1])/2, (lo[2]+hi[2])/2), xyz((hi[0]-lo[0])/2, (hi[1]-lo[1])/2, (hi[2]-lo[2])/2)
	var channels strings.Builder
	for c := range 14 {
		offset, dimension := 0, 0
		switch c {
		case 0:
			dimension = 3
		case 1:
			offset, dimension = 12, 3
		case 4:
			offset, dimension = 24, 2
		}
		fmt.Fprintf(&channels, "    - stream: 0\n      offset: %d\n      format: 0\n      dimension: %d\n", offset, dimension)
	}
	text := yamlHead + "--- !u!43 &4300000\nMesh:\n" + common + fmt.Sprintf("  m_Name: Shape_%d\n  serializedVersion: 10\n", k) +
		fmt.Sprintf("  m_SubMeshes:\n  - serializedVersion: 2\n    firstByte: 0\n    indexCount: %d\n    topology: 0\n    baseVertex: 0\n    firstVertex: 0\n    vertexCount: %d\n", len(m.Indices), n) +
		"    localAABB:\n      m_Center: " + center + "\n      m_Extent: " + extent + "\n" +
		"  m_Shapes:\n    vertices: []\n    shapes: []\n    channels: []\n    fullWeights: []\n  m_BindPose: []\n  m_BoneNameHashes: \n  m_RootBoneNameHash: 0\n  m_MeshCompression: 0\n  m_IsReadable: 1\n  m_KeepVertices: 1\n  m_KeepIndices: 1\n" +
		fmt.Sprintf("  m_IndexFormat: %d\n  m_IndexBuffer: %s\n  m_VertexData:\n    serializedVersion: 3\n    m_VertexCount: %d\n    m_Channels:\n%s    m_DataSize: %d\n    _typelessdata: %s\n", format, hexText(order), n, channels.String(), len(data), hexText(data)) +
		"  m_LocalAABB:\n    m_Center: " + center + "\n    m_Extent: " + extent + "\n  m_MeshUsageFlags: 0\n"
	return artefact.File{Path: shapeFile(k), MediaType: yamlType, Data: []byte(text)}
}

// hexText is bytes as a text, which would read as a number otherwise in YAML where it
// has digits alone.
func hexText(b []byte) string { return hex.EncodeToString(b) }

// shapeFiles are the meshes of the scene's own, in the order of their numbers.
func (w *writer) shapeFiles() []artefact.File {
	var out []artefact.File
	for g := range w.s.Geometries {
		if k, ok := w.meshes[g]; ok {
			out = append(out, shapeAsset(k, w.s.Geometries[g].Mesh()))
		}
	}
	slices.SortFunc(out, func(a, b artefact.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}
