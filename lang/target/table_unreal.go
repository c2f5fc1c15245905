package target

// unrealTargets are unreal.
func unrealTargets() []*Target {
	return []*Target{}
}
