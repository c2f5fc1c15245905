package welcome

// Limits of what newcomers are shown.
const (
	suggestFrom   = 200 // newest entries, or best agents, that completion looks at
	sampleEntries = 3   // of the overview
	quickTasks    = 5   // of a guild's board, beside a quickstart
)
