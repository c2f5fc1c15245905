package idiom

import "strings"

// Surroundings is a preset of the environment: the colours of its sky from above
// to below, the light from everywhere, and its fog.
type Surroundings struct {
	Sky     [2]string
	Ambient float64
	Tint    string  // of the ambient light
	Fog     float64 // density; 0 is none
	FogTint string
}

// surroundings are the presets by word (M08). The first ten are those of the
// specification.
var surroundings = map[string]Surroundings{
	"day":        {[2]string{"#4a90d9ff", "#cfe5f7ff"}, 0.5, "#ffffffff", 0, ""},
	"dusk":       {[2]string{"#1f2a52ff", "#f0985cff"}, 0.35, "#ffd9b8ff", 0, ""},
	"dawn":       {[2]string{"#3b4a7aff", "#f6c49aff"}, 0.4, "#ffe6d0ff", 0, ""},
	"night":      {[2]string{"#05070fff", "#141b2dff"}, 0.2, "#9db4e0ff", 0, ""},
	"sunset":     {[2]string{"#28315cff", "#f2784bff"}, 0.35, "#ffcfb0ff", 0, ""},
	"studio":     {[2]string{"#f2f2f2ff", "#c9c9c9ff"}, 0.6, "#ffffffff", 0, ""},
	"space":      {[2]string{"#000000ff", "#07070fff"}, 0.15, "#c9d4ffff", 0, ""},
	"overcast":   {[2]string{"#aab4bdff", "#d5d9dcff"}, 0.6, "#f2f6faff", 0, ""},
	"forest":     {[2]string{"#7fa8b8ff", "#5b7a4aff"}, 0.4, "#e4f2dcff", 0.01, "#9fb79aff"},
	"city":       {[2]string{"#7d93a8ff", "#c5c0b4ff"}, 0.45, "#fff8f0ff", 0, ""},
	"sunrise":    {[2]string{"#46558aff", "#ffbf86ff"}, 0.4, "#ffe0c4ff", 0, ""},
	"noon":       {[2]string{"#3d85d4ff", "#dceefcff"}, 0.55, "#ffffffff", 0, ""},
	"midnight":   {[2]string{"#020309ff", "#0a0f1fff"}, 0.15, "#8ea4d8ff", 0, ""},
	"twilight":   {[2]string{"#1a1f47ff", "#8c5a7cff"}, 0.3, "#d8c4f0ff", 0, ""},
	"indoor":     {[2]string{"#d9d4ccff", "#8f887fff"}, 0.6, "#fff4e4ff", 0, ""},
	"underwater": {[2]string{"#1d6f8fff", "#04243aff"}, 0.4, "#9fe0f0ff", 0.06, "#12526bff"},
	"desert":     {[2]string{"#6fb0e0ff", "#f0d9a8ff"}, 0.55, "#fff2d8ff", 0, ""},
	"snow":       {[2]string{"#a9c4dcff", "#f4f8fbff"}, 0.65, "#f0f6ffff", 0.01, "#e8eff5ff"},
	"fog":        {[2]string{"#b8c0c6ff", "#c8ced2ff"}, 0.55, "#f4f6f8ff", 0.06, "#c4cacfff"},
	"storm":      {[2]string{"#3a424cff", "#6c757dff"}, 0.35, "#d4dce6ff", 0.02, "#6c757dff"},
	"cave":       {[2]string{"#0a0908ff", "#15120fff"}, 0.25, "#ffd8a8ff", 0.02, "#0f0d0bff"},
	"cyberpunk":  {[2]string{"#0b0620ff", "#4a1560ff"}, 0.3, "#c8a8ffff", 0.015, "#2c0f45ff"},
	"white":      {[2]string{"#ffffffff", "#f2f2f2ff"}, 0.7, "#ffffffff", 0, ""},
	"black":      {[2]string{"#000000ff", "#000000ff"}, 0.3, "#ffffffff", 0, ""},
}

// same are other words for a preset.
var same = map[string]string{
	"daylight": "day", "sky": "day", "clear": "day", "sunny": "day", "outdoor": "day", "default": "day", "park": "day", "morning": "sunrise", "evening": "dusk", "goldenhour": "sunset",
	"stars": "space", "starfield": "space", "galaxy": "space", "nebula": "space", "starry": "night", "nightsky": "night", "starrynight": "night", "moonlight": "night",
	"cloudy": "overcast", "foggy": "fog", "mist": "fog", "misty": "fog", "haze": "fog", "hdri": "studio", "gallery": "studio", "showroom": "studio", "interior": "indoor", "room": "indoor",
	"apartment": "indoor", "warehouse": "indoor", "lobby": "indoor", "ocean": "underwater", "sea": "underwater", "deepsea": "underwater", "jungle": "forest", "woods": "forest",
	"urban": "city", "street": "city", "neon": "cyberpunk", "dungeon": "cave", "winter": "snow", "arctic": "snow", "rain": "storm", "rainy": "storm", "dark": "midnight",
}

