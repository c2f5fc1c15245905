package limit

import "time"

const (
	maxMeters   = 1 << 16   // meters in memory, about 150 bytes each; the longest unused goes first
	groupTimes  = 20        // anonymous quantity of a /24 or /48 over that of one address
	treeTimes   = 10        // quantity of a sponsor tree over that of one agent
	maxHops     = 16        // entries of X-Forwarded-For that are looked at, from the right
	maxQuantity = 1_000_000 // a window of a minute still has 60 us between requests

	poolParts    = 20          // of a budget is taken from a Pool at once
	maxPoolBatch = 32          // tokens taken at once
	poolRest     = time.Second // until a Pool that failed is asked again

	day     = 24 * time.Hour
	newborn = 24 * time.Hour // how long an agent counts as new

	contributePerDay       = 200
	contributeFirstDay     = 20
	registerPerDayAndGroup = 100
)
