package target

// androidTargets are android and android-xr.
func androidTargets() []*Target {
	return []*Target{}
}
