package changes

// Limits of changes that are brought or fetched.
const (
	maxChanges     = 64  // in one request
	maxChangesPage = 500 // in one reply
)
