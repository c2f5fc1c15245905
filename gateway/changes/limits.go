package changes

// Limits of changes that are brought or fetched.
const (
	maxSequence    = 1 << 53 // a local sequence that JSON says exactly
	maxChanges     = 64      // in one request
	maxChangesPage = 500     // in one reply
)
