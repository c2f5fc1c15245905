package unity_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/unity"
)

const harbour = `composition "Harbour" {
  template "Buoy" @clickable { geometry: "sphere" color: "#dd3333" state { hits: 0 } on "tap" { state.hits += 1  lit = true } }
  state { lit: false }
  object "north" using "Buoy" { position: [1, 2, 3] rotation: [0, 90, 0] }
  object "south" using "Buoy" { position: [-1, 0, 0] state { hits: 4 } object "lamp" { geometry: "torus" emissive: "#ffffff" emissive_intensity: 2 } }
  object "floor" @collidable @physics { geometry: "box" size: [10, 1, 10] physics: { type: "static" } collider: "box" }
  object "ball" @collidable @physics { geometry: "sphere" position: [0, 3, 0] physics: { type: "dynamic" mass: 2 } collider: "sphere" color: "#ff000080" }
  spot_light "beam" { intensity: 2 range: 5 angle: 30 shadow: true }
  camera "eye" { fov: 60 position: [0, 2, 8] }
  object "bell" { audio: { src: "ding.wav" volume: 0.5 } }
}`

var (
	heading = regexp.MustCompile(`(?m)^--- !u!(\d+) &(\d+)\n(\w+):\n`)
	pointer = regexp.MustCompile(`\{fileID: (\d+)(?:, guid: ([0-9a-f]{32}), type: \d)?\}`)
)

// names reads the assets of the engine that an artefact has, and says what is wrong
// with them: their form, and whether all that they name is there.
func unresolved(files map[string]string) []string {
	var out []string
	guids := map[string]string{"0000000000000000e000000000000000": "", "0000000000000000f000000000000000": ""}
	for name, text := range files {
		if file, ok := strings.CutSuffix(name, ".meta"); ok {
			var m struct {
				FileFormatVersion int    `yaml:"fileFormatVersion"`
				GUID              string `yaml:"guid"`
			}
			if err := yaml.Unmarshal([]byte(text), &m); err != nil || m.FileFormatVersion != 2 || len(m.GUID) != 32 {
				out = append(out, fmt.Sprintf("%s: %v", name, err))
			}
			if other, twice := guids[m.GUID]; twice {
				out = append(out, name+" has the id of "+other)
			}
			guids[m.GUID] = file
		}
	}
	ids := map[string]map[string]string{} // of a file, their kinds
	for name, text := range files {
		switch path.Ext(name) {
		case ".prefab", ".unity", ".mat", ".asset":
		default:
			continue
		}
		if _, ok := files[name+".meta"]; !ok {
			out = append(out, name+" has no id")
		}
		ids[name] = map[string]string{}
		all := heading.FindAllStringSubmatchIndex(text, -1)
		if len(all) == 0 || !strings.HasPrefix(text, "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n") {
			out = append(out, name+" does not begin as an asset does")
		}
		if strings.Contains(text, "\n#") {
			out = append(out, name+" has a comment, which the engine does not read")
		}
		for i, at := range all {
			end := len(text)
			if i+1 < len(all) {
				end = all[i+1][0]
			}
			id, kind := text[at[4]:at[5]], text[at[6]:at[7]]
			if ids[name][id] != "" {
				out = append(out, name+": "+id+" stands twice")
			}
			ids[name][id] = kind
			var v map[string]map[string]any
			if err := yaml.Unmarshal([]byte(text[at[6]:end]), &v); err != nil || len(v) != 1 {
				out = append(out, fmt.Sprintf("%s: %s %s: %v", name, kind, id, err))
			}
		}
	}
	for name := range ids {
		for _, m := range pointer.FindAllStringSubmatch(files[name], -1) {
			in := name
			if m[2] != "" {
				file, ok := guids[m[2]]
				if !ok {
					out = append(out, name+": "+m[0]+" is no file")
				}
				if in = file; ids[in] == nil { // of the engine, or a script
					if in != "" && m[1] != "11500000" {
						out = append(out, name+": "+m[0]+" is no part of a script")
					}
					continue
				}
			}
			if m[1] != "0" && ids[in][m[1]] == "" && !(m[1] == "100100000" && path.Ext(in) == ".prefab") {
				out = append(out, name+": "+m[0]+" is not in "+in)
			}
		}
	}
	return out
}

