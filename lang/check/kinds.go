package check

import (
	"strconv"
	"strings"
	"sync"

	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// role says what a kind of block is, which decides how its body is read.
type role uint8

const (
	data     role = iota // settings: anything may stand in the body
	root                 // composition and scene
	placed               // has a place in the scene
	holder               // has state and functions without a place: module, template, class
	control              // a part of a user interface
	cells                // state and what derives from it
	typed                // declares a type
	stage                // of a pipeline
	part                 // a setting of the block around it
	machine              // state machine
	tree                 // behaviour tree
	nameList             // a list of names
	ignored              // has rules of its own or none
)

// kind is a row of the table of block kinds.
type kind struct {
	name     string
	role     role
	settings string // see parseSettings
	flags    string // "single" repeats merge, "open" takes any setting
	within   string // the kinds it has an effect in, "" for everywhere
}

const nodeSettings = "position:vec3 rotation:vec3|vec4 scale:number|vec3 visible:boolean geometry:name|string|object color:color " +
	"base_color:color albedo:color material:name|string|object texture:asset model:asset src:asset size:any " +
	"radius:number|length[0..] width:number|length[0..] height:number|length[0..] depth:number|length[0..] segments:any opacity:number[0..1] " +
	"metallic:number[0..1] metalness:number[0..1] roughness:number[0..1] emissive:color emissive_color:color emissive_intensity:number[0..] " +
	"mass:number[0..]kg friction:number[0..] restitution:number[0..1] text:any label:any alt:string " +
	"children:list physics:any collider:any traits:list components:any state:any states:any instances:any style:any level:any"

const stageSettings = "type:enum(rest,webhook,mcp,filesystem,database,stream,list,stdout) endpoint:string url:string path:string"

// kinds are the kinds of blocks that mean something to the checker and to the
// model. All others are data.
var kinds = []kind{
	{"composition", root, "", "open", "file module"}, {"scene", root, "", "open", "file module composition"},

	{"object", placed, nodeSettings, "open", ""}, {"entity", placed, nodeSettings, "open", ""}, {"orb", placed, nodeSettings, "open", ""},
	{"node", placed, nodeSettings, "open", ""}, {"actor", placed, nodeSettings, "open", ""}, {"prop", placed, nodeSettings, "open", ""},
	{"npc", placed, nodeSettings, "open", ""}, {"group", placed, nodeSettings, "open", ""}, {"spatial_group", placed, nodeSettings, "open", ""},
	{"zone", placed, nodeSettings + " shape:enum(box,sphere,capsule,cylinder,plane)", "open", ""},
	{"text", placed, nodeSettings + " value:any align:enum(left,center,right)", "open", ""},
	{"light", placed, lightSettings + " type:enum(ambient,directional,point,spot,hemisphere,area)", "open", ""},
	{"ambient_light", placed, lightSettings, "open", ""}, {"directional_light", placed, lightSettings, "open", ""},
	{"point_light", placed, lightSettings, "open", ""}, {"spot_light", placed, lightSettings, "open", ""},
	{"hemisphere_light", placed, lightSettings, "open", ""}, {"area_light", placed, lightSettings, "open", ""},
	{"camera", placed, "position:vec3 rotation:vec3|vec4 scale:number|vec3 fov:angle[1..179]deg near:length[0..] far:length[0..] " +
		"ortho:number[0..] target:any look_at:any active:boolean type:string", "open", ""},
	{"audio", placed, "position:vec3 src:asset volume:number[0..1] loop:boolean autoplay:boolean min:length[0..] max:length[0..] spatial:boolean", "open", ""},
	{"joint", placed, "type:enum(fixed,revolute,hinge,continuous,prismatic,slider,ball,spherical,planar,floating) from:any to:any axis:vec3 position:vec3 " +
		"rotation:vec3|vec4 min:any max:any", "open", ""},
	{"particles", placed, "position:vec3 rotation:vec3|vec4 count:integer[0..] rate:number[0..] lifetime:duration[0..] size:any color:color", "open", ""},

	{"template", holder, nodeSettings, "open", ""}, {"module", holder, "", "open", ""}, {"agent", holder, "", "open", ""},
	{"service", holder, "", "open", ""}, {"world", holder, "", "open", ""},
	{"class", typed, "", "open", ""}, {"struct", typed, "", "open", ""}, {"interface", typed, "", "open", ""}, {"enum", typed, "", "open", ""},
	{"trait", ignored, "", "open", ""}, {"type", typed, "", "open", ""},

	{"ui", control, "", "open", ""}, {"panel", placed, nodeSettings, "open", ""}, {"section", control, "", "open", ""},
	{"button", control, "label:any text:any disabled:any", "open", ""}, {"image", control, "src:asset alt:string", "open", ""},
	{"slider", control, "min:number max:number step:number value:any label:any", "open", ""},
	{"checkbox", control, "value:any label:any", "open", ""}, {"dropdown", control, "options:list value:any label:any", "open", ""},
	{"input", control, "value:any label:any placeholder:string", "open", ""}, {"row", control, "", "open", ""},
	{"column", control, "", "open", ""}, {"list", control, "", "open", ""}, {"label", control, "", "open", ""},
	{"div", control, "", "open", ""}, {"page", control, "", "open", ""}, {"form", control, "", "open", ""},
	{"progress", control, "", "open", ""}, {"toggle", control, "", "open", ""}, {"tabs", control, "", "open", ""}, {"tab", control, "", "open", ""},

	{"state", cells, "", "open single", ""}, {"computed", cells, "", "open single", ""}, {"watch", cells, "", "open single", ""},
	{"bind", cells, "", "open single", ""}, {"props", cells, "", "open single", ""}, {"events", data, "", "open single", ""},
	{"schema", data, "", "open single", ""}, {"exports", nameList, "", "open single", "file module"}, {"persist", nameList, "", "open single", ""},

	{"environment", part, "skybox:any sky:any background:any ambient_light:any ambient:any fog:any gravity:any shadows:any exposure:number[0..] " +
		"tone_mapping:any wind:any ground:any bloom:any time:any lighting:any inherit:any preset:any background_color:any sky_top:color sky_bottom:color " +
		"sky_color:color ground_color:color horizon_color:color ambient_intensity:number[0..] ambient_color:color fog_color:color fog_density:number[0..] " +
		"post_processing:any camera:any particles:any directional:any directional_light:any sun:any point_light:any hemisphere:any", "single", "file composition scene module world template"},
	{"skybox", part, "", "open single", ""}, {"sky", part, "", "open single", ""},
	{"fog", part, "color:color density:number[0..] near:length[0..] far:length[0..] start:length[0..] end:length[0..] enabled:boolean type:enum(linear,exp,exponential,exp2)", "single", ""},
	{"bloom", part, "", "open single", ""}, {"tone_mapping", part, "", "open single", ""}, {"post", part, "", "open single", ""},
	{"post_processing", part, "", "open single", ""}, {"shadows", part, "", "open single", ""},
	{"material", part, "type:string color:color base_color:color albedo:color metallic:number[0..1] metalness:number[0..1] roughness:number[0..1] " +
		"emissive:color emissive_color:color emissive_intensity:number[0..] opacity:number[0..1] transmission:number[0..1] ior:number[1..] " +
		"thickness:number[0..]m double_sided:boolean normal_map:asset texture:asset map:asset", "open single", ""},
	{"physics", part, "type:enum(dynamic,kinematic,static) mass:number[0..]kg friction:number[0..] restitution:number[0..1] " +
		"drag:number[0..] gravity:any enabled:boolean", "open single", ""},
	{"collider", part, "shape:enum(box,sphere,capsule,cylinder,plane,mesh,convex) size:any radius:number|length[0..] height:number|length[0..] trigger:boolean", "open", ""},
	{"transform", part, "position:vec3 rotation:vec3|vec4 scale:number|vec3", "single", ""},
	{"geometry", part, "", "open single", ""}, {"metadata", data, "", "open single", ""}, {"meta", data, "", "open single", ""},
	{"config", data, "", "open single", ""}, {"settings", data, "", "open single", ""}, {"memory", data, "", "open", ""},
	{"goals", data, "", "open", ""}, {"perception", data, "", "open", ""}, {"tools", data, "", "open", ""}, {"capabilities", data, "", "open", ""},
	{"tool", ignored, "", "open", ""}, {"skill", ignored, "", "open", ""}, {"goal", data, "", "open", ""}, {"identity", data, "", "open", ""},
	{"animation", part, "property:string from:any to:any keyframes:any duration:duration[0..] delay:duration[0..] loop:any easing:string autoplay:boolean " +
		"target:any", "open", ""},
	{"animations", data, "", "open single", ""}, {"timeline", ignored, "loop:boolean autoplay:boolean delay:duration[0..]", "open", ""},
	{"keyframe", data, "", "open", ""}, {"keyframes", data, "", "open", ""}, {"audio_bus", data, "", "open", ""}, {"layer", data, "", "open", ""},
	{"state_machine", machine, "", "open", ""}, {"behavior_tree", tree, "", "open", ""}, {"behaviour_tree", tree, "", "open", ""},
	{"dialogue", data, "text:any speaker:any title:any", "open", ""}, {"dialog", data, "text:any speaker:any title:any", "open", ""},
	{"option", data, "action:any if:any", "open", ""},
	{"transition", data, "guard:any action:any event:any on:any after:duration[0..] timeout:duration[0..]", "open", ""},
	{"behavior", holder, "", "open", ""}, {"behaviour", holder, "", "open", ""}, {"logic", holder, "", "open", ""}, {"script", holder, "", "open", ""},
	{"system", holder, "", "open", ""}, {"component", holder, "", "open", ""}, {"components", data, "", "open", ""}, {"plugin", holder, "", "open", ""},
	{"lod", data, "", "open", ""}, {"children", ignored, "", "open", ""}, {"entities", ignored, "", "open", ""}, {"templates", ignored, "", "open", ""},
	{"test", ignored, "", "open", ""}, {"assets", data, "", "open single", ""}, {"asset", data, "", "open", ""},

	{"pipeline", holder, "schedule:string timeout:duration[0..] retry:any enabled:boolean description:string", "open", "file composition scene module"},
	{"source", stage, stageSettings, "open", ""}, {"sink", stage, stageSettings, "open", ""},
	{"transform_stage", stage, "", "open", ""}, {"filter", stage, "where:any", "open", ""}, {"validate", stage, "", "open", ""},
	{"merge", stage, "", "open", ""}, {"branch", stage, "", "open", ""}, {"params", data, "", "open", ""}, {"receipt", stage, "", "open", ""},
	{"retry", part, "max:integer[0..] backoff:enum(none,constant,fixed,linear,exponential) delay:duration[0..] max_delay:duration[0..]", "single", "pipeline source sink"},
	{"on_error", data, "", "open", ""},

	{"mcp", data, mcpSettings, "open", ""}, {"mcp_server", data, mcpSettings, "open", ""},
	{"endpoint", data, routeSettings, "open", ""}, {"route", data, routeSettings, "open", ""}, {"http", data, routeSettings, "open", ""},
}

// Servers of tools and paths of a service: data to the scene, read by the targets
// mcp-config and openapi.
const (
	mcpSettings   = "command:string args:list url:string env:any"
	routeSettings = "path:string method:string description:string"
)

const lightSettings = "position:vec3 rotation:vec3|vec4 scale:number|vec3 color:color intensity:number[0..] range:length[0..] angle:angle[0..180]deg " +
	"penumbra:number[0..1] shadow:boolean cast_shadow:boolean cast_shadows:boolean shadows:boolean target:any sky_color:color ground_color:color visible:boolean"

// is says whether a flag is set.
func (k *kind) is(flag string) bool { return strings.Contains(k.flags, flag) }

// vocabulary is the table of kinds prepared for look-ups.
type vocabulary struct {
	byName   map[string]*kind
	names    []string
	settings *trait.Registry           // an entry for each kind with settings
	keys     map[string]*trait.Speller // of the settings of a kind
}

// words of the geometry property that have a mesh (language.md §7, rule 5).
var geometries = strings.Fields("box cube sphere cylinder cone plane torus capsule ring disc text heart star crystal gem gear pyramid arrow wedge")

// hostEvents are raised by the host (language.md §8.2).
var hostEvents = strings.Fields(`click tap double_click hover_enter hover_exit press release grab drag drop throw point gaze_enter
gaze_exit poke pinch gesture key_down key_up collision_enter collision_exit trigger_enter trigger_exit proximity_enter proximity_exit mount
unmount init start update activate deactivate change submit focus blur load error animation_end audio_end timeout message connect disconnect
state_enter state_exit`)

// eventTraits are the traits of which a node needs one to receive an event of
// the hand or the pointer.
var eventTraits = map[string][]string{
	"click": pointing, "tap": pointing, "double_click": pointing, "press": pointing, "release": append([]string{"grabbable"}, pointing...),
	"hover_enter": hovering, "hover_exit": hovering,
	"grab": {"grabbable", "interactive", "interactable"}, "drop": {"grabbable", "draggable", "interactive", "interactable"},
	"throw": {"throwable", "interactive", "interactable"}, "drag": {"draggable", "grabbable", "interactive", "interactable"},
	"point":           {"pointable", "interactive", "interactable"},
	"collision_enter": {"collidable", "physics", "trigger"}, "collision_exit": {"collidable", "physics", "trigger"},
}

var (
	pointing = []string{"clickable", "interactive", "interactable", "pressable", "pointable", "touchable"}
	hovering = []string{"hoverable", "interactive", "interactable", "clickable", "pointable"}
)

// standard are the names of the library (language.md §8.8) and the objects that
// are always there.
var standard = set(`log print emit wait clamp lerp map_range random random_int choose now current_time generate_id distance look_at move_to play
stop play_sound play_animation spawn destroy transition haptic_feedback show hide set_text get_node find_all llm_call tool_call track_event
fetch_value set_timeout Math JSON Object Array String Number Boolean Date Map Set Promise Infinity NaN
delta_time yield broadcast set_trait this self super event state console step calls set animate go_to parseInt parseFloat isNaN
abs floor ceil round trunc sign sqrt cbrt exp pow hypot sin cos tan asin acos atan atan2 min max log2 log10 sum average len range sleep delay setTimeout typeof`)

// testWords are what a test may call besides.
var testWords = set(`assert expect check verify require ensure assert_true assertTrue assert_that assert_eq assert_equal assert_equals assertEqual assertEquals expect_eq assert_ne
assert_not_equal assertNotEqual assert_false assertFalse advance simulate elapse wait_for run_for advance_time tick skip click tap press hover grab release touch interact drop select focus`)

// directives are the known line directives.
var directives = strings.Fields("version target targets mode author license title description tags requires pragma strict namespace")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{byName: map[string]*kind{}}
	var entries []trait.Entry
	for i := range kinds {
		k := &kinds[i]
		v.byName[k.name] = k
		if k.name != "transform_stage" {
			v.names = append(v.names, k.name)
		}
		if k.settings != "" {
			entries = append(entries, trait.Entry{Name: k.name, Kind: trait.KindTrait, Summary: k.name, Open: true, Params: parseSettings(k.settings)})
		}
	}
	for name, b := range idiom.Blocks { // X01: a node by what it is
		if v.byName[name] == nil {
			settings := nodeSettings
			if b.Node == "light" {
				settings = lightSettings
			}
			v.byName[name] = &kind{name, placed, settings, "open", ""}
		}
	}
	r, faults := (&trait.Registry{}).Define(entries)
	if len(faults) > 0 {
		panic("check: table of kinds: " + faults[0].Message())
	}
	v.settings, v.keys = r, map[string]*trait.Speller{}
	for _, e := range entries {
		var keys []string
		for _, p := range e.Params {
			keys = append(keys, p.Name)
		}
		v.keys[e.Name] = trait.NewSpeller(keys)
	}
	return v
})

// parseSettings reads a list of settings: name:type, for an enum its words in
// parentheses, for a number its range in brackets and its unit behind that.
func parseSettings(text string) []trait.Param {
	var out []trait.Param
	for _, field := range strings.Fields(text) {
		name, typ, _ := strings.Cut(field, ":")
		p := trait.Param{Name: name}
		if i := strings.IndexByte(typ, '['); i >= 0 {
			limits, unit, _ := strings.Cut(typ[i+1:], "]")
			low, high, _ := strings.Cut(limits, "..")
			p.Min, p.Max, p.Unit = bound(low), bound(high), unit
			typ = typ[:i]
		}
		if i := strings.IndexByte(typ, '('); i >= 0 {
			for _, w := range strings.Split(strings.TrimSuffix(typ[i+1:], ")"), ",") {
				p.Values = append(p.Values, trait.Value{Kind: trait.Text, Str: w})
			}
			typ = typ[:i]
		}
		t, err := trait.ParseType(typ)
		if err != nil {
			panic("check: setting " + field + ": " + err.Error())
		}
		p.Type = t
		out = append(out, p)
	}
	return out
}

func bound(text string) *float64 {
	if text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("check: bound " + text)
	}
	return &n
}
