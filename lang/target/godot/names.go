package godot

// dialect are the words of one version of the engine. Everything else is the
// same for both: there is one writer of scenes and one script.
type dialect struct {
	version int
	names   map[string]string // of classes and properties that the writer calls by the key
}

// name is what a version calls a class or a property.
func (d *dialect) name(key string) string {
	if n, ok := d.names[key]; ok {
		return n
	}
	return key
}

// words is the one table of names: ours, that of version 3, that of version 4.
// Words that both versions share are not in it.
var words = [][3]string{
	{"Node", "Spatial", "Node3D"},
	{"Mesh", "MeshInstance", "MeshInstance3D"},
	{"Rigid", "RigidBody", "RigidBody3D"},
	{"Kinematic", "KinematicBody", "AnimatableBody3D"},
	{"Static", "StaticBody", "StaticBody3D"},
	{"Area", "Area", "Area3D"},
	{"Collision", "CollisionShape", "CollisionShape3D"},
	{"Omni", "OmniLight", "OmniLight3D"},
	{"Spot", "SpotLight", "SpotLight3D"},
	{"Sun", "DirectionalLight", "DirectionalLight3D"},
	{"Camera", "Camera", "Camera3D"},
	{"Particles", "CPUParticles", "CPUParticles3D"},
	{"Hinge", "HingeJoint", "HingeJoint3D"},
	{"Slider", "SliderJoint", "SliderJoint3D"},
	{"Pin", "PinJoint", "PinJoint3D"},
	{"Lock", "Generic6DOFJoint", "Generic6DOFJoint3D"},

	{"Material", "SpatialMaterial", "StandardMaterial3D"},
	{"Box", "CubeMesh", "BoxMesh"},
	{"BoxForm", "BoxShape", "BoxShape3D"},
	{"BallForm", "SphereShape", "SphereShape3D"},
	{"CapsuleForm", "CapsuleShape", "CapsuleShape3D"},
	{"CylinderForm", "CylinderShape", "CylinderShape3D"},
	{"HullForm", "ConvexPolygonShape", "ConvexPolygonShape3D"},
	{"TrianglesForm", "ConcavePolygonShape", "ConcavePolygonShape3D"},

	{"Transform", "Transform", "Transform3D"},
	{"Vectors", "PoolVector3Array", "PackedVector3Array"},
	{"Colors", "PoolColorArray", "PackedColorArray"},
	{"Reals", "PoolRealArray", "PackedFloat32Array"},

	{"emission_energy", "emission_energy", "emission_energy_multiplier"},
	{"unshaded", "flags_unshaded = true", "shading_mode = 0"},
	{"blended", "flags_transparent = true", "transparency = 1"},
	{"masked", "params_use_alpha_scissor = true\nparams_alpha_scissor_threshold = 0.5", "transparency = 2\nalpha_scissor_threshold = 0.5"},
	{"two_sided", "params_cull_mode = 2", "cull_mode = 2"},
	{"additive", "params_blend_mode = 1", "blend_mode = 1"},
	{"billboard", "params_billboard_mode = 3", "billboard_mode = 3"},
	{"contacts", "contacts_reported = 8", "max_contacts_reported = 8"},
	{"keep_aspect", "keep_aspect = 1", "keep_aspect = 1"},
}

var (
	third  = makeDialect(3)
	fourth = makeDialect(4)
)

func makeDialect(version int) *dialect {
	d := &dialect{version: version, names: map[string]string{}}
	for _, w := range words {
		d.names[w[0]] = w[version-2]
	}
	return d
}
