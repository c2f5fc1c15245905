package knowledge

// Limits of lists.
const (
	maxTopScan  = 5000 // newest entries ranked by sort=top
	maxTeamScan = 2000 // entries of a team looked at for one page or one duplicate
)
