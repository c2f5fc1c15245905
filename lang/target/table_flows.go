package target

// flowTargets are kubernetes, github-actions, nir, multi-layer and 3dgs.
func flowTargets() []*Target {
	return []*Target{}
}
