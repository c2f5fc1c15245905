package capability

// Limits of what is asked about capabilities.
const (
	maxAbilities = 32       // of one capability
	maxAbility   = 64       // characters
	maxResource  = 256      // characters
	maxTokenText = 64 << 10 // bytes of a token that is looked at: with its proofs in it
)
