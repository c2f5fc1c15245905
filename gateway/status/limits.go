package status

const (
	maxIncidents  = 200 // in one reply
	incidentsPage = 50
)
