package target

// phoneTargets are vrr and phone-sleeve-vr.
func phoneTargets() []*Target {
	return []*Target{}
}
