package scene

import (
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// nodeKinds are the block kinds that make nodes, with the kind of the node.
var nodeKinds = map[string]string{
	"object": "object", "entity": "entity", "orb": "orb", "node": "node", "actor": "actor", "prop": "prop", "npc": "npc",
	"group": "group", "spatial_group": "group", "light": "light", "camera": "camera", "audio": "audio", "zone": "zone",
	"panel": "panel", "text": "text",
	"point_light": "light", "directional_light": "light", "spot_light": "light", "ambient_light": "light",
	"hemisphere_light": "light", "area_light": "light",
}

// nodeKind is the kind of node that a kind of block makes, "" for none.
func nodeKind(block string) string {
	if k := nodeKinds[block]; k != "" {
		return k
	}
	return idiom.Blocks[block].Node
}

// shortLights are the kinds that name their type of light.
var shortLights = map[string]string{
	"point_light": "point", "directional_light": "directional", "spot_light": "spot", "ambient_light": "ambient",
	"hemisphere_light": "hemisphere", "area_light": "area",
}

// rootKinds contain a scene.
var rootKinds = map[string]bool{"composition": true, "scene": true, "world": true}

// settingKinds are blocks that are settings of what they stand in, with or
// without a colon.
var settingKinds = map[string]bool{
	"material": true, "physics": true, "transform": true, "collider": true, "fog": true, "shadows": true, "bloom": true,
	"tone_mapping": true, "environment": true, "skybox": true, "sky": true, "post_processing": true, "post": true,
	"particles": true, "joint": true, "animation": true, "animate": true, "animations": true, "rigidbody": true, "metadata": true,
	"config": true, "gravity": true, "vignette": true, "lighting": true, "extras": true,
}

// behaviourKinds go to the behaviour of what they stand in.
var behaviourKinds = map[string]bool{
	"state": true, "computed": true, "watch": true, "persist": true, "exports": true, "bind": true, "props": true, "events": true, "logic": true,
}

// derivedKinds are other words for computed (X32).
var derivedKinds = map[string]bool{"derived": true, "getters": true, "selectors": true}

// machineKinds and treeKinds are blocks that run by themselves.
var (
	machineKinds = map[string]bool{"state_machine": true, "machine": true, "fsm": true, "statechart": true}
	treeKinds    = map[string]bool{"behavior_tree": true, "behaviour_tree": true, "bt": true}
)

// scriptKinds are blocks of behaviour that belongs to what they stand in.
var scriptKinds = map[string]bool{
	"behavior": true, "behaviour": true, "script": true, "component": true, "system": true, "controller": true, "actions": true, "handlers": true, "methods": true,
}

// actedOn are the kinds of blocks that are kept as data and read by something: the
// program, or a target.
var actedOn = map[string]bool{
	"agent": true, "mcp": true, "mcp_server": true, "endpoint": true, "route": true, "http": true, "source": true, "tool": true, "skill": true, "service": true, "identity": true, "goal": true, "capabilities": true,
	"get": true, "put": true, "patch": true, "delete": true, "head": true, "options": true,
	"state_machine": true, "machine": true, "fsm": true, "statechart": true, "behavior_tree": true, "behaviour_tree": true, "bt": true, "module": true,
}

// typeKinds declare types; a compiler of scenes has no use for them.
var typeKinds = map[string]bool{"struct": true, "enum": true, "interface": true, "class": true, "type": true, "trait": true}

// uiKinds contain the flat interface.
var uiKinds = map[string]bool{"ui": true, "hud": true, "overlay": true, "menu": true}

// widgetKinds are the controls with the kind that they become.
var widgetKinds = map[string]string{
	"panel": "panel", "section": "section", "group": "section", "row": "section", "column": "section", "page": "section", "div": "section",
	"list": "section", "form": "panel", "tabs": "section", "tab": "panel", "text": "text", "label": "text", "heading": "text", "button": "button",
	"slider": "slider", "checkbox": "checkbox", "toggle": "checkbox", "dropdown": "dropdown", "select": "dropdown", "input": "input",
	"field": "input", "progress": "progress", "image": "image",
}

// nodeListKeys are keys of lists of nodes.
var nodeListKeys = map[string]bool{"children": true, "entities": true, "objects": true, "nodes": true}

// consumed are the settings that the model has a place for; all others of a
// node go to its extras.
var consumed = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range []string{
		"position", "rotation", "scale", "transform", "geometry", "mesh", "shape", "primitive", "model", "src", "size", "radius", "height",
		"width", "depth", "segments", "tube", "thickness", "inner_radius", "material", "color", "base_color", "albedo", "metallic", "metalness",
		"roughness", "emissive", "emissive_color", "emissive_intensity", "opacity", "transmission", "ior", "double_sided", "normal_map",
		"texture", "map", "unlit", "physics", "rigidbody", "collider", "joint", "audio", "particles", "text", "visible", "label", "alt", "animation",
		"animate", "animations", "look_at", "traits", "kind",
	} {
		m[trait.FoldKey(k)] = true
	}
	return m
}()

// placedKinds are the kinds of nodes.
var placedKinds = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range nodeKinds {
		m[k] = true
	}
	return m
}()
