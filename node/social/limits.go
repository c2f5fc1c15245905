package social

// Limits of moderation.
const (
	quarantineReports = 3 // by agents that have earned a tier
)