// SurroundingsOf is the preset of a word, in any case and spelling.
func SurroundingsOf(word string) (Surroundings, bool) {
	w := fold(word)
	if s, ok := same[w]; ok {
		w = s
	}
	s, ok := surroundings[w]
	return s, ok
}

// Skies are the words of the presets, in order, without the other words for them.
func Skies() []string { return sorted(surroundings) }

// AllSkies has the other words too.
func AllSkies() []string { return append(sorted(surroundings), sorted(same)...) }

// FogWords are densities by a word.
var FogWords = map[string]float64{
	"light": 0.01, "thin": 0.01, "subtle": 0.01, "low": 0.01, "medium": 0.03, "normal": 0.03, "moderate": 0.03, "on": 0.02, "heavy": 0.06, "dense": 0.06, "thick": 0.06, "high": 0.06,
}

// Lamp is a preset of a light: its colour and intensity.
type Lamp struct {
	Color     string
	Intensity float64
}

// lamps are lights by a word.
var lamps = map[string]Lamp{
	"warm": {"#ffd9a8ff", 1}, "cool": {"#cfe0ffff", 1}, "neutral": {"#ffffffff", 1}, "daylight": {"#fffaf0ff", 1.2}, "sunlight": {"#fff1d6ff", 1.5}, "moonlight": {"#a9bfffff", 0.4},
	"candle": {"#ffb066ff", 0.6}, "fire": {"#ff8a3cff", 1.2}, "neon": {"#ff4fd8ff", 1.5}, "soft": {"#fff6ecff", 0.6}, "bright": {"#ffffffff", 2}, "dim": {"#fff4e4ff", 0.3},
	"studio": {"#ffffffff", 1.5},
}

// LampOf is the light of a word.
func LampOf(word string) (Lamp, bool) {
	l, ok := lamps[fold(word)]
	return l, ok
}

// Lamps are the words of LampOf.
func Lamps() []string { return sorted(lamps) }

// Finish is a material by a word.
type Finish struct {
	Color             string
	Metallic          float64
	Roughness         float64
	Transmission      float64
	IOR               float64
	Emissive          string
	EmissiveIntensity float64
	Blend, Unlit      bool
}

// finishes are the materials by word (M08).
var finishes = map[string]Finish{
	"wood":      {Color: "#8a5a33ff", Roughness: 0.8},
	"stone":     {Color: "#8c8c88ff", Roughness: 0.9},
	"metal":     {Color: "#b8bcc2ff", Metallic: 1, Roughness: 0.35},
	"chrome":    {Color: "#d6dadeff", Metallic: 1, Roughness: 0.08},
	"gold":      {Color: "#f2c14eff", Metallic: 1, Roughness: 0.25},
	"copper":    {Color: "#c9764bff", Metallic: 1, Roughness: 0.3},
	"glass":     {Color: "#dff1f780", Roughness: 0.05, Transmission: 0.9, Blend: true},
	"plastic":   {Color: "#e0e0e0ff", Roughness: 0.4},
	"rubber":    {Color: "#2b2b2bff", Roughness: 0.95},
	"water":     {Color: "#3a7ca5a6", Roughness: 0.1, Transmission: 0.6, IOR: 1.33, Blend: true},
	"matte":     {Color: "#c8c8c8ff", Roughness: 1},
	"neon":      {Color: "#101010ff", Roughness: 0.5, Emissive: "#39ff14ff", EmissiveIntensity: 2},
	"silver":    {Color: "#e4e6e8ff", Metallic: 1, Roughness: 0.2},
	"bronze":    {Color: "#a8763eff", Metallic: 1, Roughness: 0.4},
	"brass":     {Color: "#d4b25cff", Metallic: 1, Roughness: 0.3},
	"steel":     {Color: "#a4a9aeff", Metallic: 1, Roughness: 0.3},
	"iron":      {Color: "#6a6b6dff", Metallic: 1, Roughness: 0.6},
	"rust":      {Color: "#8b4a2bff", Metallic: 0.3, Roughness: 0.9},
	"marble":    {Color: "#eceae6ff", Roughness: 0.25},
	"concrete":  {Color: "#9a9a98ff", Roughness: 0.95},
	"brick":     {Color: "#9c4f3cff", Roughness: 0.9},
	"clay":      {Color: "#b5654aff", Roughness: 0.9},
	"ceramic":   {Color: "#f3f1ecff", Roughness: 0.15},
	"fabric":    {Color: "#8f8f9eff", Roughness: 1},
	"leather":   {Color: "#6b4229ff", Roughness: 0.7},
	"grass":     {Color: "#5b8f3aff", Roughness: 1},
	"sand":      {Color: "#dcc48eff", Roughness: 1},
	"snow":      {Color: "#f6fafdff", Roughness: 0.8},
	"ice":       {Color: "#cfeaf7b0", Roughness: 0.1, Transmission: 0.5, IOR: 1.31, Blend: true},
	"crystal":   {Color: "#e6d9ff90", Roughness: 0.03, Transmission: 0.8, IOR: 1.9, Blend: true},
	"mirror":    {Color: "#f4f6f8ff", Metallic: 1, Roughness: 0.02},
	"glossy":    {Color: "#c8c8c8ff", Roughness: 0.1},
	"satin":     {Color: "#c8c8c8ff", Roughness: 0.4},
	"emissive":  {Color: "#c8c8c8ff", Roughness: 0.5, Emissive: "#ffffffff", EmissiveIntensity: 1},
	"lava":      {Color: "#3a120aff", Roughness: 0.9, Emissive: "#ff5a1fff", EmissiveIntensity: 1.5},
	"hologram":  {Color: "#49d6ff80", Roughness: 0.3, Emissive: "#1fa8e0ff", EmissiveIntensity: 1, Blend: true},
	"toon":      {Color: "#c8c8c8ff", Roughness: 1},
	"unlit":     {Color: "#c8c8c8ff", Roughness: 0.5, Unlit: true},
	"standard":  {Color: "#c8c8c8ff", Roughness: 0.5},
	"asphalt":   {Color: "#3b3c3fff", Roughness: 0.95},
	"paper":     {Color: "#f5f2eaff", Roughness: 0.95},
	"porcelain": {Color: "#faf9f6ff", Roughness: 0.12},
	"velvet":    {Color: "#5a1f3cff", Roughness: 1},
	"obsidian":  {Color: "#141218ff", Roughness: 0.05},
	"carbon":    {Color: "#26282bff", Metallic: 0.2, Roughness: 0.4},
}

