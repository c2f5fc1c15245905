package run

// Limits of a hosted run, which strangers pay nothing for.
const (
	hostedInit    = 1_000_000 // instructions of all first values together
	hostedHeld    = 1 << 19   // bytes and elements in the state, where others have MaxHeld
	hostedRows    = 20_000    // of what is spawned
	hostedEntries = 10_000    // of the trace
	hostedTrace   = 1 << 20   // bytes of the trace, about
	pollEvery     = 256       // instructions or turns between two questions whether to stop
)
