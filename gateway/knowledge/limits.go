package knowledge

// Limits of entries and of what is shown beside them.
const (
	minQuery        = 2   // characters of a search
	maxPublicTags   = 5   // tags of an entry that everyone sees
	relatedEntries  = 5   // beside one entry
	commentsBeside  = 20  // comments beside one entry
	maxPrivateBatch = 100 // entries in one request
	maxPromote      = 20
	maxVerdicts     = 8192 // entries whose warnings are kept, in about a megabyte
)
