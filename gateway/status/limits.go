package status

// Limits of a list of incidents.
const (
	incidentsPage = 50
)
