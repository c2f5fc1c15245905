package status

// Limits of a list of incidents.
const (
	maxIncidents  = 200 // in one reply
	incidentsPage = 50
)
