package target

// appleTargets are visionos and ios.
func appleTargets() []*Target {
	return []*Target{}
}
