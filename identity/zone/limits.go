package zone

// Sizes of this package.
const (
	// MaxZones is how many zones a scene has; a decision looks at each.
	MaxZones = 256
	// MaxGrants is how many roles, and how many agents, one zone names.
	MaxGrants = 1000
	// MaxName is the longest id of a zone, role or agent, in bytes: a did:key has
	// 57, a did:pkh at most 74.
	MaxName = 128
	// MaxPolicy is the longest JSON of all zones, in bytes.
	MaxPolicy = 4 << 20
)