func textsOf(r *target.Result) map[string]string {
	out := map[string]string{}
	for _, f := range r.Files {
		out[f.Path] = string(f.Data)
	}
	return out
}

// TestAssetsNameWhatIsThere: the prefab and the scene are YAML of the engine's form,
// and what they name is there.
func TestAssetsNameWhatIsThere(t *testing.T) {
	r := compile(t, harbour)
	files := textsOf(r)
	for _, fault := range unresolved(files) {
		t.Error(fault)
	}
	prefab := files["Scene.prefab"]
	for _, w := range []string{
		"m_Name: \"north\"", "m_LocalPosition: {x: 1, y: 2, z: -3}", "m_Mesh: {fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}", "m_Mesh: {fileID: 4300000, guid: ", "SphereCollider:\n", "Rigidbody:\n", "  m_Mass: 2\n",
		"BoxCollider:\n", "Light:\n", "  m_SpotAngle: 60\n", "Camera:\n", "AudioSource:\n", "  itsHits: 4\n", "  itsLit: 0\n", "MonoBehaviour:\n",
	} {
		if !strings.Contains(prefab, w) {
			t.Errorf("no %q", w)
		}
	}
	again := textsOf(compile(t, strings.Replace(harbour, "#dd3333", "#33dd33", 1)))
	for name, text := range files {
		if strings.HasSuffix(name, ".meta") && again[name] != text {
			t.Errorf("%s has another id after a change of a colour", name)
		}
	}
	for _, c := range [][2]string{
		{"Scene.prefab", `m_GameObject: {fileID: `}, {"Scene.prefab", "m_Mesh: {fileID: "}, {"Scene.prefab", "m_Script: {fileID: 11500000, guid: "}, {"Scene.unity", "m_SourcePrefab: {fileID: 100100000, guid: "},
	} {
		broken := map[string]string{}
		for name, text := range files {
			broken[name] = text
		}
		at := strings.Index(broken[c[0]], c[1]) + len(c[1])
		broken[c[0]] = broken[c[0]][:at] + "9" + broken[c[0]][at+1:]
		if broken[c[0]] == files[c[0]] {
			broken[c[0]] = broken[c[0]][:at] + "8" + broken[c[0]][at+1:]
		}
		if len(unresolved(broken)) == 0 && !strings.Contains(c[1], "m_Mesh") {
			t.Errorf("a broken %s is taken", c[1])
		}
	}
	accepted(t, r)
}

// TestWhatStandsIsTaken: a stage whose objects are those of the prefab leaves them where
// they are, with what they are made of. What only code makes, and what the pointer
// finds, is all that is made again.
func TestWhatStandsIsTaken(t *testing.T) {
	r := compile(t, harbour)
	dir := t.TempDir()
	var sources []string
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, ".cs") {
			at := filepath.Join(dir, filepath.Base(f.Path))
			if err := os.WriteFile(at, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			sources = append(sources, at)
		}
	}
	north := ""
	for i := range r.Scene.Nodes {
		if r.Scene.Nodes[i].Name == "north" {
			north = r.Scene.Nodes[i].ID
		}
	}
	said := unity.Runs(t, dir, append(sources, "../../../scripts/validators/unity.cs", "../../../scripts/validators/unity_objects.cs", "testdata/stands.cs"), []string{north})
	var before, after int
	_, parts, _ := strings.Cut(said, "PARTS ")
	if _, err := fmt.Sscan(parts, &before, &after); err != nil || !strings.Contains(said, "AT 9 8 7\n") {
		t.Fatalf("%v: %s", err, said)
	}
	if made := after - before; made > 10 { // three things to touch, and gravity of a body
		t.Errorf("of %d parts, %d were made again", before, made)
	}
}

// FuzzAssets: whatever things are called, the assets are read.
func FuzzAssets(f *testing.F) {
	for _, s := range []string{`a"b`, "x: y", "- a", "{b}", "# c", "x\ny", `\`, "😀", "true", "12", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		source := fmt.Sprintf("composition %q {\n object %q { geometry: \"torus\" state { %q: %q } on \"click\" { log(%q) } }\n}", name, name, name, name, name)
		r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "unity"})
		if err != nil {
			return // no source
		}
		for _, fault := range unresolved(textsOf(r)) {
			t.Error(fault)
		}
	})
}
