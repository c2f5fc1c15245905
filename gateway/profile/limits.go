package profile

// Limits of the fields of a page, in characters where nothing else is said.
const (
	maxStatus      = 100
	maxTitle       = 100
	maxLinks       = 8
	maxLabel       = 40
	maxLinkURL     = 300
	maxShort       = 40 // pronouns, location, mood
	maxColor       = 9  // # and eight hex digits
	gradientColors = 2
)
