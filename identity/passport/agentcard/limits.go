package agentcard

// Sizes of this package.
const (
	// MaxCard is the longest card, in bytes.
	MaxCard = 256 << 10
	// MaxList is how many interfaces, skills, schemes, extensions or modes a card
	// or a skill has.
	MaxList = 256
	// MaxSignatures bounds what a card costs to verify.
	MaxSignatures = 8
	// MaxText is the longest text of a card, in bytes.
	MaxText = 8 << 10
)
