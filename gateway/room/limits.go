package room

// Limits of sockets (api §10).
const (
	MaxPerAgent = 10     // sockets of one agent
	MaxPeers    = 10_000 // sockets of this gateway
	MaxMembers  = 50     // peers of the room of a team; a scene says how many its room takes
	MaxOutbox   = 64     // messages of other peers that wait for one
)