// finishWords are other words for a material.
var finishWords = map[string]string{
	"bark": "wood", "hardwood": "wood", "timber": "wood", "bamboo": "wood", "moss": "grass", "leaf": "grass", "leaves": "grass", "foliage": "grass", "soil": "clay", "mud": "clay",
	"carpet": "fabric", "textile": "fabric", "canvas": "fabric", "titanium": "steel", "cobblestone": "stone", "plaster": "matte", "drywall": "matte", "paint": "matte",
	"painted": "matte", "acrylic": "plastic", "vinyl": "plastic", "wax": "satin", "silk": "satin",
	"metallic": "metal", "wooden": "wood", "oak": "wood", "pine": "wood", "rock": "stone", "granite": "stone", "transparent": "glass", "shiny": "glossy", "polished": "glossy", "rough": "matte",
	"pbr": "standard", "physical": "standard", "lambert": "matte", "phong": "glossy", "basic": "unlit", "flat": "unlit", "cloth": "fabric", "glow": "emissive", "glowing": "emissive",
	"cement": "concrete", "dirt": "clay", "terracotta": "clay", "aluminum": "steel", "aluminium": "steel", "meshstandardmaterial": "standard", "meshphysicalmaterial": "standard",
	"meshbasicmaterial": "unlit", "meshlambertmaterial": "matte", "meshphongmaterial": "glossy", "holographic": "hologram",
}

// FinishOf is the material of a word.
func FinishOf(word string) (Finish, bool) {
	if f, ok := finishOf(fold(word)); ok || len(word) > maxWord {
		return f, ok
	}
	// A finish with what it is on or how it is: stone_floor, wood-panel, "old brass".
	out, found := Finish{}, false
	for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }) {
		part = fold(part)
		if aside[part] {
			continue
		}
		f, ok := finishOf(part)
		if !ok {
			return Finish{}, false
		}
		out, found = f, true
	}
	return out, found
}

func finishOf(w string) (Finish, bool) {
	if s, ok := finishWords[w]; ok {
		w = s
	}
	f, ok := finishes[w]
	return f, ok
}

// aside are words beside a finish that change nothing of it.
var aside = set(`floor floors wall walls ceiling panel panels surface tile tiles plank planks board boards alloy sheet block blocks slab frame
rough smooth dark light pale old worn new clean dirty wet dry fine raw natural plain solid simple base body material mat texture finish surface`)

// Finishes are the words of the materials, without the other words for them.
func Finishes() []string { return sorted(finishes) }

// AllFinishes has the other words too.
func AllFinishes() []string { return append(sorted(finishes), sorted(finishWords)...) }

// ToneWords are the ways of mapping tones by their other words.
var ToneWords = map[string]string{
	"aces": "aces", "filmic": "aces", "acesfilmic": "aces", "cinematic": "aces", "agx": "aces", "linear": "linear", "none": "linear", "off": "linear", "neutral": "", "default": "", "reinhard": "",
}

// ToneOf is a way of mapping tones: linear, aces, or neutral (empty), which is that of
// scenes that name none.
func ToneOf(word string) (string, bool) {
	t, ok := ToneWords[strings.TrimSuffix(fold(word), "tonemapping")]
	return t, ok
}
