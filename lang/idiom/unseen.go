package idiom

import "github.com/meshd/meshd/lang/trait"

// unseen are settings that say nothing of what is seen: how a scene is simulated, shipped,
// measured or connected. They are kept as data, and a finding says so.
var unseen = set(`traits physics_engine physics_fps physics_step render_mode enable_vr enable_ar vr_mode ar_mode xr_mode quality render_quality target_fps platform platforms network
networked sync sync_rate replication replicated owner ownership permissions permission auth api endpoint protocol topic topics telemetry metrics analytics schema version
author license tags category metadata description id uuid guid seed plane_detection hand_tracking eye_tracking recording logging debug cache storage persistence
model_name learning_rate batch_size hyperparameters training dataset`)

// looks are the keys of what is seen, wherever they stand.
var looks = set(`color colour base_color albedo emissive emissive_color emissive_intensity opacity alpha transparent metallic metalness roughness texture map material shape geometry
mesh model primitive position rotation scale size width height depth radius text content label font_size font_weight intensity range angle visible background fill
sky_color ground_color fog skybox density near far fov target look_at animation animate animations light lights particles camera transform
environment lighting bloom vignette tone_mapping exposure post_processing`)

// Unseen says whether a path of keys below a node leads to what no picture shows: a
// setting that says so, or a part of a component of which nothing is how it looks.
func Unseen(path []string) bool {
	if len(path) == 0 {
		return false
	}
	if unseen[trait.FoldKey(path[0])] {
		return true
	}
	if len(path) < 2 {
		return false
	}
	for _, key := range path {
		if looks[trait.FoldKey(key)] {
			return false
		}
	}
	return true
}
