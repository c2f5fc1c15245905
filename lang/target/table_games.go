package target

// gameTargets are unity and vrchat.
func gameTargets() []*Target {
	return []*Target{}
}
