package scene_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/scene"
)

// meaning is a scene without what says where it is written.
func meaning(t *testing.T, s *scene.Scene) string {
	t.Helper()
	c := *s
	c.SourceSHA256 = ""
	c.Nodes = slices.Clone(s.Nodes)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.Src, n.Extras = scene.Src{}, scene.Value{}
		if n.Geometry != nil { // a size and a stretch are one
			b := s.Geometries[*n.Geometry].Bounds()
			n.Alt = s.Geometries[*n.Geometry].Kind + string(must(json.Marshal(b)))
			n.Geometry = nil
		}
	}
	c.Geometries, c.Domain = nil, nil
	return string(must(json.MarshalIndent(&c, "", " ")))
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// TestEveryHabitMeansItsPlainForm builds both sources of each row of the table.
func TestEveryHabitMeansItsPlainForm(t *testing.T) {
	for _, row := range idiom.Rows {
		if row.Plain == "" {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			habit, found := build(t, row.Example)
			for _, d := range found {
				t.Errorf("the habit: %s", d)
			}
			plain, found := build(t, row.Plain)
			for _, d := range found {
				t.Errorf("the plain form: %s", d)
			}
			if a, b := meaning(t, habit), meaning(t, plain); a != b {
				t.Errorf("the habit is\n%s\nits plain form is\n%s", a, b)
			}
		})
	}
}

// TestWordsThatAreNoPreset: an unknown word is a finding with the nearest known
// one, and its line.
func TestWordsThatAreNoPreset(t *testing.T) {
	for source, want := range map[string]string{
		`environment { skybox: "nigth" }`:                                   "Unknown sky 'nigth'; the sky of a day is used. Did you mean 'night'?",
		`environment { preset: "sunst" }`:                                   "Unknown environment 'sunst'; the plain one is used. Did you mean 'sunset'?",
		`environment { fog: "dence" }`:                                      "Unknown fog 'dence'; there is none. Did you mean 'dense'?",
		`environment { tone_mapping: "acess" }`:                             "Unknown tone mapping 'acess'; there is none. Did you mean 'aces'?",
		`object "a" { geometry: "box" material: "chrom" }`:                  "Unknown material 'chrom'; a plain one is used. Did you mean 'chrome'?",
		`object "a" { geometry: "box" material { preset: "unobtainium" } }`: "Unknown material 'unobtainium'; a plain one is used.",
		`object "a" { geometry: "box" animate: "spinn" }`:                   "Unknown motion 'spinn'; nothing moves. Did you mean 'spin'?",
		`light "l" { preset: "candel" }`:                                    "Unknown preset of a light 'candel'; a neutral one is used. Did you mean 'candle'?",
		`object "a" { type: "point_lihgt" }`:                                "Unknown kind of object 'point_lihgt'; it stays an object. Did you mean 'pointlight'?",
	} {
		_, found := build(t, source)
		if len(found) != 1 || found[0].Code != "BLK010" || found[0].Message != want {
			t.Errorf("%s: %v, want %q", source, found, want)
		}
	}
}

// TestNothingIsLeftOutSilently: a setting that nothing asks for has a finding where it
// stands, and what code reads has none.
func TestNothingIsLeftOutSilently(t *testing.T) {
	for source, want := range map[string][]string{
		`object "a" { geometry: "box" wobbliness: 3 }`:                                                    {"'wobbliness' is not a known setting of object."},
		`object "a" { geometry: "box" material { color: "red" fuzz: 2 } }`:                                {"'fuzz' is not a known setting of material."},
		`group "g" { color: "red" }`:                                                                      {"'color' has no effect inside group."},
		`composition "c" { gloom: 2 author: "me" }`:                                                       {"'gloom' is not a known setting of composition."},
		`object "a" { health: 3 on_click() { this.health -= 1 } }`:                                        nil,
		`object "a" { geometry: "box" size: 2 radius: 1 }`:                                                {"'radius' has no effect inside object."},
		`@for i in 0..3 { object "a" { geometry: "box" glimmer: i } }`:                                    {"'glimmer' is not a known setting of object."},
		`template "T" { props { w: number = 1 } geometry: "box" width: w } object "a" using "T" { w: 2 }`: nil,
		`@world { sky: "day" gloom: 2 }`:                                                                  {"'gloom' is not a known setting of @world."},
		`composition "c" { environment { @post_processing { steps: [{ effect: "bloom", intensity: 0.5 }, { effect: "swirl", turns: 2 }] } } }`: {"'effect' is not a known setting of steps.", "'turns' is not a known setting of steps."},
		`pipeline "Terrain" { noise { octaves: 6 } }`: {"'pipeline' is kept as data; nothing shows it or acts on it."},
		`environment { skybox: "night" moons: 2 }`:    {"'moons' is not a known setting of environment."},
	} {
		_, found := build(t, source)
		var got []string
		for _, d := range found {
			got = append(got, d.Message)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s, want %s", source, strings.Join(got, " | "), strings.Join(want, " | "))
		}
	}
}

// TestWhoHasAnIdentityIsAnAgent: with the word or without, in a file, a composition or a node.
func TestWhoHasAnIdentityIsAnAgent(t *testing.T) {
	const identity = `identity { name: "Mara" capability_tags: ["review"] }`
	for _, source := range []string{
		identity, `composition "c" { ` + identity + ` }`, `composition "c" { @agent ` + identity + ` }`, `object "m" { ` + identity + ` }`,
	} {
		s, found := build(t, source)
		if len(found) > 0 || len(s.Agents) != 1 {
			t.Fatalf("%s: %v, %d agents", source, found, len(s.Agents))
		}
		card, _ := scene.Get(s.Agents[0].Data, "identity")
		if name, _ := scene.Get(card, "name"); name.Str != "Mara" || s.Agents[0].Kind != "agent" || s.Agents[0].Src[1] == 0 {
			t.Errorf("%s: %+v", source, s.Agents[0])
		}
	}
}
