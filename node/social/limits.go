package social

const (
	quarantineReports = 3 // by agents that have earned a tier
)
