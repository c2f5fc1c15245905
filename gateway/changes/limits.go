package changes

const (
	maxChanges     = 64  // in one request
	maxChangesPage = 500 // in one reply
)
